// The boundary explorer's picture with its handles, its points, and a cross for the keyboard.

import { argmax } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { HANDLE_SIGMA, semiAxes, steadyAxes, turnedAxes } from "./math/axes.js";
import { h, setText } from "./kit/dom.js";
import { nearestWithin, Stage } from "./kit/stage.js";
import { moveClass } from "./ellipse.js";
import { Picture } from "./picture.js";

const MARGINS = [8, 1, 44, 54]; // top, right, bottom, left of the plot, which ends where the buttons above it end
const IN_LECTURES = 8; // on the right, as a square must not be higher
const KEPT_BY = { mean: "means", axis: "covariances" }; // the trait that such a handle changes
const LETTER = 24; // pixels that a name takes between two ellipses

export class BoundaryStage extends Stage {
  constructor(app) {
    const handles = () => [...this.classHandles(), ...this.cutHandles()];
    super(app, { name: "plot", margins: MARGINS, handles, label: () => this.label() });
    this.crossElement = h("div.cross", { "aria-hidden": "true", "data-bx": "cross", hidden: "" });
    this.problem = h("p.problem", { role: "status", "data-bx": "problem" });
    this.overlay.before(this.crossElement);
    this.overlay.after(this.problem);
    const words = { tabindex: 0, role: "application", "aria-roledescription": "plot" };
    for (const [name, value] of Object.entries(words)) this.canvas.setAttribute(name, value);
    this.ends = {};
    this.named = []; // at which of its places the name of each class is
    this.useTool("move");
    this.canvas.addEventListener("keydown", (event) => this.onCrossKey(event));
    this.canvas.addEventListener("focus", () => this.showCross(this.cross ?? this.viewport.middle()));
    this.canvas.addEventListener("blur", () => this.showCross(null));
    for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
      this.element.addEventListener(type, (event) => this.onTouches(event), { passive: false });
    }
    this.element.addEventListener("pointerleave", () => this.app.readouts.showPlace(null));
  }

  handlesName() { return "Handles of the classes"; }

  makePlot({ margins }) { return new Picture(this.canvas, margins); }

  useTool(tool) {
    this.tool = this.element.dataset.tool = tool;
    this.carried = -1;
  }

  draw(scene) {
    this.plot.isMoving = this.app.isMoving;
    this.plot.margins = MARGINS.with(1, this.app.state.compact ? IN_LECTURES : MARGINS[1]);
    this.plot.draw({ ...scene, nameAt: (k) => this.nameAt(k, scene.evaluation.gaussians[k]) }, this.element.clientWidth);
    const { problem } = scene.evaluation;
    setText(this.problem, problem ? `No decision: ${problem}.` : "");
    this.placeHandles();
    if (!this.crossElement.hidden) this.showCross(this.cross);
  }

  words() {
    const { feature_names: [x, y], points, means } = this.app.state;
    return `${y} against ${x}, ${points.length} points of ${means.length} classes. ${this.app.summary()}`;
  }

  label() { return `${this.words()} Arrow keys move a cross, Enter acts there.`; }

  // Handles ..........................................................................................................

  /** One handle at the mean and two on the axes of each class. */
  classHandles() {
    const { state, styles } = this.app, anchors = state.means.map((_, k) => this.anchor(k));
    this.keptAxes = anchors.map(({ axes }) => axes);
    return anchors.flatMap((from, k) => {
      const { mean, axes } = from, style = styles[k], of = `of class ${state.class_names[k]} at`;
      const moved = (to) => this.moved(state, k, from, { ...from, ...to });
      return [
        { name: `mean-${k}`, at: mean, style, marker: style, label: `Mean ${of} ${this.app.place(mean)}`,
          move: (place) => moved({ mean: place }) },
        ...[0, 1].map((part) => {
          const name = `axis${part + 1}-${k}`, at = this.endOf(name, mean, axes[part]), { units } = this.viewport;
          return { name, at, style, free: true,
            label: `Axis ${part + 1} of the ${HANDLE_SIGMA}σ ellipse ${of} ${this.app.place(at)}`,
            move: (place) => moved({ axes: turnedAxes(axes, part, mean, at, place, units) }) };
        }),
      ];
    });
  }

  /** The two ends of the cut. */
  cutHandles() {
    const ends = this.app.cut?.ends ?? [];
    return ends.map((at, i) => ({
      name: `cut-${i}`, at, style: "ink", label: `End ${"PQ"[i]} of the cut at ${this.app.place(at)}`,
      move: (place) => ({ cut: ends.map((end, j) => (j === i ? place : this.viewport.rounded(end))) }),
    }));
  }

  /** Mean and semi-axes that the handles of a class hold: the estimate where that is shown, else the truth. */
  anchor(k) {
    const { state, shown } = this.app, { units } = this.viewport;
    const estimated = state.mode === "estimate" && shown.means[k] && gaussian(shown.means[k], shown.covariances[k]);
    const source = estimated ? shown : state, mean = source.means[k], S = source.covariances[k];
    return { mean, axes: steadyAxes(this.keptAxes?.[k], S, units) };
  }

  /** Where an axis handle is; one that would lie outside sits at the other end, until it is held. */
  endOf(name, mean, axis) {
    const ends = [1, -1].map((sign) => mean.map((value, i) => value + sign * HANDLE_SIGMA * axis[i]));
    const [first, second] = ends.map((end) => this.viewport.distanceOutside(end));
    const held = this.handles.find((handle) => handle.name === name)?.element.matches(":focus");
    if (!held) this.ends[name] = second < first ? 1 : 0;
    return ends[this.ends[name] ?? 0];
  }

  /** Where the name of a class stands: between its first two ellipses, on the axis where nothing else is near. */
  nameAt(k, drawn) {
    const anchor = this.anchor(k), { units } = this.viewport, { means } = this.app.state;
    const apart = (one, other = [0, 0]) => Math.hypot(...one.map((value, i) => (value - other[i]) / units[i]));
    const { mean, axes } = drawn ? { mean: drawn.mean, axes: semiAxes(drawn.S, units) } : anchor;
    const rooms = axes.map((axis) => apart(axis)), isTight = Math.max(...rooms) < LETTER; // outside of all three, then
    const places = axes.flatMap((axis, part) => {
      const away = isTight ? 3 + LETTER / rooms[part] : 1.5;
      return [-away, away].map((n) => mean.map((value, i) => value + n * axis[i]));
    });
    const handles = anchor.axes.map((axis, part) => this.endOf(`axis${part + 1}-${k}`, anchor.mean, axis));
    const others = [...means.filter((_, j) => j !== k), ...handles];
    const fits = (n) => isTight || rooms[n >> 1] >= LETTER;
    const free = places.map((place, n) => (fits(n) ? Math.min(...others.map((other) => apart(place, other))) : 0));
    const best = argmax(free);
    if (!(free[this.named[k]] > 0.8 * free[best])) this.named[k] = best; // it seldom leaps
    return places[this.named[k]];
  }

  moved(start, k, from, to) {
    this.keptAxes[k] = to.axes;
    return moveClass(start, k, from, to, this.app.state);
  }

  inside(place, from) { return this.viewport.rounded(this.viewport.within(place, from)); }

  // Pointer ..........................................................................................................

  pointAt(place, reach = 12) {
    const [u, v] = this.viewport.toPixel(...place);
    const near = nearestWithin(this.app.state.points.keys(), (n) => {
      const [pu, pv] = this.viewport.toPixel(...this.app.state.points[n]);
      return Math.hypot(pu - u, pv - v);
    }, reach);
    return near ?? -1;
  }

  handleAt(event) {
    const found = this.tool === "move" || this.tool === "pan" ? super.handleAt(event) : null;
    return found && this.app.keeps(KEPT_BY[found.name.slice(0, 4)]) ? null : found;
  }

  take(event, handle) {
    super.take(event, handle);
    if (event.pointerId === this.pointer) this.showCross(null);
  }

  scrolls(event) { return this.tool === "move" && super.scrolls(event); }

  press(place, event) {
    if (this.tool === "add") this.addPoint(place);
    else if (this.tool === "delete") this.deletePoint(this.pointAt(place));
    else return this.dragPointOrView(place, event);
    return () => {};
  }

  dragPointOrView(place, event) {
    const n = this.app.keeps("points") ? -1 : this.pointAt(place, event.pointerType === "touch" ? 22 : 12), { view } = this.app, start = this.viewport;
    if (n < 0 && this.scrolls(event)) return null;
    this.element.dataset.drag = n >= 0 ? "point" : "view";
    if (n >= 0) return (now) => this.movePoint(n, now);
    return (_, event) => { // the place under the pointer stays under it
      const [u, v] = this.eventPixel(event), now = start.toData(u - this.plot.left, v - this.plot.top);
      const moved = (ends, i) => ends.map((end) => end - now[i] + place[i]);
      this.app.look({ x: moved(view.x, 0), y: moved(view.y, 1) });
    };
  }

  /** Two fingers move and zoom the window: what was between them stays there. */
  onTouches(event) {
    if (event.touches.length !== 2 || this.pointer !== undefined) return void (this.pinch = null);
    if (event.cancelable) event.preventDefault();
    const [[a, b], [c, d]] = [...event.touches].map((touch) => this.eventPixel(touch));
    const middle = [(a + c) / 2 - this.plot.left, (b + d) / 2 - this.plot.top], apart = Math.hypot(a - c, b - d) || 1;
    const { viewport, app } = this;
    this.pinch ??= { place: viewport.toData(...middle), apart, units: viewport.units };
    const units = this.pinch.units.map((unit) => (unit * this.pinch.apart) / apart);
    const [left, top] = this.pinch.place.map((value, i) => value - units[i] * middle[i]);
    const across = left + (units[0] * viewport.width) / 2, half = (units[0] * viewport.height) / 2;
    app.look({ x: [across - half, across + half], y: [top + units[1] * viewport.height, top] });
  }

  onMove(event) {
    const place = this.eventPlace(event);
    super.onMove(event);
    if (this.drag) return void (this.app.readouts.place = place); // shown with the other readouts
    this.app.readouts.showPlace(place);
    if (this.tool !== "move" || this.element.dataset.over) return;
    this.element.dataset.over = !this.app.keeps("points") && this.pointAt(place) >= 0 ? "handle" : "";
  }

  // Points ...........................................................................................................

  addPoint(place) {
    const k = this.app.panel.activeClass;
    this.app.update({ points: [...this.app.state.points, [...this.inside(place), k]] });
    this.app.announce(`Added a point of class ${this.app.state.class_names[k]} at ${this.app.place(place)}.`);
  }

  deletePoint(n) {
    if (n < 0) return this.app.announce("No point here.");
    const k = this.app.state.points[n][2];
    this.app.update({ points: this.app.state.points.filter((_, i) => i !== n) });
    this.app.announce(`Deleted a point of class ${this.app.state.class_names[k]}.`);
  }

  movePoint(n, place) {
    const points = [...this.app.state.points];
    if (!points[n]) return; // taken away meanwhile
    points[n] = [...this.inside(place), points[n][2]];
    this.app.update({ points }, `point ${n}`);
  }

  // Keyboard .........................................................................................................

  /** On the plot itself: arrows move a cross, Enter does there what the tool does, picks a point up or puts it down. */
  onCrossKey(event) {
    const step = this.arrowStep(event);
    if (step) {
      this.showCross(this.inside(this.cross.map((value, i) => value + step[i])));
      if (this.carried >= 0) this.movePoint(this.carried, this.cross);
      this.app.announce(() => this.app.readouts.verdict(this.cross));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      if (this.tool === "add") this.addPoint(this.cross);
      else if (this.tool === "delete") this.deletePoint(this.pointAt(this.cross, 20));
      else this.carry();
    }
  }

  carry() {
    const carrying = this.carried >= 0;
    this.carried = carrying ? -1 : this.pointAt(this.cross, 20);
    const found = this.carried < 0 ? "No point here." : "Picked up. The arrow keys move the point; Enter puts it down.";
    this.app.announce(carrying ? "Put down." : found);
  }

  showCross(place) {
    this.crossElement.hidden = !place || !this.canvas.matches(":focus-visible");
    if (!place) {
      this.carried = -1;
      return this.app.readouts.showPlace(null);
    }
    this.cross = place;
    const [u, v] = this.viewport.toPixel(...place);
    this.crossElement.style.transform = `translate(${u + this.plot.left}px, ${v + this.plot.top}px)`;
    if (!this.crossElement.hidden) this.app.readouts.showPlace(place);
  }
}
