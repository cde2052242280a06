// Gaussians in the plane. A covariance is [[a, b], [b, c]], a quadratic its coefficients of x², xy, y², x, y, 1.

import { dot } from "./numbers.js";

export const LOG_2PI = Math.log(2 * Math.PI);

/** N(mean, S) with its Cholesky factor, or null where S has no full rank; the rank is judged without units. */
export function gaussian(mean, S) {
  if (!S) return null;
  const [[a, b], [, c]] = S;
  const rho = Math.abs(b) / (Math.sqrt(a) * Math.sqrt(c));
  if (!(a > 0 && c > 0 && 1 - rho > 8 * Number.EPSILON * (1 + rho))) return null;
  const l11 = Math.sqrt(a);
  const l21 = b / l11;
  const l22 = Math.sqrt(c - l21 * l21);
  return { mean, S, l11, l21, l22, logDeterminant: 2 * (Math.log(l11) + Math.log(l22)) };
}

/** Whether a matrix is symmetric, but for rounding. */
export const isSymmetric = ([[a, b], [c, d]]) => Math.abs(b - c) <= 1e-9 * Math.sqrt(a) * Math.sqrt(d);

/** ln N(x, y). */
export function logDensity(g, x, y) {
  const z1 = (x - g.mean[0]) / g.l11;
  const z2 = (y - g.mean[1] - g.l21 * z1) / g.l22;
  return -LOG_2PI - (g.logDeterminant + z1 * z1 + z2 * z2) / 2;
}

/** ln N + logPrior as a quadratic of u and v, x = x0 + sx u and y = y0 + sy v: no digits are lost to an offset. */
export function quadratic(g, logPrior, [x0, y0] = [0, 0], [sx, sy] = [1, 1]) {
  const p0 = (x0 - g.mean[0]) / g.l11, p1 = sx / g.l11;
  const q0 = (y0 - g.mean[1] - g.l21 * p0) / g.l22, q1 = (-g.l21 * p1) / g.l22, q2 = sy / g.l22;
  const constant = logPrior - LOG_2PI - (g.logDeterminant + p0 * p0 + q0 * q0) / 2;
  return [-(p1 * p1 + q1 * q1) / 2, -q1 * q2, (-q2 * q2) / 2, -(p0 * p1 + q0 * q1), -q0 * q2, constant];
}

/** L⁻¹ v, and (L⁻¹)ᵀ v. */
export function solve(g, x, y) {
  const z = x / g.l11;
  return [z, (y - g.l21 * z) / g.l22];
}

export function solveTransposed(g, x, y) {
  const z = y / g.l22;
  return [(x - g.l21 * z) / g.l11, z];
}

/** vᵀ Σ⁻¹ v. */
export function squaredNorm(g, v) {
  const z = solve(g, v[0], v[1]);
  return dot(z, z);
}

/**
 * Eigenvalues, the larger first, and orthonormal eigenvectors (in columns) of [[a, b], [b, c]]. Where b is 0 they are
 * the axes to the last digit: the cosine of π/2 is not, and would turn a narrow ellipse that is stretched.
 */
export function eigen([[a, b], [, c]]) {
  const middle = (a + c) / 2, half = (a - c) / 2, radius = Math.hypot(half, b);
  const larger = radius ? Math.sqrt((1 + Math.abs(half) / radius) / 2) : 1; // of cosine and sine, which is not below 0
  const smaller = radius ? b / radius / larger / 2 : 0;
  const [cos, sin] = half >= 0 ? [larger, smaller] : [Math.abs(smaller), b < 0 ? -larger : larger];
  return { values: [middle + radius, middle - radius], vectors: [[cos, -sin], [sin, cos]] };
}
