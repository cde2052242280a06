// Watch variance: the same rule learns from one sample after another, and each leaves its boundary behind.

import { clamp, range } from "./math/numbers.js";
import { GAUSSIAN_RULES, LIMITS } from "./constants.js";
import { isScene } from "./scene.js";
import { SCENES } from "./variance_scenes.js";
import { RepeatedSamples, statisticsOf } from "./repeated_samples.js";
import { ABOVE, colorOfRule, ErrorStrip, GhostPlot, nameOfRule } from "./variance_picture.js";
import { h, isTyping, setText } from "./kit/dom.js";
import { percent, short } from "./kit/text.js";
import { nearestWithin } from "./kit/stage.js";
import { labelsCodec, listsCodec, numberCodec, wholeCodec } from "./kit/links.js";
import { button, slider } from "./kit/controls.js";
import { CanvasExplorer, renderOf } from "./kit/canvas_explorer.js";

const SIZES = LIMITS.variance.points;
const MOST_SAMPLES = LIMITS.variance.samples;
const LAST_SEED = LIMITS.variance.seed;
const RUN = 100; // samples that are drawn in one go
const FOLLOWED = 10; // so many are drawn at a pace to follow
const GROWTH = 1.3; // by which the scale of errors grows
const PACES = [400, 60]; // ms
const ROWS = [700, 1050]; // pixels: between them, as beside JupyterLab's files, settings and table have no column
const UNNAMED = { class_names: ["A", "B"], classes: ["A", "B"], feature_names: ["x₁", "x₂"] };
const OWN = "as given";
const isWhole = (value, [least, most]) => Number.isInteger(value) && value >= least && value <= most;

export class VarianceExplorer extends CanvasExplorer {
  static links = {
    class_names: labelsCodec, classes: labelsCodec, feature_names: labelsCodec, means: listsCodec(2),
    covariances: listsCodec(2, 2), rules: labelsCodec, shared: numberCodec, n: wholeCodec(...SIZES),
    seed: wholeCodec(0, LAST_SEED), drawn: wholeCodec(1, MOST_SAMPLES),
  };
  static traits = Object.keys(this.links);

  accepts(state) {
    const { class_names, rules, shared, n, seed, drawn } = state;
    return class_names.length === 2 && isScene({ ...state, points: [], priors: [0.5, 0.5] })
      && rules.length >= 1 && rules.length <= 2 && new Set(rules).size === rules.length
      && rules.every((rule) => Object.hasOwn(GAUSSIAN_RULES, rule)) && shared >= 0 && shared <= 1
      && isWhole(n, SIZES) && isWhole(seed, [0, LAST_SEED]) && isWhole(drawn, [1, MOST_SAMPLES]);
  }

  evaluate(state) { return (this.samples ??= new RepeatedSamples()).evaluate(state); }

  build() {
    this.root.classList.add("bx-variance");
    const frame = this.grid = this.addGroup("div.frame");
    this.left = frame.appendChild(h("div.watch"));
    this.addTools();
    this.lead = this.left.appendChild(h("p.lead", { "aria-hidden": "true" }));
    this.plots = this.left.appendChild(h("div.plots"));
    this.planes = [0, 1].map((i) => this.addPlane(i));
    const { element } = this.planes[1]; // a hand finds its means as it finds those of the first
    element.addEventListener("pointermove", (event) => {
      if (this.meanAt(this.planes[1].eventPlace(event), event)) element.dataset.over = "handle";
    });
    this.strip = this.addPlot({
      name: "errors", Kind: ErrorStrip, margins: [20, 1, 40, 54], view: () => this.stripView(), handles: () => [],
      axes: () => ["true error of each draw", "rule"], draw: (plot) => plot.drawRows(this.rows(), this.evaluation.bayes),
      over: (plot) => plot.drawNames(this.rows(), this.evaluation.bayes, `Bayes error ${this.bayesText()}`),
      label: () => `A dot for the true error after each draw, and mean ± standard deviation. ${this.summary()}`,
    });
    this.cards = frame.appendChild(h("div.cards"));
    this.addSettings();
    this.addTable();
  }

  addTools() {
    const bar = this.left.appendChild(h("div.bar")), draws = bar.appendChild(h("div.group.draws"));
    const history = bar.appendChild(h("div.group"));
    this.playButton = button("play", "", () => (this.playing ? this.pause() : this.play()));
    this.againButton = button("again", "Draw again", () => this.step(), "Draw again: one more draw (→)");
    this.counter = h("strong.counter", { "data-bx": "counter" });
    draws.append(this.playButton, this.againButton,
      button("start", "Start again", () => this.startAgain(), "Start again, with other points"), this.counter);
    this.addHistory(history);
  }

