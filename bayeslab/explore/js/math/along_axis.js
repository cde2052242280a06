// A quadratic of two variables along the axes in which it has no product: where it is 0, and how much of a round
// Gaussian lies where it is positive. Both are exact on each line across the second axis.

import { clamp, dot } from "./numbers.js";
import { eigen } from "./gaussian.js";
import { erfc } from "./one_d.js";
import { addRoots } from "./segments.js";

const AWAY = 7; // standard deviations; beyond them lies less than 1e-11
const FINE = 256; // steps per standard deviation: a line between two of them is off by 5e-7
const SHARES = Float64Array.from({ length: 16 * FINE + 2 }, (_, i) => erfc((8 - i / FINE) / Math.SQRT2) / 2);

/** Area of the standard Gaussian left of z, as it is asked for by the ten thousand. */
function below(z) {
  const place = (clamp(z, -8, 8) + 8) * FINE, i = Math.floor(place);
  return SHARES[i] + (place - i) * (SHARES[i + 1] - SHARES[i]);
}

/**
 * Steps between −1 and 1 with their weights. They crowd at both ends, twice bent by a sine, so that a square root there
 * does no harm: with 48 steps the areas below are right to 1e-5.
 */
function stepsOf(n) {
  return Array.from({ length: n }, (_, i) => {
    const turn = Math.PI * ((i + 0.5) / n - 0.5), bent = (Math.PI / 2) * Math.sin(turn);
    return [Math.sin(bent), ((Math.PI / n) * Math.PI * Math.cos(turn) * Math.cos(bent)) / 2];
  });
}

const OF_AREA = stepsOf(48), OF_CURVE = stepsOf(40);

/** a p² + c q² + d p + e q + f, |a| ≥ |c|, in coordinates p and q along the columns of `axes`. */
function straightened([xx, xy, yy, x, y, one]) {
  const { values, vectors } = eigen([[xx, xy / 2], [xy / 2, yy]]), swap = Math.abs(values[1]) > Math.abs(values[0]);
  const order = swap ? [1, 0] : [0, 1], axes = order.map((i) => [vectors[0][i], vectors[1][i]]);
  const [a, c] = order.map((i) => values[i]), [d, e] = axes.map((axis) => dot(axis, [x, y]));
  return { a, c, d, e, f: one, axes };
}

/**
 * The stretches of [−reach, reach] on which the quadratic has roots in p, or none: { from, to, open, ends, rootsAt }, where
 * `ends` says at which of its ends both roots are one. Where they only come close, there is a bend, and a cut as well.
 */
function stretchesOf({ a, c, d, e, f }, reach) {
  const cuts = [], square = (q) => d * d - 4 * a * ((c * q + e) * q + f);
  addRoots(-4 * a * c, -4 * a * e, square(0), cuts);
  const meet = cuts.length > 0;
  if (!meet) cuts.push(-e / c / 2);
  const within = cuts.filter((q) => q > -reach && q < reach).sort((one, other) => one - other);
  const bounds = [-reach, ...within, reach];
  const rootsAt = (q) => {
    const half = -(d + (d < 0 ? -1 : 1) * Math.sqrt(Math.max(square(q), 0))) / 2;
    return [half / a, half ? ((c * q + e) * q + f) / half : 0];
  };
  return bounds.slice(1).map((to, i) => {
    const from = bounds[i], ends = [meet && i > 0, meet && i + 2 < bounds.length];
    return { from, to, open: square((from + to) / 2) > 0, ends, rootsAt };
  });
}

/** Probability that a quadratic of two independent standard normal variables is positive. */
export function shareAbove(form) {
  const straight = straightened(form), { a, d, e, f } = straight;
  if (!a) return d || e ? below(f / Math.hypot(d, e)) : Number(f > 0);
  let share = 0;
  for (const { from, to, open, rootsAt } of stretchesOf(straight, AWAY)) {
    if (!open) {
      if (a > 0) share += below(to) - below(from);
      continue;
    }
    const half = (to - from) / 2, middle = (to + from) / 2;
    for (const [step, weight] of OF_AREA) {
      const q = middle + half * step, [one, other] = rootsAt(q), between = Math.abs(below(one) - below(other));
      share += (half * weight * Math.exp((-q * q) / 2) * (a > 0 ? 1 - between : between)) / Math.sqrt(2 * Math.PI);
    }
  }
  return share;
}

/** The curve on which a quadratic is 0, within `reach` of the origin: lists of places. */
export function curvesOf(form, reach) {
  const straight = straightened(form), { a, d, e, f, axes: [first, second] } = straight;
  const back = ([p, q]) => [p * first[0] + q * second[0], p * first[1] + q * second[1]];
  if (!a) {
    const size = Math.hypot(d, e), [u, v] = [d / size, e / size];
    return size ? [[-reach, reach].map((t) => back([(-f / size) * u - t * v, (-f / size) * v + t * u]))] : [];
  }
  return stretchesOf(straight, reach).filter(({ open }) => open).flatMap(({ from, to, ends, rootsAt }) => {
    const places = [from, ...OF_CURVE.map(([step]) => (from + to) / 2 + ((to - from) / 2) * step), to];
    const [one, other] = [0, 1].map((i) => places.map((q) => back([rootsAt(q)[i], q])));
    if (!ends[0] && !ends[1]) return [one, other];
    const [outward, inward] = ends[0] ? [one.reverse(), other] : [one, other.reverse()];
    return [[...outward, ...inward, ...(ends[0] && ends[1] ? [outward[0]] : [])]];
  });
}
