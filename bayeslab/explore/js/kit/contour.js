// Lines of equal value.

/** Sides of one of size × size cells of a window, in pixels. */
export const sidesOfCell = ({ width, height }, size) => [width / size, height / size];

/** What f(x, y) is at the corners of size × size cells of a window. */
export function onCorners(viewport, size, f) {
  const stride = size + 1, [across, down] = sidesOfCell(viewport, size);
  const at = (_, n) => f(...viewport.toData((n % stride) * across, Math.floor(n / stride) * down));
  return Array.from({ length: stride ** 2 }, at);
}

/** Lines at one level through a grid of (size + 1)² values, by marching squares. */
export function traceLevel(context, values, size, viewport, level) {
  const stride = size + 1, [across, down] = sidesOfCell(viewport, size);
  for (let n = 0; n < size * stride; n++) {
    if (n % stride === size) continue;
    const u = n % stride, v = Math.floor(n / stride), ends = [];
    const corners = [[u, v], [u + 1, v], [u + 1, v + 1], [u, v + 1]].map(([i, j]) => [i, j, values[i + j * stride]]);
    for (let i = 0; i < 4; i++) {
      const [u1, v1, a] = corners[i], [u2, v2, b] = corners[(i + 1) % 4];
      if (a < level === b < level) continue;
      const t = (level - a) / (b - a);
      ends.push([(u1 + t * (u2 - u1)) * across, (v1 + t * (v2 - v1)) * down]);
    }
    for (let i = 0; i + 1 < ends.length; i += 2) {
      context.moveTo(...ends[i]);
      context.lineTo(...ends[i + 1]);
    }
  }
}
