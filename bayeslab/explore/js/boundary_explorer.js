// The decision-boundary explorer: an anywidget module and, inlined by `BoundaryExplorer.save`, a page without Python.

import { argmax, randomNumbers } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { densities, drawPoints, withPrior } from "./math/estimate.js";
import { Neighbours } from "./math/neighbours.js";
import { confusion, errorByLattice, errorRate } from "./math/error_rate.js";
import { fitRule, logJoint } from "./rules.js";
import { COLORS, DARK, isDark, LIGHT, lineColor, stylesOf } from "./kit/theme.js";
import { h } from "./kit/dom.js";
import { fittingView } from "./ellipse.js";
import { Stage } from "./stage.js";
import { LAYERS } from "./layout.js";
import { Panel } from "./panel.js";
import { Readouts } from "./readouts.js";
import { areFitted, makesSense, SHARED } from "./state.js";

class Explorer {
  constructor(model, host) {
    this.model = model;
    this.random = randomNumbers(1);
    this.state = this.read();
    this.fitted = areFitted(this.state);
    const { datasets: _, ...first } = this.state; // what Reset comes back to
    this.first = first;
    this.view = fittingView(this.state);
    this.root = h("div.root", { "data-bx": "root" });
    host.append(this.root);
    this.panel = new Panel(this);
    this.readouts = new Readouts(this);
    this.stage = new Stage(this, this.panel.parts);
    this.panel.refresh();
    this.watch();
    this.draw();
  }

  read() {
    return Object.fromEntries(SHARED.map((name) => [name, this.model.get(name)]));
  }

  /** Follow the model, the size, the resolution and the theme. */
  watch() {
    this.onModel = () => {
      if (this.setting) return;
      const given = this.read(), { state } = this;
      const differs = (name) => JSON.stringify(given[name]) !== JSON.stringify(state[name]);
      if (!SHARED.some(differs) || !makesSense(given)) return;
      const renamed = ["class_names", "feature_names"].some(differs);
      const moved = ["means", "covariances", "points"].some(differs) && !this.stage.drag && !this.holds(given);
      this.state = given;
      // Somebody who has zoomed in may stay there.
      if (renamed || (moved && (this.holds(state) || !given.means.every((mean) => this.sees(mean))))) {
        this.view = fittingView(given);
        this.fitted = areFitted(given);
      }
      this.invalidate();
    };
    for (const name of SHARED) this.model.on(`change:${name}`, this.onModel);
    const redraw = () => this.invalidate();
    this.resizing = new ResizeObserver(redraw);
    this.resizing.observe(this.root);
    this.theming = new MutationObserver(redraw);
    this.theming.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    this.scheme = window.matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", redraw);
    this.redraw = redraw;
  }

  destroy() {
    for (const name of SHARED) this.model.off(`change:${name}`, this.onModel);
    this.scheme.removeEventListener("change", this.redraw);
    this.resizing.disconnect();
    this.theming.disconnect();
    cancelAnimationFrame(this.frame);
    if (this.saving) this.save();
    for (const timer of ["writing", "settling", "speaking"]) clearTimeout(this[timer]);
    this.root.remove();
  }

  // Changes ..........................................................................................................

  /** Take changes over to screen and model, if they make sense; `live` ones come in a quick row, during a drag. */
  update(changes, live = false) {
    const next = { ...this.state, ...changes };
    if (!makesSense(next)) return false;
    this.state = next;
    this.setting = true;
    for (const name of Object.keys(changes)) this.model.set(name, changes[name]);
    this.setting = false;
    this.saving ??= setTimeout(() => this.save(), 50);
    if (live) this.settleSoon();
    else if (!Object.keys(changes).every((name) => name in LAYERS)) this.announce(() => this.readouts.summary());
    this.invalidate();
    return true;
  }

  save() {
    clearTimeout(this.saving);
    this.saving = null;
    this.model.save_changes();
  }

  /** Replace the data, and look at them; tell whether they make sense. */
  replace(changes) {
    if (!this.update(changes)) return false;
    this.fitted = areFitted(this.state);
    this.look(fittingView(this.state));
    this.readouts.showPlace(null);
    return true;
  }

  drawSample(n) {
    const drawn = drawPoints(this.state, n, this.random);
    this.fitted = false;
    this.update({ points: drawn.map(([x, y, k]) => [...this.roundedPlace([x, y]), k]) });
  }

