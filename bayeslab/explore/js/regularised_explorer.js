// Between QDA, LDA and no correlations at all: the plane of `shared` and `shrinkage`, and what a place in it does.

import { argmax, clamp, range } from "./math/numbers.js";
import { LIMITS } from "./constants.js";
import { eigen } from "./math/gaussian.js";
import { gaussianFit } from "./math/gaussian_fit.js";
import { shareOut } from "./math/estimate.js";
import { gridOf, learn, learnWithoutEach, mistakenLeftOut, regularised, errorOnCells } from "./math/regularised.js";
import { errorRate } from "./math/error_rate.js";
import { latticeOf } from "./math/vote.js";
import { Picture } from "./picture.js";
import { css, fontOf, INK, lineColor, mixed, packed, palePacked, TRUTH } from "./kit/theme.js";
import { setText } from "./kit/dom.js";
import { countText, percent, short } from "./kit/text.js";
import { fittingView } from "./kit/fitting_view.js";
import { choiceCodec, numberCodec } from "./kit/links.js";
import { drawSample, originOf, pointsCodec } from "./sample.js";
import { isScene, SCENE_CODECS } from "./scene.js";
import { button, choice, legend, slider } from "./kit/controls.js";
import { drawLegend, legendSteps } from "./map_legend.js";
import { renderOf } from "./kit/canvas_explorer.js";
import { PointsExplorer } from "./kit/points_explorer.js";
import { addTables } from "./table/table_picker.js";

// What the map shows, which is also in which order to look: the shapes, then what can be known, then the truth.
const ERRORS = { none: "rules, with small ellipses", "left out": "error with one left out", true: "true error" };
const CHOICES = { none: "shapes", "left out": "one left out", true: "true error" };
const NAMES = { shared: "shared γ", shrinkage: "shrinkage α" }; // as notebook 13 writes them
const VIOLET = { light: [92, 74, 142], dark: [178, 160, 226] }; // of the map: the colour of no class
const GREY = [128, 128, 128];
const CORNERS = [["QDA", "own covariances", [0, 0], "left", 20], ["LDA", "one covariance", [0, 1], "left", 20],
  ["diagonal LDA", "no correlations", [1, 1], "right", -10]];
// Of the map, in whose cells the places of a grid are in the middle; one more row around them has room for the ring.
const SIZE = LIMITS.regularised.side;
const RIM = 1.5 / (SIZE - 1);
const EDGES = [-RIM, 1 + RIM];
const SHAPES_AT = { shrinkage: [0, 0.5, 1], shared: [0, 0.5, 1] }; // the places whose ellipses the map shows
const AROUND_SHAPES = [0.1, 0.17]; // for those at the corners
const STRIPE = 7; // pixels
const BELOW_MAP = [72, 96]; // pixels below the map, for a legend of one line or of two
const ONE_LINE = 480; // pixels: from there on one line is enough
const MOST_LEFT_OUT = LIMITS.regularised.points;
const NO_SAMPLE =
  `No sample was drawn: with these priors, a class would have fewer than 3 of ${MOST_LEFT_OUT} points.`;
const GAUSSIANS = 4e3; // that a frame has time for: about 1 ms
const MOST_MARKED = 60 / SIZE ** 2; // of the map, where dots mark the least: more would hide it

const numberOf = (mistaken) => mistaken.filter(Boolean).length;

/** What is learned from the points, with this much shared and shrunk; kept while the points stay where they are. */
function evaluatePair({ points, class_names: { length: K }, shared, shrinkage }, before) {
  const same = before?.points === points;
  const model = same ? before.model : learn(points, K), folds = same ? before.folds : learnWithoutEach(points, K);
  const own = regularised(model, 0, 0), gaussians = regularised(model, shared, shrinkage);
  const fit = fitOfPair(model, gaussians);
  const training = fit && points.filter(([x, y, label]) => argmax(fit.scores(x, y)) !== label).length;
  return { points, model, folds, gaussians, own, fit, training, leftOut: mistakenLeftOut(folds, shared, shrinkage) };
}

/** The rule of these Gaussians, null where one of them is singular. */
const fitOfPair = ({ logPriors }, gaussians) =>
  (gaussians.includes(null) ? null : gaussianFit(gaussians, logPriors.map(Math.exp)));

