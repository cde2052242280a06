// What a threshold costs: drag Gaussians and thresholds along a line, and see the areas of the mistakes.

import { areUsable, sum } from "./math/numbers.js";
import { withPrior } from "./math/estimate.js";
import { bestRegions, bestThresholds, logWeighted, lossOf, posteriorsAt, regionsOf, sharesLost } from "./math/one_d.js";
import {
  BAND, drawBand, drawBestPlaces, drawLevel, drawMistakes, nameAbove, nameBestPlaces, placesOf,
} from "./threshold_picture.js";
import { percent, short, shortIn } from "./kit/text.js";
import { INK, lineColor } from "./kit/theme.js";
import { steady } from "./kit/viewport.js";
import { choiceCodec, labelsCodec, listsCodec, textCodec } from "./kit/links.js";
import { choice, slider } from "./kit/controls.js";
import { CanvasExplorer, renderOf } from "./kit/canvas_explorer.js";

const VISIBLE = 0.001; // so much more error than the best is an area with room for hatching
const HEIGHTS = { densities: "prior × density", posterior: "posterior" };
const ROOMY = [30, 1, 44, 54]; // at the top there is room for two rows of names
const AT_LEAST = [10, 4]; // the plot of the cost reaches at least so many times the least cost: on a page, in a lecture
const DASHES = [[], [9, 4], [3, 3]];

/** All that is shown of classes on a line and of thresholds between them. */
export function risksOf({ means, deviations, priors, costs, thresholds }) {
  const classes = means.map((mean, k) => ({ mean, deviation: deviations[k], weight: priors[k] }));
  const weighed = classes.map((each, k) => ({ ...each, weight: priors[k] * costs[k] }));
  const regions = regionsOf(thresholds), best = bestRegions(classes), lost = sharesLost(classes, regions);
  const cheapest = bestThresholds(weighed);
  return {
    classes, weighed, regions, best, lost,
    error: lossOf(classes, regions), bayesError: lossOf(classes, best),
    cost: lossOf(weighed, regions), cheapest: cheapest.thresholds, leastCost: cheapest.loss,
    bayesCost: lossOf(weighed, bestRegions(weighed)),
    level: levelOf(costs),
  };
}

/** Of two classes, the posterior of the second from which on it is cheaper to decide for it. */
const levelOf = (costs) => (costs.length === 2 && sum(costs) > 0 ? costs[0] / sum(costs) : null);

class ThresholdExplorer extends CanvasExplorer {
  static links = {
    class_names: labelsCodec, classes: labelsCodec, feature_name: textCodec, means: listsCodec(),
    deviations: listsCodec(), priors: listsCodec(), costs: listsCodec(), thresholds: listsCodec(),
    mode: choiceCodec(Object.keys(HEIGHTS)),
  };
  static traits = Object.keys(this.links);
  static details = /^(?!Error$|Bayes error$|Average cost)/; // all but three
  static headline = "Error";
  static beside = true;

  accepts({ class_names, means, deviations, priors, costs, thresholds, mode }) {
    const K = class_names.length, lists = [means, deviations, priors, costs];
    return (K === 2 || K === 3) && new Set(class_names).size === K && mode in HEIGHTS
      && lists.every((list) => list.length === K && areUsable(list))
      && deviations.every((s) => s > 0 && areUsable(1 / s)) && [...priors, ...costs].every((value) => value >= 0)
      && Math.abs(sum(priors) - 1) <= 1e-5 && thresholds.length === K - 1
      && thresholds.every((t, i) => areUsable(t) && !(t < thresholds[i - 1]));
  }

  evaluate(state) { return risksOf(state); }

  get names() { return this.state.class_names.map(String); }
  get cheapestName() { return this.names.length > 2 ? "Cheapest thresholds" : "Cheapest threshold"; }

  build() {
    this.addHistory();
    this.line = this.addPlot({
      name: "line", aspect: 0.8, margins: ROOMY,
      axes: () => [this.state.feature_name, HEIGHTS[this.state.mode]],
      over: (plot) => { if (this.showsAnswer) nameBestPlaces(plot, this.evaluation); },
      view: () => this.window(), draw: (plot) => this.drawDensities(plot), label: () => this.described(),
      handles: () => [...this.classHandles(), ...this.thresholdHandles()],
    });
    this.line.plot.band = BAND;
    this.addPlot({
      name: "cost", aspect: 0.8, margins: ROOMY, axes: () => [this.state.feature_name, "average cost"],
      view: () => this.costWindow(), over: (plot) => this.nameCheapest(plot),
      draw: (plot) => this.drawCosts(plot), handles: () => this.costHandles(),
      label: () => `Average cost against the threshold. ${this.cheapestName}: ${this.readouts()[this.cheapestName]}.`,
    });
    this.addControl(choice(this, { name: "mode", label: "What the curves are", options: HEIGHTS }));
    this.names.forEach((_, k) => {
      const prior = slider(this, {
        name: `prior-${k}`, label: () => `Prior of ${this.names[k]}`, min: 0, max: 1, step: 0.01,
        get: ({ priors }) => priors[k], set: (value, { priors }) => ({ priors: withPrior(priors, k, value) }),
      });
      prior.element.dataset.lights = `curve ${k}`; // whose height it is
      this.addControl(prior);
      this.addControl(slider(this, {
        name: `cost-${k}`, label: () => `Cost of missing ${this.names[k]}`, min: 0, max: 100, step: 1,
        get: ({ costs }) => costs[k], set: (value, { costs }) => ({ costs: costs.with(k, value) }),
      }));
    });
    this.addAnswer("Show the best places");
    this.addNote("Drag the [mean|top] of a curve to move it, its [ring|ring] to widen it, or the [threshold|thick line].");
    this.addNote("Filled areas are mistakes, in the colour of the missed class.");
    this.hatched = this.addNote("Hatched: what the best rule avoids.");
  }

