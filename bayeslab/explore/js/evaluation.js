// What a rule makes of a state.

import { sum } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { gaussianFit } from "./math/gaussian_fit.js";
import { confusion, errorByLattice, errorRate } from "./math/error_rate.js";
import { decide, RULES } from "./rules.js";

/** What a rule makes of a state: { fit, gaussians to draw, slow, sample, n, trueError }, or a problem. */
export function evaluateRule(rule, state, model) {
  const { points, means } = state, K = means.length;
  const own = model.means.map((mean, k) => mean && gaussian(mean, model.covariances[k]));
  const fit = RULES[rule].fit(state, model);
  if (fit.problem) return { problem: fit.problem, gaussians: own };
  let known;
  const sample = () => { // when it is asked for: with many neighbours, that takes longer than a frame
    const decisions = points.map(([x, y]) => decide(fit, x, y));
    return { decisions, counts: confusion(points, decisions, K) };
  };
  return {
    fit, gaussians: fit.gaussians ?? own, slow: fit.cost > 1e3, n: points.length, sample: () => (known ??= sample()),
    trueError: (truth, coarse) => trueError(truth, fit, coarse),
  };
}

/** The error on draws from the truth: exact where a rule has quadratics, else from a lattice about each class. */
function trueError(truth, fit, coarse) {
  if (fit.quadratics) return errorRate(truth, fit, 1e-6);
  const most = coarse ? 1000 : 4000, distances = coarse ? 5e6 : 2e7;
  const perClass = fit.cost ? Math.min(most, Math.ceil(distances / (fit.cost * truth.gaussians.length))) : most;
  return errorByLattice(truth, ([x, y]) => decide(fit, x, y), perClass);
}

/** The Gaussians behind the points, whatever the mode. */
export function truthOf({ means, covariances, priors }) {
  return gaussianFit(means.map((mean, k) => gaussian(mean, covariances[k])), priors);
}

/** Share of the sample that a rule gets wrong; null where there is no sample or no decision. */
export function sampleErrorOf({ sample, problem, n }) {
  if (problem || !n) return null;
  return (n - sum(sample().counts.map((row, k) => row[k]))) / n;
}
