// Voronoi cells: the places of a window that are nearer to one point than to all others.

/** Cell of each point as a polygon [[x, y], …]; of several points at one place, only the first has any. */
export function voronoi(points, { x: [left, right], y: [bottom, top] }) {
  const frame = [[left, bottom], [right, bottom], [right, top], [left, top]];
  return points.map((point, i) => cellOf(point, i, points, frame));
}

function cellOf([x, y], i, points, frame) {
  const others = [];
  for (let j = 0; j < points.length; j++) {
    const dx = points[j][0] - x, dy = points[j][1] - y, squared = dx * dx + dy * dy;
    if (squared > 0) others.push({ dx, dy, squared });
    else if (j < i) return [];
  }
  others.sort((p, q) => p.squared - q.squared);
  let cell = frame;
  for (const { dx, dy, squared } of others) {
    const reach = Math.max(...cell.map(([u, v]) => (u - x) ** 2 + (v - y) ** 2));
    if (!(squared <= 4 * reach)) break; // halfway to this point lies beyond the cell, and to all after it
    cell = clip(cell, ([u, v]) => (u - x) * dx + (v - y) * dy - squared / 2);
  }
  return cell;
}

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
