// Fit a Gaussian to a sample by hand, on the curve or on the map of the log-likelihood.

import { LIMITS } from "./constants.js";
import { areUsable, range } from "./math/numbers.js";
import { contour, gradient, logLikelihood, maximum, summaryOf } from "./math/likelihood.js";
import { logWeighted } from "./math/one_d.js";
import { short, shortIn } from "./kit/text.js";
import { COLORS, css, lineColor, mixed, tone } from "./kit/theme.js";
import { steady } from "./kit/viewport.js";
import { listsCodec, numberCodec, textCodec, wholeCodec } from "./kit/links.js";
import { button, slider } from "./kit/controls.js";
import { h } from "./kit/dom.js";
import { CanvasExplorer, renderOf } from "./kit/canvas_explorer.js";
import { addTables } from "./table/table_picker.js";

const DROPS = [300, 100, 30, 10, 3, 1]; // contours of the map: how far below the maximum
const MOST_HANDLES = 12; // of more points, none can be taken hold of
const DOT = 3; // radius of a point in pixels
const STRIP = 0.08; // of the height of the density, below its axis: for the points

/** All that is shown of a sample, a mean and a deviation. */
export function fitOf({ points, mean, deviation }) {
  const sample = summaryOf(points), value = logLikelihood(sample, mean, deviation);
  return { sample, value, slopes: gradient(sample, mean, deviation), top: maximum(sample) };
}

class LikelihoodExplorer extends CanvasExplorer {
  static links = {
    points: listsCodec(), mean: numberCodec, deviation: numberCodec, feature_name: textCodec,
    style_index: wholeCodec(0, COLORS.length - 1),
  };
  static traits = Object.keys(this.links);
  static headline = "Log-likelihood ℓ";
  static details = /^(Per point|Slope|Deviation)/;
  static beside = true;
  static invites = "both";
  static tables = { n_axes: 1, labelled: false, most: LIMITS.likelihood.points };

  accepts({ points, mean, deviation }) {
    return points.length > 0 && points.length <= LIMITS.likelihood.points && areUsable(points)
      && deviation > 0 && areUsable([mean, deviation, 1 / deviation])
      && areUsable(points.map((x) => (x - mean) / deviation));
  }

  evaluate(state) { return fitOf(state); }

  build() {
    this.addHistory();
    addTables(this);
    this.density = this.addPlot({
      name: "density", aspect: 0.8, axes: () => [this.state.feature_name, "density"],
      view: () => this.densityWindow(), follows: true,
      draw: (plot) => this.drawDensity(plot), handles: () => [...this.curveHandles(), ...this.pointHandles()],
      label: () => `${this.state.points.length} points, and the curve of a Gaussian. ${this.summary()}`,
    });
    this.map = this.addPlot({
      name: "map", aspect: 0.9, axes: () => ["μ", "σ"], view: () => this.mapWindow(),
      draw: (plot) => this.drawMap(plot), handles: () => [this.mapHandle()],
      label: () => `Map of the log-likelihood over μ and σ. Maximum ${this.readouts()["Maximum"]}. ${this.summary()}`,
    });
    const step = () => this.ends().step;
    const [min, max] = [0, 1].map((i) => () => this.ends().mean[i]);
    this.addControl(slider(this, { name: "mean", label: "mean μ", min, max, step }));
    this.addControl(slider(this, {
      name: "deviation", label: "width σ", min: step, max: () => this.ends().deviation, step,
    }));
    this.addControl(button("maximum", "Go to the maximum", () => this.goToMaximum()));
    this.addControl(h("p.note", {}, "On the map, line −30 is 30 below the top."));
    this.addNote("Drag the top of the curve to move it, its ring to widen it, or the mark on the map to do both.");
  }

  /** Mean and deviation begin too small, as in Python. */
  takeTable({ points, feature_names: [feature_name] }) {
    const [mean] = range(points), { top } = fitOf({ points, mean, deviation: 1 });
    return this.update({ points, feature_name, mean, deviation: top?.sigma / 2 || 1 });
  }

  goToMaximum() {
    const { top } = this.evaluation;
    this.isAsked = true;
    if (top) this.update({ mean: top.mu, deviation: top.sigma });
    else this.announce(this.readouts()["Maximum"]);
  }

  /** Ends of the sliders, by the points alone: they would run away from what moves them. */
  ends() {
    const [low, high] = range(this.state.points), reach = 2 * (this.evaluation.top?.sigma ?? 1);
    const step = 10 ** Math.floor(Math.log10((high - low + 2 * reach) / 200));
    return { mean: [low - reach, high + reach], deviation: reach, step };
  }