  addPlane(i) {
    const name = ["first", "second"][i];
    return this.addPlot({
      name, Kind: GhostPlot, margins: [ABOVE, 1, 44, 54], axes: () => this.state.feature_names, view: () => this.window(),
      draw: (plot) => plot.drawScene(this.sceneOf(i)), over: (plot) => plot.drawName(this.sceneOf(i)), handles: () => (i ? [] : this.meanHandles()),
      press: (place, event) => i && this.takeMean(place, event), aspect: 1,
      label: () => (this.evaluation.runs[i] ? this.wordsOf(i) : "Nothing: one rule is shown."),
    });
  }

  addSettings() {
    const scenes = Object.keys(SCENES), rules = Object.keys(GAUSSIAN_RULES).reverse();
    const namesOf = (names) => names.map((name) => [name, nameOfRule(name)]);
    this.addControl(slider(this, {
      name: "n", label: "points per class", min: SIZES[0], max: SIZES[1], step: 1,
      set: (value) => ({ n: Math.round(value) }),
    }));
    this.others = button("others", "Other classes and rules", () => {
      this.others.setAttribute("aria-expanded", this.controlList.toggleAttribute("data-all"));
      this.invalidate();
    });
    this.others.setAttribute("aria-expanded", "false");
    this.others.classList.add("bx-fold");
    this.addControl(this.others);
    this.addControl(menu(this, {
      name: "scene", label: "classes", options: [[OWN, this.state.class_names.join(" and ")], ...scenes.map((name) => [name, name])],
      get: () => this.sceneName() ?? OWN, choose: (name) => this.chooseScene(name),
    }));
    this.addControl(menu(this, {
      name: "rule", label: "rule", options: namesOf(rules), get: ({ rules: [rule] }) => rule,
      choose: (rule) => this.update({ rules: this.withRule(0, rule) }),
    }));
    this.addControl(menu(this, {
      name: "other", label: "beside it", options: [["", "no other rule"], ...namesOf(rules)],
      get: ({ rules: [, rule = ""] }) => rule, choose: (rule) => this.update({ rules: this.withRule(1, rule) }),
    }));
    const share = slider(this, { name: "shared", label: "shared by RDA", min: 0, max: 1, step: 0.05 });
    this.addControl({ element: share.element, refresh: (state) => {
      share.element.hidden = !state.rules.includes("RDA");
      share.refresh(state);
    } });
    this.settings = this.cards.lastChild;
  }

  addTable() {
    this.addCard("Readouts").append(this.verdict = h("p.verdict", { "data-bx": "verdict" }),
      h("div.scroll", {}, this.table = h("table.readouts.means")), this.key());
  }

  /** What the lines are. */
  key() {
    const path = (d, rule, width) => `<path d="${d}" stroke="var(--${rule})" stroke-width="${width}"/>`;
    const both = (width, y = 4) => path(`M1 ${y}h14`, "rule", width) + path(`M15 ${y}h14`, "rule-2", width);
    const line = (strokes) => `<svg width="30" height="8" aria-hidden="true">${strokes}</svg>`;
    const list = h("ul.key.note");
    list.innerHTML = `<li>${line(path("M1 4h28", "ink", 3))}best possible, as it knows the densities</li>
      <li>${line(both(3))}learned from this draw</li>
      <li>${line(both(1))}learned from an earlier draw</li>
      <li><svg width="30" height="12" aria-hidden="true">${both(3, 6)}
      <path d="M15 0l-6 6 6 6" fill="var(--rule)"/><path d="M15 0l6 6-6 6" fill="var(--rule-2)"/></svg>mean error ± its spread</li>`;
    return list;
  }

  /** Two different rules, or one; who chooses the other's swaps them. */
  withRule(i, rule) {
    const { rules } = this.state, other = rules[1 - i];
    if (!rule) return rules.slice(0, 1);
    const both = rule === other ? rules.toReversed() : rules.with(Math.min(i, rules.length - 1), rule);
    return i === 1 && rules.length === 1 && rule !== rules[0] ? [rules[0], rule] : both;
  }

  chooseScene(name) {
    this.known = null; // the window
    if (name in SCENES) this.update({ ...UNNAMED, ...SCENES[name] });
    else this.update(Object.fromEntries(["means", "covariances", ...Object.keys(UNNAMED)].map((trait) =>
      [trait, this.store.first[trait]])));
  }

  sceneName() {
    const { means, covariances } = this.state, same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    return Object.keys(SCENES).find((name) =>
      same(SCENES[name].means, means) && same(SCENES[name].covariances, covariances));
  }

