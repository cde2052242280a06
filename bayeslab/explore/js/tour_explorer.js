// The tour: seven steps, each with a sentence, one thing to do, and what the picture answers.

import { areUsable, clamp } from "./math/numbers.js";
import { HANDLE_SIGMA, semiAxes, steadyAxes, turnedAxes } from "./math/axes.js";
import { gaussian, logDensity } from "./math/gaussian.js";
import { gaussianFit } from "./math/gaussian_fit.js";
import { LIMITS } from "./constants.js";
import { isScene } from "./scene.js";
import {
  atStar, DRAWS, evaluateTour, flowersOf, isScarce, isStep, isUntouched, KINDS, MOST_DRAWS, startOfStep, TOUR_STEPS,
} from "./tour.js";
import { SidePicture, TourPicture } from "./tour_picture.js";
import { RepeatedSamples } from "./repeated_samples.js";
import { colorOfRule, nameOfRule } from "./variance_picture.js";
import { TOUR_SCENES } from "./tour_scenes.js";
import { between } from "./transition.js";
import { h, setText, withTerms } from "./kit/dom.js";
import { goAlong, stopAt } from "./kit/tabs.js";
import { button, choice, slider } from "./kit/controls.js";
import { steady } from "./kit/viewport.js";
import { listsCodec, wholeCodec } from "./kit/links.js";
import { CanvasExplorer, renderOf } from "./kit/canvas_explorer.js";

const STAR = 7; // its marker
const SIDE = [4, 1, 40, 0]; // margins of the view from the side, its name below it
const TALLEST = 1; // times its width
const WIDE = 740; // pixels: from there on the words stand beside the picture
const HIGH = 6.4; // cm that the picture is high
const ASPECTS = [0.7, 0.95]; // times that it may be as high as wide, to fill what the window leaves
const PACE = 180; // ms from one draw to the next
const SHAPES = [ // semi-axes and turn, in degrees, of two hills
  ["nearest mean", [9, 9, 0], [9, 9, 0]], ["naive Bayes", [11, 6, 0], [5, 11, 0]],
  ["LDA", [13, 6, -35], [13, 6, -35]], ["QDA", [13, 6, -35], [6, 9, 0]],
];
const MOVE = 700; // ms from one step to the next
const DRIFT = { duration: 6000, size: 0.35, turns: 2 }; // ms, cm and times: the first hill invites a hand

class TourExplorer extends CanvasExplorer {
  static links = {
    step: wholeCodec(1, TOUR_STEPS.length), means: listsCodec(2), covariances: listsCodec(2, 2), priors: listsCodec(),
    star: listsCodec(), n: wholeCodec(...LIMITS.variance.points), drawn: wholeCodec(1, MOST_DRAWS),
  };
  static traits = Object.keys(this.links);

  accepts(state) {
    const { step, star, n, drawn } = state;
    const isWhole = (value, [least, most]) => Number.isInteger(value) && value === clamp(value, least, most);
    return isStep(step) && isScene({ ...state, class_names: KINDS, feature_names: KINDS, points: [] })
      && state.means.length === 2 && star.length === 2 && areUsable(star) && isWhole(n, LIMITS.variance.points)
      && isWhole(drawn, [1, MOST_DRAWS]);
  }

  evaluate(state) { return evaluateTour(state, this.samples ??= new RepeatedSamples()); }

  get styles() { return [0, 1]; }
  get isLast() { return this.state.step === TOUR_STEPS.length; }
  get isStill() { return window.matchMedia("(prefers-reduced-motion: reduce)").matches; }

