// Rules that give each class a Gaussian: they differ in what they keep of its covariance, and in how much all share.

import { blend } from "./math/estimate.js";
import { gaussian } from "./math/gaussian.js";
import { gaussianFit } from "./math/gaussian_fit.js";

const RESTRICT = {
  full: (S) => S,
  diagonal: ([[a], [, c]]) => [[a, 0], [0, c]],
  spherical: ([[a], [, c]]) => [[(a + c) / 2, 0], [0, (a + c) / 2]],
};

/** One Gaussian for each class, of its own covariance, the pooled one, or one between them. */
export function gaussianRule(rule, options) {
  const fit = ({ priors, class_names: names, shared: chosen }, model) => {
    const shared = options.shared ?? chosen, gaussians = [];
    for (let k = 0; k < priors.length; k++) {
      const S = blend(model.covariances[k], model.pooled, shared);
      const g = model.means[k] && gaussian(model.means[k], S && RESTRICT[options.covariance](S));
      if (!g) return { problem: whyNot(rule, shared, options.covariance, model, k, names[k]) };
      gaussians.push(g);
    }
    return gaussianFit(gaussians, priors);
  };
  return { fit };
}

function whyNot(rule, shared, kind, { counts, means, covariances }, k, name) {
  const n = counts?.[k], least = shared || kind !== "full" ? 2 : 3;
  if (!means[k]) return `class ${name} has no points`;
  if (shared === 1) {
    return `${rule} needs points that vary${kind === "spherical" ? "" : " in both directions"} within the classes`;
  }
  if (n < least) return `${rule} needs more points in class ${name}: it has ${n}`;
  const [[a], [, c]] = covariances[k];
  if (a && c) return `all points of class ${name} lie on a line`;
  return `the points of class ${name} do not vary ${a || c ? "in both directions" : "at all"}`;
}