  // Drawing samples ..................................................................................................

  /** The number of samples that a run ends with. */
  goal() { return Math.min(RUN * (Math.floor(this.state.drawn / RUN) + 1), MOST_SAMPLES); }

  step() {
    this.pause();
    const { drawn } = this.state;
    if (drawn < MOST_SAMPLES) this.update({ drawn: drawn + 1 }, "draw");
  }

  startAgain() {
    this.pause();
    this.update({ drawn: 1, seed: (this.state.seed + 1) % (LAST_SEED + 1) });
  }

  play() {
    const { drawn } = this.state, end = this.goal();
    if (drawn === MOST_SAMPLES) return;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return void this.update({ drawn: end });
    this.end = end;
    this.playedTo = drawn;
    this.playing = setTimeout(() => this.playOn(), 0);
    this.invalidate();
    this.showTools();
  }

  /** One more sample, said to nobody: who hears a counter at each step hears nothing else. */
  playOn() {
    const next = this.state.drawn + 1;
    this.playing = setTimeout(() => this.playOn(), PACES[Number(next > FOLLOWED)]);
    if (this.store.held) return; // while somebody drags
    this.playedTo = next;
    this.store.update({ drawn: next }, "draw");
    if (next === this.end) this.pause();
  }

  pause() {
    clearTimeout(this.playing);
    if (this.playing) this.announce(() => this.summary());
    this.playing = null;
    this.showTools();
  }

  /** What is played stops when somebody goes elsewhere. */
  changed(...how) {
    if (this.playing && this.state.drawn !== this.playedTo) this.pause();
    super.changed(...how);
  }

  destroy() {
    clearTimeout(this.playing);
    super.destroy();
  }

  onKey(event) {
    const { target, key } = event, isTaken = isTyping(event) || target.matches("input, summary, [data-handle]");
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    if (plain && !isTaken && key === "ArrowRight") this.step();
    else if (plain && !isTaken && key === " " && !target.matches("button")) this.playButton.click();
    else return super.onKey(event);
    event.preventDefault();
    event.stopPropagation();
  }

  showTools() {
    const { drawn } = this.state, end = this.playing ? this.end : this.goal();
    const isStart = drawn === 1 || drawn % RUN === 0;
    setText(this.playButton, this.playing ? "Pause" : isStart ? `Draw ${RUN}` : `Draw ${end - drawn} more`);
    this.playButton.title = this.playing ? "Pause (Space)" : `Draw up to number ${end} (Space)`;
    for (const each of [this.playButton, this.againButton]) each.setAttribute("aria-disabled", drawn === MOST_SAMPLES);
    setText(this.counter, this.playing ? `${drawn} of ${end}` : countOf(drawn));
  }

  refresh() {
    super.refresh();
    this.showTools();
  }

  // Handles ..........................................................................................................

  meanHandles() {
    const { means, class_names: names } = this.state, [plane] = this.planes;
    return means.map((at, k) => ({
      name: `mean-${k}`, at, style: this.styles[k], marker: this.styles[k],
      label: `Mean of class ${names[k]} at ${plane.placeText(at)}`, move: (place) => ({ means: means.with(k, place) }),
    }));
  }

  /** The mean that the pointer has reached in the second plot, if any. */
  meanAt(place, event) {
    const { viewport } = this.planes[1], [u, v] = viewport.toPixel(...place);
    const distanceTo = ({ at }) => Math.hypot(...viewport.toPixel(...at).map((value, i) => value - [u, v][i]));
    return nearestWithin(this.meanHandles(), distanceTo, event.pointerType === "touch" ? 22 : 13);
  }

  takeMean(place, event) {
    const found = this.meanAt(place, event);
    return found && this.planes[1].dragHandle(found, place);
  }

  // Pictures .........................................................................................................

  get isDark() { return this.root.dataset.theme === "dark"; }

  sceneOf(i) {
    const { truth, points, runs } = this.evaluation, { rule, fits, key } = runs[i];
    return { truth, points, fits, key, isAlone: i > 0, styles: this.styles, color: colorOfRule(rule, this.isDark),
      name: nameOfRule(rule), hint: this.state.compact ? "" : " · drag a mean" };
  }

  rows() {
    return this.evaluation.runs.map((run) =>
      ({ ...run, name: nameOfRule(run.rule), color: colorOfRule(run.rule, this.isDark) }));
  }

