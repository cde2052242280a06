// The neighbours explorer: a new point asks its k nearest, and what that does to the plane and to the error.

import { areUsable, argmax, clamp, range, sum } from "./math/numbers.js";
import { LIMITS } from "./constants.js";
import { logDensity } from "./math/gaussian.js";
import { areBeyond, movedBetween, Neighbours } from "./math/neighbours.js";
import { countErrors, latticeOf, nearestTo, trueErrors } from "./math/vote.js";
import { voronoi } from "./math/voronoi.js";
import { css, fontOf, INK, lineColor, paleColor, palePacked, TRUTH } from "./kit/theme.js";
import { onCorners, traceLevel } from "./kit/contour.js";
import { countText, percent, short } from "./kit/text.js";
import { listsCodec, wholeCodec } from "./kit/links.js";
import { pointsCodec } from "./sample.js";
import { isScene, SCENE_CODECS } from "./scene.js";
import { slider } from "./kit/controls.js";
import { h, setText } from "./kit/dom.js";
import { fittingView } from "./kit/fitting_view.js";
import { renderOf } from "./kit/canvas_explorer.js";
import { PointsExplorer } from "./kit/points_explorer.js";
import { addTables } from "./table/table_picker.js";

const NEW = 7; // marker of the new point

/** Errors of every k on the points, which are kept while the points stay where they are, and the vote at the query. */
export function evaluateVote({ points, class_names, k, query }, before) {
  const K = class_names.length, most = Math.min(LIMITS.neighbours.voters, points.length - 1);
  const counted = () => ({ points, most, errors: countErrors(points, K, most, before?.errors) });
  const kept = before?.points === points ? before : counted(), neighbours = kept.neighbours ?? new Neighbours(points);
  const voters = nearestTo(query, points, Math.min(k, most));
  const votes = class_names.map((_, c) => voters.filter(({ label }) => label === c).length);
  const radius = Math.sqrt(voters.at(-1).squared), decision = argmax(votes);
  return { ...kept, neighbours, k: voters.length, voters, votes, radius, decision };
}

class NeighboursExplorer extends PointsExplorer {
  static links = {
    ...SCENE_CODECS, k: wholeCodec(1, LIMITS.neighbours.voters), query: listsCodec(), points: pointsCodec,
  };
  static traits = Object.keys(this.links);
  static headline = "Error with one left out";
  static details = /^Radius/;
  static beside = true;
  static invites = "query";
  static tables = { n_axes: 2, labelled: true, most: LIMITS.neighbours.points };

  accepts(state) {
    const { points, k, query } = state;
    return isScene(state) && points.length > 1 && points.length <= LIMITS.neighbours.points && k >= 1
      && query.length === 2 && areUsable(query);
  }

  evaluate(state) { return evaluateVote(state, this.evaluated?.result); }

  build() {
    this.addHistory();
    addTables(this);
    this.plane = this.addPlot({
      name: "plane", axes: () => this.state.feature_names, draw: (plot) => this.drawPlane(plot),
      view: () => this.planeView(),
      handles: () => [this.neighbourHandle(), this.queryHandle()],
      press: (place, event) => this.takePoint(place, event),
      label: () => `${this.state.points.length} points, and the regions of each class. ${this.summary()}`,
    });
    this.addPlot({
      name: "errors", axes: () => ["neighbours k", "error (%)"], draw: (plot) => this.drawErrors(plot),
      view: () => this.errorView(), handles: () => [this.countHandle()],
      label: () => `Error against k. ${Object.entries(this.errorTexts()).map((pair) => pair.join(" ")).join(", ")}.`,
    });
    this.addControl(slider(this, {
      name: "k", label: "k", min: 1, max: () => this.evaluation.most, step: 1, get: () => this.evaluation.k,
      set: (value) => ({ k: Math.round(value) }),
    }));
    const told = "The purple lines are the truth. Of real data, nobody knows it.", note = h("p.note");
    const asked = "First guess: which curve knows the best k, the solid one or the dotted one?";
    this.addControl({ element: note, refresh: () => {
      note.hidden = !this.truth();
      setText(note, this.showsAnswer ? told : asked);
    } });
    this.addAnswer("Show the truth");
    this.addNote("Drag the star, a new point, any other point, or k along its error curve. Within the " +
      "[circle|dashed line] are its k nearest.");
  }

  /** Of a table nobody knows the densities; the new point begins in the middle. */
  takeTable({ points, words, code, ...names }) {
    const query = [0, 1].map((j) => sum(points.map((place) => place[j])) / points.length);
    return this.update({ points, ...names, means: [], covariances: [], priors: [], query });
  }

  /** Room for the points and for the circle: the window before, as long as it has it and is not far too wide. */
  planeView() {
    const { points, query: [x, y] } = this.state, { radius: r } = this.evaluation;
    const rim = [[x - r, y - r], [x + r, y + r]], all = [...points, ...rim];
    const needed = fittingView({ means: [], covariances: [], points: all }, 1, 1.5), before = this.roomy;
    const fits = before && ["x", "y"].every((axis, j) => {
      const [low, high] = before[axis], [least, most] = range(all.map((place) => place[j]));
      return low <= least && most <= high && high - low < 1.4 * (needed[axis][1] - needed[axis][0]);
    });
    return fits ? before : (this.roomy = needed);
  }

