// The pictures of the variance explorer: a boundary for each sample, and a dot for each error.

import { traceBetween } from "./curve_between.js";
import { RULE_COLORS } from "./rule_colors.js";
import { css, fontOf, lineColor, lineTone, MARKERS, mixed, tone } from "./kit/theme.js";
import { percent } from "./kit/text.js";
import { ticks } from "./kit/viewport.js";
import { Plot } from "./kit/plot.js";

export const colorOfRule = (rule, dark) => RULE_COLORS[rule][Number(dark)];

export const ABOVE = 24; // pixels above a plane, for the name of the rule

export const nameOfRule = (rule) => (rule === "naive" ? "naive Bayes" : rule);

/** The plane with the boundaries of all samples; those of earlier ones stay on a layer of their own. */
export class GhostPlot extends Plot {
  /** Scene: { truth, fits, key, styles, points, color, isAlone }: `key` is another if earlier fits are, `isAlone` says that no handles lie over it. */
  drawScene({ truth, fits, key, styles, points, color, isAlone }) {
    const { context, theme, viewport: { width, height } } = this, last = fits.length - 1;
    const isDark = theme.background[0] < 128, quiet = (k) => (isDark ? lineColor(theme, k) : css(tone(theme, k)));
    context.globalAlpha = isDark ? 0.6 : 0.75; // other than what is learned, and below it
    truth.forEach((g, k) => {
      for (const sigma of [1, 2]) this.drawEllipse(g, sigma, { color: quiet(styles[k]), width: 1.2 });
    });
    context.globalAlpha = 1;
    context.drawImage(this.ghostsOf(fits, last, key, color), 0, 0, width, height);
    this.drawBoundary(truth, { color: theme.ink, width: 3 });
    this.drawBoundary(fits[last], { color, width: 3 });
    this.drawMarkers(points, (n) => styles[points[n][2]], undefined, theme.size);
    truth.forEach(({ mean }, k) => this.drawHandle(mean, styles[k], isAlone));
  }

  /** What looks like a handle: also where none lies over it, as in the second plane, where it has its own shadow. */
  drawHandle(at, style, isAlone) {
    const { context, theme } = this, radius = theme.size > 1 ? 16 : 12, color = css(theme.background);
    if (isAlone) Object.assign(context, { shadowColor: "#0007", shadowBlur: 5 * this.ratio, shadowOffsetY: this.ratio });
    this.drawDots([at], { color, size: radius });
    context.shadowColor = "#0000";
    this.drawDots([at], { color, size: radius + 1.5 });
    this.drawDots([at], { color: lineColor(theme, style), size: radius });
    const isDark = theme.background[0] < 128; // there the handles have light holes
    this.drawDots([at], { color: isDark ? theme.ink : color, size: radius - 2 });
    const [u, v] = this.viewport.toPixel(...at), scale = radius / 10.6;
    context.save();
    context.translate(u, v);
    context.scale(scale, scale);
    context.fillStyle = css(mixed(lineTone(theme, style), [0, 0, 0], isDark ? 0.55 : 0));
    context.fill(new Path2D(MARKERS[style]));
    context.restore();
  }

  /** The name of the rule, above the plane. */
  drawName({ color, name, hint }) {
    const { context, theme, viewport } = this, corner = viewport.toData(0, 0), up = -12 * theme.size;
    const font = context.font = `bold ${16 * theme.size}px system-ui, sans-serif`;
    this.drawText(name, corner, { color, font, shift: [0, up] });
    this.drawText(hint, corner, { color: theme.muted, shift: [context.measureText(name).width, up] });
  }

  /** Thin boundaries of the first `count` fits: only those are drawn that are not on the layer yet. */
  ghostsOf(fits, count, key, color) {
    const { ratio, viewport: { width, height, view } } = this;
    const size = [Math.round(width * ratio), Math.round(height * ratio)], from = [...size, ...view.x, ...view.y, color];
    const known = this.layer?.key === key && this.layer.count <= count
      && this.layer.from.every((value, i) => value === from[i]);
    if (!known) {
      const canvas = this.layer?.canvas ?? new OffscreenCanvas(...size);
      [canvas.width, canvas.height] = size; // which also wipes it
      this.layer = { canvas, key, from, count: 0, pen: canvas.getContext("2d", { willReadFrequently: true }) };
    }
    const { pen, canvas } = this.layer;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { size: em } = this.theme; // stronger in a lecture, for the last row
    Object.assign(pen, { strokeStyle: color, lineWidth: em > 1 ? 1.5 * em : 1, globalAlpha: em > 1 ? 0.45 : 0.32 });
    for (; this.layer.count < count; this.layer.count++) {
      traceBetween(pen, this.viewport, fits[this.layer.count]);
      pen.stroke();
    }
    return canvas;
  }

