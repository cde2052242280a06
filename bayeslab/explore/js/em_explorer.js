// The EM explorer: through the algorithm half a step at a time, from starts that are dragged.
//
// Half step 0 is the start, 1 the first E-step, 2 the first M-step, and so on; colours are those of the last E-step.

import { areUsable, clamp, range, sum } from "./math/numbers.js";
import { LIMITS } from "./constants.js";
import { areNear, collapsed, covarianceOfAll, farthestFrom, startAt } from "./math/em.js";
import { ending, evaluateEM, fixed, gainText, reason } from "./em_evaluation.js";
import { css, INK, lineColor, lineTone } from "./kit/theme.js";
import { short, shortIn } from "./kit/text.js";
import { fittingView } from "./kit/fitting_view.js";
import { labelsCodec, listsCodec, wholeCodec } from "./kit/links.js";
import { button, slider } from "./kit/controls.js";
import { h, setText } from "./kit/dom.js";
import { CanvasExplorer, renderOf } from "./kit/canvas_explorer.js";
import { addTables } from "./table/table_picker.js";

const MOST = LIMITS.EM; // sizes and distances of starts are in standard deviations of all points
const WORK = 5e4; // so many responsibilities take about 1.5 ms of a frame; one that draws nothing has time for twice as many
const FLAT = 12; // a climb this many times as high as the rest of it makes the rest look flat
const CROWDED = 40; // so many iterations have no room for a dot each
const SLOW = 8; // so many half steps are played one by one, at a pace to follow; after them, whole iterations

export class EMExplorer extends CanvasExplorer {
  static links = {
    points: listsCodec(2), starts: listsCodec(2), sizes: listsCodec(), step: wholeCodec(0, 2 * MOST.iterations),
    feature_names: labelsCodec,
  };
  static traits = Object.keys(this.links);
  static pythonNames = { points: "X" };
  static headline = "Log-likelihood ℓ";
  static details = /^(Why|Gain|Weights|Means)/;
  static beside = true;
  static invites = "start-0";
  static tables = { n_axes: 2, labelled: false, most: MOST.points };

  accepts({ points, starts, sizes, step, feature_names: axes }) {
    return points.length > 2 && points.length <= MOST.points && starts.length === sizes.length
      && starts.length >= 1 && starts.length <= MOST.components && areUsable([points, starts])
      && sizes.every((size) => size >= MOST.sizes[0] && size <= MOST.sizes[1])
      && collapsed(startAt(starts, sizes, points), covarianceOfAll(points)) === null
      && areNear(starts, points, MOST.farthest) && step >= 0
      && axes.length === 2 && axes.every((name) => typeof name === "string");
  }

  evaluate(state) {
    const work = this.drawn === state ? 2 * WORK : WORK;
    return evaluateEM(state, this.evaluated?.result, this.store.held ? work : Infinity);
  }

  /** While a start is dragged a long run goes on from frame to frame; it is drawn once it is whole. */
  draw() {
    const { isBehind, run } = this.evaluated?.result ?? {}, isSeen = this.drawn === this.state;
    if (isBehind) this.evaluated.state = {};
    if (isBehind && isSeen && this.coarse && this.evaluation.run === run) {
      this.frame = null;
      return this.invalidate();
    }
    if (isBehind) this.drawn = {}; // what follows from it is new as well
    super.draw();
    if (this.evaluation.isBehind) this.invalidate();
  }

