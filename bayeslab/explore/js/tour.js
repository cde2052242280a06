// The tour: what its steps say, what they ask for, and what they answer.

import { argmax, clamp } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { gaussianFit } from "./math/gaussian_fit.js";
import { densities } from "./math/estimate.js";
import { errorRate } from "./math/error_rate.js";
import { conic } from "./math/conic.js";
import { GAUSSIAN_RULES } from "./constants.js";
import { gaussianRule } from "./gaussian_rules.js";
import { placed, RepeatedSamples, standardSample, statisticsOf } from "./repeated_samples.js";
import { TOUR_SCENES } from "./tour_scenes.js";

export const KINDS = ["blue", "orange"];
export const DRAWS = 20; // that one press of the button gives
export const MOST_DRAWS = 200;
export const SHOWN = 40; // flowers of a kind that are drawn where both are equally common
const EVEN = [0.5, 0.5];

/** The state that a step begins with. */
export function startOfStep(step) {
  const { means, covariances } = TOUR_SCENES[step - 1];
  return { step, means, covariances, priors: EVEN, star: [4.3, 4], n: 8, drawn: 1 };
}

/** The rule of a name, for classes of these densities, that believes these priors. */
function ruleFor(name, { means, covariances, priors }, believed) {
  const model = densities({ mode: "truth", means, covariances, priors });
  return gaussianRule(name, GAUSSIAN_RULES[name]).fit({ priors: believed, class_names: KINDS }, model);
}

/** What follows from a state: the rule of the step, the one before it, their mistakes, and samples in the last step. */
export function evaluateTour(state, samples = new RepeatedSamples()) {
  const { step, means, covariances, priors, n, drawn } = state, { rule, old } = TOUR_SCENES[step - 1];
  const truth = gaussianFit(means.map((mean, k) => gaussian(mean, covariances[k])), priors);
  const shown = { truth, pair: truth.gaussians, priors };
  if (!rule) return shown;
  if (step === TOUR_SCENES.length) {
    const runs = samples.evaluate({
      class_names: KINDS, means, covariances, rules: [old, rule], shared: 1, n, seed: 0, drawn,
    });
    return { ...shown, runs: runs.runs, sample: runs.points,
      mistakes: [...runs.runs.map(({ mean }) => mean), runs.bayes] };
  }
  const fit = ruleFor(rule, state, priors), before = old && ruleFor(old, state, old === rule ? EVEN : priors);
  const fits = [before, fit].filter(Boolean);
  const mistakes = fits.map((each) => errorRate(truth, each, 1e-6).error);
  return { ...shown, pair: fit.gaussians, fit, before, mistakes };
}

const STANDARD_POINTS = [0, 1].map((k) => standardSample(0, 2 * SHOWN, 0).filter((point) => point[2] === k));

/** The flowers that are drawn for classes of these densities: as many of each as its prior says. */
export const flowersOf = (pair, priors) => pair.flatMap((g, k) =>
  STANDARD_POINTS[k].slice(0, Math.round(2 * SHOWN * priors[k])).map((point) => [...placed(g, point), k]));

// Words ..............................................................................................................

const inHundred = (share) => (100 * share).toFixed(1);
/** Between two shares as they are written, so that a reader who subtracts them gets the same. */
const difference = (share, other) => Number((inHundred(share) - inHundred(other)).toFixed(1));
const times = (ratio) => (ratio >= 9.95 ? Math.round(Math.min(ratio, 1e6)).toLocaleString("en") : ratio.toFixed(1));

/** The kind that a rule gives to the star, and how many times as high its hill is there. */
export function atStar({ star }, { fit }) {
  const scores = fit.scores(...star), winner = argmax(scores);
  return { winner, ratio: Math.exp(Math.min(scores[winner] - scores[1 - winner], 700)) };
}

/** How far, in cm, the line between two round classes has moved away from the middle between their means. */
export function shiftOf({ means: [one, other] }, { fit: { gaussians: [{ S }], logPriors } }) {
  const distance = Math.hypot(one[0] - other[0], one[1] - other[1]);
  return distance ? Math.abs((S[0][0] * (logPriors[0] - logPriors[1])) / distance) : Infinity;
}

