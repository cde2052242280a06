// The rules: what each makes of the densities.

import { gaussian, logDensity } from "./math/gaussian.js";

/** The Gaussian rules: what each keeps of the covariance, and whether all classes share one. kNN is the fifth. */
export const RULES = {
  "nearest mean": { covariance: "spherical", shared: true },
  naive: { covariance: "diagonal", shared: false },
  LDA: { covariance: "full", shared: true },
  QDA: { covariance: "full", shared: false },
  kNN: null,
};

const RESTRICT = {
  full: (S) => S,
  diagonal: ([[a], [, c]]) => [[a, 0], [0, c]],
  spherical: ([[a], [, c]]) => [[(a + c) / 2, 0], [0, (a + c) / 2]],
};

/** One Gaussian per class as a rule sees it, with log priors; or { problem }, a sentence. */
export function fitRule(rule, model, priors, names) {
  const { covariance, shared } = RULES[rule];
  const gaussians = [];
  for (let k = 0; k < priors.length; k++) {
    const S = shared ? model.pooled : model.covariances[k];
    const g = model.means[k] && gaussian(model.means[k], S && RESTRICT[covariance](S));
    if (!g) return { problem: whyNot(rule, model, k, names[k]) };
    gaussians.push(g);
  }
  return { gaussians, logPriors: priors.map(Math.log) };
}

function whyNot(rule, { counts, means }, k, name) {
  const n = counts?.[k];
  if (!means[k]) return `class ${name} has no points`;
  if (RULES[rule].shared) return `${rule} needs points that vary in both directions within the classes`;
  if (n < 3) return `${rule} needs more points in class ${name}: it has ${n}`;
  return `all points of class ${name} lie on a line`;
}

/** ln π_k + ln p(x, y | class k) of each class. */
export function logJoint({ gaussians, logPriors }, x, y) {
  return gaussians.map((g, k) => logPriors[k] + logDensity(g, x, y));
}

/** ln p(class | x, y) of each class: Bayes' theorem. */
export function logPosterior(fit, x, y) {
  const joint = logJoint(fit, x, y);
  const top = Math.max(...joint);
  const evidence = top + Math.log(joint.reduce((sum, value) => sum + Math.exp(value - top), 0));
  return joint.map((value) => value - evidence);
}
