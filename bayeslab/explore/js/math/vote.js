// The vote of k nearest neighbours, for every k at once: neighbours are sorted once, and counted one by one.

import { logDensity } from "./gaussian.js";
import { LIMITS } from "../constants.js";
import { areBeyond, movedBetween } from "./neighbours.js";

const CELLS = LIMITS.lattice.side; // of the lattice for the true error, in each direction

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
 * What each k decides by the sorted distances, written into `decisions`; returns the last distance that was looked at.
 * Ties, of votes or of distances, go to the first class.
 *
 * A point of class `own` that lies there has no vote: it is the one that is left out.
 */
export function decideForAllK(groups, decisions, own = -1) {
  const next = groups.map((_, k) => (k === own ? 1 : 0)), votes = groups.map(() => 0);
  let least;
  for (let k = 0; k < decisions.length; k++) {
    let nearest = -1;
    least = Infinity;
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
  return least;
}

/**
 * How many points each k ≤ most gets wrong: with the point itself among the voters, and with it left out. Of what was
 * counted `before`, points keep their decisions if nothing has moved among their neighbours.
 */
export function countErrors(points, K, most, before) {
  const groups = groupsOf(points, K), training = new Array(most).fill(0), leftOut = new Array(most).fill(0);
  const known = before?.K === K && before.most === most ? before.known : new Map();
  const moved = movedBetween([...known.keys()], points), now = new Map();
  for (const point of points) {
    const old = known.get(point), made = old && areBeyond(moved, point, old.reach) ? old : votesOn(point, groups, most);
    now.set(point, made);
    for (let k = 0; k < most; k++) {
      if (made.training[k] !== point[2]) training[k]++;
      if (made.leftOut[k] !== point[2]) leftOut[k]++;
    }
  }
  return { training, leftOut, K, most, known: now };
}

/** What each k decides on a point, and the squared distance of the farthest that has a vote. */
function votesOn([x, y, label], groups, most) {
  const training = new Uint8Array(most), leftOut = new Uint8Array(most);
  sortDistances(groups, x, y);
  decideForAllK(groups, training);
  return { training, leftOut, reach: decideForAllK(groups, leftOut, label) };
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

/** The k points nearest to a place, the nearest first: index, class and squared distance of each. */
export function nearestTo([x, y], points, k) {
  const all = points.map((point, i) => ({ i, squared: (point[0] - x) ** 2 + (point[1] - y) ** 2, label: point[2] }));
  return all.sort((p, q) => p.squared - q.squared || p.label - q.label).slice(0, k);
}