  /** One window for both planes, with units of one length; it stays while it holds both classes and is not too wide. */
  window() {
    const held = this.planes?.find(({ drag }) => drag);
    if (held) return held.view;
    const { aspect } = this.planes[0].plot, [x, y] = this.reach(2.7), [inner, upright] = this.reach(1);
    const half = Math.max(x[1] - x[0], (y[1] - y[0]) / aspect) / 2, known = this.known;
    const holds = ([low, high], [from, to]) => low <= from && to <= high;
    const fits = known?.aspect === aspect && holds(known.view.x, inner) && holds(known.view.y, upright)
      && known.view.x[1] - known.view.x[0] < 4 * half;
    const about = ([low, high], reach) => [(low + high) / 2 - reach, (low + high) / 2 + reach];
    if (!fits) this.known = { aspect, view: { x: about(x, half), y: about(y, half * aspect) } };
    return this.known.view;
  }

  /** From where to where the ellipses of so many standard deviations reach, along both axes. */
  reach(sigmas) {
    const { means, covariances } = this.state;
    return [0, 1].map((j) => range(means.flatMap((mean, k) =>
      [-sigmas, sigmas].map((z) => mean[j] + z * Math.sqrt(covariances[k][j][j])))));
  }

  /** From the Bayes error to the largest error that has been seen, except for the few that are far from all others. */
  stripView() {
    const { bayes, runs } = this.evaluation, errors = runs.flatMap((run) => run.errors).sort((a, b) => a - b);
    const most = errors[Math.floor(0.97 * (errors.length - 1))];
    const span = 0.02 * GROWTH ** Math.max(0, Math.ceil(Math.log(1.05 * (most - bayes) / 0.02) / Math.log(GROWTH)));
    return { x: [bayes - 0.02 * span, bayes + span], y: [0, 1] };
  }

  /** The strip first, as it is as high as its rows; the planes then share what one screen has left. */
  paint() {
    const { runs } = this.evaluation, { theme: { size: em }, left, grid } = this, { clientWidth: room } = grid;
    const { fills } = this, inRows = Boolean(this.state.compact) && !fills && room > ROWS[0] && room < ROWS[1];
    if (grid.hasAttribute("data-rows") !== inRows) this.arrange(inRows);
    const isWide = inRows || fills || left.clientWidth > 600;
    this.planes[1].element.parentElement.hidden = !runs[1];
    this.plots.dataset.planes = isWide ? runs.length : 1;
    const widthOf = ({ element, plot: { margins: [, right, , across] } }) => element.clientWidth - (right + across) * em;
    const aspectOf = (stage, height) => height / Math.max(widthOf(stage), 1);
    this.strip.plot.aspect = aspectOf(this.strip, (left.clientWidth <= 600 ? 40 : this.state.compact ? 48 : clamp(window.innerHeight / 10, 56, 90)) * runs.length * em);
    this.strip.draw(this.theme);
    const aspect = isWide ? clamp(aspectOf(this.planes[0], this.roomForPlanes()), 0.4, fills ? 1.8 : 1.35)
      : this.state.compact ? 0.66 : clamp(aspectOf(this.planes[0], this.roomForEach()), 0.66, 0.85);
    this.planes.slice(0, runs.length).forEach((plane) => {
      plane.plot.aspect = aspect;
      plane.draw(this.theme);
    });
  }

  /** In rows the settings stand above the planes, and so Tab must reach them before. */
  arrange(inRows) {
    const { grid, plots, cards, settings } = this, { activeElement: focused } = document;
    grid.toggleAttribute("data-rows", inRows);
    if (inRows) plots.before(settings);
    else cards.prepend(settings);
    if (settings.contains(focused)) focused.focus({ preventScroll: true }); // which it has lost
  }

  /** On a phone both planes share the first screen, if they can. */
  roomForEach() {
    const { planes: [{ element, plot: { margins: [top, , bottom] } }], evaluation: { runs }, theme: { size } } = this;
    const above = this.model.standsAlone ? element.getBoundingClientRect().top + window.scrollY : 0;
    return (window.innerHeight - above - 8) / runs.length - (top + bottom) * size;
  }

  /** The height that everything above and below them leaves of the window, or of what JupyterLab shows at once. */
  roomForPlanes() {
    const { root, grid, left, planes: [{ plot, element }], theme } = this;
    const outside = getComputedStyle(root).getPropertyValue("--outside");
    const above = this.model.standsAlone ? root.getBoundingClientRect().top + window.scrollY : parseFloat(outside) || 0;
    const axes = (plot.margins[0] + plot.margins[2]) * theme.size, strip = this.strip.canvas.offsetHeight;
    if (this.fills) return window.innerHeight - element.getBoundingClientRect().top - axes - 2;
    const inRows = grid.hasAttribute("data-rows"), isAlone = !this.evaluation.runs[1];
    const others = !inRows ? this.plots.offsetTop - left.offsetTop + 8 + strip : isAlone
      ? element.getBoundingClientRect().top - grid.getBoundingClientRect().top : grid.offsetHeight - element.offsetHeight;
    const room = window.innerHeight - above - others - 2 * parseFloat(getComputedStyle(root).paddingTop) - axes - 4;
    return Math.max(room, inRows ? 150 : 200);
  }

