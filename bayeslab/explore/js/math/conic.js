// The boundary between two Gaussians: its equation, and the name of its conic, as in bayeslab.boundary.

import { dot, sum } from "./numbers.js";
import { eigen, gaussian, solve, solveTransposed, squaredNorm } from "./gaussian.js";

/**
 * The boundary g(x) = xᵀWx + wᵀx + w0 = ln π_a p(x | a) − ln π_b p(x | b) = 0, and the name of its conic.
 *
 * In coordinates z = Uᵀ(x − center), in which both covariances are diagonal, g = Σ q z² + l z + k: bayeslab.boundary.
 */
export function conic(a, b, logOdds) {
  const total = a.S.map((row, i) => row.map((value, j) => value + b.S[i][j]));
  const difference = a.S.map((row, i) => row.map((value, j) => value - b.S[i][j]));
  const root = gaussian([0, 0], total);
  const { values: delta, vectors: V } = eigen(congruent(difference, root));
  const axes = [0, 1];
  const U = axes.map((i) => solveTransposed(root, V[0][i], V[1][i])); // its columns
  const T = U.map((u) => total.map((row) => dot(row, u)));
  const precisions = [a, b].map((g) => T.map((t) => squaredNorm(g, t)));
  const half = U.map((u) => dot(u, [a.mean[0] - b.mean[0], a.mean[1] - b.mean[1]]) / 2);
  const center = axes.map((j) => (a.mean[j] + b.mean[j]) / 2 - sum(axes.map((i) => T[i][j] * delta[i] * half[i])));
  const means = [a, b].map((g) => U.map((u) => dot(u, [g.mean[0] - center[0], g.mean[1] - center[1]])));
  const q = delta.map((d, i) => (d * precisions[0][i] * precisions[1][i]) / 2);
  const l = axes.map((i) => precisions[0][i] * means[0][i] - precisions[1][i] * means[1][i]);
  const largest = axes.map((i) => Math.max(precisions[0][i], precisions[1][i]));
  const logs = delta.map((d, i) => Math.sign(d) * Math.log1p(Math.abs(d) * largest[i]));
  const squares = [0, 1].map((g) => sum(axes.map((i) => precisions[g][i] * means[g][i] ** 2)));
  const k = logOdds - sum(logs) / 2 - (squares[0] - squares[1]) / 2;
  const form = { q, l, k, rounding: roundingOf([a, b], { U, center, precisions, means, logs, logOdds }) };
  const W = axes.map((i) => axes.map((j) => sum(axes.map((m) => U[m][i] * q[m] * U[m][j]))));
  const slope = axes.map((j) => U[0][j] * l[0] + U[1][j] * l[1]);
  const Wc = W.map((row) => dot(row, center));
  const w = axes.map((j) => slope[j] - 2 * Wc[j]), w0 = k - dot(center, slope) + dot(center, Wc);
  const noise = noiseOf([a, b], form.rounding, U, center, [dot(center, slope), dot(center, Wc)]);
  return { W, w, w0, kind: kindOf(form), noise };
}

const ROUNDING = 16 * Number.EPSILON;

/** L⁻¹ S L⁻ᵀ for the Cholesky factor L of g. */
function congruent(S, g) {
  const [p, q] = [0, 1].map((j) => solve(g, S[0][j], S[1][j])); // columns of L⁻¹ S
  const [first, second] = [0, 1].map((i) => solve(g, p[i], q[i]));
  return [first, [first[1], second[1]]];
}

/** How far off rounding of the entries of Σ and μ may have put q, l and k. */
function roundingOf(pair, { U, center, precisions, means, logs, logOdds }) {
  const along = (v) => U.map((u) => Math.abs(u[0]) * v[0] + Math.abs(u[1]) * v[1]);
  const deviations = pair.map((g) => along([Math.sqrt(g.S[0][0]), Math.sqrt(g.S[1][1])]));
  const e = deviations.map((both, n) => both.map((d, i) => ROUNDING * (precisions[n][i] * d) ** 2));
  const size = (g, j) => ROUNDING * (Math.abs(g.mean[j]) + Math.abs(center[j]));
  const shift = pair.map((g) => along([size(g, 0), size(g, 1)]));
  const reach = pair.map((_, n) => sum([0, 1].map((i) => Math.sqrt(e[n][i]) * Math.abs(means[n][i]))));
  const over = (term) => sum([0, 1].map(term));
  const dq = [0, 1].map((i) => over((n) => e[n][i]));
  const dl = [0, 1].map((i) => over((n) => precisions[n][i] * shift[n][i] + Math.sqrt(e[n][i]) * reach[n]));
  const own = (n, i) => precisions[n][i] * Math.abs(means[n][i]) * shift[n][i] + e[n][i] / precisions[n][i];
  const dk = over((n) => over((i) => own(n, i)) + reach[n] ** 2);
  return [dq, dl, dk + ROUNDING * (Math.abs(logOdds) + sum(logs.map(Math.abs)))];
}

/**
 * How far off it may have put the coefficients of x², xy, y², x, y and 1, which also lose digits to the center. U is
 * rounded as well, so that those of the second degree are no better than their natural size, 1 / σ² with the other
 * coordinate given, lets them be.
 */
function noiseOf(pair, [dq, dl, dk], U, center, terms) {
  const sharp = pair.map(({ l11, l21, l22 }) => [Math.hypot(l21, l22) / (l11 * l22), 1 / l22]);
  const natural = (i, j) => ROUNDING * sum(sharp.map((s) => s[i] * s[j]));
  const [xx, xy, yy] = [[0, 0], [0, 1], [1, 1]].map(([i, j]) =>
    natural(i, j) + sum(U.map((u, m) => Math.abs(u[i] * u[j]) * dq[m])));
  const far = center.map(Math.abs), slope = [0, 1].map((j) => sum(U.map((u, m) => Math.abs(u[j]) * dl[m])));
  const bend = [xx * far[0] + xy * far[1], xy * far[0] + yy * far[1]];
  const lost = ROUNDING * sum(terms.map(Math.abs));
  return [xx, 2 * xy, yy, slope[0] + 2 * bend[0], slope[1] + 2 * bend[1], dk + dot(far, slope) + dot(far, bend) + lost];
}

/** Name of the curve Σ q z² + l z + k = 0: as in bayeslab.boundary. */
function kindOf({ q: given, l, k: constant, rounding: [dq, dl, dk] }) {
  const curved = given.map((value, i) => Math.abs(value) > dq[i]);
  const q = given.map((value, i) => (curved[i] ? value : 0));
  const vertex = q.map((value, i) => (curved[i] ? -l[i] / (2 * value) : 0));
  const k = constant + sum(vertex.map((v, i) => v * (q[i] * v + l[i])));
  const reach = sum(vertex.map((v, i) => Math.sqrt(dq[i]) * Math.abs(v)));
  const number = curved.filter(Boolean).length;
  const sloping = l.some((value, i) => !curved[i] && Math.abs(value) > dl[i] + 2 * Math.sqrt(dq[i]) * reach);
  if (sloping) return number ? "parabola" : "line";
  const side = Math.abs(k) > dk + sum(vertex.map((v, i) => Math.abs(v) * dl[i])) + reach ** 2 ? Math.sign(k) : 0;
  if (number === 2 && q[0] * q[1] < 0) return side ? "hyperbola" : "two lines";
  if (!number || side === sum(q.map(Math.sign)) / number) return "none";
  if (number === 2) return side ? "ellipse" : "point";
  return side ? "two lines" : "line";
}
