// What every explorer is built on: its state, its plots, its controls and readouts, and the time between two frames.

import { button, closeAsMenu } from "./controls.js";
import { h, isTyping, keepKeys, setNumber, setText, withTerms, FOCUSABLE } from "./dom.js";
import { Sharing } from "./sharing.js";
import { Stage } from "./stage.js";
import { Store } from "./store.js";
import { COLORS, DARK, enlarged, isDark, LIGHT, lineColor, paleColor, stylesOf } from "./theme.js";

const REFUSED = "Python has set values that do not go together. The explorer still shows the last ones that did.";
const ALIGNED = [8, 1, 44, 54]; // margins of a plot that ends where the cards below it do
const BESIDE = 1244; // pixels: from there on all else stands beside the first plot, as in kit.css
const NOTHING_TO_SHOW = "Python has set values that do not go together. The explorer appears once they do.";

/**
 * An explorer says what its state is and what is made of it; a subclass has:
 *
 *   static traits      names of the traits that it shares with Python, beside `compact`, which all have
 *   accepts(state)     whether a state makes sense
 *   evaluate(state)    what follows from it, kept as `this.evaluation` until the state changes
 *   build()            makes the page with `addPlot`, `addControl` and others
 *   readouts()         rows of names and values, as an object
 *   summary()          the same in a sentence, for screen readers
 *
 * `static headline` is the name of the readout that matters most, `static details` matches the names of readouts that are
 * folded until somebody asks for them; `isDone()` tells whether what the page asks for has been done, and what gives it
 * away is drawn only if `showsAnswer` (see `addAnswer`);
 * `static invites` is the name of the handle that the task of its page needs: arrows say that it moves, until it has;
 * `static beside` is true where a wide window has the first plot on the left and everything else on its right;
 * and, to be linked to and copied as code, `static links`: a codec of links.js for each trait that makes the scene; in
 * `static pythonNames` stands what Python's constructor calls a trait, where it has another name for it;
 * `static linkHint` says how a link that has become too long gets shorter; and, to take tables, `static tables` and
 * `takeTable` (table/table_picker.js), with `addTables(this)` in `build`.
 */
export class CanvasExplorer {
  constructor(model, host) {
    this.live = h("div.hidden", { "aria-live": "polite", "data-bx": "live" });
    this.refusal = h("p.message", { role: "alert", "data-bx": "refusal" });
    this.root = h("div.root", { "data-bx": "root" }, this.refusal, this.live);
    host.append(this.root);
    Object.assign(this, { model, stages: [], controls: [] });
    const accepts = (state) => this.accepts(state), changed = (before, origin) => this.changed(before, origin);
    const names = new Set([...this.constructor.traits, "compact"]);
    this.store = new Store(model, [...names], accepts, changed, (refused) => this.judged(refused));
    if (this.constructor.links) this.sharing = new Sharing(this);
    this.build();
    if (this.sharing && !this.root.contains(this.sharing.element)) this.addSharing();
    for (const element of this.root.querySelectorAll(FOCUSABLE)) keepKeys(element);
    this.watch();
    this.draw();
    this.sharing?.hideParts();
  }

  get state() { return this.store.state; }

  /** Numbers of colour and marker of each class, where there are classes. */
  get styles() { return stylesOf(this.state.class_names, this.state.classes); }

  get evaluation() {
    if (this.evaluated?.state !== this.state) this.evaluated = { state: this.state, result: this.evaluate(this.state) };
    return this.evaluated.result;
  }

  // The page .........................................................................................................

  /** A place for plots side by side, and under it cards for controls and readouts. */
  addPlot(spec) {
    this.plots ??= this.addToDesk("div.plots");
    const stage = new Stage(this, this.constructor.beside ? { margins: ALIGNED, ...spec } : spec);
    this.stages.push(stage);
    this.plots.append(h("div.plot", { style: stage.plot.shape, "data-early": spec.early ?? false }, stage.element));
    return stage;
  }