  build() {
    this.root.classList.add("bx-tour");
    this.done = new Set();
    this.start = startOfStep(this.state.step);
    const words = this.beside = h("div.words"), scene = this.addGroup("div.scene");
    this.stage = this.addPlot({
      name: "picture", Kind: TourPicture, axes: () => ["petal length (cm)", "petal width (cm)"],
      view: () => this.window(), draw: (plot) => plot.drawTour(this.scene = this.sceneNow()), handles: () => this.handles(),
      label: () => `${this.words()} ${this.summary()}`,
    });
    this.side = this.addPlot({
      name: "side", Kind: SidePicture, margins: SIDE, axes: () => ["petal length (cm)", "height"],
      view: () => ({ x: this.window().x, y: [0, this.highest()] }), handles: () => [],
      draw: (plot) => plot.drawSide({ ...this.scene, at: this.state.step === 2 ? this.state.star[0] : undefined }), over: (plot) => plot.drawTitle(),
      label: () => "The hills from the side, along a line from left to right.",
    });
    scene.append(this.desk, words);
    [this.says, this.does, this.answer] = ["says", "does", "answer"].map((name) => h(`p.${name}`, { "data-bx": name }));
    words.append(this.makeSteps(), this.says, this.does, this.makeControls(), this.answer, this.makeMistakes(),
      this.makeShapes(), this.side.element.parentElement, this.makeWays());
    for (const type of ["pointerdown", "keydown"]) this.root.addEventListener(type, () => this.stopDrifting(), true);
    if (this.state.step === 1 && isUntouched(this.state) && !this.isStill) {
      this.drift = this.root.animate(null, { duration: DRIFT.duration, delay: 800 });
    }
  }

  makeSteps() {
    this.ticks = TOUR_STEPS.map(({ name }, i) => h("button.tick", {
      type: "button", "data-bx": `step-${i + 1}`, title: name, onclick: () => this.begin(i + 1),
    }));
    this.stepName = h("b", { "aria-hidden": "true" });
    const row = h("div.steps", { role: "group", "aria-label": "Steps" }, ...this.ticks, this.stepName);
    goAlong(row);
    return row;
  }

  makeControls() {
    const blue = slider(this, {
      name: "blue", label: "blue flowers in 100", min: 1, max: 99, step: 1,
      get: ({ priors }) => Math.round(1e4 * priors[0]) / 100,
      set: (value) => ({ priors: [value / 100, 1 - value / 100] }),
    });
    const size = choice(this, {
      name: "size", label: "Flowers of each kind", options: { 8: "8 of each kind", 80: "80" }, get: ({ n }) => n,
      choose: (n) => this.update({ n: Number(n), drawn: 1 }),
    });
    this.againButton = button("again", "", () => (this.playing ? this.pause() : this.play()));
    this.draws = h("div.bar", {}, this.againButton, size.element);
    this.blue = h("div.controls", {}, blue.element);
    this.controls.push(blue, size);
    return h("div.doing", {}, this.blue, this.draws);
  }

  makeMistakes() {
    this.rows = [0, 1, 2].map((i) => {
      const name = h("span"), line = h("i.line"), bar = h("i.much"), number = h("b", { "data-bx": `mistakes-${i}` });
      const length = h("span.long", { "aria-hidden": "true" }, bar);
      return { name, line, bar, number, element: h("div", {}, h("dt", {}, line, name), h("dd", {}, length, number)) };
    });
    const list = h("dl.readouts.mistakes", {}, ...this.rows.map(({ element }) => element));
    return this.mistakes = h("section", { "aria-label": "Mistakes" },
      h("p.note", {}, "Mistakes in 100 new flowers, on average"), list);
  }

  /** The four rules with the hills that each allows, once all have been met. */
  makeShapes() {
    return this.shapes = h("ul.shapes", { "aria-label": "Rules and the shapes of their hills" }, ...SHAPES.map(([name, ...hills]) => {
      const item = h("li");
      item.innerHTML = `<svg viewBox="-30 -15 60 30" aria-hidden="true">${hills.map(([rx, ry, turn], k) =>
        `<ellipse rx="${rx}" ry="${ry}" transform="translate(${k ? 13 : -13}) rotate(${turn})" fill="var(--class-${k})"/>`).join("")}</svg>`;
      item.append(name);
      return item;
    }));
  }

  makeWays() {
    this.back = button("back", "Back", () => this.begin(this.state.step - 1), "Back to the step before");
    this.next = button("next", "Next", () => this.begin(this.isLast ? 1 : this.state.step + 1));
    const [way] = document.querySelectorAll("#next > a"); // the page knows it, where it is on the site
    this.onwards = way ? [h("a.button", { href: way.href, target: "_top", "data-bx": "onwards" }, way.textContent)] : [];
    const ways = h("div.bar.ways", {}, this.back, this.next, ...this.onwards), menu = h("div.row");
    this.addHistory(menu);
    ways.append(this.undoButton); // the menu stands beside it
    const card = this.addMenu("More: undo, link, picture, code");
    menu.prepend(this.undoButton);
    card.append(menu);
    this.addSharing(card);
    return ways;
  }

