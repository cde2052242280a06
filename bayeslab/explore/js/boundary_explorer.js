// The decision-boundary explorer.

import { clamp, randomNumbers } from "./math/numbers.js";
import { densities, drawPoints, shareOut, withPrior } from "./math/estimate.js";
import { isTyping } from "./kit/dom.js";
import { fittingView } from "./kit/fitting_view.js";
import { cutOf, endsOf } from "./math/cut.js";
import { CanvasExplorer } from "./kit/canvas_explorer.js";
import { drawSample, originOf } from "./sample.js";
import { evaluateRule } from "./evaluation.js";
import { RULES } from "./rules.js";
import { LAYERS } from "./layout.js";
import { areFitted, CODECS, DENSITIES, makesSense } from "./state.js";
import { BoundaryStage } from "./boundary_stage.js";
import { CutStage } from "./cut_stage.js";
import { betweenRules, canMove, progress } from "./transition.js";
import { Panel } from "./panel.js";
import { Readouts } from "./readouts.js";

/** Without data sets and tables, which challenges have no use for. */
export class BoundaryBase extends CanvasExplorer {
  static links = CODECS;
  static linkHint = " Points drawn with “Draw” take no room in it.";
  static traits = Object.keys(this.links);

  accepts(state) { return makesSense(state); }

  /** What is computed from a state: the densities that the rules go by, and each rule when it is asked for. */
  evaluate(state) {
    return { shown: densities(state), rules: {} };
  }

  /** Whether a trait must stay as it is, so that the pointer takes none of its handles. */
  keeps() { return false; }

  build() {
    this.random = randomNumbers(1);
    this.fittedOf = new WeakMap(); // whether the densities of a state were fitted to its points
    this.fitted = areFitted(this.state);
    this.view = this.whole = fittingView(this.state);
    this.panel = new Panel(this);
    this.readouts = new Readouts(this);
    this.stage = new BoundaryStage(this);
    this.stages.push(this.stage);
    this.panel.parts["plot-place"].replaceWith(this.stage.element);
    this.cutStage = new CutStage(this);
    this.stages.push(this.cutStage);
    this.panel.parts["cut-card"].append(this.cutStage.element);
    this.addHistory(this.panel.parts.history);
    this.addSharing(this.panel.parts["share-place"]);
    this.onPageKey = (event) => {
      // In a lecture, nothing on the page needs to be chosen first; of several slides only one is on the screen.
      if (this.state.compact && event.target === document.body && this.root.clientWidth) this.onKey(event);
    };
    document.addEventListener("keydown", this.onPageKey);
  }

  destroy() {
    document.removeEventListener("keydown", this.onPageKey);
    super.destroy();
  }

  get shown() { return this.evaluation.shown; }

  get fitted() { return this.fittedOf.get(this.state) ?? false; }
  set fitted(value) { this.fittedOf.set(this.state, value); }

  /** What a rule makes of the state, as `evaluateRule` returns it. */
  ruleOf(rule) { return (this.evaluation.rules[rule] ??= evaluateRule(rule, this.state, this.shown)); }

  /** The cut through the plane, as `cutOf` returns it, if it is shown and there is a decision. */
  get cut() {
    const { state, evaluation } = this, { fit } = this.ruleOf(state.rule);
    if (!state.show_cut || !fit) return null;
    return (evaluation.cut ??= cutOf(fit, endsOf(state)));
  }

  /** Buttons that stand in the menu, where there is one. */
  rareButtons() { return [this.resetButton]; }

  summary() { return this.readouts.summary(); }

  pictureName() { return `${super.pictureName()} ${this.state.rule}`; }

  /** What code that makes this explorer goes on with. */
  pythonToGo() { return this.ruleOf(this.state.rule).problem ? "" : "classifier = explorer.classifier()\n"; }

  reveal(part) {
    const panel = part.closest("[role=tabpanel]");
    if (panel) this.panel.tabs.choose(panel.dataset.bx);
    else super.reveal(part);
  }

  /** A place in words. */
  place(at) { return this.stage.viewport.text(at, this.state.feature_names); }

  // Changes ..........................................................................................................

  update(changes, gesture = null) {
    const done = super.update(changes, gesture);
    if (Object.keys(changes).every((name) => name in LAYERS)) clearTimeout(this.speaking); // the box says it itself
    return done;
  }

  changed(before, origin) {
    if (origin !== "history") this.fitted = this.fittedOf.get(before);
    if (before.rule !== this.state.rule) this.startMoving(before);
    if (origin !== "screen") this.follow(before, origin);
    this.invalidate();
  }

  /** Let boundary and ellipses move to those of another rule, if nothing else is new and nobody minds. */
  startMoving(before) {
    const { state, painted } = this, same = DENSITIES.every((name) => state[name] === before[name]);
    const still = this.store.held || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const moves = same && !still && canMove(painted, this.ruleOf(state.rule));
    this.motion = moves ? { from: painted, start: performance.now() } : null;
  }