class RegularisedExplorer extends PointsExplorer {
  static links = {
    ...SCENE_CODECS, shared: numberCodec, shrinkage: numberCodec, error: choiceCodec(Object.keys(ERRORS)),
    points: pointsCodec,
  };
  static traits = Object.keys(this.links);
  static details = /^(Error on the points|Smallest on|Variances of)/;
  static headline = "Error with one left out";
  static beside = true;
  static tables = { n_axes: 2, labelled: true, most: MOST_LEFT_OUT, least: 3 }; // a class without one of its points varies

  accepts(state) {
    const { points, class_names, shared, shrinkage, error, means } = state;
    const counts = class_names.map((_, k) => points.filter((point) => point[2] === k).length);
    return isScene(state) && points.length <= MOST_LEFT_OUT && counts.every((n) => n >= 3)
      && [shared, shrinkage].every((value) => value >= 0 && value <= 1) && error in ERRORS
      && (error === "left out" || means.length > 0);
  }

  evaluate(state) { return evaluatePair(state, this.evaluated?.result); }

  build() {
    this.addHistory();
    addTables(this);
    this.plane = this.addPlot({
      name: "plane", axes: () => this.state.feature_names, Kind: Picture, view: () => this.window(),
      draw: (plot) => this.drawPlane(plot), handles: () => this.meanHandles(),
      press: (place, event) => this.takePoint(place, event),
      label: () => `${this.state.points.length} points, the regions and ellipses of each class. ${this.summary()}`,
    });
    this.map = this.addPlot({
      name: "map", margins: [8, 1, BELOW_MAP[1], 54], aspect: 0.7, early: true, axes: () => [NAMES.shrinkage, NAMES.shared],
      view: () => this.mapView(), draw: (plot) => this.drawMap(plot), over: (plot) => this.drawMapLegend(plot), handles: () => [this.pairHandle()],
      label: () => `Map of the ${ERRORS[this.state.error]}: shared against shrinkage.${
        this.isBlind ? "" : ` Smallest ${this.leastText()}.`}`,
    });
    for (const name of ["shared", "shrinkage"]) {
      this.addControl(slider(this, { name, label: NAMES[name], min: 0, max: 1, step: 0.05,
        get: (state) => Math.round(1000 * state[name]) / 1000, set: (value) => ({ [name]: value }) })); // its field has room for three digits
    }
    if (this.truth()) this.addTruth();
    this.addLegend();
    this.addNote("Drag the [ring|ring] on the map, and the [mean|means] and points in the plane.");
  }

  /** Whether nobody has asked for errors yet. */
  get isBlind() { return this.state.error === "none"; }

  addLegend() {
    let list = legend([]), shown;
    this.addCaption(list);
    this.controls.push({ refresh: ({ shared, shrinkage }) => {
      const { styles, isBlind, state: { error } } = this, known = error === "true", isQDA = !shared && !shrinkage;
      const key = `${styles} ${error} ${isQDA}`;
      if (key === shown) return;
      shown = key;
      const colors = styles.map((style) => `var(--class-${style})`); // each has that of its class
      list.replaceWith(list = legend([
        { text: "this rule", lights: "boundary", color: "var(--ink)", width: 2.5 },
        ...(known ? [{ text: "the best rule", lights: "best", color: `var(--class-${TRUTH})` }] : []),
        { text: "its ellipses, 2σ", lights: "ellipse", color: colors },
        ...(isQDA ? [] : [{ text: "QDA's ellipses", lights: "own", color: colors, dash: "5 4" }]),
        { text: "points", markers: styles },
        ...(isBlind ? [] : [{ text: "wrong when left out", markers: [styles[0]], rim: true }]),
      ]));
    } });
  }

  /** What needs the densities that made the points; of a table nobody knows them. */
  addTruth() {
    this.seed = originOf(this.state.points)?.seed ?? 0;
    const whereKnown = ({ element, refresh = () => {} }) => ({ element, refresh: (state) => {
      const isKnown = Boolean(this.truth());
      if (element.hidden === isKnown) element.hidden = !isKnown;
      if (isKnown) refresh(state);
    } });
    const add = (control) => this.addControl(whereKnown(control));
    const errors = choice(this, { name: "error", label: "Which error the map shows", options: CHOICES }), size = slider(this, {
      name: "n", label: "points", min: () => this.fewest(), max: MOST_LEFT_OUT, step: 1,
      get: ({ points }) => points.length,
      set: (n) => ({ points: this.sampleOf(Math.round(n)) }),
    });
    add(errors);
    add(size);
    this.placed = [errors.element, size.element];
    const draw = button("draw", "New sample", () => {
      this.seed += 1;
      const done = this.update({ points: this.sampleOf(this.state.points.length) });
      setText(this.refusal, done ? "" : NO_SAMPLE);
    });
    this.undoButton.before(draw);
    this.controls.push(whereKnown({ element: draw }));
  }

