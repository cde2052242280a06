// The semi-axes of an ellipse: taken from a covariance, and pulled. Units are those of a viewport: data per pixel.

import { dot } from "./numbers.js";
import { eigen } from "./gaussian.js";

export const HANDLE_SIGMA = 2; // the axis handles sit on the 2σ ellipse, where small ellipses still leave room

/** Semi-axes [[x, y], [x, y]] of the 1σ ellipse, the longer first; perpendicular on the screen, that is, in units. */
export function semiAxes(S, [ux, uy]) {
  const scaled = [[S[0][0] / ux / ux, S[0][1] / ux / uy], [S[0][1] / ux / uy, S[1][1] / uy / uy]];
  const { values, vectors } = eigen(scaled);
  return [0, 1].map((i) => {
    const length = Math.sqrt(Math.max(values[i], 0));
    return [vectors[0][i] * length * ux, vectors[1][i] * length * uy];
  });
}

/** Whether these semi-axes are those of S and perpendicular on the screen; then they keep their order. */
export function belong(axes, S, [ux, uy]) {
  const [[a, b], [c, d]] = axes, close = (p, q, size) => Math.abs(p - q) <= 1e-9 * size;
  const cosine = (a * c) / ux / ux + (b * d) / uy / uy;
  return close(cosine, 0, Math.hypot(a / ux, b / uy) * Math.hypot(c / ux, d / uy))
    && close(a * a + c * c, S[0][0], S[0][0]) && close(b * b + d * d, S[1][1], S[1][1])
    && close(a * b + c * d, S[0][1], Math.sqrt(S[0][0] * S[1][1]));
}

/** Semi-axes of S: those before, if they belong to it; while one is pulled shorter than the other, it stays first. */
export const steadyAxes = (before, S, units) => (before && belong(before, S, units) ? before : semiAxes(S, units));

/** Semi-axes after an `end` of one is pulled to a place; the other stays perpendicular on the screen, and as long. */
export function turnedAxes(axes, part, mean, end, place, [ux, uy]) {
  const other = 1 - part, onScreen = (axis) => [axis[0] / ux, axis[1] / uy];
  const old = onScreen(axes[part]), across = onScreen(axes[other]);
  const from = (place) => onScreen(place.map((value, i) => (value - mean[i]) / HANDLE_SIGMA));
  const sign = dot(from(end), old) < 0 ? -1 : 1; // the handle may sit at either end
  const pulled = from(place).map((value) => sign * value);
  const length = Math.hypot(...pulled), toward = length > 0 ? pulled : old;
  const direction = toward.map((value) => value / Math.hypot(...toward));
  const kept = Math.max(length, 1); // pixel: an ellipse can be squeezed to a line, but not to nothing
  const side = Math.sign(old[0] * across[1] - old[1] * across[0]), breadth = side * Math.hypot(...across);
  const result = [];
  result[part] = [direction[0] * kept * ux, direction[1] * kept * uy];
  result[other] = [-direction[1] * breadth * ux, direction[0] * breadth * uy];
  return result;
}