  /** Words or a legend under the first plot or, where all else stands beside it, under everything. */
  addCaption(element) {
    if (!this.caption) this.plots.firstElementChild.append(this.caption = h("div.notes"));
    this.caption.append(element);
  }

  /** Add a control, made by the functions of controls.js; what has no `refresh` is shown as it is. */
  addControl(control) {
    if (!this.controlList) this.addCard("Settings").append(this.controlList = h("div.controls"));
    if (control.refresh) this.controls.push(control);
    this.controlList.append(control.element ?? control);
  }

  /** What can be dragged, and what the colours mean, under the first plot; see `withTerms`. */
  addNote(words) {
    const note = h("p.note", {}, ...withTerms(words));
    this.addCaption(note);
    return note;
  }

  /** A button that shows what the page asks to be found; elsewhere it is there from the start. */
  addAnswer(text) {
    const toggle = this.answerButton = button("answer", text, () => {
      this.isAsked = !this.isAsked;
      this.showAnswer();
    }), hide = text.replace("Show", "Hide");
    this.addControl({ element: toggle, refresh: () => {
      toggle.hidden = !this.isPage;
      setText(toggle, this.showsAnswer ? hide : text);
    } });
  }

  /** Whether it is a page that says what to do. */
  get isPage() { return Boolean(this.model.standsAlone && window.parent === window && !this.state.compact); }

  /** The handle that the task needs, until something has been changed. */
  get invited() { return this.isPage && !this.store.canUndo && this.constructor.invites; }

  /** Whether what gives the answer away may be seen. */
  get showsAnswer() { return !this.isPage || Boolean(this.isAsked); }

  /** A tick behind the task of a page, once it is done by hand; passing by does not count. */
  tickTask() {
    if (this.isMet || this.store.held || !this.store.canUndo || !this.isDone?.() || !this.isPage) return;
    this.isMet = this.isAsked = true;
    document.getElementById("task").dataset.met = "";
    this.announce(() => `The task is done. ${this.summary()}`);
    this.showAnswer();
  }

  /** The readouts may be others. */
  showAnswer() {
    this.roomFor = "";
    this.refresh();
    this.invalidate();
    this.write();
  }

  addCard(title) {
    this.cards ??= this.addToDesk("div.cards");
    const card = h("section.card", { "aria-label": title, "data-hide": title.toLowerCase() }, h("h2", {}, title));
    this.cards.append(card);
    return card;
  }

  /** Plots and cards have a place in common, where a wide window puts them side by side. */
  addToDesk(kind) {
    this.desk ??= this.addGroup(this.constructor.beside ? "div.desk.beside" : "div.desk");
    if (!this.lead) this.desk.append(this.lead = h("p.lead", { "aria-hidden": "true" })); // on a phone, above the plot
    return this.desk.appendChild(h(kind));
  }

  addGroup(kind) {
    const group = h(kind);
    this.live.before(group);
    return group;
  }

  /** Buttons that lead back: in a row of their own, unless they are given another place. */
  addHistory(place = this.addGroup("div.bar")) {
    this.undoButton = button("undo", "Undo", () => this.travel("undo"), "Undo (Ctrl+Z)");
    this.redoButton = button("redo", "Redo", () => this.travel("redo"), "Redo (Ctrl+Shift+Z)");
    this.resetButton = button("reset", "Reset", () => this.reset(), "Reset everything");
    place.append(this.undoButton, this.redoButton, this.resetButton);
  }

  /** Tables, and buttons that give away link, picture and code: in a menu beside Undo, unless they have another place. */
  addSharing(place = this.addMenu(`More: ${this.tables ? "table, " : ""}link, picture, code`)) {
    place.append(this.sharing.element);
    if (this.tables) place.append(this.tables.element);
    this.sharing.unfold();
  }

  /** A menu ⋯ at the end of the row of Undo; returns what it opens. */
  addMenu(name) {
    const card = h("div.card"), summary = h("summary.button", { "aria-label": name, title: "More" }, "⋯");
    const menu = h("details.more", { "data-bx": "menu", "data-hide": "share" }, summary, card);
    closeAsMenu(menu, this.root);
    this.undoButton.parentElement.append(menu);
    return card;
  }

