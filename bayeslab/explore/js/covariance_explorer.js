// What a covariance matrix is: drag the axes of its ellipse, and see what x₁ says about x₂.

import { areUsable, clamp, randomNumbers } from "./math/numbers.js";
import { HANDLE_SIGMA, steadyAxes, turnedAxes } from "./math/axes.js";
import { eigen, gaussian, isSymmetric } from "./math/gaussian.js";
import { drawPoints } from "./math/estimate.js";
import { bell } from "./math/normal.js";
import { fontOf, lineColor, lineTone, paleColor, tone } from "./kit/theme.js";
import { doubled } from "./kit/viewport.js";
import { short } from "./kit/text.js";
import { listsCodec, numberCodec } from "./kit/links.js";
import { slider } from "./kit/controls.js";
import { CanvasExplorer, renderOf } from "./kit/canvas_explorer.js";

const three = (value) => short(Number(value.toPrecision(3)));
const ROUND_CLASS = { means: [[0, 0]], covariances: [[[1, 0], [0, 1]]], priors: [1] };

/** All that is shown of a covariance matrix, and of the cut through its density at x₁ = cut. */
export function partsOf({ covariance, cut }) {
  const [[a, b], [, c]] = covariance, g = gaussian([0, 0], covariance), { values, vectors } = eigen(covariance);
  const determinant = Math.exp(g.logDeterminant);
  return {
    gaussian: g, determinant, area: Math.PI * Math.sqrt(determinant), values,
    vectors: [0, 1].map((i) => [vectors[0][i], vectors[1][i]]), // one by one
    sigmas: [Math.sqrt(a), Math.sqrt(c)], rho: b / Math.sqrt(a * c),
    conditional: { mean: (b / a) * cut, deviation: g.l22 },
  };
}

/** The matrix of two standard deviations and a correlation. */
export const matrixOf = ([s, t], rho) => [[s * s, rho * s * t], [rho * s * t, t * t]];

export class CovarianceExplorer extends CanvasExplorer {
  static links = { covariance: listsCodec(2), cut: numberCodec };
  static traits = Object.keys(this.links);
  static beside = true;
  static invites = "axis-1";
  static details = /^(Eigenvalue|Determinant|Area)/;
  static headline = "Covariance Σ₁₂ = ρ σ₁ σ₂";

  accepts({ covariance, cut }) {
    return covariance.length === 2 && areUsable([covariance, cut]) && isSymmetric(covariance)
      && gaussian([0, 0], covariance) !== null;
  }

  evaluate(state) { return partsOf(state); }

  build() {
    this.noise = drawPoints(ROUND_CLASS, 200, randomNumbers(1)); // the same points, whatever the matrix makes of them
    this.addHistory();
    this.plane = this.addPlot({
      name: "plane", axes: () => ["x₁", "x₂"], view: () => this.window(), draw: (plot) => this.drawPlane(plot),
      handles: () => [...this.axisHandles(), this.cutHandle()],
      label: () => `Ellipses of one, two and three standard deviations in the plane of x₁ and x₂. ${this.summary()}`,
    });
    this.addPlot({
      name: "curve", axes: () => ["x₂", "density"], draw: (plot) => this.drawCurves(plot), handles: () => [],
      view: () => ({ x: this.window().x, y: [0, this.top()] }),
      label: () => `Density of x₂ before we see x₁, and once we see it. ${this.readouts()["x₂ once we see x₁"]}.`,
    });
    const units = (n) => () => n * this.unit();
    const sigma = (i, label) => slider(this, {
      name: `sigma_${i + 1}`, label, min: units(0.2), max: units(2), step: units(0.05),
      get: () => this.evaluation.sigmas[i], set: (value) => this.withParts({ [i]: value }),
    });
    this.addControl(sigma(0, "σ₁"));
    this.addControl(sigma(1, "σ₂"));
    this.addControl(slider(this, {
      name: "rho", label: "ρ", min: -0.98, max: 0.98, step: 0.02, get: () => this.evaluation.rho,
      set: (rho) => this.withParts({}, rho),
    }));
    this.addControl(slider(this, { name: "cut", label: "cut at x₁", min: units(-4), max: units(4), step: units(0.1) }));
    this.addNote("Drag an [ring|end of an axis] to stretch and turn the [ellipse|ellipse], or the dashed line to cut " +
      "elsewhere.");
  }

  withParts(sigmas, rho = this.evaluation.rho) {
    return { covariance: matrixOf(Object.assign([...this.evaluation.sigmas], sigmas), rho) };
  }