/** The largest ratio of a standard deviation to that of the start, or the other way round. */
function stretchOf({ covariances }, start) {
  const ratios = covariances.flatMap((S, k) => [0, 1].map((i) => Math.log(S[i][i] / start.covariances[k][i][i]) / 2));
  return Math.exp(Math.max(...ratios.map(Math.abs)));
}

/** By how many degrees the ellipse of the first class has turned since the start. */
export function turnOf({ covariances: [S] }, { covariances: [T] }) {
  const angle = ([[a, b], [, c]]) => Math.atan2(2 * b, a - c) / 2;
  const turn = ((angle(S) - angle(T)) * 180) / Math.PI;
  return Math.abs(turn - 180 * Math.round(turn / 180));
}

const kindOfLine = ({ pair, fit }) => conic(...pair, fit.logPriors[0] - fit.logPriors[1]).kind;

/** "QDA makes 1.2 fewer mistakes in 100 flowers than LDA", the rule before it. */
const fewer = (who, [old, now], whom = "") => {
  const lost = difference(old, now);
  if (!lost) return `${who} makes as many mistakes${whom && ` as ${whom}`}`;
  const mistakes = `${Math.abs(lost).toFixed(1)} ${lost > 0 ? "fewer" : "more"} mistakes in 100 flowers`;
  return `${who} makes ${mistakes}${whom && ` than ${whom}`}`;
};

/** Whether rules have few flowers to learn from. */
export const isScarce = ({ n }) => n < 20;

/** Who is ahead on the draws of the last step, if that is more than chance. */
function verdictOf({ drawn, n }, { runs: [lda, qda] }) {
  const { mean, standardError } = statisticsOf(qda.errors.map((error, i) => error - lda.errors[i]));
  const count = `In ${drawn === 1 ? "this try" : `these ${drawn} tries`} with ${n} flowers of each kind`;
  const both = `LDA made ${inHundred(lda.mean)} mistakes in 100 and QDA ${inHundred(qda.mean)}`;
  if (standardError === null) return `${count}, ${both}.`;
  const about = Math.max(200 * standardError, 0.1).toFixed(1); // two standard errors, as in notebook 01
  const lead = `${Math.abs(difference(lda.mean, qda.mean)).toFixed(1)}, give or take ${about}`;
  const ahead = `${mean > 0 ? "LDA" : "QDA"} is ahead by ${lead}`;
  const who = Math.abs(mean) < 2 * standardError ? "too close to call" : ahead;
  return `${count}, ${both}: ${who}.`;
}

/**
 * { name, says, does, invites, isDone, answer }: `says` and `does` are texts with terms (see withTerms) and *names* of
 * rules; `invites` is the kind of handle that the step is about; `isDone(state, start, evaluation)`; `answer(state,
 * evaluation, done)` is what the picture has shown.
 */
