// Classes, their densities and their points: what the states of several explorers have in common.

import { areUsable, sum } from "./math/numbers.js";
import { gaussian, isSymmetric } from "./math/gaussian.js";
import { labelsCodec, listsCodec } from "./kit/links.js";
import { MOST_CLASSES } from "./constants.js";

/** How a link holds all of it but the points, which come last: `pointsCodec` of drawn ones needs the densities. */
export const SCENE_CODECS = {
  class_names: labelsCodec,
  classes: labelsCodec,
  feature_names: labelsCodec,
  means: listsCodec(2),
  covariances: listsCodec(2, 2),
  priors: listsCodec(),
};

/** Whether all of it goes together; where nobody knows the densities there are none. */
export function isScene(state) {
  const { class_names: names, feature_names: axes, means, covariances, priors, points } = state, K = names.length;
  const lists = [means, covariances, priors], known = lists.some((list) => list.length);
  return K >= 2 && K <= MOST_CLASSES && new Set(names).size === K
    && axes.length === 2 && axes.every((name) => typeof name === "string")
    && [...lists, points].every(areUsable) && points.every((point) => point[2] in names)
    && (!known || (lists.every((list) => list.length === K) && areDensities(state)));
}

function areDensities({ means, covariances, priors }) {
  return covariances.every(isSymmetric) && covariances.every((S, k) => gaussian(means[k], S))
    && priors.every((prior) => prior >= 0) && Math.abs(sum(priors) - 1) <= 1e-5;
}
