// Means and covariances from points. A point is [x, y, class index].

import { clamp, sum } from "./numbers.js";
import { gaussian } from "./gaussian.js";

/** Counts, means, covariances (divided by n − 1) and pooled covariance (by n − K) of points; null where too few. */
export function estimate(points, K) {
  return estimateFrom(Array.from({ length: K }, (_, k) => momentsAbout(points.filter((point) => point[2] === k))));
}

/** Number of points, their mean, and the sums of squares about it. */
export function momentsAbout(group) {
  const mean = group.length ? [0, 1].map((j) => meanOf(group, j)) : null;
  return { count: group.length, mean, scatter: scatterOf(group, mean) };
}

/** What `estimate` returns, from the moments of each class. */
export function estimateFrom(classes) {
  const over = (S, n) => (n > 0 ? S.map((row) => row.map((value) => value / n)) : null);
  const scatters = classes.map(({ scatter }) => scatter), counts = classes.map(({ count }) => count);
  const total = scatters.reduce((T, S) => T.map((row, i) => row.map((value, j) => value + S[i][j])));
  return {
    counts,
    means: classes.map(({ mean }) => mean),
    covariances: scatters.map((S, k) => over(S, counts[k] - 1)),
    pooled: over(total, sum(counts) - counts.length),
  };
}

function meanOf(group, j) {
  const origin = group[0][j];
  return origin + group.reduce((sum, p) => sum + (p[j] - origin), 0) / group.length;
}

function scatterOf(group, mean) {
  let xx = 0, xy = 0, yy = 0;
  for (const [x, y] of group) {
    const dx = x - mean[0], dy = y - mean[1];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return [[xx, xy], [xy, yy]];
}

/** (1 − share) S + share T, where one that does not count may be missing. */
export function blend(S, T, share) {
  if (share === 0) return S;
  if (share === 1) return T;
  const at = (i, j) => (1 - share) * S[i][j] + share * T[i][j];
  return S && T && [[at(0, 0), at(0, 1)], [at(1, 0), at(1, 1)]];
}

/** What the rules go by: the true densities (pooled: Σ π_k Σ_k), or those estimated from the points. */
export function densities({ mode, means, covariances, priors, points }) {
  if (mode === "estimate") return estimate(points, means.length);
  const pooled = [0, 1].map((i) => [0, 1].map((j) => covariances.reduce((sum, S, k) => sum + priors[k] * S[i][j], 0)));
  return { means, covariances, pooled };
}

/** How many of n points each class gets by its prior; in all they are n. */
export function shareOut(n, priors) {
  const ends = priors.reduce((all, prior) => [...all, all[all.length - 1] + prior], [0]);
  return priors.map((_, k) => Math.round(n * ends[k + 1]) - Math.round(n * ends[k]));
}

/** Draw n points in all, shared out to the classes by their priors. */
export function drawPoints({ means, covariances, priors }, n, random) {
  return shareOut(n, priors).flatMap((count, k) => {
    const g = gaussian(means[k], covariances[k]);
    return Array.from({ length: count }, () => {
      const radius = Math.sqrt(-2 * Math.log(1 - random())), angle = 2 * Math.PI * random();
      const z1 = radius * Math.cos(angle), z2 = radius * Math.sin(angle);
      return [means[k][0] + g.l11 * z1, means[k][1] + g.l21 * z1 + g.l22 * z2, k];
    });
  });
}

/** Set one prior, and give the others their shares of what is left. */
export function withPrior(priors, k, value) {
  const prior = clamp(value, 0, 1), rest = sum(priors) - priors[k];
  return priors.map((p, j) => (j === k ? prior : (1 - prior) * (rest > 0 ? p / rest : 1 / (priors.length - 1))));
}
