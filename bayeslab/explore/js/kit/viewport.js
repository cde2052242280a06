// From data to pixels and back, and round numbers along an axis.

import { clamp, rounded } from "../math/numbers.js";
import { scientific } from "./text.js";

/** Data from pixels of a plot and back; its view is the window { x: [low, high], y: [low, high] }. */
export class Viewport {
  constructor(view, width, height = width) {
    Object.assign(this, { view, width, height });
    this.origin = [view.x[0], view.y[1]];
    this.units = [(view.x[1] - view.x[0]) / width, (view.y[0] - view.y[1]) / height]; // per pixel; y points up
  }
  toPixel(x, y) { return [(x - this.origin[0]) / this.units[0], (y - this.origin[1]) / this.units[1]]; }
  toData(u, v) { return [this.origin[0] + u * this.units[0], this.origin[1] + v * this.units[1]]; }

  /** The same window on a grid of size × size cells. */
  withCells(size) { return new Viewport(this.view, size); }
  middle() { return this.toData(this.width / 2, this.height / 2); }

  /** How far outside of the plot a place is, in pixels. */
  distanceOutside([x, y]) {
    const [u, v] = this.toPixel(x, y);
    return Math.max(0, -u, u - this.width, -v, v - this.height);
  }

  /** The nearest place in the window, or in the window stretched to hold where something came from. */
  within([x, y], from = this.middle()) {
    const origin = this.toPixel(...from), sides = [this.width, this.height];
    const pixel = this.toPixel(x, y).map((at, i) => clamp(at, Math.min(0, origin[i]), Math.max(sides[i], origin[i])));
    return this.toData(...pixel);
  }

  /** Digits after the point that a coordinate is worth: about a thirtieth of a pixel. */
  digits(axis) {
    const [low, high] = axis ? this.view.y : this.view.x;
    return Math.min(4 - Math.floor(Math.log10(high - low)), 100);
  }

  /** A place with coordinates that are good to read in Python. */
  rounded(place) {
    return place.map((value, axis) => rounded(value, this.digits(axis)));
  }

  /** "x₁ 1.20, x₂ −3.40" */
  text(place, names) {
    return place.map((value, axis) => {
      const text = value.toFixed(Math.max(this.digits(axis) - 1, 0));
      return `${names[axis]} ${Number(text) ? text.replace("-", "−") : text.replace("-", "")}`;
    }).join(", ");
  }
}

/** The least of start, 2 start, 4 start, … that is not below a value: the end of a window that seldom changes. */
export const doubled = (start, value) => start * 2 ** Math.max(0, Math.ceil(Math.log2(value / start)));

/** A window that holds [low, high], with some room: the one before, as long as it does and is not far too wide. */
export function steady(before, [low, high]) {
  const fits = before && before[0] <= low && high <= before[1] && before[1] - before[0] < 2.5 * (high - low);
  return fits ? before : [low - (high - low) / 10, high + (high - low) / 10];
}

/**
 * About five round numbers between low and high, with their texts: with powers of ten where that is much shorter. They
 * are no further apart than `others`, those of an axis of the same scale: the grid then has squares.
 */
export function ticks(low, high, [one, other] = []) {
  const rough = (high - low) / 8, power = 10 ** Math.floor(Math.log10(rough)), most = other ? other.value - one.value : Infinity;
  const step = Math.min(power * [1, 2, 5, 10].find((factor) => factor * power >= rough), most);
  const powerOf = (value) => Math.floor(Math.log10(Math.abs(value)) + 1e-9), digits = Math.max(0, -powerOf(step));
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  const values = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
  const plain = values.map((value) => value.toFixed(Math.min(digits, 20)).replace("-", "−"));
  const raised = values.map((value) => (value ? scientific(value, Math.max(0, powerOf(value) - powerOf(step))) : "0"));
  const room = (texts) => Math.max(...texts.map((text) => (text.includes("e") ? Infinity : text.length)));
  const texts = room(plain) > Math.max(10, room(raised)) ? raised : plain;
  return values.map((value, i) => ({ value, text: texts[i] }));
}