  takeTable({ points, words, code, ...names }) {
    const { class_names, feature_names } = names, classes = class_names.map((_, k) => points.filter((each) => each[2] === k));
    const still = feature_names.find((_, j) => classes.every((own) => own.every((each) => each[j] === own[0][j])));
    if (still !== undefined) return `“${still}” does not vary within the classes: no rule here has a density then`;
    this.known = null; // the window
    return this.update({ points, ...names, means: [], covariances: [], priors: [], error: "left out" });
  }

  /** So many points that each class has its three, by the priors. */
  fewest() {
    const { priors } = this.state, counts = Array.from({ length: MOST_LEFT_OUT }, (_, n) => shareOut(n, priors));
    return 1 + counts.findLastIndex((each) => Math.min(...each) < 3);
  }

  sampleOf(n) { return drawSample(this.state, shareOut(Math.max(n, this.fewest()), this.state.priors), this.seed); }

  fit() {
    const { element, plot } = this.map, inLine = !this.state.compact && element.clientWidth >= ONE_LINE;
    plot.margins = plot.margins.with(2, BELOW_MAP[Number(!inLine)]);
    plot.aspect = element.clientWidth < ONE_LINE && !this.state.compact ? 0.62 : 0.7; // on a phone, the plane is to be seen
    this.placeChoice();
    super.fit();
  }

  /** On a phone what the map shows is chosen below it, as the task needs both. */
  placeChoice() {
    const isBelow = !this.state.compact && window.matchMedia("(max-width: 763px)").matches, [errors, size] = this.placed ?? [];
    if (!errors || (errors.parentElement === this.plots) === isBelow) return;
    if (isBelow) this.plots.append(errors);
    else size.before(errors);
  }

  // The window of the plane ..........................................................................................

  /** It stays until a mean comes near its edge, or the points need one half as wide or twice as wide. */
  window() {
    const needed = fittingView(this.state), { means } = this.evaluation.model, before = this.known;
    const fits = before && ["x", "y"].every((axis, j) => {
      const [low, high] = before[axis], width = high - low, share = width / (needed[axis][1] - needed[axis][0]);
      return share > 0.5 && share < 2 && means.every((mean) => Math.min(mean[j] - low, high - mean[j]) > width / 20);
    });
    return fits ? before : (this.known = needed);
  }

  /** The map; where it shows shapes, with more room around it. */
  mapView() {
    const [x, y] = this.isBlind ? AROUND_SHAPES.map((rim) => [-rim, 1 + rim]) : [EDGES, EDGES];
    return { x, y };
  }

  reset() {
    this.known = null;
    this.invalidate();
    return super.reset();
  }

  // What takes longer ................................................................................................

  /** Of the densities that made the points: their rule, a lattice for integrals, and the least error. */
  knownFrom(gaussians, priors) {
    const fit = gaussianFit(gaussians, priors);
    return { fit, cells: latticeOf(gaussians, priors), bayes: errorRate(fit, fit, 1e-6).error };
  }

  /** Errors over the plane; while points move, on a coarse grid, or the true ones as they were before. */
  errors() {
    const { error, points } = this.state, from = [error, points, this.truth()?.cells], { fine } = this.kept ?? {};
    if (!this.coarse || fine?.from.every((value, i) => value === from[i])) {
      return this.keep("fine", from, () => this.errorsOn(SIZE));
    }
    if (error === "true" && fine?.from[0] === error) return fine.value;
    const most = Math.floor(Math.sqrt(GAUSSIANS / (points.length * this.state.class_names.length)));
    return this.keep("coarse", from, () => this.errorsOn(Math.min(most, 11)));
  }

  errorsOn(size) {
    const { points, model, folds } = this.evaluation, places = gridOf(size);
    const leftOut = (mistaken) => mistaken && numberOf(mistaken) / points.length;
    const values = places.map(({ shared, shrinkage }) => (this.state.error === "true"
      ? errorOnCells(model, this.truth().cells, shared, shrinkage)
      : leftOut(mistakenLeftOut(folds, shared, shrinkage))));
    const [least, most] = range(values.filter((value) => value !== null));
    const best = places.filter((_, n) => values[n] !== null && values[n] - least < 1e-9);
    return { size, values, least, most, best, isMarked: best.length > 0 && best.length <= MOST_MARKED * size ** 2 };
  }

