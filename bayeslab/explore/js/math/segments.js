// Where on a line the largest of several quadratics changes: decisions that are exact, not sampled.

/** Real roots of a t² + b t + c, stable where a is nearly 0; put into `out` after its first n, returns how many it has. */
export function addRoots(a, b, c, out, n = out.length) {
  const discriminant = b * b - 4 * a * c;
  if (!(discriminant >= 0)) return n;
  const q = -(b + Math.sign(b || 1) * Math.sqrt(discriminant)) / 2;
  if (a !== 0) out[n++] = q / a;
  if (q !== 0) out[n++] = c / q;
  return n;
}

const CUTS = []; // of one call: a new list in each of a thousand a frame would keep the garbage collector busy

/** Cut [t0, t1] where the largest of the quadratics a t² + b t + c (three numbers each in `line`) changes. */
export function eachSegment(line, t0, t1, visit) {
  const n = line.length;
  let count = 0;
  for (let i = 3; i < n; i += 3) {
    for (let j = 0; j < i; j += 3) {
      count = addRoots(line[i] - line[j], line[i + 1] - line[j + 1], line[i + 2] - line[j + 2], CUTS, count);
    }
  }
  let start = t0, low = t0, winner = -1;
  while (low < t1) {
    let high = t1, best = 0, most = -Infinity;
    for (let i = 0; i < count; i++) if (CUTS[i] > low && CUTS[i] < high) high = CUTS[i];
    const t = (low + high) / 2;
    for (let i = 0; i < n; i += 3) {
      const value = (line[i] * t + line[i + 1]) * t + line[i + 2];
      if (value > most) { most = value; best = i / 3; }
    }
    if (best !== winner) {
      if (winner >= 0) visit(start, low, winner);
      [start, winner] = [low, best];
    }
    low = high;
  }
  visit(start, t1, winner);
}

/** Quadratics, on the horizontal line at v, as quadratics of u; `line` is filled and returned. */
export function onRow(quadratics, v, line) {
  quadratics.forEach(([xx, xy, yy, x, y, one], k) => {
    line[3 * k] = xx;
    line[3 * k + 1] = xy * v + x;
    line[3 * k + 2] = (yy * v + y) * v + one;
  });
  return line;
}