  /** What windows and ends of sliders are multiples of: 1, unless the ellipse is far smaller or larger. */
  unit() {
    const largest = Math.max(...this.evaluation.sigmas), fits = (unit) => 0.1 * unit <= largest && largest <= 10 * unit;
    if (!fits(this.scale)) this.scale = fits(1) ? 1 : 10 ** Math.ceil(Math.log10(largest / 2)); // it seldom changes
    return this.scale;
  }

  window() {
    const unit = this.unit(), least = unit === 1 ? 4.5 : 1.125 * unit;
    const half = doubled(least, 3 * Math.max(...this.evaluation.sigmas));
    return { x: [-half, half], y: [-half, half] };
  }

  top() { return doubled(0.6 / this.unit(), 1.1 * bell(0, this.evaluation.conditional.deviation)(0)); }

  // Handles ..........................................................................................................

  axisHandles() {
    const { units } = this.plane.viewport, { covariance } = this.state;
    const axes = steadyAxes(this.axes, covariance, units);
    this.axes = axes;
    return axes.map((axis, i) => {
      const at = axis.map((value) => HANDLE_SIGMA * value), length = short(Math.hypot(...axis));
      const end = `its end of ${HANDLE_SIGMA}σ at ${this.plane.placeText(at)}`;
      return {
        name: `axis-${i + 1}`, at, free: true, style: 0,
        label: `Axis ${i + 1} of the ellipse, 1σ is ${length} long, ${end}`,
        move: (place) => this.pulled(turnedAxes(axes, i, [0, 0], at, place, units)),
      };
    });
  }

  pulled(axes) {
    const [[a, b], [c, d]] = axes;
    this.axes = axes;
    return { covariance: [[a * a + c * c, a * b + c * d], [a * b + c * d, b * b + d * d]] };
  }

  cutHandle() {
    const { cut } = this.state, [low] = this.plane.viewport.view.y;
    return {
      name: "cut", at: [cut, 0.9 * low], axis: "x", style: 1, label: `Cut at x₁ = ${short(cut)}`,
      move: ([x]) => ({ cut: x }),
    };
  }

  // Pictures .........................................................................................................

  drawPlane(plot) {
    const { gaussian: g, values, vectors } = this.evaluation, { theme } = plot, [, high] = plot.viewport.view.y;
    const dots = this.noise.map(([u, v]) => [g.l11 * u, g.l21 * u + g.l22 * v]);
    const color = lineColor(theme, 0), second = lineColor(theme, 1);
    for (const n of [3, 2, 1]) plot.drawEllipse(g, n, { color, width: 2.4 - 0.4 * n, part: "ellipse", fill: `rgba(${tone(theme, 0).join()}, ${0.8 * theme.fill})` });
    plot.drawDots(dots, { color: `rgba(${lineTone(theme, 0).join()}, 0.6)`, size: 2 * theme.size }); // what is dragged is darker
    plot.drawLine([[this.state.cut, -high], [this.state.cut, high]], { color: second, dash: [6, 4] });
    const arms = this.axisHandles().map(({ at }) => at);
    for (const at of arms) plot.drawLine([[0, 0], at], { color: theme.ink, width: 1.2 });
    vectors.forEach((vector, i) => {
      const length = Math.sqrt(values[i]), along = (at) => at[0] * vector[0] + at[1] * vector[1];
      const [arm] = [...arms].map(along).sort((a, b) => Math.abs(b) - Math.abs(a)), side = Math.sign(arm);
      plot.drawLine([[0, 0], vector.map((value) => side * length * value)], { color: theme.ink, width: 3 });
      this.nameAxis(plot, `u${"₁₂"[i]}`, vector.map((value) => side * value), HANDLE_SIGMA * length);
    });
    this.nameStrokes(plot);
    plot.theme = { ...theme, size: plot.viewport.width < 400 ? theme.size : 1.2 * theme.size };
    this.drawMatrix(plot);
    plot.theme = theme;
  }

  /** The name of an axis, beyond the ring at its end and beside the cut. */
  nameAxis(plot, text, [x, y], far) {
    const { theme, theme: { size }, viewport } = plot, font = `bold ${fontOf(theme)}`;
    const [u, v] = viewport.toPixel(x * far, y * far), [cut] = viewport.toPixel(this.state.cut, 0);
    const away = (this.invited ? 34 : 20) * size; // arrows take room
    const beyond = u + x * away, least = 13 * size, side = beyond < cut ? -least : least;
    const beside = Math.abs(beyond - cut) < least ? cut + side : beyond;
    const place = [clamp(beside, away, viewport.width - away), clamp(v - y * away, away, viewport.height - away)];
    plot.drawText(text, viewport.toData(...place), { align: "center", font, halo: "#0000" });
  }