  // Handles ..........................................................................................................

  pairHandle() {
    const { shared, shrinkage } = this.state;
    return {
      name: "pair", at: [shrinkage, shared], style: INK,
      label: `Shared ${short(shared)}, shrinkage ${short(shrinkage)}`,
      move: ([x, y]) => ({ shrinkage: clamp(x, 0, 1), shared: clamp(y, 0, 1) }),
    };
  }

  /** A class is moved as a whole, with the density that made it. */
  meanHandles() {
    const { points, means, class_names: names } = this.state, { model } = this.evaluation;
    return model.means.map((at, k) => ({
      name: `mean-${k}`, at, style: this.styles[k], marker: this.styles[k],
      label: `Mean of ${names[k]} at ${this.plane.placeText(at)}`,
      move: (place) => {
        const moved = ([x, y, ...rest]) => [x + place[0] - at[0], y + place[1] - at[1], ...rest];
        const all = points.map((point) => (point[2] === k ? moved(point) : point));
        return { points: all, means: means.length ? means.with(k, moved(means[k])) : means };
      },
    }));
  }

  // Pictures .........................................................................................................

  /** Colour of an error on the map: the larger, the stronger. */
  shadeIn({ background }, value) {
    const { least, most } = this.errors(), strong = background[0] > 128 ? VIOLET.light : VIOLET.dark;
    return mixed(background, strong, 0.16 + (0.84 * (value - least)) / ((most - least) || 1));
  }

  drawMap(plot) {
    const { theme, viewport, viewport: { width, height } } = plot, { size } = theme, isRoomy = width >= ONE_LINE * size;
    if (this.isBlind) plot.drawLine([[0, 0], [0, height], [width, height], [width, 0]].map((corner) => viewport.toData(...corner)), { fill: css(theme.background) }); // no grid
    else {
      this.drawErrors(plot);
      plot.drawLine([[1, 0], [1, 1]], { color: theme.ink, width: 1 }); // all of it is diagonal LDA
    }
    const [reach, beside] = this.isBlind ? this.drawShapes(plot) : []; // half a shape
    plot.drawDots([[0, 0], [0, 1]], { color: theme.ink, size: 3 });
    for (const [name, made, at, align, right] of CORNERS) {
      const across = this.isBlind ? Math.sign(right) * (reach + 10 * size) : right * size, both = this.isBlind && isRoomy, isCrowded = this.isBlind && !isRoomy;
      const font = this.isBlind ? `bold ${fontOf({ size: 1.1 * size })}` : fontOf(theme);
      plot.drawText(name, at, { align, font, shift: isCrowded && align === "right" ? [reach, beside + 12 * size] : [across, both ? -9 * size : 0] });
      if (both) plot.drawText(made, at, { align, shift: [across, 9 * size] });
    }
    if (!this.isBlind) return;
    const [u, end] = viewport.toPixel(0, 1), [, start] = viewport.toPixel(0, 0); // the way that the task asks for
    const line = (...places) => places.map(([across, v]) => viewport.toData(u + across * size, v));
    const tip = end + beside + 4 * size;
    plot.drawLine(line([0, start - beside - 4 * size], [0, tip + 11 * size]), { color: theme.ink, dash: [2, 5] });
    plot.drawLine(line([-6, tip + 11 * size], [0, tip], [6, tip + 11 * size]), { fill: theme.ink });
  }

  /** Here and there on the map, the ellipses that the rule of this place has, as they would be in a small plane; returns how far they reach. */
  drawShapes(plot) {
    const { context, theme, viewport } = plot, { model } = this.evaluation, { shrinkage, shared } = SHAPES_AT;
    const { units } = this.plane.viewport, ends = [[shared[0], shrinkage[0]], [1, 0]]; // between them are all others
    const all = ends.flatMap((end) => regularised(model, ...end)).filter(Boolean), extent = [
      Math.max(...all.map(({ l11 }) => 2 * l11 / units[0])), Math.max(...all.map(({ l21, l22 }) => 2 * Math.hypot(l21, l22) / -units[1])),
    ];
    const scale = Math.min(...AROUND_SHAPES.map((rim, j) => 0.92 * rim / Math.abs(viewport.units[j]) / extent[j]));
    const [x, y] = viewport.units.map((unit, j) => (scale * unit) / units[j]);
    for (const at of shrinkage.flatMap((alpha) => shared.map((gamma) => [alpha, gamma]))) {
      const gaussians = regularised(model, at[1], at[0]);
      for (const dash of [[], [STRIPE, STRIPE * (gaussians.length - 1)]]) { // where all are one, each has its stripes
        gaussians.forEach((g, k) => {
          if (!g) return;
          const small = { mean: at, l11: x * g.l11, l21: y * g.l21, l22: y * g.l22 };
          context.lineDashOffset = -STRIPE * k;
          const color = lineColor(theme, this.styles[k]);
          if (!dash.length) {
            context.globalAlpha = 0.05;
            plot.drawEllipse(small, 2, { fill: color, color: "#0000" });
            context.globalAlpha = 1;
          }
          plot.drawEllipse(small, 2, { color, dash, width: 2.5, part: "ellipse" });
        });
      }
    }
    context.lineDashOffset = 0;
    return extent.map((most) => scale * most);
  }

