// Voronoi cells: the places of a window that are nearer to one point than to all others.

/**
 * Cell of each point number i that `isWanted` as a polygon [[x, y], …], of others []; of several points at one place,
 * only the first has any.
 */
export function voronoi(points, { x: [left, right], y: [bottom, top] }, isWanted = () => true) {
  const frame = [[left, bottom], [right, bottom], [right, top], [left, top]], cells = points.map(() => []);
  const sorted = points.map(([x, y], i) => ({ x, y, i })).sort((p, q) => p.x - q.x);
  sorted.forEach(({ i }, at) => { if (isWanted(i)) cells[i] = cellOf(sorted, at, frame); });
  return cells;
}

/** Cell of the point that is number `at` from the left: the others cut it, from here outwards, while they can. */
function cellOf(sorted, at, frame) {
  const { x, y, i } = sorted[at];
  let cell = frame, reach = reachOf(cell, x, y);
  for (let right = at + 1, left = at - 1; left >= 0 || right < sorted.length;) {
    const goLeft = right >= sorted.length || (left >= 0 && x - sorted[left].x < sorted[right].x - x);
    const other = sorted[goLeft ? left-- : right++], dx = other.x - x, dy = other.y - y;
    if (!(dx * dx <= 4 * reach)) break; // halfway to this point lies beyond the cell, and to all after it
    const squared = dx * dx + dy * dy;
    if (squared === 0 && other.i < i) return [];
    if (squared === 0 || squared > 4 * reach) continue;
    const beyond = ([u, v]) => (u - x) * dx + (v - y) * dy - squared / 2;
    if (!cell.some((corner) => beyond(corner) > 0)) continue;
    cell = clip(cell, beyond);
    reach = reachOf(cell, x, y);
  }
  return cell;
}

/** Square of the distance from a place to the farthest corner of a polygon. */
const reachOf = (polygon, x, y) => Math.max(...polygon.map(([u, v]) => (u - x) ** 2 + (v - y) ** 2));

/** The part of a convex polygon where a linear function is not positive. */
function clip(polygon, beyond) {
  const kept = [];
  polygon.forEach((corner, i) => {
    const next = polygon[(i + 1) % polygon.length], here = beyond(corner), there = beyond(next);
    if (here <= 0) kept.push(corner);
    if (here * there < 0) {
      const share = here / (here - there);
      kept.push([0, 1].map((j) => corner[j] + share * (next[j] - corner[j])));
    }
  });
  return kept;
}