  build() {
    const bar = this.addGroup("div.bar"), steps = bar.appendChild(h("div.steps", { role: "group", "aria-label": "Steps" }));
    this.steps = {};
    for (const [name, text, label, to] of [
      ["first", "Start", "Back to the start", () => 0],
      ["back", "◀ Back", "Half a step back", ({ here }) => Math.max(here - 1, 0)],
      ["forward", "Step ▶", "Half a step forward", ({ here, last }) => Math.min(here + 1, last)],
      ["end", "End", "To the end, and stay there when a start moves", () => 2 * MOST.iterations],
    ]) {
      const go = () => { this.pause(); this.update({ step: to(this.evaluation) }); };
      steps.append(this.steps[name] = button(name, text, go, label));
    }
    this.playButton = button("play", "Play", () => (this.playing ? this.pause() : this.play()), "Play or pause");
    steps.lastChild.before(this.playButton);
    this.addHistory(bar);
    addTables(this);
    this.plane = this.addPlot({
      name: "plane", axes: () => this.state.feature_names, draw: (plot) => this.drawPlane(plot),
      view: () => this.planeView(),
      handles: () => [...this.startHandles(), ...(this.evaluation.here ? [] : this.sizeHandles())],
      label: () => `${this.state.points.length} points, coloured by component, and their ellipses. ${this.summary()}`,
    });
    this.climb = this.addPlot({
      name: "climb", axes: () => ["iteration", "log-likelihood ℓ"], draw: (plot) => this.drawClimb(plot),
      view: () => this.climbView(), handles: () => [this.hereHandle()],
      label: () => `The log-likelihood after each iteration. At the end: ${this.endText()}.`,
    });
    this.addSettings();
  }

  refresh() {
    super.refresh();
    const { here, last } = this.evaluation;
    for (const name of ["first", "back"]) this.steps[name].setAttribute("aria-disabled", here === 0);
    this.steps.forward.setAttribute("aria-disabled", here === last); // "End" holds for other starts, too
  }

  addSettings() {
    this.addControl(slider(this, {
      name: "step", label: "Half step", min: 0, max: () => this.evaluation.last, step: 1,
      get: () => this.evaluation.here, set: (value) => ({ step: Math.round(value) }),
    }));
    const count = h("span", { "aria-live": "polite", "data-bx": "count" });
    this.addControl({
      element: h("div.bar", {}, count, button("fewer", "−", () => this.withFewer(), "One component fewer"),
        button("more", "+", () => this.withMore(), "One component more")),
      refresh: ({ starts: { length } }) => setText(count, `${length} component${length > 1 ? "s" : ""}`),
    });
    this.addControl(h("p.note", {}, "Pale colours say what the first E‑step will find. An M‑step moves the ellipses to their points."));
    this.addNote("Drag a [mean|mark] to start elsewhere and, at the start, a [ring|ring] to begin larger or smaller; or drag " +
      "along the [climb|curve]. The [ellipse|ellipses] are 1σ and 2σ.");
  }