  refresh() {
    super.refresh();
    const { error, bayesError } = this.evaluation, isSeen = this.showsAnswer && this.state.mode === "densities";
    const { dataset } = this.hatched;
    if (isSeen && error - bayesError >= VISIBLE) delete dataset.waits;
    else dataset.waits = isSeen ? "a difference" : "the answer";
  }

  /** The answer stands below the numbers, of which it shows more. */
  addReadouts() {
    const list = super.addReadouts();
    list.after(this.answerButton);
    return list;
  }

  /** Height of the curve of class k. */
  curve(k) {
    const { classes } = this.evaluation;
    if (this.state.mode === "posterior") return (x) => posteriorsAt(classes, x)[k];
    return (x) => Math.exp(logWeighted(classes[k], x));
  }

  window() {
    const { means, deviations, thresholds, mode } = this.state;
    const low = Math.min(...thresholds, ...means.map((m, k) => m - 3 * deviations[k]));
    const high = Math.max(...thresholds, ...means.map((m, k) => m + 3 * deviations[k]));
    const top = mode === "posterior" ? 1 : Math.max(...means.map((mean, k) => this.curve(k)(mean)));
    if (!this.store.held) this.x = steady(this.x, [low, high]); // the plot where nothing is dragged waits for the other
    this.y = steady(this.y, [0, 1.2 * top]);
    return { x: this.x, y: [0, this.y[1]] };
  }

  costWindow() {
    const { x: [low, high] } = this.window(), { cost, leastCost } = this.evaluation;
    const grid = Array.from({ length: 41 }, (_, j) => low + ((high - low) * j) / 40);
    const costs = this.state.thresholds.flatMap((_, i) => grid.map((x) => this.costWith(i, this.between(i, x))));
    const most = Math.max(cost, leastCost, ...costs) || 1, times = AT_LEAST[Number(Boolean(this.state.compact))];
    const near = Math.max(cost, times * leastCost) || most;
    return { x: [low, high], y: [0, 1.15 * Math.min(most, near)] }; // high enough for now, and the valley is still seen
  }

  // Handles ..........................................................................................................

  classHandles() {
    const { means, deviations } = this.state;
    return means.flatMap((mean, k) => {
      const style = this.styles[k], curve = this.curve(k), end = mean + deviations[k], name = this.names[k];
      const width = {
        name: `deviation-${k}`, at: [end, curve(end)], axis: "x", style,
        label: `Deviation ${short(deviations[k])} of ${name}, its end at ${this.placeOf(end)}`,
        move: ([x]) => (x === mean ? null : { deviations: deviations.with(k, Math.abs(x - mean)) }),
      };
      const middle = {
        name: `mean-${k}`, at: [mean, curve(mean)], axis: "x", style, marker: style,
        label: `Mean of ${name} at ${this.placeOf(mean)}`, move: ([x]) => ({ means: means.with(k, x) }),
      };
      return [middle, width];
    });
  }

  thresholdHandles() {
    const { thresholds } = this.state, [, top] = this.line.viewport.view.y;
    return thresholds.map((place, i) => this.thresholdHandle(`threshold-${i}`, i, (0.83 - 0.08 * i) * top, 18));
  }

  costHandles() {
    return this.state.thresholds.map((_, i) => this.thresholdHandle(`cost-at-${i}`, i, this.evaluation.cost, 12));
  }

  thresholdHandle(name, i, height, arrows) {
    const { thresholds } = this.state, place = thresholds[i], [left, right] = [this.names[i], this.names[i + 1]];
    return {
      name, at: [place, height], axis: "x", style: INK, arrows,
      label: `Threshold at ${this.placeOf(place)}: ${left} on its left, ${right} on its right`,
      move: ([x]) => ({ thresholds: thresholds.with(i, this.between(i, x)) }),
    };
  }

  /** The nearest place to x which a threshold can have between its neighbours. */
  between(i, x) {
    const { thresholds } = this.state;
    return Math.min(Math.max(x, thresholds[i - 1] ?? -Infinity), thresholds[i + 1] ?? Infinity);
  }

  costWith(i, x) { return lossOf(this.evaluation.weighed, regionsOf(this.state.thresholds.with(i, x))); }

