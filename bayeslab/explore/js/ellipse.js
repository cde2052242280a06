// Ellipses of classes: taken hold of, moved, stretched and turned.

import { dot } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";

/**
 * Move class k: its points and its true density follow the map that takes mean and semi-axes to the new ones. What the
 * others have become `now`, since the start of a drag, they stay.
 */
export function moveClass({ means, covariances, points }, k, from, to, now = { means, covariances, points }) {
  const [[a, b], [c, d]] = from.axes, determinant = a * d - b * c;
  const A = [0, 1].map((i) => [
    (to.axes[0][i] * d - to.axes[1][i] * b) / determinant,
    (to.axes[1][i] * a - to.axes[0][i] * c) / determinant,
  ]);
  const map = (x, y) => A.map((row, i) => to.mean[i] + row[0] * (x - from.mean[0]) + row[1] * (y - from.mean[1]));
  const still = from.axes.flat().every((value, i) => value === to.axes.flat()[i]);
  const replaced = (list, value) => list.map((old, j) => (j === k ? value : old));
  return {
    means: replaced(now.means, map(...means[k])),
    covariances: still ? now.covariances : replaced(now.covariances, transformed(covariances[k], A)),
    points: now.points.map((p, i) => (p[2] === k && points[i]?.[2] === k ? [...map(...points[i]), k] : p)),
  };
}

/** A S Aᵀ, symmetric to the last digit. */
function transformed(S, A) {
  const AS = A.map((row) => [row[0] * S[0][0] + row[1] * S[1][0], row[0] * S[0][1] + row[1] * S[1][1]]);
  const xy = dot(AS[0], A[1]);
  return [[dot(AS[0], A[0]), xy], [xy, dot(AS[1], A[1])]];
}

/** The true density of a class if its ellipse is to be dashed: where the one that the rule goes by is another. */
export function dashedEllipse({ means, covariances }, g, k) {
  const truth = gaussian(means[k], covariances[k]), near = 5e-3; // of σ: a part of a pixel
  const [a, c] = [truth.S[0][0], truth.S[1][1]], sizes = [a, Math.sqrt(a * c), c];
  const same = g && g.mean.every((value, j) => Math.abs(value - means[k][j]) <= near * Math.sqrt(truth.S[j][j]))
    && [[0, 0], [0, 1], [1, 1]].every(([i, j], n) => Math.abs(g.S[i][j] - truth.S[i][j]) <= near * sizes[n]);
  return same ? null : truth;
}
