// The boundary between two Gaussians as a path.

import { clamp } from "./math/numbers.js";
import { curvesOf } from "./math/along_axis.js";
import { leadOf } from "./repeated_samples.js";

/** Begin a path along the boundary between two Gaussians; `logOdds` is by how much the first is favoured beforehand. */
export function traceBetween(pen, viewport, pair, logOdds = 0) {
  const { width, height, units } = viewport, form = leadOf(pair, viewport.middle(), units);
  form[5] += logOdds;
  pen.beginPath();
  for (const curve of curvesOf(form, Math.hypot(width, height) / 2)) {
    curve.forEach(([u, v], i) => {
      // Far outside, a canvas draws nothing at all where a coordinate is too large.
      const place = [u + width / 2, v + height / 2].map((value) => clamp(value, -1e5, 1e5));
      if (i) pen.lineTo(...place);
      else pen.moveTo(...place);
    });
  }
}
