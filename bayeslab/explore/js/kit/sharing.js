// What an explorer gives away: a link to its state, its picture, its code; and the link that a page is opened with.

import { button } from "./controls.js";
import { h, setText } from "./dom.js";
import { labelsCodec, LONGEST_LINK, readLink, writeLink } from "./links.js";
import { describedPNG } from "./png.js";
import { pythonCall } from "./python.js";

const MOST_CODE = 300_000; // characters

/**
 * The row of buttons of an explorer. A link holds the traits in its `static links`, codecs by name, as far as they are
 * not as the page was saved; and with "hide=rule,points" a teacher hides what has these names in `data-hide`.
 */
export class Sharing {
  constructor(app) {
    const { links } = app.constructor, { store } = app;
    const saved = { ...store.state, hide: [] }; // what links start from
    Object.assign(this, { app, saved, codecs: { ...links, hide: labelsCodec }, hide: [] });
    this.note = h("p.note", { role: "status", "data-bx": "share-note" });
    this.field = h("textarea", { rows: 4, readonly: "", "aria-label": "Text to copy", "data-bx": "share-text" });
    this.field.hidden = true;
    // Only a page of its own has an address that leads back to it.
    const atHome = app.model.standsAlone && ["http:", "https:", "file:"].includes(location.protocol);
    this.row = h("div.row", { "data-hide": "share" }, ...[
      atHome && button("copy-link", "Copy link", () => this.copyLink(), "Copy link to this page as it is now"),
      button("save-picture", "Save picture", () => this.savePicture(), "Save picture as a PNG"),
      button("copy-python", "Copy as Python", () => this.copyPython(), "Copy as Python code that makes this explorer"),
    ].filter(Boolean));
    this.element = h("div.share", {}, this.row, this.note, this.field);
    if (!atHome) return;
    this.open();
    window.addEventListener("hashchange", () => location.reload());
  }

  say(text, wrong = false) {
    this.note.className = wrong ? "bx-message" : "bx-note";
    setText(this.note, text);
    this.unfold();
  }

  /** What is said must be seen. */
  unfold() {
    const fold = this.element?.closest("details");
    if (fold && this.note.textContent) fold.open = true;
  }

  // Links ............................................................................................................

  /** Begin with what the link says, if all of it makes sense. */
  open() {
    const { store } = this.app;
    if (location.hash.length < 2) return;
    try {
      const { hide, ...state } = readLink(this.codecs, location.hash.slice(1), this.saved);
      if (!this.app.accepts(state)) throw new Error("its values do not go together");
      store.begin(state);
      this.hide = hide.map(String);
    } catch (error) {
      const why = error instanceof URIError ? "it was cut off or changed on the way" : error.message;
      this.say(`This link cannot be used: ${why}. The page is shown as it was saved.`, true);
    }
  }

  /** Hide what the link says, also what comes later, once the page is made. */
  hideParts() {
    const parts = [...this.app.root.querySelectorAll("[data-hide]")];
    const names = [...new Set(parts.map((part) => part.dataset.hide))];
    const rule = (name) => `.bx-root [data-hide="${CSS.escape(name)}"] { display: none !important; }`;
    if (this.hide.length) this.element.after(h("style", {}, this.hide.map(rule).join("\n")));
    const unknown = this.hide.find((name) => !names.includes(name));
    if (unknown === undefined) return;
    this.say(`The link hides “${unknown}”, but this page only has ${names.join(", ")}.`, true);
  }

  copyLink() {
    const fragment = writeLink(this.codecs, { ...this.app.state, hide: this.hide }, this.saved);
    if (fragment.length > LONGEST_LINK) {
      return this.say(`There are too many points for a link.${this.app.constructor.linkHint ?? ""}`, true);
    }
    const [page] = location.href.split("#");
    this.copy(fragment ? `${page}#${fragment}` : page, "Link copied. It leads to this page as it is now.");
  }

  // Code and picture .................................................................................................

  copyPython() {
    const { app } = this, { name, links, pythonNames } = app.constructor;
    const { imports: others = "", before = "", source, gives = {} } = app.pythonSource() ?? {};
    const isGiven = (trait) => trait in gives && areAlike(app.state[trait], gives[trait]);
    const traits = Object.keys(links).filter((trait) => trait !== "compact" && !isGiven(trait)); // which a notebook is
    const argumentOf = (trait) => [pythonNames?.[trait] ?? trait, app.state[trait]];
    const call = pythonCall(name, Object.fromEntries(traits.map(argumentOf)), source);
    const imports = `${others}from bayeslab.explore import ${name}\n`;
    const code = `${imports}\n${before}explorer = ${call}\n${app.pythonToGo?.() ?? ""}explorer\n`;
    if (code.length > MOST_CODE) return this.say("There are too many points to write out as code.", true);
    this.copy(code, "Code copied. Paste it into a notebook cell.");
  }

  /** Into the clipboard or, where the browser does not let us, into a field from which it can be copied. */
  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.field.hidden = true;
      this.say(done);
    } catch {
      this.field.hidden = false;
      this.field.value = text;
      this.field.focus();
      this.field.select();
      this.say("This page may not write to the clipboard. The text is selected: press Ctrl+C, or ⌘C on a Mac.");
    }
  }

  async savePicture() {
    const { app } = this, seen = app.stages.filter(({ canvas }) => canvas.clientWidth);
    app.drawFinely();
    const words = seen.map((stage) => stage.words()).join(" ");
    const picture = joined(seen.map(({ canvas }) => canvas), getComputedStyle(app.root).backgroundColor);
    const blob = await new Promise((done) => { picture.toBlob(done, "image/png"); });
    const png = describedPNG(new Uint8Array(await blob.arrayBuffer()), words);
    const url = URL.createObjectURL(new Blob([png], { type: "image/png" }));
    h("a", { href: url, download: `${app.pictureName()}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1e4);
    this.say("The picture is in your downloads, with a description for screen readers.");
  }
}

/** Whether two values, or nested lists of them, are the same but for the last digits of numbers. */
function areAlike(a, b) {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, i) => areAlike(value, b[i]));
  const areNumbers = typeof a === "number" && typeof b === "number";
  return a === b || (areNumbers && Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)));
}

/** Canvases as they stand on the page, in one. */
function joined(canvases, background) {
  const boxes = canvases.map((canvas) => canvas.getBoundingClientRect()), ratio = canvases[0].width / boxes[0].width;
  const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
  const whole = document.createElement("canvas"), context = whole.getContext("2d");
  whole.width = Math.round(ratio * (Math.max(...boxes.map((box) => box.right)) - left));
  whole.height = Math.round(ratio * (Math.max(...boxes.map((box) => box.bottom)) - top));
  context.fillStyle = background;
  context.fillRect(0, 0, whole.width, whole.height);
  canvases.forEach((canvas, i) => {
    context.drawImage(canvas, Math.round(ratio * (boxes[i].left - left)), Math.round(ratio * (boxes[i].top - top)));
  });
  return whole;
}