  /** Paint the cells of the map; those around them, which have room for the ring, as what they are next to. */
  paintPlaces(plot, colorOf) {
    const across = SIZE + 2, shareOf = (i) => clamp((i - 1) / (SIZE - 1), 0, 1);
    plot.paintCells(across, (n) => colorOf(shareOf(SIZE + 1 - Math.floor(n / across)), shareOf(n % across)), true);
  }

  drawErrors(plot) {
    const { size, values, best, isMarked } = this.errors(), { theme } = plot;
    const nearest = (share) => Math.round(share * (size - 1));
    const colors = new Map(values.map((value) => [value, packed(value === null ? GREY : this.shadeIn(theme, value))]));
    this.paintPlaces(plot, (shared, shrinkage) => colors.get(values[nearest(shared) * size + nearest(shrinkage)]));
    const dots = isMarked ? best.map(({ shrinkage, shared }) => [shrinkage, shared]) : [];
    plot.drawDots(dots, { color: theme.ink, size: 2.5 });
  }

  /** Steps of the error, a frame around that of the current place, and what dots and grey are. */
  drawMapLegend(plot) {
    const inLine = plot.margins[2] === BELOW_MAP[0];
    if (this.isBlind) {
      const says = ["Small ellipses: those of the rule there.", "Choose “one left out” to see the errors."];
      (inLine ? [says.join(" ")] : says).forEach((title, row) => {
        drawLegend(plot, { title, steps: [], ends: ["", ""], here: null, marks: [], inLine, row });
      });
      return;
    }
    const { size, values, least, most, best, isMarked } = this.errors();
    const { shared, shrinkage, error, points } = this.state;
    const counted = error === "left out" && points.length, steps = legendSteps(values, counted);
    const [row, column] = [shared, shrinkage].map((value) => Math.round(value * (size - 1)));
    const isScale = steps.length > 0 && !steps[0].text, { theme } = plot;
    drawLegend(plot, {
      inLine,
      title: counted ? `mistaken, of ${counted}` : "true error", steps: best.length ? steps : [],
      ends: isScale && best.length ? [least, most].map((value) => (counted ? `${Math.round(value * counted)}` : percent(value, 3))) : ["", ""],
      shade: (value) => this.shadeIn(theme, value), here: values[row * size + column],
      marks: [
        ...(isMarked ? [{ text: `smallest: ${best.length} of ${size * size}`, dot: theme.ink }] : []),
        ...(values.includes(null) ? [{ text: "no inverse", fill: css(GREY) }] : []),
      ],
    });
  }

  drawPlane(plot) {
    const { points } = this.state, { styles } = this, { theme, context } = plot;
    const { fit, gaussians, own, leftOut } = this.evaluation;
    if (fit) plot.paintRegions(fit, styles.map((i) => palePacked(theme, i)), this.coarse);
    const trace = (rule, color, width, part) => {
      context.beginPath();
      plot.traceConics(rule, this.coarse ? 6 : 3);
      plot.stroke({ color, width, part });
    };
    if (this.state.error === "true") trace(this.truth().fit, lineColor(theme, TRUTH), 1.6, "best");
    if (fit) trace(fit, theme.ink, 2.5, "boundary");
    gaussians.forEach((g, k) => {
      const color = lineColor(theme, styles[k]);
      if (own[k]) plot.drawEllipse(own[k], 2, { color, width: 1.2, dash: [5, 4], part: "own" });
      if (g) plot.drawEllipse(g, 2, { color, part: "ellipse" });
    });
    plot.drawMarkers(points, (n) => styles[points[n][2]], (n) => Boolean(!this.isBlind && leftOut?.[n]));
  }

  // Words ............................................................................................................

