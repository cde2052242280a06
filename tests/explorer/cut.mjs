// What the tests of the cut ask, as functions of a state.

import { densities } from "../../bayeslab/explore/js/math/estimate.js";
import { cutOf } from "../../bayeslab/explore/js/math/cut.js";
import { evaluateRule } from "../../bayeslab/explore/js/evaluation.js";
import { betweenRules } from "../../bayeslab/explore/js/transition.js";

export const cutOfRule = (state, rule, ends) => cutOf(evaluateRule(rule, state, densities(state)).fit, ends);

/** Scores at a place and Gaussians between two rules. */
export function betweenAt(state, first, second, t, [x, y]) {
  const [from, to] = [first, second].map((rule) => evaluateRule(rule, state, densities(state)));
  const { fit, gaussians } = betweenRules(from, to, t);
  const at = ([xx, xy, yy, a, b, one]) => (xx * x + xy * y + a) * x + (yy * y + b) * y + one;
  return [fit.quadratics([0, 0], [1, 1]).map(at), gaussians];
}
