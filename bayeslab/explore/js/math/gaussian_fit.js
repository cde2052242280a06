// Bayes' theorem for Gaussians.

import { logDensity, quadratic } from "./gaussian.js";

/** What Bayes' theorem makes of a Gaussian and a prior for each class. */
export function gaussianFit(gaussians, priors) {
  const logPriors = priors.map(Math.log), fit = { gaussians, logPriors };
  return Object.assign(fit, {
    scores: (x, y) => logJoint(fit, x, y),
    posterior: (x, y) => logPosterior(fit, x, y).map(Math.exp),
    quadratics: (origin, units) =>
      gaussians.map((g, k) => (logPriors[k] > -Infinity ? quadratic(g, logPriors[k], origin, units) : null)),
  });
}

/** ln π_k + ln p(x, y | class k) of each class. */
export function logJoint({ gaussians, logPriors }, x, y) {
  return gaussians.map((g, k) => logPriors[k] + logDensity(g, x, y));
}

/** ln p(class | x, y) of each class: Bayes' theorem. */
export function logPosterior(fit, x, y) {
  const joint = logJoint(fit, x, y);
  const top = Math.max(...joint);
  const evidence = top + Math.log(joint.reduce((total, value) => total + Math.exp(value - top), 0));
  return joint.map((value) => value - evidence);
}