export const TOUR_STEPS = [
  {
    name: "One kind",
    says: "Each kind of flower has a [ellipse|hill]. Here is one, seen from above: the stronger the colour, the higher the "
      + "hill, and the more flowers we expect there.",
    does: "Drag the hill by its [mean|middle].",
    invites: "mean",
    isDone: ({ means: [[x, y]] }, { means: [[u, v]] }) => Math.hypot(x - u, y - v) > 0.4,
    answer: () => "Now we expect the flowers here. Such a hill is called a *Gaussian density*. It says only two things: where "
      + "the middle of the flowers is, and how they spread around it, which is its shape.",
  },
  {
    name: "Two kinds",
    says: "Now there are two kinds, blue and orange, and a [mean|flower without a name]: the star. Which kind is it? Ask "
      + "whose hill is higher there.",
    does: "Drag the star across the [boundary|line].",
    invites: "star",
    isDone: (state, start, evaluation) =>
      atStar(state, evaluation).winner !== atStar(start, evaluateTour(start)).winner,
    answer: (state, evaluation, done) => {
      const { winner, ratio } = atStar(state, evaluation);
      const kind = KINDS[winner], other = KINDS[1 - winner];
      const here = `Here the ${kind} hill is ${times(ratio)} times as high as the ${other} one, so we say ${kind}.`;
      return done ? `${here} That is the whole rule: name the kind whose hill is higher. On the [boundary|line] both `
        + "are equally high. Between two equal round hills it runs halfway between their middles, or means, so the rule is "
        + "called *nearest mean*." : here;
    },
  },
  {
    name: "How common",
    says: "So far both kinds were equally common. What if most of the flowers here are blue?",
    does: "Make 90 in 100 flowers blue.",
    invites: "slider",
    isDone: ({ priors }) => Math.max(...priors) >= 0.85,
    answer: (state, evaluation) => (state.priors[0] === 0.5 ? "Both kinds are still equally common. Move the slider."
      : `The [boundary|line] moves ${shiftOf(state, evaluation).toFixed(1)} cm away from the common kind: each hill is now `
        + `multiplied by the share of its kind, the *prior*. ${
          fewer("A rule that knows it", evaluation.mistakes, "one that doesn't (dashed)")}.`),
  },
  {
    name: "Stretched",
    says: "Both kinds are equally common again. But real flowers don't vary equally in all directions.",
    does: "Pull the small [ring|handle] at the top of the orange hill down, to squash the hill.",
    invites: "ring",
    isDone: (state, start) => stretchOf(state, start) > 1.3,
    answer: (state, evaluation) => (kindOfLine(evaluation) === "line"
      ? "While both have the same shape, the [boundary|line] stays straight. Pull a handle."
      : "The [boundary|line] bends. The rule is the same, but each kind now has its own spread in length and in width: "
        + `with such hills it is called *naive Bayes*. Far from both, the wider hill is the higher one. ${
          fewer("Naive Bayes", evaluation.mistakes, "nearest mean (dashed)")}.`),
  },
  {
    name: "Tilted alike",
    says: "Long petals are often wide as well, so real hills are tilted. Suppose that both have the same shape.",
    does: "Turn one hill by a small [ring|handle] on it. The other turns with it.",
    invites: "ring",
    isDone: (state, start) => turnOf(state, start) > 20 || stretchOf(state, start) > 1.3,
    answer: (state, { mistakes }) => "One shape for both keeps the [boundary|line] straight, whatever the shape. "
      + `With such hills the rule is called *LDA*: L is for linear, a straight line. Naive Bayes (dashed) doesn't see the tilt: ${
        fewer("LDA", mistakes)}.`,
  },
  {
    name: "Each its own",
    says: "What if each kind has a shape of its own?",
    does: "Push the orange [ring|handles] inwards until the [boundary|line] closes around orange.",
    invites: "ring",
    isDone: (state, start, evaluation) => kindOfLine(evaluation) === "ellipse",
    answer: (state, evaluation, done) => (done || kindOfLine(evaluation) === "ellipse"
      ? "The line bends, and it can close. Now the rule is called *QDA*, Q for quadratic. "
        + `${fewer("QDA", evaluation.mistakes, "LDA (dashed)")}. Four names, one rule: only the shapes differ. A hill's `
        + "shape has a name, too: its *covariance*."
      : kindOfLine(evaluation) === "line"
        ? "The line is still straight, because both have the same shape. Push an orange handle inwards."
        : "The line bends. Keep going: push both orange handles inwards, until blue is all around."),
  },
  {
    name: "Which one?",
    says: "So far we knew the hills. In real life they are learned from flowers. Here [LDA|LDA] and [QDA|QDA] see "
      + "only a few of each kind. Is QDA, whose line can bend, always better?",
    does: "Pick eight of each kind at random, twenty times. Then pick 80 of each.",
    invites: "again",
    isDone: (state) => state.drawn >= DRAWS && !isScarce(state),
    answer: (state, evaluation) => `${verdictOf(state, evaluation)}${state.drawn < DRAWS ? "" : isScarce(state)
      ? " QDA has two shapes to learn, LDA one, so QDA's lines jump more. Now try 80 of each kind." : " With so many flowers its freedom "
        + "pays. *One rule*: name the kind whose hill is higher. *One density*: the Gaussian hill. *And a choice of "
        + "covariance*: the shapes that the hills may have."}`,
  },
];

/** Whether a state is as its step begins. */
export function isUntouched(state) {
  const start = startOfStep(state.step);
  return Object.keys(start).every((name) => JSON.stringify(state[name]) === JSON.stringify(start[name]));
}

export const isStep = (step) => Number.isInteger(step) && step === clamp(step, 1, TOUR_STEPS.length);