  // What takes longer ................................................................................................

  /** Of the densities that made the points: a lattice for integrals, and the least error. */
  knownFrom(gaussians, priors) {
    const cells = latticeOf(gaussians, priors);
    return { gaussians, cells, bayes: sum(cells.map(({ shares, total }) => total - Math.max(...shares))) };
  }

  /** True error of each k; while something moves, of the points as they were before. */
  trueErrors() {
    const truth = this.truth(), { points, class_names: { length: K } } = this.state;
    if (!truth) return null;
    if (this.coarse && this.kept.trueErrors) return this.kept.trueErrors.value;
    return this.keep("trueErrors", [truth, points], () => trueErrors(points, truth.cells, K, this.evaluation.most));
  }

  /** Decisions on a grid of cells, which change where something has moved among the neighbours of a cell. */
  decisions({ viewport }) {
    const { points } = this.state, { neighbours, k } = this.evaluation, K = this.state.class_names.length;
    const size = Math.ceil(viewport.width / (this.coarse ? 12 : 3)), grid = viewport.withCells(size);
    const cells = this.keep(`cells ${size}`, [k, K, ...viewport.view.x, ...viewport.view.y], () => {
      const winners = new Uint8Array(size * size), reaches = new Float64Array(size * size).fill(Infinity);
      return { size, points: [], winners, reaches };
    });
    const moved = movedBetween(cells.points, points);
    for (let n = 0; n < size * size && moved.length; n++) {
      const place = grid.toData((n % size) + 0.5, Math.floor(n / size) + 0.5);
      if (areBeyond(moved, place, cells.reaches[n])) continue;
      cells.winners[n] = argmax(neighbours.votes(...place, k, K));
      cells.reaches[n] = neighbours.reach;
    }
    cells.points = points;
    return cells;
  }

  /** By how much each class but the first leads in prior × density, on a grid of (size + 1)² places. */
  leads({ viewport }, size) {
    const { gaussians } = this.truth(), { priors } = this.state;
    return this.keep("leads", [gaussians, viewport.width, ...viewport.view.x, ...viewport.view.y], () => {
      const logJointAt = (x, y) => gaussians.map((g, c) => Math.log(priors[c]) + logDensity(g, x, y));
      const joint = onCorners(viewport, size, logJointAt);
      const others = (values, c) => values.filter((_, other) => other !== c);
      const lead = (values, c) => values[c] - Math.max(...others(values, c));
      return gaussians.slice(1).map((_, c) => joint.map((values) => lead(values, c + 1)));
    });
  }

  // Handles ..........................................................................................................

  queryHandle() {
    const { query } = this.state;
    return {
      name: "query", at: query, style: INK, marker: NEW, label: `New point at ${this.plane.placeText(query)}`,
      move: (place) => ({ query: place }),
    };
  }

  /** The point that was nearest when the query last moved: from the keyboard, the way to move a point. */
  neighbourHandle() {
    const { query, points } = this.state;
    if (this.asked !== query || !points[this.nearest]) {
      Object.assign(this, { asked: query, nearest: this.evaluation.voters[0].i });
    }
    const [x, y, c] = points[this.nearest];
    return {
      name: "neighbour", at: [x, y], style: INK, hollow: true, move: this.mover(this.nearest),
      label: `Nearest neighbour, of class ${this.state.class_names[c]}, at ${this.plane.placeText([x, y])}`,
    };
  }

  countHandle() {
    const { k, errors, most } = this.evaluation;
    return {
      name: "count", at: [k, this.share(errors.leftOut[k - 1])], axis: "x", style: INK, label: `${k} neighbours vote`,
      move: ([x]) => ({ k: clamp(Math.round(x), 1, most) }),
    };
  }

  share(count) { return (100 * count) / this.state.points.length; } // in percent

  // Pictures .........................................................................................................

  drawPlane(plot) {
    const { theme } = plot, { styles } = this, { points, query } = this.state, { voters, radius, k } = this.evaluation;
    if (k === 1) {
      this.drawCells(plot);
    } else {
      const { size, winners } = this.decisions(plot);
      const colors = styles.map((style) => palePacked(theme, style));
      plot.paintCells(size, (n) => colors[winners[n]], true);
    }
    if (this.showsAnswer && this.truth()) this.drawBest(plot);
    plot.drawEllipse({ mean: query, l11: radius, l21: 0, l22: radius }, 1, { color: theme.ink, width: 1.5, dash: [5, 4], part: "circle" });
    const asked = new Set(voters.map(({ i }) => i));
    plot.drawMarkers(points, (i) => styles[points[i][2]], (i) => asked.has(i));
    this.drawNames(plot);
  }