  /** What the thick parts of the axes are. */
  nameStrokes(plot) {
    const { theme: { ink, size }, viewport } = plot, down = viewport.height - 16 * size;
    const [from, to] = [14, 38].map((right) => viewport.toData(right * size, down));
    plot.drawLine([from, to], { color: ink, width: 3 });
    plot.drawText("√λ₁ u₁ and √λ₂ u₂", to, { shift: [8 * size, 0] });
  }

  /** Σ in the corner, what is off its diagonal in colour. */
  drawMatrix(plot) {
    const { context, theme, theme: { size }, viewport: { view } } = plot, corner = [view.x[0], view.y[1]];
    const write = (text, u, v, color) => plot.drawText(text, corner, { align: "center", shift: [u * size, v * size], color });
    const entries = this.state.covariance.map((row) => row.map(three));
    context.font = fontOf(theme);
    const widest = Math.max(...entries.flat().map((text) => context.measureText(text).width)) / size;
    const wide = 8 * Math.ceil(widest / 8) + 12, left = 46; // in steps, so that the bracket does not tremble
    write("Σ =", 24, 32);
    entries.forEach((row, i) => row.forEach((text, j) =>
      write(text, left + wide * (j + 0.5), 21 + 22 * i, i === j ? theme.ink : lineColor(theme, 1))));
    Object.assign(context, { strokeStyle: theme.ink, lineWidth: 1.5 });
    for (const [u, hook] of [[left, 5], [left + 2 * wide, -5]]) {
      context.beginPath();
      for (const [du, v] of [[hook, 10], [0, 10], [0, 54], [hook, 54]]) context.lineTo((u + du) * size, v * size);
      context.stroke();
    }
  }

  drawCurves(plot) {
    const { sigmas, conditional: { mean, deviation } } = this.evaluation, { theme } = plot;
    plot.drawCurve(bell(mean, deviation), { color: lineColor(theme, 1), dash: [6, 4], fill: paleColor(theme, 1) });
    plot.drawCurve(bell(0, sigmas[1]), { color: lineColor(theme, 0) });
    const top = plot.viewport.view.y[1], left = plot.viewport.view.x[0];
    const given = `p(x₂ | x₁ = ${short(this.state.cut)})`;
    for (const [i, text, dash] of [[0, "p(x₂)", []], [1, given, [6, 4]]]) {
      const color = lineColor(theme, i), down = (16 + 20 * i) * theme.size;
      const [from, to] = [10, 34].map((right) => plot.viewport.toData(right * theme.size, down));
      plot.drawLine([from, to], { color, dash });
      plot.drawText(text, [left, top], { color, shift: [42 * theme.size, down] });
    }
  }

  // Words ............................................................................................................

  readouts() {
    const { values, vectors, determinant, area, sigmas, conditional } = this.evaluation;
    const { covariance } = this.state;
    const hundredths = (part) => short(Number(part.toFixed(2)));
    const along = (i) => `${three(values[i])} along (${vectors[i].map(hundredths).join(", ")})`;
    return {
      "Covariance Σ₁₂ = ρ σ₁ σ₂": three(covariance[0][1]),
      "Eigenvalue λ₁ along u₁": along(0),
      "Eigenvalue λ₂ along u₂": along(1),
      "Determinant |Σ| = λ₁ λ₂": three(determinant),
      "Area of the 1σ ellipse, π √|Σ|": three(area),
      "x₂ before we see x₁": `0 ± ${three(sigmas[1])}`,
      "x₂ once we see x₁": `${three(conditional.mean)} ± ${three(conditional.deviation)}`,
    };
  }

  isDone() {
    const { rho, values: [long, wide] } = this.evaluation;
    return Math.abs(rho) < 0.05 && long > 1.3 * wide;
  }

  summary() {
    const { sigmas, rho } = this.evaluation;
    return `σ₁ ${three(sigmas[0])}, σ₂ ${three(sigmas[1])}, ρ ${three(rho)}: Σ₁₂ = ${three(this.state.covariance[0][1])}.`;
  }
}

const render = renderOf(CovarianceExplorer);

export default { render };
