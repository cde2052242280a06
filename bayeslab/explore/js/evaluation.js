// What a rule makes of a state.

import { argmax } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { Neighbours } from "./math/neighbours.js";
import { confusion, errorByLattice, errorRate } from "./math/error_rate.js";
import { fitRule, logJoint } from "./rules.js";

/** What a rule makes of the state: { fit or neighbours, gaussians to draw, sample, n, trueError } or a problem. */
export function evaluateRule(app, rule) {
  const { points, priors, class_names, k } = app.state, K = priors.length;
  const own = app.shown.means.map((mean, j) => mean && gaussian(mean, app.shown.covariances[j]));
  const decided = (decide) => { // when it is asked for: with many neighbours, that takes longer than a frame
    let known;
    const sample = () => {
      const decisions = points.map(decide);
      return { decisions, counts: confusion(points, decisions, K) };
    };
    return { sample: () => (known ??= sample()), n: points.length };
  };
  if (rule === "kNN") {
    if (!points.length) return { problem: "kNN needs points", gaussians: own };
    if (app.neighboursOf !== points) [app.neighboursOf, app.neighbours] = [points, new Neighbours(points)];
    const decide = ([x, y]) => argmax(app.neighbours.votes(x, y, k, K));
    const dear = k > 40 ? points.length * K : 0; // distances for each point of a lattice, and of each class
    const perClass = (coarse) => Math.min(coarse ? 1000 : 4000, dear ? Math.ceil((coarse ? 5e6 : 2e7) / dear) : 4000);
    return {
      neighbours: app.neighbours, slow: k > 40 && points.length > 1e3, gaussians: own, ...decided(decide),
      trueError: (truth, coarse) => errorByLattice(truth, decide, perClass(coarse)),
    };
  }
  const fit = fitRule(rule, app.shown, priors, class_names);
  if (fit.problem) return { problem: fit.problem, gaussians: own };
  const trueError = (truth) => errorRate(truth, fit, 1e-6);
  return { fit, gaussians: fit.gaussians, trueError, ...decided(([x, y]) => argmax(logJoint(fit, x, y))) };
}
