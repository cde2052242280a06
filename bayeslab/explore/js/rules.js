// The rules. A rule is { fit(state, model) }, which returns what it has learned, or { problem }, a sentence:
//
//   scores(x, y)               a number for each class: the largest decides
//   posterior(x, y)            the shares of the classes
//   quadratics(origin, units)  the scores as quadratics of pixels, null where a class never wins. Regions, boundary and
//                              errors are then exact; without them they come from decisions on a grid of cells
//   gaussians, logPriors       of a rule that has them
//   cost                       what a decision costs, in distances, if that is much
//
// The model has the densities that the rules go by, { means, covariances, pooled }. A rule is added by a line in
// constants.js, if it is Gaussian: test_boundary_numbers.py then compares its numbers with Python. Any other is
// an entry in RULES, here and in _content.py, a case in BoundaryExplorer.classifier, and has tests of its own.

import { argmax, sum } from "./math/numbers.js";
import { Neighbours } from "./math/neighbours.js";
import { GAUSSIAN_RULES } from "./constants.js";
import { gaussianRule } from "./gaussian_rules.js";

const nearestNeighbours = {
  fit({ points, priors, k }) {
    return points.length ? neighboursOf(points, k, priors.length) : { problem: "kNN needs points" };
  },
};

/** The rules by name, in the order in which they are offered. */
export const RULES = {
  ...Object.fromEntries(Object.entries(GAUSSIAN_RULES).map(([name, options]) => [name, gaussianRule(name, options)])),
  kNN: nearestNeighbours,
};

/** Whether a rule shares as much of the covariances as the slider says. */
export const isBetween = (rule) => GAUSSIAN_RULES[rule]?.shared === null;

const known = new WeakMap(); // the last of each list of points: what is painted from it stays as well

function neighboursOf(points, k, K) {
  const last = known.get(points);
  if (last?.k === k && last.K === K) return last;
  const neighbours = last?.neighbours ?? new Neighbours(points), scores = (x, y) => neighbours.votes(x, y, k, K);
  const posterior = (x, y) => {
    const votes = scores(x, y), total = sum(votes);
    return votes.map((n) => n / total);
  };
  const fit = { neighbours, k, K, scores, posterior, cost: k > 40 ? points.length : 0 };
  known.set(points, fit);
  return fit;
}

/** The class with the largest score. */
export const decide = (fit, x, y) => argmax(fit.scores(x, y));
