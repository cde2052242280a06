// Challenges about errors under known densities: what is dragged is what the rules go by. From easy to hard.

import { APART, diagonal, HYPERBOLA, PENGUINS, ROUND, ROUNDS, tilted, TOGETHER } from "./scenes.js";

export const KNOWN = [
  {
    id: "coin",
    title: "As good as a coin",
    task: "Make the classes so alike that even the best rule is hardly better than tossing a coin: bring the Bayes "
      + "error to 45 % or more.",
    hint: "Any difference helps a rule: in the means, the shapes or the priors. Remove them all.",
    start: { means: APART, covariances: [ROUND, diagonal(2, 0.5)] },
    gauge: { name: "Bayes error", of: (facts) => facts.bayesError, from: 0.45 },
    solution: { means: [[1.5, 0], [1.5, 0]], covariances: [diagonal(2, 0.5), diagonal(2, 0.5)] },
  },
  {
    id: "tenth",
    title: "One in ten",
    task: "Move the means until the Bayes error is between 9 and 11 %. Leave the ellipses and priors as they are.",
    hint: "The boundary lies half-way between the means, and the part of a class beyond it is lost. A bell has a "
      + "tenth of its area beyond 1.28 σ.",
    start: { means: [[-0.5, 0], [0.5, 0]], covariances: [ROUND, ROUND] },
    keeps: ["covariances", "priors"],
    gauge: { name: "Bayes error", of: (facts) => facts.bayesError, from: 0.09, to: 0.11 },
    solution: { means: [[-1.2816, 0], [1.2816, 0]] },
  },
  {
    id: "third",
    title: "Room for a third",
    task: "Add a class, and arrange all three so that the Bayes error is below 2 %. No prior may be below 0.1.",
    hint: "Only overlap costs anything. Move the means apart, or make the ellipses smaller.",
    start: { means: APART, covariances: [ROUND, ROUND] },
    gauge: { name: "Bayes error", of: (facts) => facts.bayesError, to: 0.02 },
    goal: (facts) => facts.priors.length === 3 && Math.min(...facts.priors) >= 0.1,
    solution: { means: [[-3, 0], [3, 0], [0, 5]], covariances: [ROUND, ROUND, ROUND] },
  },
  {
    id: "prior",
    title: "Outvoted",
    task: "With the priors alone, push LDA's boundary past the mean of A, so that the rule classifies A's own mean "
      + "as B.",
    hint: "The boundary moves towards the class with the smaller prior. A prior of 0 would be too easy, and "
      + "doesn't count.",
    start: { means: [[-1, 0], [1, 0]], covariances: [ROUND, ROUND], rule: "LDA" },
    keeps: ["means", "covariances"],
    goal: (facts) => facts.rule === "LDA" && facts.priors[0] > 0 && facts.namedAtMean(0) === 1,
    solution: { priors: [0.08, 0.92] },
  },
  {
    id: "units",
    title: "Weighed in grams",
    task: "These are penguins, by bill length and body mass. Nearest mean gets the species of one in four wrong. "
      + "Without moving anything, choose a rule whose error under the true densities is below 7 %.",
    hint: "Nearest mean adds squared grams to squared millimetres. Which rule measures each direction in its own "
      + "σ, and knows that heavier birds have longer bills?",
    start: { ...PENGUINS, rule: "nearest mean" },
    keeps: ["means", "covariances", "priors"],
    gauge: { name: "True error", of: (facts) => facts.trueError(), to: 0.07 },
    goal: (facts) => facts.mode === "truth",
    solution: { rule: "LDA" },
  },
  {
    id: "idle",
    title: "When freedom is idle",
    task: "QDA makes fewer errors here than LDA. Bring LDA's error under the true densities within 0.2 percentage "
      + "points of QDA's. The Bayes error has to stay above 5 %.",
    hint: "QDA can give each class its own shape. When does that gain nothing? Open All rules to see both errors.",
    start: { means: [[0, 0], [1.6, 1]], covariances: [diagonal(0.5, 3), tilted(2, -0.6, 0.6)] },
    gauge: {
      name: "LDA’s error beyond QDA’s", to: 0.002,
      of: (facts) => Math.abs(facts.trueError("LDA") - facts.bayesError),
    },
    goal: (facts) => facts.bayesError > 0.05 && facts.mode === "truth",
    solution: { means: [[0, 0], [2, 1]], covariances: [tilted(1, 0.4, 1), tilted(1, 0.4, 1)] },
  },
  {
    id: "naive-right",
    title: "Naive, and right",
    task: "Naive Bayes pays for the correlations here. Bring its true error within 0.2 percentage points of QDA's. "
      + "The Bayes error has to stay above 5 %.",
    hint: "Naive Bayes only knows upright ellipses. Turn these until they are upright.",
    start: { means: [[-0.6, 0], [0.6, 0]], covariances: [tilted(1, 0.8, 1), tilted(1, 0.8, 1)] },
    gauge: {
      name: "Its error beyond QDA’s", to: 0.002,
      of: (facts) => Math.abs(facts.trueError("naive") - facts.bayesError),
    },
    goal: (facts) => facts.mode === "truth" && facts.bayesError > 0.05,
    solution: { covariances: [diagonal(1, 0.4), diagonal(0.6, 1)] },
  },
  {
    id: "naive-wrong",
    title: "The price of being naive",
    task: "Make the true error of naive Bayes 20 percentage points larger than the Bayes error.",
    hint: "Make both ellipses thin, and tilt them the same way, with the means side by side. Open All rules to see "
      + "the error of naive Bayes.",
    start: { means: [[-0.5, 0], [0.5, 0]], covariances: [ROUND, ROUND] },
    gauge: {
      name: "Its error beyond the Bayes error", from: 0.2,
      of: (facts) => facts.trueError("naive") - facts.bayesError,
    },
    goal: (facts) => facts.mode === "truth",
    solution: { covariances: [tilted(1, 0.96, 1), tilted(1, 0.96, 1)] },
  },
  {
    id: "nearest",
    title: "A ruler will do",
    task: "Move the means until the true error of nearest mean is within one percentage point of LDA's. The Bayes "
      + "error has to stay above 5 %. Leave the ellipses and priors as they are.",
    hint: "Nearest mean cuts half-way between the means, at a right angle. When does LDA do the same? Line the "
      + "means up along an axis of the ellipses.",
    start: { means: [[-1, -0.7], [1, 0.7]], covariances: [diagonal(3, 0.4), diagonal(3, 0.4)] },
    keeps: ["covariances", "priors"],
    gauge: {
      name: "Its error beyond LDA’s", to: 0.01,
      of: (facts) => Math.abs(facts.trueError("nearest mean") - facts.trueError("LDA")),
    },
    goal: (facts) => facts.mode === "truth" && facts.bayesError > 0.05,
    solution: { means: [[0, -0.8], [0, 0.8]] },
  },
  {
    id: "lda-fails",
    title: "The wrong tool",
    task: "Build a scene in which the true error of LDA is above 35 %, and that of QDA is below 10 %.",
    hint: "LDA tells classes apart by their means alone, so take that away. Leave QDA the shapes: make one class "
      + "much smaller than the other.",
    start: HYPERBOLA,
    gauge: { name: "True error of LDA", of: (facts) => facts.trueError("LDA"), from: 0.35 },
    goal: (facts) => facts.mode === "truth" && facts.trueError("QDA") < 0.1,
    solution: { means: TOGETHER, covariances: [diagonal(0.04, 0.04), diagonal(4, 4)] },
  },
  {
    id: "vanish",
    title: "Gone",
    task: "B lies inside A. Under QDA, lower the prior of B until it wins nowhere. Keep it at 0.05 or more.",
    hint: "B does best at its centre, where it is nine times as dense as A. Which priors cancel that?",
    start: { means: TOGETHER, covariances: [diagonal(9, 9), ROUND] },
    keeps: ["means", "covariances"],
    goal: (facts) => facts.rule === "QDA" && facts.priors[1] >= 0.05 && facts.kind === "none",
    solution: { priors: [0.92, 0.08] },
  },
  {
    id: "rare",
    title: "Nearly always right",
    task: "Find a rule whose true error is below 2 %, although it misses more than half of class B. The prior of B "
      + "has to stay at 0.005 or more.",
    hint: "A rule that ignores a rare class makes few errors. Make B rare.",
    start: { means: [[-1, 0], [1, 0]], covariances: [ROUND, ROUND] },
    gauge: { name: "True error", of: (facts) => facts.trueError(), to: 0.02 },
    goal: (facts) => facts.priors[1] >= 0.005 && facts.recall(1) < 0.5,
    solution: { priors: [0.99, 0.01] },
  },
  {
    id: "stranger-at-home",
    title: "A stranger at home",
    task: "Leave the priors equal. Arrange the classes so that QDA classifies A's own mean as B, with a Bayes "
      + "error below 40 %.",
    hint: "Density counts, not distance. Put a narrow B beside the mean of a wide A.",
    start: ROUNDS,
    keeps: ["priors"],
    goal: (facts) => facts.rule === "QDA" && facts.mode === "truth" && facts.bayesError < 0.4
      && facts.namedAtMean(0) === 1,
    solution: { means: [[0, 0], [0.3, 0]], covariances: [diagonal(4, 4), diagonal(0.2, 0.2)] },
  },
  {
    id: "squeezed-out",
    title: "Squeezed out",
    task: "Leave the ellipses as they are. With LDA, move the four means and choose priors, none below 0.1, until "
      + "one class is squeezed out: LDA recognises fewer than one in a thousand of its members.",
    hint: "A mean that sticks out wins somewhere. Put one mean between the three others, close to them, and lower "
      + "its prior.",
    start: { means: [[-2, -2], [2, -2], [-2, 2], [2, 2]], covariances: [ROUND, ROUND, ROUND, ROUND], rule: "LDA" },
    keeps: ["covariances"],
    goal: (facts) => facts.rule === "LDA" && facts.priors.length === 4 && Math.min(...facts.priors) >= 0.1
      && facts.priors.some((_, k) => facts.recall(k) < 0.001),
    solution: { means: [[0, 0], [0, 1], [-0.9, -0.5], [0.9, -0.5]], priors: [0.1, 0.3, 0.3, 0.3] },
  },
];
