// Means and covariances from points. A point is [x, y, class index].

import { clamp, sum } from "./numbers.js";
import { gaussian } from "./gaussian.js";

/** Counts, means, covariances (divided by n − 1) and pooled covariance (by n − K) of points; null where too few. */
export function estimate(points, K) {
  const groups = Array.from({ length: K }, (_, k) => points.filter((p) => p[2] === k));
  const means = groups.map((group) => group.length ? [0, 1].map((j) => meanOf(group, j)) : null);
  const scatters = groups.map((group, k) => scatterOf(group, means[k]));
  const over = (S, n) => (n > 0 ? S.map((row) => row.map((value) => value / n)) : null);
  const total = scatters.reduce((T, S) => T.map((row, i) => row.map((value, j) => value + S[i][j])));
  return {
    counts: groups.map((group) => group.length),
    means,
    covariances: scatters.map((S, k) => over(S, groups[k].length - 1)),
    pooled: over(total, points.length - K),
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
  return S && T && S.map((row, i) => row.map((value, j) => (1 - share) * value + share * T[i][j]));
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
