// Regularised discriminant analysis: covariances between own and pooled ones, and the error with one point left out.

import { argmax, sum } from "./numbers.js";
import { gaussian, logDensity } from "./gaussian.js";
import { blend, estimate, estimateFrom, momentsAbout } from "./estimate.js";

/** Gaussians with Σ = (1 − shrinkage) [(1 − shared) own + shared pooled] + shrinkage diag(pooled), or null. */
export function regularised({ means, covariances, pooled }, shared, shrinkage) {
  const target = pooled && [[pooled[0][0], 0], [0, pooled[1][1]]];
  return covariances.map((own, k) => gaussian(means[k], blend(blend(own, pooled, shared), target, shrinkage)));
}

/** Means, covariances and logarithms of the priors of points. */
export const learn = (points, K) => withPriors(estimate(points, K));

const withPriors = (model) => ({ ...model, logPriors: model.counts.map((n) => Math.log(n / sum(model.counts))) });

/** What is learned without each of the points, and the point: the moments of the other classes are those of all. */
export function learnWithoutEach(points, K) {
  const groups = Array.from({ length: K }, (_, k) => points.filter(([,, label]) => label === k));
  const moments = groups.map(momentsAbout);
  return points.map((point) => {
    const [,, label] = point, others = momentsAbout(groups[label].filter((other) => other !== point));
    return { point, model: withPriors(estimateFrom(moments.with(label, others))) };
  });
}

/** Which points are mistaken by what is learned without them; null where a covariance then has no inverse. */
export function mistakenLeftOut(folds, shared, shrinkage) {
  const mistaken = [];
  for (const { point: [x, y, label], model } of folds) {
    const gaussians = regularised(model, shared, shrinkage);
    if (gaussians.includes(null)) return null;
    mistaken.push(decision(gaussians, model.logPriors, x, y) !== label);
  }
  return mistaken;
}

const decision = (gaussians, logPriors, x, y) =>
  argmax(gaussians.map((g, k) => logPriors[k] + logDensity(g, x, y)));

/** Probability of a mistake on a new point, summed over the cells of `latticeOf`; null where one has no inverse. */
export function errorOnCells(model, cells, shared, shrinkage) {
  const gaussians = regularised(model, shared, shrinkage);
  if (gaussians.includes(null)) return null;
  return sum(cells.map(({ x, y, shares, total }) => total - shares[decision(gaussians, model.logPriors, x, y)]));
}

/** The places of a grid over the plane, row by row from the bottom: `size` values of shrinkage for each of shared. */
export const gridOf = (size) => Array.from({ length: size * size }, (_, n) =>
  ({ shrinkage: (n % size) / (size - 1), shared: Math.floor(n / size) / (size - 1) }));