  /** What is painted of the rule: for a moment after a change, what lies between the last one and this. */
  ruleInMotion() {
    const rule = this.ruleOf(this.state.rule), t = this.motion ? progress(performance.now() - this.motion.start) : 1;
    if (t === 1 || this.store.held) this.motion = null;
    if (!this.motion) return rule;
    this.invalidate();
    return betweenRules(this.motion.from, rule, t);
  }

  /** Look at what Python or the history has changed; somebody who has zoomed in may stay there. */
  follow(before, origin) {
    const { state } = this, differ = (...names) => names.some((name) => this.store.differs(state, before, name));
    const renamed = differ("class_names", "feature_names");
    const moved = differ("means", "covariances", "points") && !this.stage.drag && !this.holds(state);
    if (!renamed && !(moved && (this.holds(before) || !state.means.every((mean) => this.sees(mean))))) return;
    this.view = this.whole = fittingView(state, this.aspect);
    if (origin === "model") this.fitted = areFitted(state);
  }

  /** Replace the data, and look at them; tell whether they make sense. */
  replace(changes) {
    if (!this.update(changes)) return false;
    this.fitted = areFitted(this.state);
    this.lookAtAll();
    this.readouts.showPlace(null);
    return true;
  }

  reset() { return this.replace(this.store.first); }

  drawSample(n) {
    this.seed = (originOf(this.state.points)?.seed ?? this.seed ?? 0) + 1;
    this.update({ points: drawSample(this.state, shareOut(n, this.state.priors), this.seed) });
    this.fitted = false;
  }

  /** A round class away from the middle, in a direction of its own, with as many points as the others. */
  addClass() {
    const { means, covariances, priors, points, class_names } = this.state, K = means.length, { x, y } = this.view;
    const numbers = class_names.every((name) => typeof name === "number");
    const name = numbers ? Math.max(...class_names) + 1 : [..."ABCDEF"].find((letter) => !class_names.includes(letter));
    const width = x[1] - x[0], height = y[1] - y[0];
    const mean = [x[0] + width * (0.5 + 0.25 * Math.cos(2.4 * K)), y[0] + height * (0.5 + 0.25 * Math.sin(2.4 * K))];
    const S = [[(0.08 * width) ** 2, 0], [0, (0.08 * height) ** 2]];
    const one = { means: [this.rounded(mean)], covariances: [S], priors: [1] };
    const drawn = drawPoints(one, Math.max(10, Math.round(points.length / K)), this.random);
    this.update({
      class_names: [...class_names, name],
      classes: [...new Set([...this.state.classes, name])],
      means: [...means, ...one.means],
      covariances: [...covariances, ...one.covariances],
      points: [...points, ...drawn.map(([u, v]) => [...this.rounded([u, v]), K])],
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

  /** Keys 1, 2, … choose the rule. */
  onKey(event) {
    const rule = Object.keys(RULES)[event.key - 1];
    const isOther = isTyping(event) || event.ctrlKey || event.metaKey || event.altKey;
    if (!rule || isOther || this.hides("rule")) return super.onKey(event);
    event.preventDefault();
    event.stopPropagation();
    this.update({ rule });
  }

  look(view) {
    this.view = view;
    this.settleSoon();
    this.invalidate();
  }

  lookAtAll() { this.look(this.whole = fittingView(this.state, this.aspect)); }

  /** The plot fills its place, between a square and five by three, and shows all of what it showed all of. */
  fit() {
    super.fit();
    const { element, plot } = this.stage, room = this.panel.parts.room.clientHeight;
    const [top, right, bottom, left] = plot.margins;
    const aspect = room ? clamp((room - top - bottom) / (element.clientWidth - left - right), 0.6, 1) : 1;
    plot.room = room;
    if (aspect === this.aspect) return;
    this.aspect = aspect;
    if (this.view === this.whole) this.view = this.whole = fittingView(this.state, aspect);
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
    const { view } = this.stage.viewport ?? this;
    return x > view.x[0] && x < view.x[1] && y > view.y[0] && y < view.y[1];
  }

  rounded(place) { return this.stage.viewport.rounded(place); }

  // Time .............................................................................................................

  refresh() {
    super.refresh();
    this.panel.refresh();
  }

  write() {
    this.readouts.write();
    if (this.stage.crossElement.hidden) this.readouts.showPlace(this.readouts.place);
    for (const stage of this.stages) stage.describe();
    this.tickTask();
  }

  paint() {
    const { state, styles, view, theme, panel: { items } } = this;
    this.painted = this.ruleInMotion();
    const coarse = this.coarse || Boolean(this.motion);
    const scene = { state, styles, view, coarse, theme, evaluation: this.painted };
    this.stage.draw({ ...scene, isNamed: this.constructor.isNamed, lit: this.lit, cut: this.cut });
    if (state.show_cut) this.cutStage.draw(theme);
    if (!state.side_by_side) return;
    this.turn = ((this.turn ?? 0) + 1) % items.length; // during a drag one of them in each frame
    for (const item of coarse ? [items[this.turn]] : items) this.panel.drawMultiple(item, scene);
  }
}