  /** So many mistakes of all, or why there is no rule. */
  mistakesText(count) { return count === null ? this.refusalText() : countText(count, this.state.points.length); }

  /** A covariance of all points has no inverse, or one without a point. */
  refusalText() {
    const { shared, shrinkage, class_names: names } = this.state;
    const { gaussians, folds, model: { counts } } = this.evaluation, singular = gaussians.indexOf(null);
    if (singular >= 0) return `refused: the covariance of ${names[singular]} has no inverse`;
    const { point: [,, k] } = folds.find(({ model }) => regularised(model, shared, shrinkage).includes(null));
    return `refused: without one of the ${counts[k]} points of ${names[k]}, a covariance has no inverse`;
  }

  leftOutText() {
    const { leftOut } = this.evaluation;
    return this.mistakesText(leftOut && numberOf(leftOut));
  }

  /** How many points QDA and LDA get wrong when these are left out. */
  ofBoth() {
    const { folds } = this.evaluation, counted = (shared) => mistakenLeftOut(folds, shared, 0);
    return this.keep("both", [folds], () => [0, 1].map(counted).map((each) => each && numberOf(each)));
  }

  /** Fewer are wrong than with QDA and with LDA. */
  isDone() {
    const { leftOut } = this.evaluation, both = this.ofBoth();
    return !this.isBlind && leftOut && !both.includes(null) && numberOf(leftOut) < Math.min(...both);
  }

  /** The true error of a place, exact; that of the map is good enough for a colour only. */
  trueErrorAt({ shared, shrinkage }) {
    const { model } = this.evaluation, fit = fitOfPair(model, regularised(model, shared, shrinkage));
    return fit && errorRate(this.truth().fit, fit, 1e-6).error;
  }

  trueText() {
    const error = this.trueErrorAt(this.state);
    return `${error === null ? "refused" : percent(error, 3)}, at best ${percent(this.truth().bayes, 3)}`;
  }

  leastText() {
    const { least, best, size } = this.errors(), [first] = best, isTrue = this.state.error === "true";
    if (!first) return "nowhere: every setting is refused";
    const place = `at shared ${short(first.shared)}, shrinkage ${short(first.shrinkage)}`;
    const error = isTrue ? this.trueErrorAt(first) : least;
    const tied = `at ${best.length} of ${size * size} settings`; // of a coarse map there are fewer
    return `${percent(error, 3)}, ${best.length > 1 ? tied : place}`;
  }

  readouts() {
    const { gaussians, own, training } = this.evaluation;
    const axes = (g) => (g ? eigen(g.S).values.map(short).join(" and ") : "no inverse");
    const variances = this.state.class_names.map((name, k) =>
      [`Variances of ${name} along its axes`, `${axes(gaussians[k])}; QDA: ${axes(own[k])}`]);
    if (this.isBlind) {
      const [name, made] = this.ruleText();
      return { "This rule": name, "Its covariances": made, ...Object.fromEntries(variances) };
    }
    return {
      "Error with one left out": this.leftOutText(),
      "Of QDA and of LDA": this.ofBoth().map((count) => (count === null ? "refused" : `${count} wrong`)).join(" and "),
      "Error on the points themselves": this.mistakesText(training),
      ...(this.state.error === "true" && { "True error": this.trueText() }),
      "Smallest on the map": this.leastText(),
      ...Object.fromEntries(variances),
    };
  }

  /** What the rule is called, and of what its covariances are made. */
  ruleText() {
    const { shared, shrinkage } = this.state, own = 1 - shared;
    if (!this.evaluation.fit) return this.refusalText().split(": ");
    if (shrinkage === 1) return ["diagonal LDA", "one for all, without correlations"];
    if (shrinkage === 0 && own === 1) return ["QDA", "each class has its own"];
    if (shrinkage === 0 && own === 0) return ["LDA", "one for all"];
    const rest = 1 - shrinkage, parts = [[rest * own, "its own"], [rest * shared, "shared"], [shrinkage, "diagonal"]];
    const words = parts.filter(([weight]) => weight > 0).map(([weight, name]) => `${percent(weight, 2)} ${name}`);
    return ["in between", words.join(", ")];
  }

  summary() {
    const { shared, shrinkage } = this.state, place = `Shared ${short(shared)}, shrinkage ${short(shrinkage)}`;
    const [name, made] = this.ruleText();
    return this.isBlind ? `${place}: ${name}. Covariances: ${made}.` : `${place}, error with one left out ${this.leftOutText()}.`;
  }
}

const render = renderOf(RegularisedExplorer);

export default { render };
