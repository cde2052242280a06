// k nearest neighbours.

import { sum } from "./numbers.js";

/** The points that are in one of two lists only: one that has moved, with its old place and its new one. */
export function movedBetween(before, points) {
  const [old, now] = [new Set(before), new Set(points)];
  return [...before.filter((point) => !now.has(point)), ...points.filter((point) => !old.has(point))];
}

/** Whether all points are farther from a place than a squared distance: then it has no vote that has changed. */
export const areBeyond = (points, [x, y], reach) => points.every(([u, v]) => (u - x) ** 2 + (v - y) ** 2 > reach);

const MOST_SORTED = 40; // with more neighbours than this and one, votes are counted without sorting

/**
 * Nearest neighbours among points sorted by x: the search goes outwards and stops when x alone is too far. Of points
 * that are equally far, those of the first class vote, as in vote.js.
 */
export class Neighbours {
  constructor(points) {
    const sorted = [...points].sort((p, q) => p[0] - q[0]);
    this.x = Float64Array.from(sorted, (p) => p[0]);
    this.y = Float64Array.from(sorted, (p) => p[1]);
    this.label = Uint8Array.from(sorted, (p) => p[2]);
    // Of those found so far, nearest first; kept, as new ones for each of thousands of places take a third of the time.
    this.nearest = new Float64Array(MOST_SORTED + 1);
    this.voters = new Uint8Array(MOST_SORTED + 1);
  }

  /** Votes of the k nearest points for each of K classes; `reach` is then the squared distance of the last of them. */
  votes(x, y, k, K) {
    const { x: across, y: up, label: labels } = this, n = across.length, last = Math.min(k, n) - 1;
    if (last > MOST_SORTED) return this.manyVotes(x, y, last, K);
    const { nearest, voters } = this;
    nearest.fill(Infinity, 0, last + 1);
    let right = this.firstNotBelow(x), left = right - 1;
    while (left >= 0 || right < n) {
      const goLeft = right >= n || (left >= 0 && x - across[left] < across[right] - x);
      const i = goLeft ? left-- : right++;
      const dx = across[i] - x, dy = up[i] - y, distance = dx * dx + dy * dy, limit = nearest[last];
      if (dx * dx > limit) break;
      if (distance > limit) continue;
      const label = labels[i];
      if (distance === limit && label >= voters[last]) continue;
      let slot = last;
      for (; slot > 0; slot--) {
        const before = nearest[slot - 1];
        if (distance > before || (distance === before && label >= voters[slot - 1])) break;
        nearest[slot] = nearest[slot - 1];
        voters[slot] = voters[slot - 1];
      }
      nearest[slot] = distance;
      voters[slot] = label;
    }
    const votes = new Array(K).fill(0);
    for (let i = 0; i <= last; i++) votes[voters[i]]++;
    this.reach = nearest[last];
    return votes;
  }

  /** The same for many neighbours, from the distances of all points: inserting each in order would take too long. */
  manyVotes(x, y, last, K) {
    const n = this.x.length, votes = new Array(K).fill(0);
    this.distances ??= [new Float64Array(n), new Float64Array(n)];
    const [distances, scratch] = this.distances;
    for (let i = 0; i < n; i++) distances[i] = scratch[i] = (this.x[i] - x) ** 2 + (this.y[i] - y) ** 2;
    const limit = orderStatistic(scratch, last);
    const atLimit = new Array(K).fill(0); // of whom not all may be wanted
    for (let i = 0; i < n; i++) {
      if (distances[i] < limit) votes[this.label[i]]++;
      else if (distances[i] === limit) atLimit[this.label[i]]++;
    }
    let left = last + 1 - sum(votes);
    atLimit.forEach((count, k) => { votes[k] += Math.min(count, left); left -= Math.min(count, left); });
    this.reach = limit;
    return votes;
  }

  firstNotBelow(x) {
    let low = 0, high = this.x.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.x[middle] < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The value that would be number k if the values, which are reordered, were sorted: Hoare's quickselect. */
function orderStatistic(values, k) {
  let low = 0, high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low, j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i <= j) {
        const value = values[i];
        values[i++] = values[j];
        values[j--] = value;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return values[k];
}
