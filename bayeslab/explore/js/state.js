// The state: what Python's traits and the screen share.

import { sum } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { estimate } from "./math/estimate.js";
import { RULES } from "./rules.js";
import { MOST_CLASSES } from "./constants.js";
import { LAYERS, MODES } from "./layout.js";

export const DENSITIES = ["class_names", "means", "covariances", "priors", "points"];
export const SHARED = [...DENSITIES, "classes", "feature_names", "rule", "mode", "k", "shared", "side_by_side",
  "compact", "cut", ...Object.keys(LAYERS)];

/** Whether a state makes sense: Python refuses others, but may set several traits one by one. */
export function makesSense(state) {
  const { class_names, means, covariances, priors, points, rule, mode, k, shared, cut } = state;
  const K = means.length, finite = (values) => values.flat(2).every(Number.isFinite);
  return K >= 2 && K <= MOST_CLASSES && [covariances, priors, class_names].every((list) => list.length === K)
    && [means, covariances, priors, points, cut].every(finite) && covariances.every((S, j) => gaussian(means[j], S))
    && priors.every((prior) => prior >= 0) && Math.abs(sum(priors) - 1) <= 1e-5
    && points.every((point) => point[2] in means) && rule in RULES && mode in MODES && k >= 1
    && shared >= 0 && shared <= 1 && (cut.length === 0 || cut.length === 2);
}

/** Whether the densities were fitted to the points: then nobody knows the true ones. */
export function areFitted({ means, covariances, points }) {
  const found = estimate(points, means.length).means;
  return means.every((mean, k) => found[k]
    && mean.every((value, j) => Math.abs(value - found[k][j]) < 1e-3 * Math.sqrt(covariances[k][j][j])));
}
