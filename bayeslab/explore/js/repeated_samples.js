// Samples of the same size, one after another, and what rules learn from each.

import { randomNumbers, sum } from "./math/numbers.js";
import { gaussian, quadratic } from "./math/gaussian.js";
import { drawPoints, estimateFrom, momentsAbout } from "./math/estimate.js";
import { shareAbove } from "./math/along_axis.js";
import { GAUSSIAN_RULES } from "./constants.js";
import { gaussianRule } from "./gaussian_rules.js";

const PRIORS = [0.5, 0.5]; // as each sample has as many points of one class as of the other
const UNIT_MATRIX = [[1, 0], [0, 1]];
const STANDARD = { means: [[0, 0], [0, 0]], covariances: [UNIT_MATRIX, UNIT_MATRIX], priors: PRIORS };
const INCREMENT = 0x6d2b79f5; // of the state of `randomNumbers`: sample i starts where the one before it ends

/** Sample number i of n standard normal points of each class, [u, v, class]; a class makes its own points of them. */
export function standardSample(seed, n, i) {
  return drawPoints(STANDARD, 2 * n, randomNumbers(seed + Math.imul(4 * n * i, INCREMENT)));
}

/** The point that a class of this density makes of a standard one. */
export const placed = ({ mean, l11, l21, l22 }, [u, v]) => [mean[0] + l11 * u, mean[1] + l21 * u + l22 * v];

/** Moments of a class's points, from those of the standard points: only these need a sum over all. */
function placedMoments(g, { count, mean, scatter: [[uu, uv], [, vv]] }) {
  const { l11, l21, l22 } = g, xy = l11 * (l21 * uu + l22 * uv);
  const yy = l21 * l21 * uu + 2 * l21 * l22 * uv + l22 * l22 * vv;
  return { count, mean: placed(g, mean), scatter: [[l11 * l11 * uu, xy], [xy, yy]] };
}

/** By how much the score of the first class exceeds that of the second: a quadratic of pixels, or of what units say. */
export function leadOf([first, second], origin, units) {
  const other = quadratic(second, 0, origin, units);
  return quadratic(first, 0, origin, units).map((value, i) => value - other[i]);
}

/** Probability that a rule with these Gaussians is wrong on a new point of the true ones. */
export function trueErrorOf(truth, rule) {
  return sum(truth.map((g, k) => {
    const [xx, xy, yy, x, y, one] = leadOf(rule, g.mean, [1, 1]), { l11, l21, l22 } = g;
    const round = [(xx * l11 + xy * l21) * l11 + yy * l21 * l21, (xy * l11 + 2 * yy * l21) * l22, yy * l22 * l22,
      x * l11 + y * l21, y * l22, one];
    return shareAbove(k ? round : round.map((value) => -value)) / 2;
  }));
}

/** Mean, standard deviation and standard error of the mean; null where there are too few. */
export function statisticsOf(values) {
  const n = values.length, mean = sum(values) / n;
  const deviation = n > 1 ? Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (n - 1)) : null;
  return { mean, deviation, standardError: deviation === null ? null : deviation / Math.sqrt(n) };
}

/** What lists are made of, kept until a part of it is another. */
class Kept {
  list(from, drawn, make) {
    if (!this.from?.every((value, i) => value === from[i])) Object.assign(this, { from, made: [] });
    while (this.made.length < drawn) this.made.push(make(this.made.length));
    return this.made.slice(0, drawn);
  }
}

/** Samples and what each rule learns from them; what is known already is not computed again. */
export class RepeatedSamples {
  constructor() { Object.assign(this, { samples: new Kept(), models: new Kept(), rules: {} }); }

  evaluate({ class_names, means, covariances, rules, shared, n, seed, drawn }) {
    const truth = means.map((mean, k) => gaussian(mean, covariances[k]));
    const halves = this.samples.list([n, seed], drawn, (i) => {
      const points = standardSample(seed, n, i);
      return [points.slice(0, n), points.slice(n)].map(momentsAbout);
    });
    const models = this.models.list([n, seed, means, covariances], drawn, (i) =>
      estimateFrom(truth.map((g, k) => placedMoments(g, halves[i][k]))));
    const runs = rules.map((rule) => {
      const kept = this.rules[rule] ??= new Kept(), { fit } = gaussianRule(rule, GAUSSIAN_RULES[rule]);
      const between = GAUSSIAN_RULES[rule].shared === null ? shared : null;
      const learned = kept.list([n, seed, means, covariances, between], drawn, (i) => {
        const { gaussians } = fit({ priors: PRIORS, class_names, shared }, models[i]);
        return { gaussians, error: trueErrorOf(truth, gaussians) };
      });
      const errors = learned.map(({ error }) => error);
      return { rule, fits: learned.map(({ gaussians }) => gaussians), errors, key: kept.made, ...statisticsOf(errors) };
    });
    const points = standardSample(seed, n, drawn - 1).map((point) => [...placed(truth[point[2]], point), point[2]]);
    return { truth, bayes: trueErrorOf(truth, truth), runs, points };
  }
}

/** The same, from nothing. */
export const evaluateSamples = (state) => new RepeatedSamples().evaluate(state);