  // Steps ............................................................................................................

  begin(step) {
    if (!isStep(step)) return;
    this.pause();
    this.update(startOfStep(step));
  }

  reset() { return this.update(startOfStep(this.state.step)); }

  changed(before, origin) {
    if (this.playing && this.state.drawn !== this.playedTo) this.pause();
    if (before.step !== this.state.step) this.enterStep();
    super.changed(before, origin);
  }

  /** What was drawn moves to what the step begins with, unless nobody wants that. */
  enterStep() {
    this.start = startOfStep(this.state.step);
    this.axes = this.heights = null;
    this.from = this.isStill || !this.shown ? null : this.shown;
    this.motion?.cancel();
    this.motion = this.from && this.root.animate(null, { duration: MOVE });
  }

  get isDone() { return TOUR_STEPS[this.state.step - 1].isDone(this.state, this.start, this.evaluation); }

  // Draws of the last step ...........................................................................................

  play() {
    const { drawn } = this.state, from = drawn === 1 ? 0 : drawn, end = Math.min(from + DRAWS, MOST_DRAWS);
    if (drawn === MOST_DRAWS) return;
    if (this.isStill) return void this.update({ drawn: end }, "draw");
    this.end = end;
    this.playedTo = drawn;
    this.playing = setTimeout(() => this.playOn(), 0);
    this.refresh();
  }

  playOn() {
    this.playedTo = this.state.drawn + 1;
    this.playing = setTimeout(() => this.playOn(), PACE);
    this.store.update({ drawn: this.playedTo }, "draw"); // said to nobody: who hears each draw hears nothing else
    if (this.playedTo === this.end) this.pause();
  }

  pause() {
    clearTimeout(this.playing);
    if (this.playing) this.announce(() => this.summary());
    this.playing = null;
    this.refresh();
  }

  destroy() {
    clearTimeout(this.playing);
    super.destroy();
  }

  // The picture ......................................................................................................

  window() {
    const half = HIGH / this.stage.plot.aspect / 2;
    return { x: [5 - half, 5 + half], y: [0, HIGH] };
  }

  /** As high as the hills are, with some room for words. */
  highest() {
    const { pair } = this.evaluation, priors = this.state.step === 1 ? [1] : this.state.priors;
    const peaks = priors.map((prior, k) => prior * Math.exp(logDensity(pair[k], ...pair[k].mean)));
    this.heights = steady(this.heights, [0, Math.max(...peaks)]);
    return this.heights[1];
  }

  /** Where the hills are cut: through the middle of the first, through the star, or between both middles. */
  level(pair) {
    const { step, star } = this.state;
    if (this.isLast || this.side.element.parentElement.hidden) return undefined;
    return step === 1 ? pair[0].mean[1] : step === 2 ? star[1] : (pair[0].mean[1] + pair[1].mean[1]) / 2;
  }

  /** The view from the side takes the height that the words leave, in steps; while something is dragged, no more. */
  fitSide() {
    const { beside, side, root, theme: { size: em } } = this, wrapper = side.element.parentElement;
    const others = [...beside.children].filter((each) => each !== wrapper && each.offsetHeight);
    const gap = parseFloat(getComputedStyle(beside).rowGap);
    const taken = others.reduce((all, { offsetHeight }) => all + offsetHeight + gap, root.hasAttribute("data-wide") ? 30 : 20);
    const below = this.model.standsAlone ? window.innerHeight - beside.getBoundingClientRect().top - window.scrollY : 0;
    const isWide = root.hasAttribute("data-wide"), unit = 20;
    const room = isWide ? parseFloat(getComputedStyle(beside).minHeight) : below;
    const height = clamp(unit * Math.floor((room - taken) / unit), 0, TALLEST * beside.clientWidth);
    if (this.store.held && height >= this.sideHeight) return;
    const isHidden = this.isLast || height < 100;
    if (height !== this.sideHeight || isHidden !== wrapper.hidden) this.invalidate();
    this.sideHeight = height;
    wrapper.hidden = isHidden;
    side.plot.aspect = (height - (SIDE[0] + SIDE[2]) * em) / (beside.clientWidth - em);
  }

