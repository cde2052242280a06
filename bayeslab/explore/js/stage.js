// The picture with its handles: pointer and keyboard.

import { clamp } from "./math/numbers.js";
import { gaussian, semiAxes } from "./math/gaussian.js";
import { h, markerOf, setText } from "./kit/dom.js";
import { belong, HANDLE_SIGMA, moveClass, turnedAxes } from "./ellipse.js";
import { Picture } from "./picture.js";

const MARGINS = [8, 8, 44, 54]; // top, right, bottom, left of the plot
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Stage {
  constructor(app, { stage, plot, cross, overlay, problem }) {
    Object.assign(this, { app, element: stage, canvas: plot, crossElement: cross, overlay, problem });
    this.picture = new Picture(plot, MARGINS);
    this.handles = [];
    this.useTool("move");
    this.listen();
  }

  listen() {
    const on = (element, type, react) => element.addEventListener(type, react);
    on(this.element, "pointerdown", (event) => this.onDown(event));
    on(this.element, "pointermove", (event) => this.onMove(event));
    on(this.element, "pointerup", (event) => this.onUp(event));
    on(this.element, "lostpointercapture", (event) => this.onUp(event));
    on(this.element, "pointerleave", () => this.app.readouts.showPlace(null));
    on(this.overlay, "keydown", (event) => this.onHandleKey(event));
    on(this.canvas, "keydown", (event) => this.onCrossKey(event));
    on(this.canvas, "focus", () => this.showCross(this.cross ?? this.middle()));
    on(this.canvas, "blur", () => this.showCross(null));
  }

  useTool(tool) {
    this.tool = this.element.dataset.tool = tool;
    this.carried = -1;
  }

  get viewport() { return this.picture.viewport; }
  middle() { return this.viewport.toData(this.viewport.size / 2, this.viewport.size / 2); }

  draw(scene) {
    this.picture.draw(scene, this.element.clientWidth);
    const { problem } = scene.evaluation;
    setText(this.problem, problem ? `No decision: ${problem}.` : "");
    this.placeHandles();
    if (!this.crossElement.hidden) this.showCross(this.cross);
    else this.app.readouts.showPlace(this.app.readouts.place);
  }

  // Handles ..........................................................................................................

  /** One mean handle and two axis handles for each class, made anew when the classes change. */
  makeHandles(names, styles) {
    this.handles = names.flatMap((name, k) => ["mean", 0, 1].map((part) => {
      const isMean = part === "mean";
      const element = h(`button.handle.${isMean ? "mean" : "axis"}`, {
        type: "button", "data-handle": isMean ? "mean" : `axis${part + 1}`, "data-class": k,
        "aria-roledescription": "movable handle",
      }, isMean ? markerOf(styles[k], 18) : "");
      element.style.setProperty("--class", `var(--class-${styles[k]})`);
      return { element, k, part, name };
    }));
    this.overlay.replaceChildren(...this.handles.map(({ element }) => element));
  }

  /** Mean and semi-axes that the handles of a class hold: the estimate where that is shown, else the truth. */
  anchor(k) {
    const { state, shown } = this.app, units = this.viewport.units;
    const estimated = state.mode === "estimate" && shown.means[k] && gaussian(shown.means[k], shown.covariances[k]);
    const source = estimated ? shown : state, mean = source.means[k], S = source.covariances[k];
    const kept = this.keptAxes?.[k];
    return { mean, axes: kept && belong(kept, S, units) ? kept : semiAxes(S, units) };
  }

  placeHandles() {
    const { left, top } = this.picture;
    this.keptAxes = this.app.state.means.map((_, k) => this.anchor(k).axes);
    for (const handle of this.handles) {
      handle.at = this.positionOf(handle);
      const [u, v] = this.viewport.toPixel(...this.within(handle.at)); // one that lies outside waits at the edge
      handle.pixel = [u + left, v + top];
      handle.element.style.opacity = this.distanceOutside(handle.at) > 1 ? 0.6 : "";
      handle.element.style.transform = `translate(${u + left}px, ${v + top}px)`;
    }
  }

  /** Where a handle is in data units; an axis handle that would lie outside sits at the other end, until it is held. */
  positionOf(handle) {
    const { mean, axes } = this.anchor(handle.k), { part } = handle;
    if (part === "mean") return mean;
    const ends = [1, -1].map((sign) => mean.map((value, i) => value + sign * HANDLE_SIGMA * axes[part][i]));
    const [first, second] = ends.map((end) => this.distanceOutside(end));
    if (!handle.element.matches(":focus")) handle.end = second < first ? 1 : 0;
    return ends[handle.end ?? 0];
  }

  distanceOutside([x, y]) {
    const [u, v] = this.viewport.toPixel(x, y), { size } = this.viewport;
    return Math.max(0, -u, u - size, -v, v - size);
  }

  /** What screen readers say of the plot and its handles. */
  label() {
    const { feature_names: [x, y], points, means } = this.app.state;
    this.canvas.setAttribute("aria-label", `${y} against ${x}, ${points.length} points of ${means.length} classes. `
      + `${this.app.readouts.summary()} Arrow keys move a cross, Enter acts there.`);
    for (const handle of this.handles) {
      const label = `${this.nameOf(handle)}. Arrow keys move it, with Shift in larger steps.`;
      handle.element.setAttribute("aria-label", label);
    }
  }

  nameOf({ part, name, at }) {
    const what = part === "mean" ? "Mean" : `Axis ${part + 1} of the ${HANDLE_SIGMA}σ ellipse`;
    return `${what} of class ${name} at ${this.app.place(at)}`;
  }

  /** What a move starts from; during a drag it stays the same, so that rounding does not add up. */
  holding(handle) {
    return { start: this.app.state, end: this.positionOf(handle), ...this.anchor(handle.k) };
  }

  moveHandle({ k, part }, place, from) {
    const { mean, axes, end, start } = from;
    const to = { mean, axes };
    if (part === "mean") to.mean = this.inside(place, mean);
    else to.axes = turnedAxes(axes, part, mean, end, this.app.roundedPlace(place), this.viewport.units);
    this.keptAxes[k] = to.axes;
    this.app.panel.hideHint();
    this.app.update(moveClass(start, k, from, to, this.app.state), true);
  }

  /** The nearest place in the window, or in the window stretched to hold where something came from. */
  within([x, y], from = this.middle()) {
    const { viewport } = this, origin = viewport.toPixel(...from);
    const ends = (i) => [Math.min(0, origin[i]), Math.max(viewport.size, origin[i])];
    return viewport.toData(...viewport.toPixel(x, y).map((pixel, i) => clamp(pixel, ...ends(i))));
  }
  inside(place, from) { return this.app.roundedPlace(this.within(place, from)); }

  // Pointer ..........................................................................................................

  eventPixel(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  eventPlace(event) {
    const [u, v] = this.eventPixel(event);
    return this.viewport.toData(u - this.picture.left, v - this.picture.top);
  }

  /** The nearest handle within reach of the pointer, which for a finger is further. */
  handleAt(event) {
    const [u, v] = this.eventPixel(event), reach = event.pointerType === "touch" ? 26 : 13;
    return nearestWithin(this.handles, ({ pixel }) => Math.hypot(pixel[0] - u, pixel[1] - v), reach);
  }

  pointAt(place, reach = 12) {
    const [u, v] = this.viewport.toPixel(...place);
    const near = nearestWithin(this.app.state.points.keys(), (n) => {
      const [pu, pv] = this.viewport.toPixel(...this.app.state.points[n]);
      return Math.hypot(pu - u, pv - v);
    }, reach);
    return near ?? -1;
  }

  onDown(event) {
    if (event.button || this.pointer !== undefined) return; // a second finger does nothing
    event.preventDefault();
    this.pointer = event.pointerId;
    this.element.setPointerCapture(event.pointerId);
    const place = this.eventPlace(event), handle = this.tool === "move" && this.handleAt(event);
    (handle ? handle.element : this.canvas).focus({ preventScroll: true });
    this.showCross(null);
    if (this.tool === "add") this.addPoint(place);
    else if (this.tool === "delete") this.deletePoint(this.pointAt(place));
    else this.drag = handle ? this.dragHandle(handle, place) : this.dragPointOrView(place);
  }

  dragHandle(handle, place) {
    const from = this.holding(handle), shift = this.within(from.end).map((value, i) => value - place[i]);
    this.element.dataset.drag = "handle";
    return (now) => this.moveHandle(handle, now.map((value, i) => value + shift[i]), from);
  }

  dragPointOrView(place) {
    const n = this.pointAt(place), { view } = this.app, start = this.viewport;
    this.element.dataset.drag = n >= 0 ? "point" : "view";
    if (n >= 0) return (now) => this.movePoint(n, now);
    return (_, event) => { // the place under the pointer stays under it
      const [u, v] = this.eventPixel(event), now = start.toData(u - this.picture.left, v - this.picture.top);
      const moved = (ends, i) => ends.map((end) => end - now[i] + place[i]);
      this.app.look({ x: moved(view.x, 0), y: moved(view.y, 1) });
    };
  }

  onMove(event) {
    const place = this.eventPlace(event);
    this.app.readouts.showPlace(place);
    if (event.pointerId === this.pointer) return this.drag?.(place, event);
    const over = this.handleAt(event) || this.pointAt(place) >= 0;
    this.element.dataset.over = this.tool === "move" && over ? "handle" : "";
  }

  onUp(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = this.drag = undefined;
    delete this.element.dataset.drag;
    this.app.settle();
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
    this.app.panel.hideHint();
    this.app.update({ points }, true);
  }

  // Keyboard .........................................................................................................

  /** The step of an arrow key in data units: a hundredth of the window, ten times that with Shift. */
  arrowStep(event) {
    const direction = ARROWS[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return null;
    event.preventDefault();
    event.stopPropagation();
    const { x, y } = this.app.view, size = event.shiftKey ? 0.1 : 0.01;
    return [direction[0] * size * (x[1] - x[0]), direction[1] * size * (y[1] - y[0])];
  }

  onHandleKey(event) {
    const step = this.arrowStep(event), handle = this.handles.find(({ element }) => element === event.target);
    if (!step || !handle) return;
    const from = this.holding(handle); // keys may come quicker than frames: handle.at is the last one's
    this.moveHandle(handle, from.end.map((value, i) => value + step[i]), from);
    this.app.announce(() => `${this.nameOf(handle)}. ${this.app.readouts.summary()}`);
  }

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
    const found = this.carried < 0 ? "No point here." : "Picked up; arrow keys move the point, Enter puts it down.";
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
    this.crossElement.style.transform = `translate(${u + this.picture.left}px, ${v + this.picture.top}px)`;
    if (!this.crossElement.hidden) this.app.readouts.showPlace(place);
  }
}

function nearestWithin(items, distanceTo, reach) {
  let nearest = null, least = reach;
  for (const item of items) {
    const distance = distanceTo(item);
    if (distance <= least) [nearest, least] = [item, distance];
  }
  return nearest;
}