  // Words ............................................................................................................

  bayesText() { return percent(this.evaluation.bayes, 3); }

  wordsOf(i) {
    const { rule } = this.evaluation.runs[i], { drawn, n } = this.state;
    return `The boundary of ${nameOfRule(rule)} after ${drawn} draws of ${n} points per class, this one's thick, `
      + "and the best possible one black.";
  }

  readouts() {
    const rows = this.evaluation.runs.map(({ rule, mean, deviation, standardError }) =>
      [nameOfRule(rule), [inPoints(mean), inPoints(standardError, "± "), inPoints(deviation, "± ")]]);
    return { ...Object.fromEntries(rows), "Bayes error": [inPoints(this.evaluation.bayes)] };
  }

  /** Write the table and the sentence below it. */
  write() {
    const head = ["mean error", "standard error", "spread σ"];
    const cell = (text, i, name) => h("td", { "data-bx": `${name}: ${head[i]}` }, text);
    const dark = this.isDark, colors = this.evaluation.runs.map(({ rule }) => colorOfRule(rule, dark));
    const row = ([name, texts], i) => h("tr", { style: `color: ${colors[i] ?? "inherit"}` },
      h("th", { scope: "row" }, name), ...texts.map((text, j) => cell(text, j, name)));
    this.table.replaceChildren(
      h("caption.hidden", {}, "Mean of the true errors, its standard error, and their standard deviation, in percent"),
      h("thead", {}, h("tr", {}, h("td", {}, "in %"), ...head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...Object.entries(this.readouts()).map(row)));
    this.table.parentElement.style.setProperty("--rows", colors.length + 1);
    this.root.style.setProperty("--rule", colors[0]);
    this.root.style.setProperty("--rule-2", colors.at(-1));
    setText(this.verdict, this.comparison());
    setText(this.lead, this.summary());
    this.growCards();
    for (const stage of this.stages) stage.describe();
    this.tickTask();
  }

  /** A hundred draws, and so many points that QDA is ahead of LDA. */
  isDone() {
    const { drawn, rules } = this.state, [lda, qda] = ["LDA", "QDA"].map((rule) => this.evaluation.runs[rules.indexOf(rule)]);
    if (drawn < RUN || !lda || !qda) return false;
    const { mean, standardError } = statisticsOf(qda.errors.map((error, i) => error - lda.errors[i]));
    return mean < -2 * standardError;
  }

  /** Who is ahead on the same samples, if that is more than chance. */
  comparison() {
    const { runs: [one, other] } = this.evaluation, { drawn } = this.state;
    if (!other || drawn < 3) return "";
    const { mean, standardError } = statisticsOf(one.errors.map((error, i) => other.errors[i] - error));
    const ahead = nameOfRule((mean > 0 ? one : other).rule);
    const lead = `${inPoints(Math.abs(mean))} ± ${inPoints(standardError)} mistakes in 100 (±\u00a0standard\u00a0error)`;
    if (Math.abs(mean) < 2 * standardError) {
      return `On the same ${drawn} draws they differ by ${lead}: too close to call.`;
    }
    return `On the same ${drawn} draws, ${ahead} has the lower error, by ${lead}.`;
  }

  summary() {
    const { drawn } = this.state;
    const of = ({ rule, mean }) => `${nameOfRule(rule)}: mean error ${percent(mean, 3)}`;
    return `${countOf(drawn)}. ${this.evaluation.runs.map(of).join(", ")}, `
      + `Bayes error ${this.bayesText()}.`;
  }
}

const countOf = (drawn) => `${drawn} draw${drawn > 1 ? "s" : ""}`;

/** A share in percent points, to a hundredth. */
const inPoints = (share, before = "") => (share === null ? "–" : `${before}${(100 * share).toFixed(2)}`);

/** One of several in a list that opens: { name, label, options: [value, text], get, choose }. */
function menu(app, { name, label, options, get, choose }) {
  const select = h("select", { "data-bx": name, "aria-label": label, title: label, onchange: () => choose(select.value) },
    ...options.map(([value, text]) => h("option", { value }, text)));
  const refresh = (state) => { select.value = get(state); };
  return { element: h("label.menu", { "data-hide": name }, h("span", {}, label), select), refresh };
}

const render = renderOf(VarianceExplorer);

export default { render };
