// From data to pixels and back, and round numbers along an axis.

import { quadratic } from "../math/gaussian.js";

/** Data from pixels of a square plot and back; its view is the window { x: [low, high], y: [low, high] }. */
export class Viewport {
  constructor(view, size) {
    Object.assign(this, { view, size });
    this.origin = [view.x[0], view.y[1]];
    this.units = [(view.x[1] - view.x[0]) / size, (view.y[0] - view.y[1]) / size]; // per pixel; y points up
  }
  toPixel(x, y) { return [(x - this.origin[0]) / this.units[0], (y - this.origin[1]) / this.units[1]]; }
  toData(u, v) { return [this.origin[0] + u * this.units[0], this.origin[1] + v * this.units[1]]; }

  /** The classes that can win, with their scores as quadratics of pixels, `ratio` of them to a pixel of this plot. */
  competitors({ gaussians, logPriors }, ratio = 1) {
    const units = this.units.map((unit) => unit / ratio);
    const able = logPriors.map((_, k) => k).filter((k) => logPriors[k] > -Infinity);
    return { able, quadratics: able.map((k) => quadratic(gaussians[k], logPriors[k], this.origin, units)) };
  }
}

/** About five round numbers between low and high, with their texts. */
export function ticks(low, high) {
  const rough = (high - low) / 8, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const value = (first + i) * step;
    return { value, text: value.toFixed(Math.min(digits, 20)).replace("-", "−") };
  });
}
