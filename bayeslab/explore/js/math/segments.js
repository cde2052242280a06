// Where on a line the largest of several quadratics changes: decisions that are exact, not sampled.

/** Real roots of a t² + b t + c, appended to `out`; stable where a is nearly 0. */
export function pushRoots(a, b, c, out) {
  const discriminant = b * b - 4 * a * c;
  if (!(discriminant >= 0)) return;
  const q = -(b + Math.sign(b || 1) * Math.sqrt(discriminant)) / 2;
  if (a !== 0) out.push(q / a);
  if (q !== 0) out.push(c / q);
}

/** Cut [t0, t1] where the largest of the quadratics a t² + b t + c (three numbers each in `line`) changes. */
export function eachSegment(line, t0, t1, visit) {
  const cuts = [], n = line.length;
  for (let i = 3; i < n; i += 3) {
    for (let j = 0; j < i; j += 3) {
      pushRoots(line[i] - line[j], line[i + 1] - line[j + 1], line[i + 2] - line[j + 2], cuts);
    }
  }
  let start = t0, low = t0, winner = -1;
  while (low < t1) {
    let high = t1, best = 0, most = -Infinity;
    for (const cut of cuts) if (cut > low && cut < high) high = cut;
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