  drawBoundary(pair, style) {
    traceBetween(this.context, this.viewport, pair);
    this.stroke(style);
  }
}

const BIN = 6.5; // pixels: errors that are nearer are stacked

/** A row for each rule: a dot for each sample's error, and below it their mean ± standard deviation. */
export class ErrorStrip extends Plot {
  /** Percents along the lower edge only. */
  drawAxes([name]) {
    const { context, viewport, theme } = this, { width, height, view: { x } } = viewport, em = theme.size;
    context.font = fontOf(theme);
    Object.assign(context, { fillStyle: theme.muted, textAlign: "center", textBaseline: "top" });
    const numbers = ticks(100 * x[0], 100 * x[1]).filter(({ value }) => value >= 0);
    const widest = Math.max(...numbers.map(({ text }) => context.measureText(`${text} %`).width)) + 8 * em;
    const every = Math.ceil((widest * numbers.length) / width); // where there is no room for all
    for (const [i, { value, text }] of numbers.entries()) {
      const most = width - context.measureText(`${text} %`).width / 2; // the last one stays on the canvas
      if (i % every === 0) context.fillText(`${text} %`, Math.min(viewport.toPixel(value / 100, 0)[0], most), height + 4 * em);
      this.drawLine([[value / 100, 0], [value / 100, 1]], { color: theme.grid, width: 1 });
    }
    context.fillStyle = theme.ink;
    context.fillText(this.shortened(name, width + 90 * em), width / 2, height + 21 * em);
  }

  /** Rows: { name, color, errors, mean, deviation } of each rule. */
  drawRows(rows, bayes) {
    const [start] = this.viewport.toPixel(bayes, 0); // no error is on the other side of it
    const { width, height } = this.viewport, room = height / rows.length, { theme: { size: em } } = this;
    rows.forEach(({ color, errors, mean, deviation }, i) => {
      const base = (i + 1) * room - 10 * em, at = (u, v) => this.viewport.toData(u, v), stacks = new Map();
      const most = this.viewport.view.x[1], far = errors.filter((error) => error > most).length;
      if (far) this.drawText(`${far} up to ${percent(Math.max(...errors), 2)} →`, at(width, base - 28 * em), { color, align: "right", shift: [-4, 0] });
      const places = errors.map((error) => {
        const bin = Math.round((this.viewport.toPixel(error, 0)[0] - start) / (BIN * em)), level = stacks.get(bin) ?? 0;
        stacks.set(bin, level + 1);
        return [start + bin * BIN * em, level];
      });
      const step = Math.min(6.5 * em, (room - 28 * em) / Math.max(...stacks.values()));
      const dots = places.map(([u, level]) => at(u, base - 12 * em - level * step)); // clear of the rhomb
      this.drawDots(dots.slice(0, -1), { color, size: 2.9 * em });
      this.drawDots(dots.slice(-1), { color: this.theme.ink, size: 5 * em });
      this.drawDots(dots.slice(-1), { color, size: 3.5 * em });
      if (deviation === null) return;
      const [u] = this.viewport.toPixel(mean, 0), reach = deviation / this.viewport.units[0];
      const ends = [Math.max(u - reach, start), Math.min(u + reach, width)];
      this.drawLine(ends.map((end) => at(end, base)), { color, width: 3 * em });
      const rhomb = (r) => [[-r, 0], [0, -r], [r, 0], [0, r]].map(([du, dv]) => at(u + du * em, base + dv * em));
      this.drawLine(rhomb(9), { fill: css(this.theme.background) });
      this.drawLine(rhomb(7), { fill: color }); // a ring would look as if it were to be dragged
    });
  }

  /** Names of the rows on the left margin, and of the line of the Bayes error above it. */
  drawNames(rows, bayes, text) {
    const { height } = this.viewport, [left] = this.viewport.view.x, { theme: { size: em } } = this;
    rows.forEach(({ name, color }, i) => name.split(" ").forEach((word, line, { length }) => {
      const down = ((i + 1) * height) / rows.length - (16 + 15 * (length - 1 - line)) * em; // each word has a line
      this.drawText(word, [left, 1], { color, align: "right", shift: [-8 * em, down] });
    }));
    this.drawLine([[bayes, 0], [bayes, 1]], { color: this.theme.ink, width: 3 });
    this.drawText(text, [bayes, 1], { shift: [-2, -10 * em] });
  }
}