  // Windows ..........................................................................................................

  densityWindow() {
    const { points, mean, deviation } = this.state, { top } = this.evaluation, [low, high] = range(points);
    const spread = (top?.sigma ?? deviation), peak = this.curve(mean), { held } = this.store;
    const x = [Math.min(low - spread, mean - 2 * deviation), Math.max(high + spread, mean + 2 * deviation)];
    if (!held) this.x = steady(this.x, x); // in a drag it stays,
    if (!held || peak > this.y[1]) this.y = steady(this.y, [0, peak]); // and this one only grows
    return { x: this.x, y: [points.length > MOST_HANDLES ? -STRIP * this.y[1] : 0, this.y[1]] };
  }

  mapWindow() {
    this.sigmas = steady(this.sigmas, [0, Math.max(2 * (this.evaluation.top?.sigma ?? 0), this.state.deviation)]);
    return { x: this.densityWindow().x, y: [0, this.sigmas[1]] };
  }

  // Handles ..........................................................................................................

  curve(x) {
    const { mean, deviation } = this.state;
    return Math.exp(logWeighted({ mean, deviation, weight: 1 }, x));
  }

  curveHandles() {
    const { mean, deviation, style_index: style } = this.state, end = mean + deviation;
    return [{
      name: "mean", at: [mean, this.curve(mean)], axis: "x", style, marker: style,
      label: `Mean μ at ${this.placeOf(mean)}`, move: ([x]) => ({ mean: x }),
    }, {
      name: "deviation", at: [end, this.curve(end)], axis: "x", style, move: ([x]) => this.widened(Math.abs(x - mean)),
      label: `Deviation σ of ${short(deviation)}, its end at ${this.placeOf(end)}`,
    }];
  }

  widened(deviation) { return deviation > 0 ? { deviation } : null; }

  pointHandles() {
    const { points } = this.state;
    if (points.length > MOST_HANDLES) return [];
    return points.map((x, i) => ({
      name: `point-${i}`, at: [x, 0], axis: "x", style: this.state.style_index,
      label: `Point ${i + 1} of ${points.length} at ${this.placeOf(x)}`,
      move: ([to]) => ({ points: points.with(i, to) }),
    }));
  }

  mapHandle() {
    const { mean, deviation, style_index: style } = this.state;
    return {
      name: "both", at: [mean, deviation], style, marker: style,
      label: `The curve on the map, at μ ${this.placeOf(mean)}, σ ${short(deviation)}`,
      move: ([mu, sigma]) => (sigma > 0 ? { mean: mu, deviation: sigma } : null),
    };
  }

  // Pictures .........................................................................................................

  drawDensity(plot) {
    const { points, mean, deviation, style_index: style } = this.state;
    const { theme, context, viewport } = plot, [low, high] = viewport.view.x;
    const color = lineColor(theme, style), f = (x) => this.curve(x);
    plot.drawCurve(f, { fill: `rgba(${tone(theme, style).join()}, ${theme.fill})` });
    context.fillStyle = color;
    context.globalAlpha = 0.5;
    for (const x of points) { // hundreds of bars are quicker than hundreds of lines
      const [u, v] = viewport.toPixel(x, f(x));
      context.fillRect(u - 0.5, v, 1, viewport.toPixel(x, 0)[1] - v);
    }
    context.globalAlpha = 1;
    const near = Array.from({ length: 97 }, (_, i) => mean + (deviation * (i - 48)) / 8);
    const grid = Array.from({ length: 201 }, (_, i) => low + ((high - low) * i) / 200);
    plot.drawLine([...near, ...grid].sort((a, b) => a - b).map((x) => [x, f(x)]), { color, width: 2.5 });
    plot.drawLine([[mean, 0], [mean, f(mean)]], { color, width: 1.2, dash: [6, 4] });
    if (points.length > MOST_HANDLES) this.drawPoints(plot, color);
  }

  /** Points in a strip below the axis, equal ones on top of each other, and closer together where there is no room. */
  drawPoints(plot, color) {
    const { viewport, theme, viewport: { view: { x: [low, high], y: [bottom] } } } = plot, height = new Map();
    const dots = this.state.points.map((x) => {
      const column = Math.round(viewport.toPixel(x, 0)[0] / (2 * DOT)), below = height.get(column) ?? 0;
      height.set(column, below + 1);
      return [x, below];
    });
    const unit = -viewport.units[1], most = Math.max(...height.values()) - 1, room = -bottom / unit - 2 * (DOT + 1);
    const step = Math.min(2 * DOT + 1, room / Math.max(most, 1)), upTo = (below) => bottom + (DOT + 1 + below * step) * unit;
    plot.drawLine([[low, 0], [high, 0]], { color: theme.muted, width: 1 });
    plot.drawDots(dots.map(([x, below]) => [x, upTo(below)]), { color, size: DOT });
  }