  /** A round class away from the middle, in a direction of its own, with as many points as the others. */
  addClass() {
    const { means, covariances, priors, points, class_names } = this.state, K = means.length, { x, y } = this.view;
    const numbers = class_names.every((name) => typeof name === "number");
    const name = numbers ? Math.max(...class_names) + 1 : [..."ABCDEF"].find((letter) => !class_names.includes(letter));
    const width = x[1] - x[0], height = y[1] - y[0];
    const mean = [x[0] + width * (0.5 + 0.25 * Math.cos(2.4 * K)), y[0] + height * (0.5 + 0.25 * Math.sin(2.4 * K))];
    const S = [[(0.08 * width) ** 2, 0], [0, (0.08 * height) ** 2]];
    const one = { means: [this.roundedPlace(mean)], covariances: [S], priors: [1] };
    const drawn = drawPoints(one, Math.max(10, Math.round(points.length / K)), this.random);
    this.update({
      class_names: [...class_names, name],
      classes: [...new Set([...this.state.classes, name])],
      means: [...means, ...one.means],
      covariances: [...covariances, ...one.covariances],
      points: [...points, ...drawn.map(([u, v]) => [...this.roundedPlace([u, v]), K])],
      priors: withPrior([...priors, 0], K, 1 / (K + 1)),
    });
  }

  removeClass(k) {
    const without = (list) => list.filter((_, j) => j !== k), { state } = this;
    this.update({
      class_names: without(state.class_names),
      means: without(state.means),
      covariances: without(state.covariances),
      priors: without(withPrior(state.priors, k, 0)),
      points: state.points.filter((p) => p[2] !== k).map(([x, y, j]) => [x, y, j - (j > k)]),
    });
  }

  look(view) {
    this.view = view;
    this.settleSoon();
    this.invalidate();
  }

  zoom(factor) {
    const scaled = ([low, high]) => [low, high].map((end) => (low + high) / 2 + (factor * (end - (low + high) / 2)));
    this.look({ x: scaled(this.view.x), y: scaled(this.view.y) });
  }

  /** Whether the window holds the 1σ ellipses and nine of ten points. */
  holds({ means, covariances, points }) {
    const end = (k, n) => means[k].map((x, j) => x + n * Math.sqrt(covariances[k][j][j]));
    const outside = points.filter((point) => !this.sees(point)).length;
    return means.every((_, k) => [-1, 1].every((n) => this.sees(end(k, n)))) && outside <= points.length / 10;
  }

  sees([x, y]) {
    return x > this.view.x[0] && x < this.view.x[1] && y > this.view.y[0] && y < this.view.y[1];
  }

  // Numbers ..........................................................................................................

  /** Digits after the point that a coordinate is worth: about a thirtieth of a pixel. */
  digits(axis) {
    const [low, high] = axis ? this.view.y : this.view.x;
    return Math.min(4 - Math.floor(Math.log10(high - low)), 100);
  }

  /** A place with coordinates that are good to read in Python. */
  roundedPlace(place) {
    return place.map((value, axis) => {
      const digits = this.digits(axis), unit = 10 ** -digits;
      return digits > 0 ? Number(value.toFixed(digits)) : Math.round(value / unit) * unit;
    });
  }

  /** "x₁ 1.20, x₂ −3.40" */
  place(at) {
    return at.map((value, axis) => {
      const text = value.toFixed(Math.max(this.digits(axis) - 1, 0));
      return `${this.state.feature_names[axis]} ${Number(text) ? text.replace("-", "−") : text.replace("-", "")}`;
    }).join(", ");
  }

  /** The Gaussians behind the points, whatever the mode. */
  truth() {
    const { means, covariances, priors } = this.state;
    return { gaussians: means.map((mean, k) => gaussian(mean, covariances[k])), logPriors: priors.map(Math.log) };
  }

  /** What a rule makes of the state: { fit or neighbours, gaussians to draw, sample, n, trueError } or a problem. */
  evaluate(rule) {
    const { evaluations } = this.current();
    return (evaluations[rule] ??= this.evaluateAnew(rule, this.state));
  }

  /** The densities that the rules go by. */
  get shown() { return this.current().shown; }