  // Pictures .........................................................................................................

  drawDensities(plot) {
    const { evaluation, state: { mode, thresholds }, styles } = this, { theme } = plot, K = thresholds.length + 1;
    const xs = placesOf(evaluation, plot), curves = Array.from({ length: K }, (_, k) => this.curve(k));
    if (mode === "densities") drawMistakes(plot, evaluation, curves, xs, styles, this.showsAnswer);
    curves.forEach((curve, k) => {
      plot.drawLine(xs.map((x) => [x, curve(x)]), {
        color: lineColor(theme, styles[k]), width: 2.5, dash: DASHES[k], part: `curve ${k}`,
      });
    });
    if (mode === "posterior" && evaluation.level !== null) drawLevel(plot, evaluation.level);
    if (this.showsAnswer) drawBestPlaces(plot, evaluation);
    drawBand(plot, evaluation.regions, styles, this.names);
    this.drawThresholds(plot);
  }

  drawThresholds(plot, width = 2.5) {
    const [, top] = plot.viewport.view.y, color = plot.theme.ink;
    for (const place of this.state.thresholds) plot.drawLine([[place, 0], [place, top]], { color, width, part: "threshold" });
  }

  /** The average cost as one threshold moves and the others stay. */
  drawCosts(plot) {
    const { thresholds } = this.state, { cheapest } = this.evaluation, { theme } = plot;
    thresholds.forEach((_, i) => {
      const xs = placesOf(this.evaluation, plot).filter((x) => this.between(i, x) === x);
      plot.drawLine(xs.map((x) => [x, this.costWith(i, x)]), { color: theme.ink, width: 2.5, dash: DASHES[i] });
    });
    this.drawThresholds(plot, 1.2);
    if (!this.showsAnswer || !cheapest.every(Number.isFinite)) return;
    const [, top] = plot.viewport.view.y, style = { color: theme.muted, width: 1.2, dash: [2, 3] };
    for (const place of cheapest) plot.drawLine([[place, 0], [place, top]], style);
  }

  nameCheapest(plot) {
    const { x: [from, to] } = plot.viewport.view;
    if (!this.showsAnswer) return;
    nameAbove(plot, "cheapest", this.evaluation.cheapest.filter((place) => place > from && place < to), 0);
  }

  // Words ............................................................................................................

  readouts() {
    const { error, lost, best, bayesError, cost, cheapest, leastCost, bayesCost, level } = this.evaluation;
    const { means, deviations, priors } = this.state, each = (row) => Object.fromEntries(this.names.map(row));
    const least = [leastCost, bayesCost].map(short);
    return {
      "Error": percent(error),
      "Bayes error": percent(bayesError),
      "Average cost": `${short(cost)}, cheapest ${least[0]}`,
      ...each((name, k) => [`Mean and standard deviation of ${name}`,
        `${this.placeOf(means[k])} and ${short(deviations[k])}`]),
      ...each((name, k) => [`${name} misclassified`,
        `${percent(priors[k] * lost[k])} of all, ${percent(lost[k])} of its class`]),
      "Bayes rule": this.inWords(best),
      [this.cheapestName]: this.inWords(regionsOf(cheapest)),
      ...(level !== null && { [`Decide ${this.names[1]} above a posterior of`]: short(level) }),
      ...(least[0] !== least[1] && { "Lowest average cost of any rule": least[1] }),
    };
  }

  /** With the digits that tell places in the window apart, and no more for one far outside. */
  placeOf(x) {
    const { x: [low, high] } = this.window();
    return shortIn([Math.min(low, x), Math.max(high, x)], x);
  }

  /** "A up to 1.5, then B": a rule, from left to right. */
  inWords(regions) {
    const real = regions.filter(({ low, high }) => low < high), name = ({ decision }) => this.names[decision];
    if (real.length === 1) return `always ${name(real[0])}`;
    const { x: [from, to] } = this.window(), note = (x) => (x < from || x > to ? " (outside the plot)" : "");
    const end = ({ high }) => (Number.isFinite(high) ? ` up to ${this.placeOf(high)}${note(high)}` : "");
    return real.map((each) => `${name(each)}${end(each)}`).join(", then ");
  }

  described() {
    const { mode, thresholds } = this.state, places = thresholds.map((place) => this.placeOf(place)).join(", ");
    return `Curves of ${HEIGHTS[mode]} of ${this.names.join(", ")}, thresholds at ${places}. ${this.summary()}`;
  }

  /** Both places have been found, one after the other. */
  isDone() {
    const { error, cost, leastCost, classes } = this.evaluation;
    this.found ??= new Set();
    if (error < bestThresholds(classes).loss + 0.002) this.found.add("error");
    if (cost < 1.02 * leastCost) this.found.add("cost");
    return this.found.size === 2;
  }

  summary() {
    const { error, bayesError, cost } = this.evaluation;
    return `Error ${percent(error)}, Bayes\u00a0error\u00a0${percent(bayesError)}, average cost ${short(cost)}.`;
  }
}

const render = renderOf(ThresholdExplorer);

export default { render };
