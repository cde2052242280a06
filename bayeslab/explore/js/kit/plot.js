// A canvas with one plot: its pixels, its axes, and the strokes that pictures are made of.

import { clamp } from "../math/numbers.js";
import { css, fontOf, lineColor, MARKERS } from "./theme.js";
import { ticks, Viewport } from "./viewport.js";

/**
 * One canvas and the plot in it, `aspect` times as high as wide, with margins of [top, right, bottom, left] pixels;
 * without a left one, no axes. With `room`, it is as high as that, but at most
 * `tallest` times as high as wide, which is 1 if nobody says, and at least `flattest`, three fifths.
 * Beside a `band` of so many pixels along its upper edge it has no numbers.
 * While it `isMoving`, it has one pixel for each CSS pixel, also on a fine screen.
 */
export class Plot {
  constructor(canvas, margins = [8, 8, 44, 54], aspect = 1) {
    Object.assign(this, { canvas, margins, aspect, band: 0 });
    this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    this.small = document.createElement("canvas");
    this.dots = new Map();
    this.markers = new Map();
  }

  /** Begin a new picture of a window, as wide as the page gives it; what is drawn next is in pixels of the plot. */
  clear(theme, width, view) {
    const { context } = this;
    this.theme = theme;
    const sides = this.resize(width, view);
    this.viewport = new Viewport(this.shown(view, sides), ...sides);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = css(theme.background);
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, this.left * this.ratio, this.top * this.ratio);
  }

  /** The window that is shown, where one is asked for. */
  shown(view) { return view; }

  /** For CSS: by what its height follows from its width. */
  get shape() {
    const [top, right, bottom, left] = this.margins;
    return `--aspect: ${this.aspect}; --margins: ${top + bottom}px; --sides: ${left + right}px`;
  }

  /** Fit the canvas to its width on the page; returns the sides of the plot in it in CSS pixels. */
  resize(width, view) {
    const finest = window.devicePixelRatio || 1, { size: em } = this.theme;
    const [top, right, bottom, least] = this.margins.map((margin) => margin * em);
    const left = least && Math.max(least, this.widestTick(view.y) + 26 * em);
    const device = (length) => Math.round(length * finest), across = Math.max(device(width - left - right), 1);
    const free = device((this.room ?? 0) - top - bottom), { canvas } = this;
    const lowest = Math.round(across * (this.room ? this.flattest ?? 0.6 : this.aspect));
    const up = Math.max(this.room ? Math.round(clamp(free, lowest, across * (this.tallest ?? 1))) : lowest, 1);
    const whole = [device(width), up + device(top + bottom)], ratio = this.isMoving ? Math.min(finest, 1) : finest;
    const size = whole.map((length) => Math.round((length * ratio) / finest));
    if (canvas.width !== size[0] || canvas.height !== size[1]) {
      const { lineJoin } = this.context;
      [canvas.width, canvas.height] = size;
      this.context.lineJoin = lineJoin; // which a canvas of a new size forgets
    }
    canvas.style.height = `${whole[1] / finest}px`;
    const sides = [width, whole[1] / finest]; // of the canvas on the page
    Object.assign(this, { sides, ratio, left: device(left) / finest, top: device(top) / finest });
    return [across / finest, up / finest];
  }

  /** Width of the widest number on the vertical axis, in steps, so that the plot does not tremble. */
  widestTick([low, high]) {
    this.context.font = fontOf(this.theme);
    return 8 * Math.ceil(Math.max(...ticks(low, high).map(({ text }) => this.context.measureText(text).width)) / 8);
  }

  /** Draw, within the plot only. */
  clipped(draw) {
    const { context, viewport: { width, height } } = this;
    context.save();
    context.beginPath();
    context.rect(0, 0, width, height);
    context.clip();
    draw();
    context.restore();
  }

  /** Over the whole plot what `draw` paints, or a copy of what it painted last if all in a list `from` is the same. */
  drawKept(from, draw) {
    const { context, ratio, left, top, theme, viewport: { view, width, height } } = this;
    const box = [left, top, width, height].map((length) => Math.round(length * ratio));
    const key = [...from, ...box, ...view.x, ...view.y, theme.ink, theme.size];
    const known = this.kept?.key.length === key.length && this.kept.key.every((value, i) => value === key[i]);
    if (known) return context.putImageData(this.kept.image, box[0], box[1]);
    draw();
    this.kept = { key, image: context.getImageData(...box) };
  }

  /** Numbers, a grid, and the names of the axes. Lines one by one: a path of all of them takes ten times as long. */
  drawAxes([nameX, nameY]) {
    const { context, viewport, theme } = this, { width, height, view: { x, y } } = viewport, right = this.margins[1];
    const style = { color: theme.grid, width: 1 }, isWithin = (value, [low, high]) => value > low && value < high;
    context.font = fontOf(theme);
    context.fillStyle = theme.muted;
    context.textAlign = "center";
    context.textBaseline = "top";
    const upright = ticks(...y), [u, v] = viewport.units.map(Math.abs);
    const marks = ticks(...x, Math.abs(u - v) < 0.01 * u ? upright : []), step = marks.length > 1 ? marks[1].value - marks[0].value : Infinity;
    const widest = Math.max(...marks.map(({ text }) => context.measureText(text).width)) + 6 * theme.size;
    const every = Math.ceil(widest / (viewport.toPixel(x[0] + step, 0)[0] || widest)); // where there is no room for all
    for (const { value, text } of marks) {
      const [u] = viewport.toPixel(value, 0), most = width + right - context.measureText(text).width / 2;
      const isNamed = every < 2 || Math.round(value / step) % every === 0;
      if (isNamed) context.fillText(text, Math.min(u, most), height + 6 * theme.size); // the last one stays on the canvas
      if (isWithin(value, x)) this.drawLine([[value, y[0]], [value, y[1]]], style);
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const { value, text } of upright) {
      const [, v] = viewport.toPixel(0, value);
      if (v < this.band) continue;
      context.fillText(text, -6 * theme.size, v);
      if (isWithin(value, y)) this.drawLine([[x[0], value], [x[1], value]], style);
    }
    Object.assign(context, { strokeStyle: theme.grid, lineWidth: 1 });
    context.strokeRect(0, 0, width, height);
    context.fillStyle = theme.ink;
    context.textAlign = "center";
    context.fillText(this.shortened(nameX, width - 16), width / 2, height + 30 * theme.size);
    context.save();
    context.translate(-this.left + 9 * theme.size, height / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(this.shortened(nameY, height), 0, 0);
    context.restore();
  }

  /** A text, cut where it would be wider than this many pixels. */
  shortened(text, most) {
    const widthOf = (part) => this.context.measureText(part).width, width = widthOf(text);
    if (width <= most) return text;
    let end = Math.floor((text.length * most) / width);
    while (end > 0 && widthOf(`${text.slice(0, end)}…`) > most) end--;
    return `${text.slice(0, end)}…`;
  }

  // Strokes: `style` is { color, width, dash, part }, a part being what a term lights up. Places are in data units ............................................

  /** A line through places; to fill what it encloses, give the colour `fill`. */
  drawLine(places, { fill, ...style } = {}) {
    const { context, viewport } = this;
    context.beginPath();
    for (const place of places) context.lineTo(...viewport.toPixel(...place));
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (style.color) this.stroke(style);
  }

  /** Draw along the path. */
  stroke({ color, width = 2, dash = [], part }) {
    const { context } = this, isLit = part && part === this.lit;
    Object.assign(context, { strokeStyle: color, lineWidth: isLit ? 2 * width + 1.5 : width });
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  }

  /** The curve y = f(x), a point every other pixel; with `fill`, the area under it. */
  drawCurve(f, style) {
    const [from, to] = this.viewport.view.x;
    const n = Math.max(2, Math.ceil((to - from) / this.viewport.units[0] / 2));
    const places = Array.from({ length: n + 1 }, (_, i) => from + ((to - from) * i) / n).map((x) => [x, f(x)]);
    if (style.fill) this.drawLine([[from, 0], ...places, [to, 0]], { fill: style.fill });
    this.drawLine(places, { ...style, fill: undefined });
  }

  /** The nσ ellipse of a Gaussian: a circle of radius n, mapped by the Cholesky factor. */
  drawEllipse({ mean, l11, l21, l22 }, n, { fill, ...style }) {
    const { context, viewport } = this, [u, v] = viewport.toPixel(...mean), [du, dv] = viewport.units;
    context.save();
    context.transform(l11 / du, l21 / dv, 0, l22 / dv, u, v);
    context.beginPath();
    context.arc(0, 0, n, 0, 2 * Math.PI);
    context.restore(); // the path stays; the pen is round again
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    this.stroke(style);
  }

  /** Put pictures on places, `put(picture, x, y)`: on whole pixels, where they are quick to copy. */
  stamp(draw) {
    const { context, viewport, ratio, left, top } = this;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    draw((picture, x, y) => {
      const [u, v] = viewport.toPixel(x, y), half = picture.width / 2;
      context.drawImage(picture, Math.round((u + left) * ratio - half), Math.round((v + top) * ratio - half));
    });
    context.restore();
  }

  /** A disc with marker number i, as large as a handle that shows one. */
  drawDisc(place, i) {
    const { context, theme, viewport } = this, [u, v] = viewport.toPixel(...place), { size } = theme;
    context.save();
    context.translate(u, v);
    context.scale(size, size);
    context.beginPath();
    context.arc(0, 0, 11, 0, 2 * Math.PI);
    Object.assign(context, { fillStyle: lineColor(theme, i), strokeStyle: css(theme.background), lineWidth: 2 });
    context.fill();
    context.stroke();
    context.fillStyle = css(theme.background);
    context.fill(new Path2D(MARKERS[i]));
    context.restore();
  }

  /** Small dots, for many places; the colour may be a function of the number of the place. */
  drawDots(places, { color, size = 2 }) {
    const colorOf = typeof color === "function" ? color : () => color;
    this.stamp((put) => places.forEach(([x, y], n) => put(this.dot(colorOf(n), size * this.ratio), x, y)));
  }

  /** A small picture of a dot, of this radius in pixels of the screen. */
  dot(color, radius) {
    const key = `${color} ${radius}`;
    if (!this.dots.has(key)) {
      const middle = Math.ceil(radius) + 1;
      this.dots.set(key, pictureOf(2 * middle, (context) => {
        context.fillStyle = color;
        context.arc(middle, middle, radius, 0, 2 * Math.PI);
        context.fill();
      }));
    }
    return this.dots.get(key);
  }

  /**
   * Points with the marker `styleOf(n)`, with a rim around it where `isMarked(n)`, faint and below the others where
   * `isFaint(n)`.
   */
  drawMarkers(points, styleOf, isMarked = () => false, size = 1, isFaint = null) {
    const { context } = this, sprites = this.sprites(size);
    this.stamp((put) => {
      const draw = ([x, y], n) => put(sprites[2 * styleOf(n) + Number(isMarked(n))], x, y);
      context.globalAlpha = 0.2;
      if (isFaint) points.forEach((point, n) => isFaint(n) && draw(point, n));
      context.globalAlpha = 1;
      points.forEach((point, n) => isFaint?.(n) || draw(point, n));
    });
  }

  /** A small picture of each marker, without and with a rim; kept, as a plot may have markers of several sizes. */
  sprites(size) {
    const { theme, ratio } = this, pixels = Math.ceil(16 * size * ratio), key = `${theme.ink} ${pixels}`;
    if (this.markers.has(key)) return this.markers.get(key);
    const pictures = MARKERS.flatMap((marker, i) => [false, true].map((rim) => pictureOf(pixels, (context) => {
      context.setTransform(pixels / 16, 0, 0, pixels / 16, pixels / 2, pixels / 2);
      context.scale(0.8, 0.8);
      context.fillStyle = lineColor(theme, i);
      const rings = rim ? [[css(theme.background), 9], [theme.ink, 7.8], [css(theme.background), 3.2]] : [];
      for (const [strokeStyle, lineWidth] of [...rings, [css(theme.background), 1]]) {
        Object.assign(context, { strokeStyle, lineWidth });
        if (lineWidth === 1) context.fill(new Path2D(marker)); // the gap in a rim shows on dark colours as on light ones
        context.stroke(new Path2D(marker));
      }
    })));
    this.markers.set(key, pictures);
    return pictures;
  }

  /** A few words at a place, in a halo of the paper's colour or, as a gap in a line, in a wider one of another. */
  drawText(text, place, { color = this.theme.ink, align = "left", shift = [0, 0], font = fontOf(this.theme), halo } = {}) {
    const { context } = this, [u, v] = this.viewport.toPixel(...place);
    Object.assign(context, { font, fillStyle: color, textAlign: align, textBaseline: "middle" });
    Object.assign(context, { strokeStyle: halo ?? css(this.theme.background), lineWidth: halo ? 9 : 4, lineJoin: "round" });
    context.strokeText(text, u + shift[0], v + shift[1]); // legible on whatever lies under it
    context.fillText(text, u + shift[0], v + shift[1]);
  }

  /** Paint size × size cells over the plot; `colorOf` gives the packed colour of cell number n. */
  paintCells(size, colorOf, sharp) {
    const { context, small, viewport: { width, height } } = this;
    small.width = small.height = size;
    const image = new ImageData(size, size), pixels = new Uint32Array(image.data.buffer);
    for (let n = 0; n < pixels.length; n++) pixels[n] = colorOf(n);
    small.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = !sharp;
    context.drawImage(small, 0, 0, width, height);
  }
}

/** A square picture of so many pixels, ready to be copied: faster than from a canvas. */
function pictureOf(pixels, draw) {
  const canvas = new OffscreenCanvas(pixels, pixels);
  draw(canvas.getContext("2d"));
  return canvas.transferToImageBitmap();
}