  paint() {
    const seen = this.stages.filter((stage) => !stage.element.parentElement.hidden);
    const widths = seen.map(({ element }) => element.clientWidth);
    seen.forEach((stage, i) => stage.draw(this.theme, widths[i]));
  }

  /** By how much the first hill is off its place, while it drifts. */
  offset() {
    const share = this.drift?.effect.getComputedTiming().progress;
    if (share === null || share === undefined) return [0, 0];
    const angle = 2 * Math.PI * DRIFT.turns * share, size = DRIFT.size * Math.sin(Math.PI * share);
    return [size * Math.sin(angle), size * 0.6 * (1 - Math.cos(angle))];
  }

  /** The first touch finds the hill where it is seen. */
  stopDrifting() {
    const [x, y] = this.offset(), { means } = this.state;
    this.drift?.cancel();
    this.drift = null;
    if (!x && !y) return;
    this.update({ means: means.with(0, this.stage.viewport.rounded([means[0][0] + x, means[0][1] + y])) }, "drift");
  }

  /** What is drawn now: what follows from the state or, for a moment, something between that and the step before. */
  sceneNow() {
    const { evaluation, state: { step, priors } } = this, { pair, fit, before, runs, sample, truth } = evaluation;
    const time = this.motion?.effect.getComputedTiming().progress ?? 1, t = time * time * (3 - 2 * time);
    const drift = this.offset(), isMoving = t < 1 || ["running", "paused"].includes(this.drift?.playState);
    let now = pair.map(({ mean, S }, k) => ({ mean: k ? mean : mean.map((x, i) => x + drift[i]), S }));
    const path = (from, to) => ({ mean: between(from.mean, to.mean, t), S: between(from.S, to.S, t) });
    if (t < 1) now = now.map((g, k) => path(this.from[k], g));
    if (isMoving) requestAnimationFrame(() => this.invalidate());
    this.shown = now;
    const drawn = now.map(({ mean, S }) => gaussian(mean, S)), level = this.level(drawn), logOdds = Math.log(priors[0] / priors[1]);
    if (step === 1) return { pair: drawn.slice(0, 1), flowers: flowersOf(drawn.slice(0, 1), priors), coarse: true, level };
    if (runs) {
      const colors = runs.map(({ rule }) => colorOfRule(rule, this.root.dataset.theme === "dark"));
      const draws = { runs, colors, truth: truth.gaussians };
      return { pair: drawn, flowers: t < 1 ? [] : sample, draws: t < 1 ? { ...draws, runs: [] } : draws };
    }
    const coarse = this.coarse || isMoving;
    const oddsOf = ({ logPriors: [one, other] }) => one - other;
    const previous = t === 1 && before && { gaussians: before.gaussians, logOdds: oddsOf(before) };
    return { pair: drawn, priors, logOdds, fit: t < 1 ? gaussianFit(drawn, priors) : fit, before: previous,
      flowers: flowersOf(t < 1 ? drawn : truth.gaussians, priors), coarse, level };
  }

  fit() {
    super.fit();
    const isWide = this.root.clientWidth >= WIDE;
    this.root.toggleAttribute("data-wide", isWide);
    const room = isWide ? parseFloat(getComputedStyle(this.beside).minHeight) : 0, { size: em } = this.theme;
    const { clientWidth: width } = this.stage.element, free = (room - 52 * em) / (width - 62 * em);
    this.stage.plot.aspect = room ? clamp(free, ...ASPECTS) : 0.95;
    const size = `${this.root.clientWidth} ${window.innerHeight} ${this.state.compact}`;
    if (size !== this.sized) this.fitSide();
    this.sized = size;
  }

  // Handles ..........................................................................................................