  /** The starts lie among the new points as they did among the old ones, in standard deviations. */
  takeTable({ points, feature_names }) {
    const [from, to] = [this.state.points, points].map((list) => [0, 1].map((j) => {
      const values = list.map((place) => place[j]), mean = sum(values) / values.length;
      return { mean, deviation: Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length) };
    }));
    const moved = (value, j) => to[j].mean + (to[j].deviation * (value - from[j].mean)) / from[j].deviation;
    this.pause();
    return this.update({ points, feature_names, starts: this.state.starts.map((start) => start.map(moved)), step: 0 });
  }

  withMore() {
    const { starts, sizes, points } = this.state;
    this.update({ starts: [...starts, farthestFrom(starts, points)], sizes: [...sizes, 1] });
  }

  withFewer() { this.update({ starts: this.state.starts.slice(0, -1), sizes: this.state.sizes.slice(0, -1) }); }

  // Playing ..........................................................................................................

  play() {
    const { here, last } = this.evaluation;
    this.playButton.textContent = "Pause";
    this.playing = setTimeout(() => this.playOn(), 0);
    if (here === last) this.update({ step: this.playedTo = 0 }, "play");
    else this.playedTo = this.state.step;
  }

  playOn() {
    const { here, last } = this.evaluation, next = Math.min(here < SLOW ? here + 1 : 2 * (here >> 1) + 2, last);
    this.playedTo = next;
    this.update({ step: next }, "play");
    if (next < last) this.playing = setTimeout(() => this.playOn(), next <= SLOW ? 700 : 120);
    else this.pause();
  }

  pause() {
    clearTimeout(this.playing);
    if (this.playing) this.announce(() => this.summary());
    this.playing = null;
    this.playButton.textContent = "Play";
  }

  /** What is played stops when somebody goes elsewhere. */
  changed(...how) {
    if (this.playing && this.state.step !== this.playedTo) this.pause();
    super.changed(...how);
  }

  destroy() {
    clearTimeout(this.playing);
    super.destroy();
  }

  // Handles ..........................................................................................................

  startHandles() {
    return this.state.starts.map((at, k, starts) => ({
      name: `start-${k}`, at, style: k, marker: k, hollow: this.evaluation.here > 0,
      label: `Start of component ${k} at ${this.plane.placeText(at)}`,
      move: (place) => ({ starts: starts.with(k, place) }),
    }));
  }

  /** On the 2σ ellipses of the start, where they reach as far outwards as the first axis of the factor: there is room. */
  sizeHandles() {
    const { sizes, points } = this.state, middle = sum(points.map(([x]) => x)) / points.length;
    return this.evaluation.start.gaussians.map(({ mean, l11, l21 }, k) => {
      const size = sizes[k], two = mean[0] < middle ? -2 : 2, reach = two * (l11 / size);
      return {
        name: `size-${k}`, at: [mean[0] + two * l11, mean[1] + two * l21], axis: "x", style: k, free: true,
        label: `Size of the start of component ${k}, ${short(size)} of all points`,
        move: ([x]) => ({ sizes: sizes.with(k, clamp((x - mean[0]) / reach, ...MOST.sizes)) }),
      };
    });
  }

  /** On the curve; after an E-step, between two iterations. */
  hereHandle() {
    const { run: { history }, here, last } = this.evaluation;
    const [before, after] = [here >> 1, (here + 1) >> 1].map((i) => (history[i] ?? history.at(-1)).logLikelihood);
    return {
      name: "here", at: [here / 2, (before + after) / 2], axis: "x", style: INK,
      label: `Step shown: ${this.nameOfStep()}`,
      move: ([x]) => ({ step: clamp(Math.round(2 * x), 0, last) }),
    };
  }

  // Pictures .........................................................................................................

  drawPlane(plot) {
    const { run, here, now, shares } = this.evaluation, { theme } = plot, { points, starts } = this.state;
    const colors = starts.map((_, k) => lineTone(theme, k));
    const shared = (i, c) => colors.reduce((total, color, k) => total + shares[k][i] * color[c], 0);
    const stepOf = (value) => 8 * Math.round(value / 8); // a stamp of each colour, not too many
    const colorOf = (i) => css([0, 1, 2].map((c) => stepOf(shared(i, c))));
    const paleOf = (i) => css([0, 1, 2].map((c) => stepOf(0.3 * theme.background[c] + 0.7 * shared(i, c)))); // not asked yet
    const opacity = theme.background[0] < 128 ? 0.16 : 0.09;
    now.gaussians.forEach((g, k) => {
      const color = lineColor(theme, k), fill = color.replace(")", `,${opacity})`); // twice within 1σ
      plot.drawEllipse(g, 2, { color, fill, width: 2, part: "ellipse" });
      plot.drawEllipse(g, 1, { color, fill, width: 1.5, part: "ellipse" });
    });
    plot.drawDots(points, { color: here ? colorOf : paleOf, size: 3 });
    starts.forEach((_, k) => {
      const way = run.history.slice(0, (here >> 1) + 1).map(({ means }) => means[k]);
      plot.drawLine(way, { color: css(theme.background), width: 5 }); // a halo, as it runs among the points
      plot.drawLine(way, { color: lineColor(theme, k), width: 2.5 });
    });
    now.gaussians.forEach((g, k) => plot.drawDisc(g.mean, k));
  }

  /** It holds the points, and most ellipses that begin among them; it stays as it is when a start moves. */
  planeView() {
    const { points } = this.state, mean = [0, 1].map((j) => sum(points.map((place) => place[j])) / points.length);
    const wider = covarianceOfAll(points).map((row) => row.map((value) => 1.2 * value));
    return fittingView({ means: [mean], covariances: [wider], points });
  }

  /** All iterations; without the start where it is so far below that beside its climb the others would look flat. */
  climbView() {
    const values = this.evaluation.run.history.map(({ logLikelihood }) => logLikelihood), last = values.length - 1;
    const [least, top] = range(values), [second] = range(values.slice(last > 1 ? 1 : 0)), high = this.missed() ?? top;
    const low = high - least < FLAT * (high - second) ? least : second, margin = (high - low) / 8 || 1;
    return { x: [0, Math.max(last, 4) * 1.04], y: [low - margin, high + margin] };
  }

  drawClimb(plot) {
    const { run: { history, end }, here, last } = this.evaluation, { theme } = plot;
    const places = history.map(({ logLikelihood }, i) => [i, logLikelihood]), walked = places.slice(0, (here >> 1) + 1);
    plot.drawLine(places, { color: theme.muted, width: 2, dash: [5, 4], part: "climb" });
    plot.drawLine([...walked, this.hereHandle().at], { color: theme.ink, width: 2.5, part: "climb" });
    if (last < 2 * CROWDED) plot.drawDots(walked, { color: theme.ink, size: 4 });
    const { width, height } = plot.viewport, corner = plot.viewport.toData(width, height), above = this.missed();
    this.nameHere(plot, this.hereHandle().at);
    if (end.why) plot.drawText(this.endText(), corner, { align: "right", shift: [-10, -18] });
    if (above === null && !end.why && !this.state.compact) this.nameEnd(plot, places.at(-1)); // there its card says it
    if (above === null) return;
    plot.drawLine([[0, above], [corner[0], above]], { color: theme.muted, width: 1.5, dash: [1, 4] });
    plot.drawText("the best end so far", [corner[0], above], { color: theme.muted, align: "right", shift: [-10, -12] });
  }

  /** Beside the ring, below the climb and what it ends at; a start that is below the window has its ring on the edge. */
  nameHere(plot, place) {
    const { viewport, theme: { size } } = plot, [u, v] = viewport.toPixel(...place), isLate = u > viewport.width / 2;
    const down = Math.min(v + (isLate ? 38 : 14) * size, viewport.height - 14 * size);
    const align = isLate ? "right" : "left";
    plot.drawText(this.nameOfStep(), viewport.toData(isLate ? u : u + 16 * size, down), { align });
  }

  /** How high it gets, below the end of the climb: above it, a low plot has no room. */
  nameEnd(plot, place) {
    const { size, muted } = plot.theme;
    plot.drawText(`ends at ${short(place[1])}`, place, { align: "right", color: muted, shift: [0, 18 * size] });
  }

  // Words ............................................................................................................

  nameOfStep() {
    const { here, turn } = this.evaluation;
    return here ? `${here % 2 ? "E" : "M"}-step ${turn}` : "start";
  }

  /** The best end that has been seen of so many components, where the one on the screen is below it. */
  missed() {
    const { run: { history }, here, last } = this.evaluation, best = this.best?.[this.kindOfRun()];
    return here === last && here > 0 && history.at(-1).logLikelihood < best - 1 ? best : null;
  }

  kindOfRun() { return `${this.state.points.length} ${this.state.starts.length}`; }

  isDone() { return this.missed() !== null; }

  /** What a start passes on the way does not count. */
  write() {
    const kind = this.kindOfRun(), { run: { history, end }, isBehind } = this.evaluation;
    if (!this.store.held && !isBehind && !end.why) {
      this.best = { ...this.best, [kind]: Math.max(this.best?.[kind] ?? -Infinity, history.at(-1).logLikelihood) };
    }
    super.write();
  }

  endText() { return ending(this.evaluation.run); }

  readouts() {
    const { run: { history, end }, here, now } = this.evaluation, { x, y } = this.plane.viewport.view;
    return {
      "Step shown": this.nameOfStep(),
      "Log-likelihood ℓ": fixed(now.logLikelihood),
      "At the end": this.endText(),
      ...(end.why && { "Why it collapses": reason(end, this.state.points.length) }),
      "Gain in the last iteration": gainText(history, here >> 1),
      "Weights π": now.weights.map((weight) => weight.toFixed(3)).join(", "),
      "Means μ": now.means.map(([u, v]) => `(${shortIn(x, u)},\u00a0${shortIn(y, v)})`).join(", "),
    };
  }

  summary() {
    const { here, last, now } = this.evaluation, words = `${this.nameOfStep()}: ℓ = ${fixed(now.logLikelihood)}.`;
    return here === last ? `${words} The end: ${this.endText()}.` : words;
  }
}

const render = renderOf(EMExplorer);

export default { render };