  /** Whether the link hides what has this name in `data-hide`: its keys do nothing then. */
  hides(name) { return Boolean(this.sharing?.hide.includes(name)); }

  /** Bring a part in sight that is folded away. */
  reveal(part) {
    const fold = part.closest("details");
    if (fold) fold.open = true;
  }

  /** What Python's constructor takes first, where that is not in the traits: { imports, before, source, gives }. */
  pythonSource() { return this.tables?.pythonSource(); }

  /** Name of the file of a picture. */
  pictureName() { return this.constructor.name.replace(/(?<=.)(?=[A-Z][a-z])/g, "-").toLowerCase(); }

  // Changes ..........................................................................................................

  /** Take changes over, if they make sense, and tell whether they do; see Store.update for `gesture`. */
  update(changes, gesture = null) {
    if (!this.store.update(changes, gesture)) return false;
    if (!this.store.held) this.announce(() => this.summary());
    if (gesture !== null) this.settleSoon();
    return true;
  }

  travel(way) {
    const possible = way === "undo" ? this.store.canUndo : this.store.canRedo;
    this.store[way]();
    const done = way === "undo" ? "Undone" : "Redone";
    this.announce(() => (possible ? `${done}. ${this.summary()}` : `Nothing to ${way}.`));
  }

  reset() { return this.update(this.store.first); }

  /** After each change of the state. */
  changed() { this.invalidate(); }

  /** Say it where Python has set what makes no sense: not at once, as it may be about to set the rest. */
  judged(refused) {
    clearTimeout(this.judging);
    this.judging = setTimeout(() => setText(this.refusal, refused ? REFUSED : ""), 300);
  }

  /** Give up what is dragged, as if it had not been. */
  cancel() {
    for (const stage of this.stages) stage.letGo();
    this.store.cancel();
    this.announce("Drag cancelled.");
    this.settle();
  }

