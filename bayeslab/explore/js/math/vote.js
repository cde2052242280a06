// The vote of k nearest neighbours, for every k at once: neighbours are sorted once, and counted one by one.

import { logDensity } from "./gaussian.js";

const CELLS = 48; // of the lattice for the true error, in each direction

/** Coordinates of the points of each of K classes, in typed arrays. */
export function groupsOf(points, K) {
  return Array.from({ length: K }, (_, k) => {
    const own = points.filter((point) => point[2] === k);
    const [x, y] = [0, 1].map((j) => Float64Array.from(own, (point) => point[j]));
    return { x, y, squared: new Float64Array(own.length) };
  });
}

/** Sort the squared distances of each group from a place. */
export function sortDistances(groups, x, y) {
  for (const group of groups) {
    for (let i = 0; i < group.x.length; i++) group.squared[i] = (group.x[i] - x) ** 2 + (group.y[i] - y) ** 2;
    group.squared.sort();
  }
}

/**
 * What each k decides by the sorted distances, written into `decisions`. Ties, of votes or of distances, go to the
 * first class.
 *
 * A point of class `own` that lies there has no vote: it is the one that is left out.
 */
export function decideForAllK(groups, decisions, own = -1) {
  const next = groups.map((_, k) => (k === own ? 1 : 0)), votes = groups.map(() => 0);
  for (let k = 0; k < decisions.length; k++) {
    let nearest = -1, least = Infinity;
    for (let c = 0; c < groups.length; c++) {
      if (next[c] < groups[c].x.length && groups[c].squared[next[c]] < least) {
        least = groups[c].squared[next[c]];
        nearest = c;
      }
    }
    if (nearest >= 0) { next[nearest]++; votes[nearest]++; }
    let best = 0;
    for (let c = 1; c < votes.length; c++) if (votes[c] > votes[best]) best = c;
    decisions[k] = best;
  }
}

/** How many points each k ≤ most gets wrong: with the point itself among the voters, and with it left out. */
export function countErrors(points, K, most) {
  const groups = groupsOf(points, K), decisions = new Uint8Array(most);
  const training = new Array(most).fill(0), leftOut = new Array(most).fill(0);
  for (const [x, y, label] of points) {
    sortDistances(groups, x, y);
    for (const [errors, own] of [[training, -1], [leftOut, label]]) {
      decideForAllK(groups, decisions, own);
      for (let k = 0; k < most; k++) if (decisions[k] !== label) errors[k]++;
    }
  }
  return { training, leftOut };
}

/** Cells of a lattice over 5σ of all classes: place and probability of each class, where there is any to speak of. */
export function latticeOf(gaussians, priors) {
  const axes = [0, 1].map((j) => {
    const deviations = gaussians.map((g) => 5 * Math.sqrt(g.S[j][j]));
    const low = Math.min(...gaussians.map((g, k) => g.mean[j] - deviations[k]));
    const high = Math.max(...gaussians.map((g, k) => g.mean[j] + deviations[k]));
    return { low, step: (high - low) / CELLS };
  });
  const cells = [], area = axes[0].step * axes[1].step;
  for (let n = 0; n < CELLS * CELLS; n++) {
    const x = axes[0].low + ((n % CELLS) + 0.5) * axes[0].step;
    const y = axes[1].low + (Math.floor(n / CELLS) + 0.5) * axes[1].step;
    const shares = gaussians.map((g, k) => priors[k] * Math.exp(logDensity(g, x, y)) * area);
    const total = shares.reduce((sum, share) => sum + share, 0);
    if (total > 1e-6) cells.push({ x, y, shares, total });
  }
  return cells;
}

/** Probability that each k ≤ most errs on a new point, and that of the best rule, summed over the lattice. */
export function trueErrors(points, cells, K, most) {
  const groups = groupsOf(points, K), decisions = new Uint8Array(most), errors = new Array(most).fill(0);
  for (const { x, y, shares, total } of cells) {
    sortDistances(groups, x, y);
    decideForAllK(groups, decisions);
    for (let k = 0; k < most; k++) errors[k] += total - shares[decisions[k]];
  }
  return errors;
}

/** Indices of the k points nearest to a place, the nearest first, and their distance from it. */
export function nearestTo([x, y], points, k) {
  const all = points.map((point, i) => ({ i, distance: Math.hypot(point[0] - x, point[1] - y), label: point[2] }));
  return all.sort((p, q) => p.distance - q.distance || p.label - q.label).slice(0, k);
}
