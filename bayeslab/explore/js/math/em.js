// The EM algorithm for mixtures of Gaussians in the plane. Parameters are { weights, means, covariances }.

import { range, sum } from "./numbers.js";
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
  const room = roomFor(points, 1);
  return momentsOf(room, room.shares[0].fill(1), points[0]).covariance;
}

/**
 * The coordinates of points in two lists, and lists for the steps to write over: new ones in each of hundreds of
 * iterations a frame would keep the garbage collector busy. `shares` has the responsibilities of each component.
 */
export function roomFor(points, K) {
  const list = () => new Float64Array(points.length);
  const [xs, ys] = [0, 1].map((j) => new Float64Array(points.map((point) => point[j])));
  return { xs, ys, shares: Array.from({ length: K }, list), tops: list(), totals: list() };
}

/** The expectation step: writes the responsibilities and returns the log-likelihood of all points. */
export function eStep(room, weights, gaussians) {
  const { shares, tops, totals } = room;
  tops.fill(-Infinity);
  gaussians.forEach((g, k) => writeLogJoint(room, Math.log(weights[k]), g, shares[k]));
  totals.fill(0);
  for (const list of shares) exponentiate(list, tops, totals);
  let logLikelihood = 0;
  for (let i = 0; i < totals.length; i++) logLikelihood += tops[i] + Math.log(totals[i]);
  for (const list of shares) for (let i = 0; i < list.length; i++) list[i] /= totals[i];
  return logLikelihood;
}

// What follows are plain loops over one list of numbers: they are the hot ones.

/** ln π_k N(x, y) of each point, as `logDensity` has it, and the largest so far. */
function writeLogJoint({ xs, ys, tops }, logWeight, { mean: [x, y], l11, l21, l22, logDeterminant }, list) {
  const first = 1 / l11, second = 1 / l22, constant = logWeight - LOG_2PI - logDeterminant / 2;
  for (let i = 0; i < list.length; i++) {
    const z1 = (xs[i] - x) * first, z2 = (ys[i] - y - l21 * z1) * second;
    const value = list[i] = constant - (z1 * z1 + z2 * z2) / 2;
    if (value > tops[i]) tops[i] = value;
  }
}

/** Logarithms become numbers, of which the largest of each point is 1; they are added to the totals. */
function exponentiate(list, tops, totals) {
  for (let i = 0; i < list.length; i++) {
    const below = list[i] - tops[i];
    totals[i] += list[i] = below === 0 ? 1 : Math.exp(below); // asking saves a fifth of all exponentials
  }
}

/** The maximisation step; `origins`, a place near each new mean, keep the digits of a narrow component far from 0. */
function mStep(room, origins) {
  const moments = origins.map((origin, k) => momentsOf(room, room.shares[k], origin));
  const total = sum(moments.map(({ size }) => size));
  return {
    weights: moments.map(({ size }) => size / total),
    means: moments.map(({ mean }) => mean),
    covariances: moments.map(({ covariance }) => covariance),
  };
}

/** Size, mean and covariance of the points, each counted with its share. */
function momentsOf({ xs, ys }, shares, [x0, y0]) {
  let size = 0, dx = 0, dy = 0, xx = 0, xy = 0, yy = 0;
  for (let i = 0; i < shares.length; i++) {
    const share = shares[i];
    size += share;
    dx += share * (xs[i] - x0);
    dy += share * (ys[i] - y0);
  }
  const n = Math.max(size, 2 ** -1022), x = x0 + dx / n, y = y0 + dy / n;
  for (let i = 0; i < shares.length; i++) {
    const u = xs[i] - x, v = ys[i] - y, part = shares[i] * u;
    xx += part * u;
    xy += part * v;
    yy += shares[i] * v * v;
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

/** As Python's `checked_components` judges it. */
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
 * Iterations from a start until the log-likelihood changes by less than `tolerance`, at most so many.
 *
 * An entry of `history` has the parameters, their Gaussians and the log-likelihood. Once there is an `end`, it is
 * { iteration, converged }, or for the iteration that collapsed, which is not in the history,
 * { iteration, component, why, weight }.
 */
export class Run {
  constructor(points, start, most, tolerance) {
    const room = roomFor(points, start.weights.length);
    Object.assign(this, { points, now: start, most, tolerance, room, spread: covarianceOfAll(points), history: [] });
  }

  /** Go on until the end, or for about so many responsibilities. */
  goOn(work = Infinity) {
    const { points, now: { weights } } = this;
    for (; !this.end && work > 0; work -= points.length * weights.length) this.iterate();
    return this;
  }

  iterate() {
    const { now, history, room, tolerance, most } = this, iteration = history.length;
    const problem = collapsed(now, this.spread);
    if (problem) return void (this.end = { iteration, ...problem });
    const gaussians = now.means.map((mean, k) => gaussian(mean, now.covariances[k]));
    const logLikelihood = eStep(room, now.weights, gaussians), before = history.at(-1)?.logLikelihood ?? -Infinity;
    history.push({ ...now, gaussians, logLikelihood });
    const converged = Math.abs(logLikelihood - before) < tolerance;
    if (converged || iteration >= most) this.end = { iteration, converged };
    else this.now = mStep(room, now.means);
  }
}

/** History and end of a whole run. */
export function runEM(...given) {
  const { history, end } = new Run(...given).goOn();
  return { history, end };
}

/** The point that is farthest from all places, in standard deviations. */
export function farthestFrom(places, points) {
  const S = covarianceOfAll(points);
  const squared = (p, q) => [0, 1].reduce((total, j) => total + (p[j] - q[j]) ** 2 / S[j][j], 0);
  const reach = points.map((point) => Math.min(...places.map((place) => squared(point, place))));
  return points[reach.indexOf(range(reach)[1])];
}

/** Whether places are within so many standard deviations of the mean of all points. */
export function areNear(places, points, most) {
  const S = covarianceOfAll(points), mean = [0, 1].map((j) => sum(points.map((point) => point[j])) / points.length);
  const reach = [0, 1].map((j) => most * Math.sqrt(S[j][j]));
  return places.every((at) => mean.every((middle, j) => Math.abs(at[j] - middle) <= reach[j]));
}