  onKey(event) {
    if (event.key === "Escape" && this.store.held) {
      event.stopPropagation();
      return this.cancel();
    }
    if (isTyping(event) || !(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    event.stopPropagation();
    const way = event.shiftKey ? "redo" : "undo";
    if (!this.hides(way)) this.travel(way);
  }

  // Time .............................................................................................................

  /** Follow the keys, the size, the resolution and the theme. */
  watch() {
    this.redraw = () => this.invalidate();
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    for (const type of ["pointerover", "focusin"]) this.root.addEventListener(type, ({ target }) => this.light(target));
    for (const type of ["pointerleave", "focusout"]) this.root.addEventListener(type, () => this.light(null));
    this.resizing = new ResizeObserver(this.redraw);
    this.resizing.observe(this.root);
    window.addEventListener("resize", this.redraw); // a lower window leaves the root as it was
    this.theming = new MutationObserver(this.redraw);
    this.theming.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    this.scheme = window.matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.redraw);
    this.paper = window.matchMedia("print");
    this.onPaper = () => this.drawFinely();
    this.paper.addEventListener("change", this.onPaper);
  }

  destroy() {
    this.store.destroy();
    this.tables?.stop();
    this.scheme.removeEventListener("change", this.redraw);
    this.paper.removeEventListener("change", this.onPaper);
    this.resizing.disconnect();
    window.removeEventListener("resize", this.redraw);
    this.theming.disconnect();
    cancelAnimationFrame(this.frame);
    for (const timer of ["writing", "settling", "speaking", "judging"]) clearTimeout(this[timer]);
    this.root.remove();
  }

  /** Light up in the plots what the term under the pointer, or with the focus, names. */
  light(target) {
    const name = target?.closest("[data-lights]")?.dataset.lights;
    if (name === this.root.dataset.lit) return;
    if (name) this.root.dataset.lit = name;
    else delete this.root.dataset.lit;
    for (const { plot } of this.stages) plot.lit = name;
    this.invalidate();
  }

  invalidate() { this.frame ??= requestAnimationFrame(() => this.draw()); }

  /**
   * Once nothing has moved for a while: everything at its finest. Until then `this.coarse` is true, and in a drag or
   * from the second of quick changes on `this.isMoving`, so that a single press of a key is still painted in all pixels.
   */
  settleSoon() {
    this.isMoving = Boolean(this.store.held || this.coarse);
    this.coarse = true;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), 150);
  }

  settle() {
    clearTimeout(this.settling);
    if (this.store.held) return void (this.settling = setTimeout(() => this.settle(), 150));
    this.coarse = this.isMoving = false;
    if (this.store.saving) this.store.save();
    this.writeSoon();
    this.invalidate();
  }

  /** Everything at its finest at once: neither a printer nor a saved picture waits for a frame. */
  drawFinely() {
    this.coarse = this.isMoving = false;
    cancelAnimationFrame(this.frame);
    this.draw();
  }

  writeSoon() {
    this.writing ??= setTimeout(() => { this.writing = null; this.write(); }, 100);
  }

  draw() {
    this.frame = null;
    if (!this.root.clientWidth) {
      // Hidden, as while JupyterLab changes its theme: observed anew, the size is reported once there is one.
      this.resizing.unobserve(this.root);
      this.resizing.observe(this.root);
      return;
    }
    const dark = isDark(this.root), changed = this.drawn !== this.state;
    this.root.toggleAttribute("data-compact", Boolean(this.state.compact));
    this.root.dataset.theme = dark ? "dark" : "light";
    const theme = dark ? DARK : LIGHT;
    this.theme = this.state.compact ? enlarged(theme) : theme;
    if (theme !== this.colored) { // set anew, they would have everything styled anew
      this.colored = theme;
      COLORS.forEach((_, i) => {
        this.root.style.setProperty(`--class-${i}`, lineColor(theme, i));
        this.root.style.setProperty(`--pale-${i}`, paleColor(theme, i));
      });
      if (this.drawn) this.writeSoon(); // what is written may have colours as well
    }
    if (changed) this.refresh();
    this.fit();
    this.paint();
    if (!this.drawn) this.write();
    else if (changed) this.writeSoon();
    this.drawn = this.state;
  }

  /** Whether the page around it, such as a slide, wants its plots as high as they can be. */
  get fills() { return this.state.compact && Boolean(getComputedStyle(this.root).getPropertyValue("--fills")); }

  /** In another width the cards need another height; and a first plot beside all else is as high as the window lets it. */
  fit() {
    const { clientWidth } = this.root, { beside } = this.constructor, [first] = this.stages;
    const isWide = beside && !this.state.compact && clientWidth >= BESIDE, isPlane = (k) => !k && first.plot.aspect === 1;
    if (beside) first.plot.room = isWide && this.isPage ? this.roomForFirst() : 0;
    first.plot.tallest = isPlane(0) ? 1 : 1.2;
    if (isWide) this.fitSecond();
    else if (this.roomFor) Object.assign(this, { roomFor: "" }).stages[1].plot.room = 0; // no longer wide
    if (beside && this.fills) {
      this.stages.forEach(({ plot }, k) => Object.assign(plot, { room: this.plots.clientHeight, tallest: isPlane(k) ? 1 : 2.2 }));
    }
    if (clientWidth === this.width || !this.cards) return;
    this.width = clientWidth;
    this.cards.style.minHeight = "";
    this.writeSoon();
  }

  /** What the window leaves for the first plot, above the caption. */
  roomForFirst() {
    const [{ element }] = this.stages, caption = this.caption ? this.caption.offsetHeight + 10 : 0;
    return window.innerHeight - element.getBoundingClientRect().top - window.scrollY - caption - 14;
  }

  /** The second plot is as high as the cards below it let it be; once for a window, or it would tremble with them. */
  fitSecond() {
    const [{ element: { offsetHeight } }, { plot }] = this.stages;
    const key = `${this.root.clientWidth} ${offsetHeight}`;
    if (key === this.roomFor || !this.list) return;
    this.roomFor = key;
    const cards = this.list.closest(".bx-card").offsetHeight, spare = 10; // so that a line more moves nothing
    Object.assign(plot, { room: offsetHeight - cards - 10 - spare, tallest: 1.5, flattest: 0.3 });
  }

  paint() {
    const widths = this.stages.map(({ element }) => element.clientWidth);
    this.stages.forEach((stage, i) => stage.draw(this.theme, widths[i]));
  }

  /** Bring all controls in line with the state. */
  refresh() {
    for (const { refresh } of this.controls) refresh(this.state);
    // Not disabled: that would take the focus away from somebody who goes back step by step.
    this.undoButton?.setAttribute("aria-disabled", !this.store.canUndo);
    this.redoButton?.setAttribute("aria-disabled", !this.store.canRedo);
  }

  /** Write the readouts, and what screen readers say. */
  write() {
    const rows = Object.entries(this.readouts()), { details, headline } = this.constructor;
    this.list ??= this.addReadouts();
    const names = rows.map(([name]) => name).join();
    if (this.written !== names) {
      this.written = names;
      const kindOf = (name) => ({ "data-detail": details?.test(name) ?? false, "data-headline": name === headline });
      const row = (name) => h("div", kindOf(name), h("dt", {}, name), h("dd", { "data-bx": name }));
      this.list.replaceChildren(...rows.map(([name]) => row(name)));
    }
    rows.forEach(([name, value], i) => (name === headline ? setNumber : setText)(this.list.children[i].lastChild, value));
    if (this.lead) setText(this.lead, this.summary());
    this.growCards();
    for (const stage of this.stages) stage.describe();
    this.tickTask();
  }

  addReadouts() {
    const card = this.addCard("Readouts"), list = card.appendChild(h("dl.readouts.rows"));
    if (!this.constructor.details) return list;
    const fold = button("more-readouts", "More numbers", () => {
      const isOpen = list.toggleAttribute("data-all");
      fold.setAttribute("aria-expanded", isOpen);
      this.roomFor = "";
      this.growCards();
      this.invalidate();
    });
    fold.classList.add("bx-fold");
    fold.setAttribute("aria-expanded", false);
    list.before(fold);
    return list;
  }

  /** In a lecture the cards grow with their words but never shrink: the plots, which have the rest, would tremble. */
  growCards() {
    const { style, offsetHeight } = this.cards, isCompact = this.root.hasAttribute("data-compact"); // not only to be
    const least = isCompact ? `${offsetHeight}px` : "";
    if (this.store.held || style.minHeight === least) return;
    style.minHeight = least;
    this.invalidate();
  }

  /** Say something to a screen reader, the last of quick successors only; a function is asked when it is time. */
  announce(message) {
    clearTimeout(this.speaking);
    const say = () => { this.live.textContent = typeof message === "function" ? message() : message; };
    this.speaking = setTimeout(say, 300);
  }
}

/** anywidget's entry: show the model in `el`, once its values go together, and return what takes it away again. */
export const renderOf = (Explorer) => ({ model, el }) => {
  const { traits, prototype } = Explorer, message = h("p.message", { role: "alert" }, NOTHING_TO_SHOW);
  const place = h("div.root", { "data-theme": isDark(el) ? "dark" : "light" }, message);
  let explorer, begun = false;
  const begin = () => {
    if (begun || !prototype.accepts(Object.fromEntries(traits.map((name) => [name, model.get(name)])))) return;
    begun = true; // before the constructor, which may set traits
    place.remove();
    explorer = new Explorer(model, el);
  };
  for (const name of traits) model.on(`change:${name}`, begin);
  el.append(place);
  begin();
  return () => {
    for (const name of traits) model.off(`change:${name}`, begin);
    place.remove();
    explorer?.destroy();
  };
};