  drawMap(plot) {
    const { evaluation: { sample, top }, state: { style_index: style } } = this, { theme } = plot;
    const shade = tone(theme, style), strongest = theme.background[0] < 128 ? 0.8 : 0.55;
    if (!top) return plot.drawText("no maximum", plot.viewport.middle(), { align: "center" });
    const shadeOf = (i) => css(mixed(theme.background, shade, (strongest * (i + 1)) / (DROPS.length + 1)));
    DROPS.forEach((drop, i) => {
      plot.drawLine(contour(sample, drop), { fill: shadeOf(i + 1), color: lineColor(theme, style), width: 0.8 });
    });
    this.nameContours(plot, sample, (drop) => shadeOf(DROPS.indexOf(drop) + 0.5));
    const { x: [left], y: [low] } = plot.viewport.view;
    plot.drawText("log-likelihood, from above", [left, low], { color: theme.muted, shift: [10, -14] });
    for (const [u, v] of this.showsAnswer ? [[5, 5], [5, -5]] : []) this.drawStroke(plot, [top.mu, top.sigma], [u, v]);
  }

  /** How far below the maximum, in a gap of each contour: at its upper end or, if this is not seen, far on its right. */
  nameContours(plot, sample, haloOf) {
    const taken = [], { viewport, viewport: { width, height }, theme: { size } } = plot, side = 26 * size, edge = 14 * size;
    for (const drop of [...DROPS].reverse()) {
      const places = contour(sample, drop).map((place) => viewport.toPixel(...place));
      const isRoomy = ([u, v]) => u >= side && u <= width - side && v >= edge && v <= height - edge;
      const top = places.toSorted(([, s], [, t]) => s - t)[0];
      const at = isRoomy(top) ? top : places.filter(isRoomy).sort(([s], [t]) => t - s)[0];
      if (!at || taken.some(([u, v]) => Math.abs(u - at[0]) < 40 && Math.abs(v - at[1]) < 15)) continue;
      taken.push(at);
      plot.drawText(`−${drop}`, viewport.toData(...at), { align: "center", halo: haloOf(drop) });
    }
  }

  /** A stroke of the cross that marks the maximum. */
  drawStroke({ context, theme, viewport }, place, [du, dv]) {
    const [u, v] = viewport.toPixel(...place);
    Object.assign(context, { strokeStyle: theme.ink, lineWidth: 2.5 });
    context.beginPath();
    context.moveTo(u - du, v - dv);
    context.lineTo(u + du, v + dv);
    context.stroke();
  }

  // Words ............................................................................................................

  placeOf(x) { return shortIn(this.densityWindow().x, x); }

  /** Where the maximum is, in numbers only within the innermost contour: they are what is looked for. */
  topInWords() {
    const { value, top } = this.evaluation, isFar = top.value - value > DROPS.at(-1);
    return isFar ? "the top of the map" : `μ ${this.placeOf(top.mu)}, σ ${short(top.sigma)}`;
  }

  readouts() {
    const { sample: { n, scatter }, value, slopes, top } = this.evaluation;
    const left = top && Math.max(top.value - value, 0), isThere = left <= 1e-12 * Math.abs(value); // but for rounding
    const best = top ? `${short(top.value)}, at ${this.topInWords()}`
      : "none: all values are equal, and ℓ grows without limit as σ goes to 0";
    return {
      "Log-likelihood ℓ": short(value),
      "Per point, ℓ/n": short(value / n),
      "Slope of ℓ along μ": short(slopes[0]),
      "Slope of ℓ along σ": short(slopes[1]),
      Maximum: best,
      "Still to climb": top ? short(isThere ? 0 : left) : "no limit",
      "Deviation, dividing by n": short(Math.sqrt(scatter / n)),
      "Deviation, dividing by n − 1": n > 1 ? short(Math.sqrt(scatter / (n - 1))) : "needs two points",
    };
  }

  isDone() { return this.evaluation.top?.value - this.evaluation.value < 0.1; }

  summary() {
    const { mean, deviation } = this.state, { value, top } = this.evaluation;
    const left = top ? `, ${short(Math.max(top.value - value, 0))} below the top` : "";
    return `μ ${this.placeOf(mean)}, σ ${short(deviation)}: ℓ = ${short(value)}${left}.`;
  }
}

const render = renderOf(LikelihoodExplorer);

export default { render };
