// Where two conics cross: with three classes, where their regions meet.

import { dot } from "./numbers.js";

const STARTS = 15; // in a row: far more than the four crossings that two conics can have

/**
 * Places in the square from −reach to reach where xᵀWx + wᵀx + w0 is 0 for both conics, found by Newton's method from
 * many starts. Crossings less than a hundredth of a unit apart count as one.
 */
export function crossingsOfConics(conics, reach) {
  const found = [];
  for (let n = 0; n < STARTS ** 2; n++) {
    const start = [n % STARTS, Math.floor(n / STARTS)].map((i) => reach * ((2 * i) / (STARTS - 1) - 1));
    const place = newton(conics, start);
    if (!place || place.some((value) => Math.abs(value) > reach)) continue;
    if (!found.some((known) => Math.hypot(place[0] - known[0], place[1] - known[1]) < 0.01)) found.push(place);
  }
  return found;
}

/** The place where the steps from a start end, null if they do not end. */
function newton(conics, place) {
  for (let step = 0; step < 40; step++) {
    const [f, g] = conics.map(({ W, w, w0 }) => {
      const Wx = W.map((row) => dot(row, place));
      return { value: dot(place, Wx) + dot(w, place) + w0, slope: Wx.map((value, i) => 2 * value + w[i]) };
    });
    const determinant = f.slope[0] * g.slope[1] - f.slope[1] * g.slope[0];
    const dx = (f.value * g.slope[1] - g.value * f.slope[1]) / determinant;
    const dy = (g.value * f.slope[0] - f.value * g.slope[0]) / determinant;
    place = [place[0] - dx, place[1] - dy];
    if (!place.every(Number.isFinite)) return null;
    if (Math.hypot(dx, dy) < 1e-9) return place;
  }
  return null;
}
