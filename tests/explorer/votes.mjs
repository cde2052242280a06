// What the tests of ties ask: the votes of k neighbours, for every k, as each of the three searches counts them.

import { Neighbours } from "../../bayeslab/explore/js/math/neighbours.js";
import { decideForAllK, groupsOf, nearestTo, sortDistances } from "../../bayeslab/explore/js/math/vote.js";

/** Of each place and each k: votes by the search, votes by the sort, and what the curves of errors decide. */
export function votesForAllK(points, places, K) {
  const neighbours = new Neighbours(points), groups = groupsOf(points, K), n = points.length;
  return places.map(([x, y]) => {
    const searched = points.map((_, i) => neighbours.votes(x, y, i + 1, K));
    const nearest = nearestTo([x, y], points, n), votes = new Array(K).fill(0);
    const sorted = nearest.map(({ label }) => { votes[label]++; return [...votes]; });
    const decisions = new Uint8Array(n);
    sortDistances(groups, x, y);
    decideForAllK(groups, decisions);
    return { searched, sorted, decisions: [...decisions] };
  });
}
