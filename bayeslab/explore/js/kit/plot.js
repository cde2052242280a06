// A canvas with one plot: its pixels, its axes, and what every picture draws.

import { css, FONT } from "./theme.js";
import { ticks, Viewport } from "./viewport.js";

/** One canvas and the plot in it, with margins of [top, right, bottom, left] pixels; without a left one, no axes. */
export class Plot {
  constructor(canvas, margins) {
    Object.assign(this, { canvas, margins });
    this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    this.small = document.createElement("canvas");
  }

  /** Fit the canvas to its width on the page and to the square plot in it; returns the plot's side in CSS pixels. */
  resize(width, view) {
    const ratio = window.devicePixelRatio || 1, [top, right, bottom] = this.margins;
    const left = this.margins[3] && Math.max(this.margins[3], this.widestTick(view.y) + 26);
    const device = (length) => Math.round(length * ratio), side = Math.max(device(width - left - right), 1);
    const size = [device(width), side + device(top + bottom)], { canvas } = this;
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    canvas.style.height = `${size[1] / ratio}px`;
    Object.assign(this, { ratio, left: device(left) / ratio, top: device(top) / ratio });
    return side / ratio;
  }

  /** Width of the widest number on the vertical axis, in steps, so that the plot does not tremble. */
  widestTick([low, high]) {
    this.context.font = FONT;
    return 8 * Math.ceil(Math.max(...ticks(low, high).map(({ text }) => this.context.measureText(text).width)) / 8);
  }

  /** Begin a new picture of a window, as wide as the page gives it; coordinates are then pixels of the canvas. */
  clear(theme, width, view) {
    const { context } = this;
    this.viewport = new Viewport(view, this.resize(width, view));
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = css(theme.background);
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** From here on coordinates are CSS pixels of the plot. */
  enter() { this.context.setTransform(this.ratio, 0, 0, this.ratio, this.left * this.ratio, this.top * this.ratio); }

  /** Draw, within the plot only. */
  clipped(draw) {
    const { context, viewport: { size } } = this;
    context.save();
    context.beginPath();
    context.rect(0, 0, size, size);
    context.clip();
    draw();
    context.restore();
  }

  drawAxes(theme, [nameX, nameY]) {
    const { context, viewport } = this, { size, view } = viewport;
    context.lineWidth = 1;
    context.fillStyle = theme.muted;
    context.strokeStyle = theme.grid;
    context.font = FONT;
    context.beginPath();
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const tick of ticks(...view.x)) {
      const [u] = viewport.toPixel(tick.value, 0);
      context.moveTo(u, 0);
      context.lineTo(u, size);
      context.fillText(tick.text, u, size + 6);
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const tick of ticks(...view.y)) {
      const [, v] = viewport.toPixel(0, tick.value);
      context.moveTo(0, v);
      context.lineTo(size, v);
      context.fillText(tick.text, -6, v);
    }
    context.rect(0, 0, size, size);
    context.stroke();
    context.fillStyle = theme.ink;
    context.textAlign = "center";
    context.fillText(nameX, size / 2, size + 30);
    context.save();
    context.translate(-this.left + 9, size / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(nameY, 0, 0);
    context.restore();
  }

  /** Paint size × size cells over the plot; `colorOf` gives the packed colour of cell number n. */
  paintCells(size, colorOf, sharp) {
    const { context, small, ratio } = this, side = this.viewport.size * ratio;
    small.width = small.height = size;
    const image = new ImageData(size, size), pixels = new Uint32Array(image.data.buffer);
    for (let n = 0; n < pixels.length; n++) pixels[n] = colorOf(n);
    small.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = !sharp;
    context.drawImage(small, this.left * ratio, this.top * ratio, side, side);
  }

  strokeEllipse(g, n, width) {
    const { context, viewport } = this, [u, v] = viewport.toPixel(...g.mean);
    context.beginPath();
    for (let i = 0; i <= 72; i++) {
      const cos = n * Math.cos((i * Math.PI) / 36), sin = n * Math.sin((i * Math.PI) / 36);
      context.lineTo(u + (g.l11 * cos) / viewport.units[0], v + (g.l21 * cos + g.l22 * sin) / viewport.units[1]);
    }
    context.lineWidth = width;
    context.stroke();
  }
}
