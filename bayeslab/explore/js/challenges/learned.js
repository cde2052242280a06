// Challenges with rules that are estimated from points. From easy to hard.

import { diagonal, ROUND, tilted, TOGETHER } from "./scenes.js";

const NEAR = [[0, 0], [1.6, 0.8]];
const OVERLAP = { means: NEAR, covariances: [tilted(1, 0.4, 1), diagonal(1.5, 0.8)], mode: "estimate" };
const CROSSED = [tilted(1, 0.7, 1), tilted(1.5, -0.5, 0.8)];
const RING = { means: TOGETHER, covariances: [diagonal(0.2, 0.2), diagonal(9, 9)], mode: "estimate" };

export const LEARNED = [
  {
    id: "one-neighbour",
    title: "Learned by heart",
    task: "Get kNN to make no mistake on its own points, of which there must be at least 10, while its true error "
      + "is more than twice the Bayes error. You may choose k, and add or delete points.",
    hint: "With k = 1, each point is its own nearest neighbour. Then add a stray point or two of A among those of "
      + "B. What do they do to the regions?",
    start: { ...OVERLAP, means: [[0, 0], [3, 1.5]], rule: "kNN", k: 9, drawn: { n: 40, seed: 4 } },
    goal: (facts) => facts.rule === "kNN" && facts.n >= 10 && facts.sampleError() === 0
      && facts.trueError() > 2 * facts.bayesError,
    solution: { k: 1, added: [[3, 1.5, 0], [0, 0, 1]] },
  },
  {
    id: "everybody-votes",
    title: "Everybody votes",
    task: "The classes are easy to tell apart. Just by choosing k, bring the true error of kNN to 45 % or more.",
    hint: "What does a majority say if everybody votes, wherever we stand?",
    start: { ...OVERLAP, means: [[0, 0], [4, 2]], rule: "kNN", drawn: { n: 40, seed: 6 } },
    keeps: ["means", "covariances", "priors", "points"],
    gauge: { name: "True error", of: (facts) => facts.trueError(), from: 0.45 },
    goal: (facts) => facts.rule === "kNN",
    solution: { k: 40 },
  },
  {
    id: "enough-neighbours",
    title: "Just enough neighbours",
    task: "With k = 1 this rule makes too many errors. Choose k so that its true error is less than 2 percentage "
      + "points above the Bayes error.",
    hint: "A few neighbours are noisy, and too many are no longer near. Try something like the square root of the "
      + "number of points.",
    start: { ...OVERLAP, rule: "kNN", k: 1, drawn: { n: 150, seed: 8 } },
    keeps: ["means", "covariances", "priors", "points"],
    gauge: { name: "True error beyond the Bayes error", of: (facts) => facts.trueError() - facts.bayesError, to: 0.02 },
    goal: (facts) => facts.rule === "kNN",
    solution: { k: 25 },
  },
  {
    id: "too-good",
    title: "Too good to be true",
    task: "Let QDA learn from 10 or more new points, until its error on them is more than 5 percentage points "
      + "below the Bayes error. No true error can be that low.",
    hint: "The rule was fitted to these very points, and the fewer there are, the more it flatters itself. Draw "
      + "10, and draw again.",
    start: { ...OVERLAP, drawn: { n: 200, seed: 3 } },
    keeps: ["means", "covariances", "priors"],
    gauge: {
      name: "Sample error, below the Bayes error by", from: 0.05,
      of: (facts) => facts.bayesError - facts.sampleError(),
    },
    goal: (facts) => facts.rule === "QDA" && facts.mode === "estimate" && facts.n >= 10,
    solution: { drawn: { n: 10, seed: 3 } },
  },
  {
    id: "flattered",
    title: "The flatterer",
    task: "Choose a rule that makes fewer errors than LDA on these points, although its true error is 3 percentage "
      + "points above LDA's. Leave the points and densities alone.",
    hint: "The most flexible rule follows the points most closely. Which rule follows every single point, and with "
      + "which setting?",
    start: { means: NEAR, covariances: [ROUND, ROUND], mode: "estimate", rule: "LDA", drawn: { n: 40, seed: 2 } },
    keeps: ["means", "covariances", "priors", "points", "mode"],
    gauge: { name: "True error beyond LDA’s", of: (facts) => facts.trueError() - facts.trueError("LDA"), from: 0.03 },
    goal: (facts) => facts.sampleError() < facts.sampleError("LDA"),
    solution: { rule: "kNN", k: 1 },
  },
  {
    id: "between",
    title: "Between the two",
    task: "From these 24 points, RDA can learn more than LDA or QDA. Choose how much is shared, so that its true "
      + "error is a percentage point below both.",
    hint: "RDA with nothing shared is QDA; with everything shared it is LDA. Open All rules, and try what lies "
      + "between.",
    start: { means: NEAR, covariances: CROSSED, mode: "estimate", rule: "RDA", shared: 0, drawn: { n: 24, seed: 3 } },
    keeps: ["means", "covariances", "priors", "points", "mode"],
    gauge: {
      name: "True error, below both by", from: 0.01,
      of: (facts) => Math.min(facts.trueError("LDA"), facts.trueError("QDA")) - facts.trueError(),
    },
    goal: (facts) => facts.rule === "RDA",
    solution: { shared: 0.5 },
  },
  {
    id: "more-data",
    title: "More of the same",
    task: "Show that more data doesn't always help. Find a rule other than kNN whose true error is above 40 % "
      + "although it has learned from 300 points, where the Bayes error is below 10 %.",
    hint: "The means coincide. Draw 300 points, and choose a rule that can only tell classes apart by their means.",
    start: { ...RING, drawn: { n: 60, seed: 5 } },
    gauge: { name: "True error", of: (facts) => facts.trueError(), from: 0.4 },
    goal: (facts) => facts.mode === "estimate" && facts.rule !== "kNN" && facts.n >= 300 && facts.bayesError < 0.1,
    solution: { rule: "LDA", drawn: { n: 300, seed: 5 } },
  },
  {
    id: "one-point",
    title: "One slip of the pen",
    task: "Add one single point so that the true error of QDA rises above 13 %. Zoom out to make room.",
    hint: "Distant points have the most influence on means and covariances. Choose the tool Add, and class A. A "
      + "point on the line through both means does little harm: click far beyond B and well above that line, so "
      + "that A's ellipse turns.",
    start: { ...OVERLAP, means: [[0, 0], [2.6, 1.2]], drawn: { n: 60, seed: 9 } },
    keeps: ["means", "covariances", "priors"],
    gauge: { name: "True error", of: (facts) => facts.trueError(), from: 0.13 },
    goal: (facts) => facts.rule === "QDA" && facts.mode === "estimate" && facts.n === 61,
    solution: { added: [[10, 10, 0]] },
  },
  {
    id: "refuses",
    title: "An honest refusal",
    task: "Delete points until QDA refuses to decide, while LDA still does. Keep at least one point of each class.",
    hint: "To get a covariance of its own, a class needs three points that are not in a line. With a shared "
      + "covariance, it can borrow from the other class.",
    start: { ...OVERLAP, drawn: { n: 24, seed: 7 } },
    goal: (facts) => facts.mode === "estimate" && Math.min(...facts.counts) >= 1 && !facts.decides("QDA")
      && facts.decides("LDA"),
    solution: { points: [[0, 0, 0], [1, 0.4, 0], [-0.6, 1, 0], [0.3, -0.9, 0], [2, 1, 1], [2.4, 0.5, 1]] },
  },
];
