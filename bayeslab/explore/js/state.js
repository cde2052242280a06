// The state: what Python's traits and the screen share.

import { areUsable } from "./math/numbers.js";
import { estimate } from "./math/estimate.js";
import { RULES } from "./rules.js";
import { MOST_NEIGHBOURS } from "./constants.js";
import { choiceCodec, flagCodec, listsCodec, numberCodec, wholeCodec } from "./kit/links.js";
import { isScene, SCENE_CODECS } from "./scene.js";
import { pointsCodec } from "./sample.js";
import { LAYERS, MODES } from "./layout.js";

/** How a link holds each value. */
export const CODECS = {
  ...SCENE_CODECS,
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

/** What Python's constructor takes where nothing else is asked for. */
export const DEFAULTS = {
  rule: "QDA", mode: "truth", k: 5, shared: 0.5, side_by_side: false, cut: [],
  show_regions: true, show_posterior: false, show_boundary: true, show_ellipses: true, show_contours: false,
  show_cut: false,
};
export const DENSITIES = ["class_names", "means", "covariances", "priors", "points"];

/** Whether a state makes sense: Python refuses others, but may set several traits one by one. */
export function makesSense(state) {
  const { means, rule, mode, k, shared, cut } = state;
  return isScene(state) && means.length > 0 && rule in RULES && mode in MODES && k >= 1
    && shared >= 0 && shared <= 1 && (cut.length === 0 || cut.length === 2) && areUsable(cut);
}

/** Whether the densities were fitted to the points: then nobody knows the true ones. */
export function areFitted({ means, covariances, points }) {
  const found = estimate(points, means.length).means;
  return means.every((mean, k) => found[k]
    && mean.every((value, j) => Math.abs(value - found[k][j]) < 1e-3 * Math.sqrt(covariances[k][j][j])));
}
