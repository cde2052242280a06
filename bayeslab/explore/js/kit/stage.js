// A plot on the page with its handles: pointer, finger, keyboard, and what screen readers say.

import { h, markerOf } from "./dom.js";
import { Plot } from "./plot.js";
import { stepAside } from "./aside.js";

const REST = 350; // ms after which a finger has come to rest
const STILL = 8; // pixels that it may tremble meanwhile

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * A plot { name, label, axes, view, draw, handles, aspect, margins, over } on the page:
 *
 *   name     of the plot on the page
 *   label    () => what it shows, for screen readers
 *   axes     () => names of the horizontal and the vertical axis
 *   view     () => its window { x: [low, high], y: [low, high] }; asked for while nothing in it is dragged
 *   draw     (plot) => paints it, with the methods of Plot
 *   handles  () => what can be moved in it now, each { name, label, at, move, axis, free, style, marker, hollow, arrows }:
 *
 *     name   of its own; it also names its step in the history
 *     label  what it is and where, such as "Threshold at x 1.20"
 *     at     its place [x, y] in the data
 *     move   (place) => changes of the state that bring it there. A drag keeps the one that it began with, so that what
 *            is computed from the start of the drag does not gather rounding. An arrow key asks for a hundredth of the
 *            window, with Shift a tenth; where places are further apart and `move` rounds to them, for more
 *     axis   "x" or "y", if it moves along this axis only
 *     free   true, if it may leave the window
 *     style  number of its colour; marker: number of the marker that it shows, which makes it larger
 *     hollow true, if what lies under it is seen through it
 *     arrows how many pixels from its middle arrows say that it moves; the one that the task invites to has them as well
 *
 *   press    (place, event) => what the pointer does where it goes down beside all handles: it may change the state,
 *            and returns (place, event) => … for its moves until it is released, or nothing. A finger scrolls there,
 *            and is asked for once it has come to rest
 *   over     (plot) => paints what lies beside the plot, on its margins
 *   follows  true, if its window is asked for also while something in it is dragged
 *   aspect, margins  those of Plot
 *   Kind     the kind of Plot, if it is one that can draw more
 *
 * `label`, `axes`, `view`, `draw` and `handles` are needed, the others not.
 */
export class Stage {
  constructor(app, spec) {
    this.canvas = h("canvas.canvas", { "data-bx": spec.name, role: "img", tabindex: -1 }); // pressed, it gets the keys
    this.overlay = h("div.overlay", { role: "application" });
    this.element = h("div.stage", { "data-bx": `${spec.name}-stage` }, this.canvas, this.overlay);
    Object.assign(this, { app, spec, handles: [], plot: this.makePlot(spec) });
    const on = (target, type, react) => target.addEventListener(type, react);
    on(this.element, "pointerdown", (event) => this.onDown(event));
    on(this.element, "pointermove", (event) => this.onMove(event));
    on(this.element, "pointerup", (event) => this.onUp(event));
    on(this.element, "lostpointercapture", (event) => this.onUp(event));
    on(this.overlay, "keydown", (event) => this.onHandleKey(event));
    const keepFrom = (event) => { if (this.drag && event.cancelable) event.preventDefault(); };
    this.element.addEventListener("touchmove", keepFrom, { passive: false }); // scrolling
    on(this.element, "contextmenu", keepFrom);
  }

  makePlot({ Kind = Plot, margins, aspect }) { return new Kind(this.canvas, margins, aspect); }
  get viewport() { return this.plot.viewport; }

  /** Where several plots are drawn, widths are read before anything is written, or each has the page laid out anew. */
  draw(theme, width = this.element.clientWidth) {
    const { plot, spec } = this;
    if (!this.view || !this.drag || spec.follows) this.view = spec.view();
    plot.isMoving = this.app.isMoving;
    plot.clear(theme, width, this.view);
    plot.drawAxes(spec.axes());
    plot.clipped(() => spec.draw(plot));
    spec.over?.(plot);
    this.placeHandles();
  }

  /** A place in words. */
  placeText(at) { return this.viewport.text(at, this.spec.axes()); }

  /** What the plot shows. */
  words() { return this.spec.label(); }

  /** The group of handles, another on each plot of a page. */
  handlesName() {
    const [x, y] = this.spec.axes();
    return `Handles in the plot of ${y} against ${x}`;
  }