  handles() {
    const { step, means, star } = this.state, { invites } = TOUR_STEPS[step - 1];
    if (this.isLast) return [];
    const kinds = step === 1 ? [0] : [0, 1], drift = this.offset();
    const middles = kinds.map((k) => ({
      name: `mean-${k}`, at: means[k].map((x, i) => x + (k ? 0 : drift[i])), style: k, marker: k, arrows: step === 1 && !this.done.has(1) && 18,
      label: `Middle of the ${KINDS[k]} hill at ${this.stage.placeText(means[k])}`,
      move: (place) => ({ means: this.state.means.with(k, place) }),
    }));
    const rings = invites === "ring" ? kinds.flatMap((k) => this.rings(k)) : [];
    if (invites !== "star") return [...middles, ...rings];
    const { winner } = atStar(this.state, this.evaluation);
    return [{
      name: "star", at: star, style: winner, marker: STAR, move: (place) => ({ star: place }),
      label: `The flower without a name at ${this.stage.placeText(star)}, ${KINDS[winner]}`,
    }, ...middles];
  }

  /** Two handles on the ring of a hill: naive Bayes only stretches it along the axes; what LDA does, both do. */
  rings(k) {
    const { step, means, covariances } = this.state, { rule } = TOUR_SCENES[step - 1], { units } = this.stage.viewport;
    const mean = means[k], S = covariances[k], isUpright = rule === "naive";
    const upright = [0, 1].map((i) => [0, 1].map((j) => (i === j ? Math.sqrt(S[i][i]) : 0)));
    this.axes ??= [];
    const axes = isUpright ? upright : this.axes[k] ? steadyAxes(this.axes[k], S, units) : semiAxes(S, units);
    this.axes[k] = axes;
    return [0, 1].map((part) => {
      const at = mean.map((value, i) => value + HANDLE_SIGMA * axes[part][i]);
      return {
        name: `ring${part + 1}-${k}`, at, style: k, free: true, axis: isUpright ? "xy"[part] : undefined,
        label: `Ring of the ${KINDS[k]} hill at ${this.stage.placeText(at)}`,
        move: (place) => this.stretched(k, isUpright ? uprightAxes(axes, part, mean, place, units)
          : turnedAxes(axes, part, mean, at, place, units), rule === "LDA"),
      };
    });
  }

  stretched(k, axes, isShared) {
    const S = covarianceOf(axes), { covariances } = this.state;
    this.axes = isShared ? [axes, axes] : this.axes.with(k, axes);
    return { covariances: isShared ? [S, S] : covariances.with(k, S) };
  }

  // Words ............................................................................................................

  /** What the picture shows, for screen readers. */
  words() {
    const { step } = this.state;
    if (step === 1) return "Forty flowers and the hill of their density, petal width against petal length.";
    const { rule, old } = TOUR_SCENES[step - 1];
    if (this.isLast) return "The lines that LDA and QDA learned from each draw, and that of the true hills.";
    const dashed = old ? `, and dashed that of ${old === rule ? "the same rule without priors" : nameOfRule(old)}` : "";
    return `Flowers of two kinds, their hills, and the line of ${nameOfRule(rule)}${dashed}.`;
  }