  /** The names of the classes, on a plate. */
  drawNames(plot) {
    const { context, theme, theme: { size } } = plot, { styles, state: { class_names: names } } = this;
    context.font = fontOf(theme);
    const widest = Math.max(...names.map((name) => context.measureText(name).width)), tall = 20 * names.length + 8;
    context.fillStyle = css(theme.background);
    context.beginPath();
    context.roundRect(8 * size, 8 * size, widest + 34 * size, tall * size, 6 * size);
    context.fill();
    plot.stroke({ color: theme.grid, width: 1 });
    names.forEach((name, c) => {
      const at = plot.viewport.toData(20 * size, (22 + 20 * c) * size);
      plot.drawMarkers([at], () => styles[c]);
      plot.drawText(String(name), at, { color: lineColor(theme, styles[c]), shift: [12 * size, 0] });
    });
  }

  /** The cell of each point; what has moved since the last picture at rest takes its own from those of the others. */
  drawCells(plot) {
    const { points } = this.state, { theme, viewport: { view } } = plot, { styles } = this;
    if (!this.coarse || !this.resting) this.resting = new Set(points);
    const rests = (point) => this.resting.has(point), still = points.filter(rests);
    const drawThose = (list, isWanted) => voronoi(list, view, isWanted).forEach((cell, i) => {
      const style = { fill: paleColor(theme, styles[list[i][2]]), color: css(theme.background), width: 1 };
      if (cell.length) plot.drawLine([...cell, cell[0]], style);
    });
    plot.drawKept([...still, ...styles], () => drawThose(still));
    if (still.length < points.length) drawThose(points, (i) => !rests(points[i]));
  }

  /** The boundary of the best rule: each piece of it has a class after the first on one of its sides. */
  drawBest(plot) {
    const { context, viewport, theme } = plot, size = 96;
    context.beginPath();
    for (const lead of this.leads(plot, size)) traceLevel(context, lead, size, viewport, 0);
    Object.assign(context, { strokeStyle: lineColor(theme, TRUTH), lineWidth: 2.5 });
    context.stroke();
  }

  curves(theme) {
    const { errors: { training, leftOut } } = this.evaluation, found = this.trueErrors();
    const shares = (counts) => counts.map((count) => this.share(count));
    return [
      { name: "one left out", values: shares(leftOut), style: { color: theme.ink } },
      { name: "on the points", values: shares(training), style: { color: theme.muted, dash: [2, 3] } },
      ...(found && this.showsAnswer ? [{ name: "true", values: found.map((error) => 100 * error), style: { color: lineColor(theme, TRUTH), dash: [6, 4] } }] : []),
    ];
  }

  errorView() {
    const { most, errors } = this.evaluation, highest = this.share(Math.max(...errors.leftOut));
    const steps = [10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 80, 110]; // a window that seldom changes
    return { x: [1 - 0.05 * most, most + 1], y: [0, steps.find((step) => step >= 1.03 * highest)] }; // k = 1 is clear of the axis
  }

  drawErrors(plot) {
    const { k } = this.evaluation, [, top] = plot.viewport.view.y;
    plot.drawLine([[k, 0], [k, top]], { color: plot.theme.muted, width: 1 });
    this.curves(plot.theme).forEach(({ name, values, style }, i, { length }) => {
      plot.drawLine(values.map((value, at) => [at + 1, value]), style);
      const { width, height } = plot.viewport, down = height - 16 - 20 * (length - 1 - i); // below the curves, where nothing is
      plot.drawText(name, plot.viewport.toData(width - 34, down), { align: "right", color: style.color });
      const [end, start] = [8, 28].map((left) => plot.viewport.toData(width - left, down));
      plot.drawLine([start, end], style);
    });
  }

  // Words ............................................................................................................

  errorTexts() {
    const { k, errors: { training, leftOut } } = this.evaluation, { length: n } = this.state.points;
    const found = this.trueErrors();
    return {
      "Error with one left out": countText(leftOut[k - 1], n),
      "Error on the points themselves": countText(training[k - 1], n),
      ...(found && this.showsAnswer && { "True error": `${percent(found[k - 1], 3)}, at best ${percent(this.truth().bayes, 3)}` }),
    };
  }

  voteText() {
    const { votes, decision } = this.evaluation, { class_names: names } = this.state;
    const tie = votes.filter((count) => count === votes[decision]).length > 1;
    const counts = votes.map((count, c) => `${count} for ${names[c]}`).join(", ");
    return `${counts}: ${names[decision]}${tie ? ", the first of a tie" : ""}`;
  }

  readouts() {
    return {
      ...this.errorTexts(),
      "Votes for the new point": this.voteText(),
      "Radius of the circle": short(this.evaluation.radius),
    };
  }

  isDone() {
    const found = this.trueErrors();
    return Boolean(found) && found[this.evaluation.k - 1] < Math.min(...found) + 0.003;
  }

  summary() {
    const { k, errors: { leftOut } } = this.evaluation, { length: n } = this.state.points;
    const name = this.state.class_names[this.evaluation.decision];
    return `k = ${k}: ${countText(leftOut[k - 1], n)} wrong when left out, and the new point is ${name}.`;
  }
}

const render = renderOf(NeighboursExplorer);

export default { render };