  /** What screen readers say of the plot and its handles. */
  describe() {
    this.canvas.setAttribute("aria-label", this.spec.label());
    this.overlay.setAttribute("aria-label", this.handlesName());
    for (const { element, label, axis } of this.handles) {
      const keys = { x: "Left and right arrow", y: "Up and down arrow" }[axis] ?? "Arrow";
      element.setAttribute("aria-label", `${label}. ${keys} keys move it, with Shift in larger steps.`);
    }
  }

  // Handles ..........................................................................................................

  /** List the handles as they are now; their elements, and with them the focus, stay where the names do. */
  refreshHandles() {
    const before = this.handles, known = new Map(before.map((handle) => [handle.name, handle]));
    this.handles = this.spec.handles().map((handle) => {
      // One that lies outside waits at the edge.
      const [u, v] = this.viewport.toPixel(...this.viewport.within(handle.at)), old = known.get(handle.name);
      const element = old?.element ?? this.makeElement(handle);
      if (["style", "marker", "hollow"].some((name) => old?.[name] !== handle[name]) || !old) dress(element, handle);
      return { ...handle, place: [u + this.plot.left, v + this.plot.top], element };
    });
    this.spread();
    const elements = this.handles.map(({ element }) => element);
    this.overlay.hidden = !elements.length; // an empty group would be a stop for screen readers
    if (elements.length === before.length && elements.every((element, i) => element === before[i].element)) return;
    for (const { element } of before) if (!elements.includes(element)) element.remove();
    elements.forEach((element, i) => { // one that is in its place is not moved, as it would lose the focus
      if (this.overlay.children[i] !== element) this.overlay.insertBefore(element, this.overlay.children[i] ?? null);
    });
    this.describe();
  }

  /** Where the handles stand, `pixel`: the held one first, then those with a marker. */
  spread() {
    const gap = window.matchMedia("(pointer: coarse)").matches ? 44 : 24; // for a finger, for a mouse
    const rank = ({ name, marker }) => (name === this.held ? 0 : 1 + (marker === undefined));
    const order = [...this.handles].sort((one, other) => rank(one) - rank(other));
    const wanted = order.map(({ name, place: at }) => ({ at, shift: this.shifts?.[name], held: name === this.held }));
    const spots = stepAside(wanted, gap, this.plot.sides);
    order.forEach((handle, i) => { handle.pixel = spots[i]; });
    const shiftOf = ({ place, pixel }) => pixel.map((at, i) => at - place[i]);
    this.shifts = Object.fromEntries(order.map((handle) => [handle.name, shiftOf(handle)]));
  }

  makeElement({ name }) {
    return h("button.handle", { type: "button", "data-handle": name, "aria-roledescription": "movable handle" });
  }

  placeHandles() {
    this.refreshHandles();
    const [width] = this.plot.sides;
    for (const { element, name, at, pixel } of this.handles) {
      element.style.opacity = this.viewport.distanceOutside(at) > 1 ? 0.6 : "";
      // In hundredths of the stage's width: on paper, which is of another width, they stay on the picture.
      const [u, v] = pixel.map((length) => (100 * length) / width);
      element.style.transform = `translate(${u}cqw, ${v}cqw)`;
      const [du, dv] = this.shifts[name], aside = Math.hypot(du, dv);
      element.toggleAttribute("data-aside", aside > 0); // a line leads to its place
      if (!aside) continue;
      element.style.setProperty("--aside", `${aside}px`);
      element.style.setProperty("--back", `${Math.atan2(-dv, -du)}rad`);
    }
    this.drawArrows();
  }

  /** Where a handle goes: to the left and to the right, or everywhere. */
  drawArrows() {
    const { context, left, top, theme: { ink, size } } = this.plot, { invited } = this.app;
    for (const { name, marker, axis, pixel: [u, v], arrows = name === invited && (marker === undefined ? 13 : 18) } of this.handles) {
      for (const [du, dv] of arrows ? Object.values(ARROWS) : []) {
        if (axis && ![du, dv]["xy".indexOf(axis)]) continue;
        context.beginPath();
        for (const [away, aside] of [[arrows + 8, 0], [arrows, 6], [arrows, -6]]) {
          context.lineTo(u - left + size * (away * du - aside * dv), v - top + size * (away * dv + aside * du));
        }
        context.fillStyle = ink;
        context.fill();
      }
    }
  }

  moveHandle({ move, name, at, free }, place) {
    const { viewport, app } = this, inside = free ? place : viewport.within(place, at);
    const changes = move(viewport.rounded(inside));
    if (changes) app.update(changes, name);
  }

  // Pointer ..........................................................................................................

