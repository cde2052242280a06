// The EM algorithm for mixtures of Gaussians in the plane. Parameters are { weights, means, covariances }.

import { sum } from "./numbers.js";
import { gaussian, LOG_2PI, squaredNorm } from "./gaussian.js";

const EPSILON = Number.EPSILON;

/** Components of equal weight about these means; a size of 1 is as wide as all points together. */
export function startAt(means, sizes, points) {
  const spread = covarianceOfAll(points);
  const covariances = sizes.map((size) => spread.map((row) => row.map((value) => value * size * size)));
  return { weights: means.map(() => 1 / means.length), means, covariances };
}

/** Covariance of all points, divided by their number. */
export function covarianceOfAll(points) {
  return momentsOf(points, new Float64Array(points.length).fill(1), 0, 1, points[0]).covariance;
}

/**
 * The expectation step: responsibilities, K numbers a point in one list, and the log-likelihood of all points. A list
 * that is given is written over: hundreds of new ones a frame would keep the garbage collector busy.
 */
export function eStep(points, weights, gaussians, responsibilities = new Float64Array(points.length * weights.length)) {
  const K = weights.length;
  gaussians.forEach((g, k) => writeLogJoint(points, Math.log(weights[k]), g, responsibilities, k, K));
  let logLikelihood = 0;
  for (let at = 0; at < responsibilities.length; at += K) {
    let top = -Infinity, total = 0;
    for (let k = at; k < at + K; k++) if (responsibilities[k] > top) top = responsibilities[k];
    for (let k = at; k < at + K; k++) total += responsibilities[k] = Math.exp(responsibilities[k] - top);
    const share = 1 / total; // a product takes a third of the time of a division
    for (let k = at; k < at + K; k++) responsibilities[k] *= share;
    logLikelihood += top + Math.log(total);
  }
  return { responsibilities, logLikelihood };
}

/** ln λ_k N(x, y) of each point, as `logDensity` has it: a plain loop over the points is twice as fast. */
function writeLogJoint(points, logWeight, { mean: [x, y], l11, l21, l22, logDeterminant }, list, k, K) {
  const first = 1 / l11, second = 1 / l22, constant = logWeight - LOG_2PI - logDeterminant / 2;
  for (let i = 0, at = k; i < points.length; i++, at += K) {
    const point = points[i], z1 = (point[0] - x) * first, z2 = (point[1] - y - l21 * z1) * second;
    list[at] = constant - (z1 * z1 + z2 * z2) / 2;
  }
}

/** The maximisation step; `origins`, a place near each new mean, keep the digits of a narrow component far from 0. */
function mStep(points, responsibilities, origins) {
  const moments = origins.map((origin, k) => momentsOf(points, responsibilities, k, origins.length, origin));
  const total = sum(moments.map(({ size }) => size));
  return {
    weights: moments.map(({ size }) => size / total),
    means: moments.map(({ mean }) => mean),
    covariances: moments.map(({ covariance }) => covariance),
  };
}

/** Size, mean and covariance of the points in the view of component k of K, in plain loops: they are the hot ones. */
function momentsOf(points, responsibilities, k, K, [x0, y0]) {
  let size = 0, dx = 0, dy = 0, xx = 0, xy = 0, yy = 0;
  for (let i = 0, at = k; i < points.length; i++, at += K) {
    const point = points[i], share = responsibilities[at];
    size += share;
    dx += share * (point[0] - x0);
    dy += share * (point[1] - y0);
  }
  const n = Math.max(size, 2 ** -1022), x = x0 + dx / n, y = y0 + dy / n;
  for (let i = 0, at = k; i < points.length; i++, at += K) {
    const point = points[i], share = responsibilities[at], u = point[0] - x, v = point[1] - y;
    xx += share * u * u;
    xy += share * u * v;
    yy += share * v * v;
  }
  return { size, mean: [x, y], covariance: [[xx / n, xy / n], [xy / n, yy / n]] };
}

/** The first component that has collapsed as { component, why, weight }, if any; `spread` is of all points. */
export function collapsed({ weights, means, covariances }, spread) {
  for (let k = 0; k < weights.length; k++) {
    const why = whyCollapsed(weights[k], means[k], covariances[k], spread);
    if (why) return { component: k, why, weight: weights[k] };
  }
  return null;
}

/** As Python's `living_components` judges it. */
function whyCollapsed(weight, mean, S, spread) {
  if (weight <= EPSILON) return "no point is left to it";
  const thin = [0, 1].some((j) => S[j][j] <= EPSILON ** 4 * spread[j][j]);
  if (thin) return "it has shrunk to no width, and would raise ℓ without bound";
  const g = gaussian(mean, S);
  if (!g) return "it has shrunk onto a line, and would raise ℓ without bound";
  if (squaredNorm(g, mean.map((value) => 8 * EPSILON * value)) >= 1) {
    return "it has shrunk to the rounding of its points, and would raise ℓ without bound";
  }
  return null;
}

/**
 * Iterations from a start until the log-likelihood changes by less than `tolerance`, at most so many: { history, end }.
 *
 * An entry of `history` has the parameters, their Gaussians and the log-likelihood. `end` is { iteration, converged },
 * or for the iteration that collapsed, which is not in the history, { iteration, component, why, weight }.
 */
export function runEM(points, start, most, tolerance) {
  const spread = covarianceOfAll(points), history = [], list = new Float64Array(points.length * start.weights.length);
  for (let now = start, before = -Infinity; ;) {
    const problem = collapsed(now, spread), iteration = history.length;
    if (problem) return { history, end: { iteration, ...problem } };
    const gaussians = now.means.map((mean, k) => gaussian(mean, now.covariances[k]));
    const { responsibilities, logLikelihood } = eStep(points, now.weights, gaussians, list);
    history.push({ ...now, gaussians, logLikelihood });
    const converged = Math.abs(logLikelihood - before) < tolerance;
    if (converged || iteration >= most) return { history, end: { iteration, converged } };
    [now, before] = [mStep(points, responsibilities, now.means), logLikelihood];
  }
}
