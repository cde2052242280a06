// The state: what Python's traits and the screen share.

import { sum } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { estimate } from "./math/estimate.js";
import { RULES } from "./rules.js";
import { MOST_CLASSES, MOST_NEIGHBOURS } from "./constants.js";
import { choiceCodec, flagCodec, labelsCodec, listsCodec, numberCodec, wholeCodec } from "./kit/links.js";
import { pointsCodec } from "./sample.js";
import { LAYERS, MODES } from "./layout.js";

const LARGEST = 1e100; // what is larger, or far smaller, leaves no room for squares

/** How a link holds each value; points come last, as drawn ones need the densities. */
export const CODECS = {
  class_names: labelsCodec,
  classes: labelsCodec,
  feature_names: labelsCodec,
  means: listsCodec(2),
  covariances: listsCodec(2, 2),
  priors: listsCodec(),
  rule: choiceCodec(Object.keys(RULES)),
  mode: choiceCodec(Object.keys(MODES)),
  k: wholeCodec(1, MOST_NEIGHBOURS),
  shared: numberCodec,
  side_by_side: flagCodec,
  compact: flagCodec,
  cut: listsCodec(2),
  ...Object.fromEntries(Object.keys(LAYERS).map((name) => [name, flagCodec])),
  points: pointsCodec,
};
export const SHARED = Object.keys(CODECS);
export const DENSITIES = ["class_names", "means", "covariances", "priors", "points"];

/** Whether a state makes sense: Python refuses others, but may set several traits one by one. */
export function makesSense(state) {
  const { class_names: names, feature_names: axes, means, covariances, priors, points } = state;
  const { rule, mode, k, shared, cut } = state;
  const K = means.length, finite = (values) => values.flat(2).every((value) => Math.abs(value) < LARGEST);
  const symmetric = ([[a, b], [c, d]]) => Math.abs(b - c) <= 1e-9 * Math.sqrt(a * d);
  return K >= 2 && K <= MOST_CLASSES && [covariances, priors, names].every((list) => list.length === K)
    && [means, covariances, priors, points, cut].every(finite) && covariances.every(symmetric)
    && covariances.every((S, j) => gaussian(means[j], S))
    && new Set(names).size === K && axes.length === 2 && axes.every((name) => typeof name === "string")
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