  eventPixel(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  eventPlace(event) {
    const [u, v] = this.eventPixel(event);
    return this.viewport.toData(u - this.plot.left, v - this.plot.top);
  }

  /** The nearest handle within reach of the pointer, which for a finger is further. */
  handleAt(event) {
    const [u, v] = this.eventPixel(event), reach = event.pointerType === "touch" ? 22 : 13;
    return nearestWithin(this.handles, ({ pixel }) => Math.hypot(pixel[0] - u, pixel[1] - v), reach);
  }

  onDown(event) {
    clearTimeout(this.resting);
    if (event.button || this.pointer !== undefined) return; // a second finger does nothing
    this.refreshHandles(); // there may have been no frame since the last change
    const handle = this.handleAt(event);
    if (handle || !this.scrolls(event)) return this.take(event, handle);
    this.restsAt = this.eventPixel(event);
    if (event.isPrimary) this.resting = setTimeout(() => this.take(event), REST);
  }

  /** Whether the page scrolls by a finger, which then takes what it rests on. */
  scrolls({ pointerType }) { return pointerType === "touch"; }

  take(event, handle) {
    const place = this.eventPlace(event);
    const drag = handle ? this.dragHandle(handle, place) : this.press(place, event);
    if (!drag) return;
    event.preventDefault();
    Object.assign(this, { pointer: event.pointerId, drag });
    this.element.setPointerCapture(event.pointerId);
    (handle ? handle.element : this.canvas).focus({ preventScroll: true });
    this.app.store.hold();
  }

  /** The pointer goes down where no handle is: returns what its moves do, if anything. */
  press(place, event) { return this.spec.press?.(place, event); }

  dragHandle(handle, place) {
    const shift = this.viewport.within(handle.at).map((value, i) => value - place[i]);
    this.element.dataset.drag = "handle";
    this.held = handle.name;
    return (now) => this.moveHandle(handle, now.map((value, i) => value + shift[i]));
  }

  onMove(event) {
    const [u, v] = this.eventPixel(event);
    if (this.restsAt && Math.hypot(u - this.restsAt[0], v - this.restsAt[1]) > STILL) clearTimeout(this.resting);
    if (event.pointerId === this.pointer) return void this.drag?.(this.eventPlace(event), event);
    this.element.dataset.over = this.handleAt(event) ? "handle" : "";
  }

  onUp(event) {
    clearTimeout(this.resting);
    if (event.pointerId !== this.pointer) return;
    this.letGo();
    this.app.store.release();
    this.app.settle();
  }

  /** End a drag, as when it is cancelled. */
  letGo() {
    this.pointer = this.drag = this.held = undefined;
    delete this.element.dataset.drag;
  }

  // Keyboard .........................................................................................................

  /** The step of an arrow key in data units: a hundredth of the window, ten times that with Shift. */
  arrowStep(event, axis) {
    const direction = ARROWS[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return null;
    if (axis && !direction["xy".indexOf(axis)]) return null;
    event.preventDefault();
    event.stopPropagation();
    const { x, y } = this.viewport.view, size = event.shiftKey ? 0.1 : 0.01;
    return [direction[0] * size * (x[1] - x[0]), direction[1] * size * (y[1] - y[0])];
  }

  onHandleKey(event) {
    this.refreshHandles(); // keys may come quicker than frames
    const handle = this.handles.find(({ element }) => element === event.target);
    const step = handle && this.arrowStep(event, handle.axis);
    if (!step) return;
    const { state } = this.app;
    for (let n = 1; n <= 64 && this.app.state === state; n *= 2) { // what `move` rounds to nothing is too little
      this.moveHandle(handle, handle.at.map((value, i) => value + n * step[i]));
    }
    this.app.announce(() => {
      const now = this.handles.find(({ name }) => name === handle.name);
      return `${now?.label ?? handle.label}. ${this.app.summary()}`;
    });
  }
}

/** Give the element of a handle its colour and its marker. */
function dress(element, { style = 0, marker, hollow = false }) {
  element.classList.toggle("bx-axis", marker === undefined);
  element.classList.toggle("bx-mean", marker !== undefined);
  element.classList.toggle("bx-hollow", hollow);
  element.replaceChildren(marker === undefined ? "" : markerOf(marker, 18));
  element.style.setProperty("--class", `var(--class-${style})`);
}

/** The item of the least distance, if it is within reach. */
export function nearestWithin(items, distanceTo, reach) {
  let nearest = null, least = reach;
  for (const item of items) {
    const distance = distanceTo(item);
    if (distance <= least) [nearest, least] = [item, distance];
  }
  return nearest;
}