  summary() {
    const { step } = this.state, { says, does } = TOUR_STEPS[step - 1];
    const text = this.isAnswered ? this.answerText() : `Step ${step} of ${TOUR_STEPS.length}. ${says} ${does}`;
    return text.replace(/\[[^\]|]+\|([^\]]+)\]/g, "$1").replaceAll("*", "");
  }

  get isAnswered() { return this.done.has(this.state.step) || !isUntouched(this.state); }

  answerText() {
    const { state, evaluation } = this;
    return TOUR_STEPS[state.step - 1].answer(state, evaluation, this.done.has(state.step));
  }

  refresh() {
    super.refresh();
    const { step, drawn } = this.state, { says, does, invites } = TOUR_STEPS[step - 1];
    if (!this.store.held && this.isDone) this.done.add(step);
    const isDone = this.done.has(step);
    writeRich(this.says, says);
    writeRich(this.does, does);
    this.blue.hidden = invites !== "slider";
    this.draws.hidden = !this.isLast;
    this.shapes.hidden = !(isDone && step === TOUR_STEPS.length - 1);
    setText(this.stepName, TOUR_STEPS[step - 1].name);
    setText(this.againButton, this.playing ? "Pause" : drawn < DRAWS ? `Pick ${DRAWS} times` : `Pick ${DRAWS} more`);
    this.againButton.setAttribute("aria-disabled", drawn === MOST_DRAWS);
    this.root.dataset.invites = isDone ? "" : invites;
    this.root.toggleAttribute("data-more", this.isLast && drawn >= DRAWS && isScarce(this.state));
    for (const way of document.querySelectorAll("#next")) way.hidden = !this.isLast; // nobody leaves before it has begun
    this.back.setAttribute("aria-disabled", step === 1);
    setText(this.next, this.isLast ? "Start over" : "Next");
    this.next.toggleAttribute("data-first", !this.isLast);
    for (const link of this.onwards) {
      link.hidden = !this.isLast;
      this.back.hidden = this.isLast; // on a phone there is room for two; the numbers lead back
      link.toggleAttribute("data-first", isDone);
    }
    this.ticks.forEach((tick, i) => {
      const isMet = this.done.has(i + 1);
      setText(tick, isMet ? "✓" : String(i + 1));
      tick.toggleAttribute("data-met", isMet);
      tick.setAttribute("aria-label", `${isMet ? "✓ " : ""}${i + 1} ${TOUR_STEPS[i].name}${isMet ? ", done" : ""}`);
      tick.setAttribute("aria-current", i + 1 === step ? "step" : "false");
    });
    if (!this.ticks.includes(document.activeElement)) stopAt(this.ticks, this.ticks[step - 1]);
  }

  readouts() {
    const { rule, old } = TOUR_SCENES[this.state.step - 1], { mistakes } = this.evaluation;
    const rules = [old, rule].map((name) => name && nameOfRule(name));
    const names = old === rule ? ["without the prior", "with the prior"] : [...rules, this.isLast && "with the true hills"];
    return Object.fromEntries((mistakes ?? []).map((share, i) => [names.filter(Boolean)[i], share]));
  }

  write() {
    this.refresh(); // a drag may have ended
    const { isAnswered } = this, rows = Object.entries(this.readouts()), isLast = this.isLast;
    writeRich(this.answer, isAnswered ? this.answerText() : "");
    this.answer.toggleAttribute("data-met", this.done.has(this.state.step));
    this.mistakes.hidden = !(isAnswered || isLast) || !rows.length;
    this.mistakes.toggleAttribute("data-legend", !isAnswered); // whose the lines are
    const most = Math.max(0.2, ...rows.map(([, share]) => share));
    this.rows.forEach(({ name, line, bar, number, element }, i) => {
      element.hidden = !rows[i];
      if (!rows[i]) return;
      const [text, share] = rows[i], dark = this.root.dataset.theme === "dark";
      setText(name, text);
      setText(number, (100 * share).toFixed(1));
      bar.style.width = `${(100 * share) / most}%`;
      const color = isLast && i < 2 ? colorOfRule(text, dark) : "";
      for (const each of [line, bar]) each.style.setProperty("--rule", color || "var(--ink)");
      line.toggleAttribute("data-dashed", !isLast && i < rows.length - 1);
    });
    for (const stage of this.stages) stage.describe();
    this.fitSide();
  }
}

const covarianceOf = ([[a, b], [c, d]]) => {
  const xy = a * b + c * d;
  return [[a * a + c * c, xy], [xy, b * b + d * d]];
};

/** Semi-axes along x and y after the end of one is pulled to a place. */
function uprightAxes(axes, part, mean, place, units) {
  const length = Math.max(Math.abs(place[part] - mean[part]) / HANDLE_SIGMA, 3 * Math.abs(units[part]));
  return axes.with(part, [0, 1].map((j) => (j === part ? length : 0)));
}

/** A text with terms and *names*, written only where it is another, as a term may have the focus. */
function writeRich(element, text) {
  if (element.dataset.text === text) return;
  element.dataset.text = text;
  const parts = text.split(/\*([^*]+)\*/).flatMap((part, i) => (i % 2 ? [h("strong", {}, part)] : withTerms(part)));
  element.replaceChildren(...parts);
}

const render = renderOf(TourExplorer);

export default { render };