  /** Number of the colour and marker of each class. */
  get styles() { return this.current().styles; }

  /** What was computed from this state; forgotten with the next one. */
  current() {
    const { state } = this;
    if (this.computed?.state !== state) {
      const styles = stylesOf(state.class_names, state.classes);
      this.computed = { state, styles, shown: densities(state), evaluations: {} };
    }
    return this.computed;
  }

  evaluateAnew(rule, { points, priors, class_names, k }) {
    const K = priors.length;
    const own = this.shown.means.map((mean, j) => mean && gaussian(mean, this.shown.covariances[j]));
    const decided = (decide) => { // when it is asked for: with many neighbours, that takes longer than a frame
      let known;
      const sample = () => {
        const decisions = points.map(decide);
        return { decisions, counts: confusion(points, decisions, K) };
      };
      return { sample: () => (known ??= sample()), n: points.length };
    };
    if (rule === "kNN") {
      if (!points.length) return { problem: "kNN needs points", gaussians: own };
      if (this.neighboursOf !== points) [this.neighboursOf, this.neighbours] = [points, new Neighbours(points)];
      const decide = ([x, y]) => argmax(this.neighbours.votes(x, y, k, K));
      const dear = k > 40 ? points.length * K : 0; // distances for each point of a lattice, and of each class
      const perClass = (coarse) => Math.min(coarse ? 1000 : 4000, dear ? Math.ceil((coarse ? 5e6 : 2e7) / dear) : 4000);
      return {
        neighbours: this.neighbours, slow: k > 40 && points.length > 1e3, gaussians: own, ...decided(decide),
        trueError: (truth, coarse) => errorByLattice(truth, decide, perClass(coarse)),
      };
    }
    const fit = fitRule(rule, this.shown, priors, class_names);
    if (fit.problem) return { problem: fit.problem, gaussians: own };
    const trueError = (truth) => errorRate(truth, fit, 1e-6);
    return { fit, gaussians: fit.gaussians, trueError, ...decided(([x, y]) => argmax(logJoint(fit, x, y))) };
  }

  // Time .............................................................................................................

  invalidate() {
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  /** Once nothing has moved for a while: everything at its finest. */
  settleSoon() {
    this.coarse = true;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), 150);
  }

  settle() {
    clearTimeout(this.settling);
    if (this.stage.drag) return void (this.settling = setTimeout(() => this.settle(), 150));
    this.coarse = false;
    if (this.saving) this.save();
    this.writeSoon();
    this.invalidate();
  }

  writeSoon() {
    this.writing ??= setTimeout(() => { this.writing = null; this.readouts.write(); }, 100);
  }

  draw() {
    this.frame = null;
    if (!this.stage.element.clientWidth) {
      // Hidden, as while JupyterLab changes its theme: observed anew, the size is reported once there is one.
      this.resizing.unobserve(this.root);
      this.resizing.observe(this.root);
      return;
    }
    const { state, panel, readouts } = this;
    const changed = this.drawn !== state;
    if (changed) panel.refresh();
    const dark = isDark(this.root);
    this.root.dataset.theme = dark ? "dark" : "light";
    const theme = dark ? DARK : LIGHT, evaluation = this.evaluate(state.rule);
    COLORS.forEach((_, i) => this.root.style.setProperty(`--class-${i}`, lineColor(theme, i)));
    const scene = { state, styles: this.styles, view: this.view, coarse: this.coarse, theme, evaluation };
    this.stage.draw(scene);
    if (!this.drawn) readouts.write();
    else if (changed) this.writeSoon();
    this.drawn = state;
    if (!state.side_by_side) return;
    this.turn = ((this.turn ?? 0) + 1) % panel.items.length;
    for (const item of this.coarse ? [panel.items[this.turn]] : panel.items) panel.drawMultiple(item, scene);
  }

  /** Say something to a screen reader, the last of quick successors only; a function is asked when it is time. */
  announce(message) {
    clearTimeout(this.speaking);
    const say = () => { this.panel.parts.live.textContent = typeof message === "function" ? message() : message; };
    this.speaking = setTimeout(say, 300);
  }
}

/** anywidget's entry: show the model in `el`, and return what takes it away again. */
function render({ model, el }) {
  const explorer = new Explorer(model, el);
  return () => explorer.destroy();
}

export default { render };
