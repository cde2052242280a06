// "Open a table…": a file, a drop or a paste, and the selects that choose what is shown of it.

import { button } from "../kit/controls.js";
import { h, isTyping, setText } from "../kit/dom.js";
import { chosenFrom, firstChoice, numericColumns } from "./choosing.js";
import { pandasOf } from "./pandas.js";
import { columnOf, decoded, MOST_BYTES, readTable } from "./reading.js";

const SOURCES = new WeakMap(); // what lists of points were chosen from: { table, choice, words, gives, code }
const DERIVED = ["points", "feature_names", "class_names", "classes", "means", "covariances", "priors", "mode", "mean",
  "deviation"]; // what Python's constructors make of a frame

/** The table of a data set { features, rows, labels } that is known already; its classes are `class_names`, in order. */
export function knownTable(name, { features, rows, labels, class_names = [...new Set(labels)] }) {
  const numbers = features.map((feature, j) => columnOf(feature, rows.map((row) => String(row[j]))));
  const kind = { ...columnOf("label", labels.map(String)), given: new Map(class_names.map((label) => [String(label), label])) };
  return { name, columns: labels.length ? [...numbers, kind] : numbers, n: rows.length, long: 0, isKnown: true };
}

/** Let an explorer take tables, beside those that it knows already. */
export function addTables(app, known = {}) {
  app.tables = new TablePicker(app, known);
  app.controls.push({ refresh: (state) => app.tables.refresh(state) });
}

/**
 * The part of an explorer that takes tables. Its class has `static tables`, { n_axes, labelled, most, least }, of which
 * the points are taken by `takeTable(chosen)`: it tells whether they make sense, or in a sentence why they do not.
 * Where the picker stands is up to the explorer; it is hidden by "hide=table", and then takes nothing.
 */
class TablePicker {
  constructor(app, known = {}) {
    Object.assign(this, { app, limits: app.constructor.tables, tables: new Map(Object.entries(known)) });
    this.file = h("input", { type: "file", accept: ".csv,.tsv,.txt,.dat,text/*", "data-bx": "table-file", onchange: () => {
      this.readFile(this.file.files[0]);
      this.file.value = ""; // so that the same file, mended, can be chosen again
    } });
    this.file.hidden = true;
    this.cells = h("textarea", {
      rows: 1, wrap: "off", placeholder: "or paste cells", "aria-label": "Paste cells of a spreadsheet here", "data-bx": "table-cells",
      onpaste: (event) => this.onPaste(event), onchange: () => this.readTyped(),
    });
    const open = button("open-table", "Open a table…", () => this.file.click(), "Open a table: a CSV file");
    this.select = this.selectFor("table", "Table", () => this.chooseTable());
    this.axes = (this.limits.n_axes > 1 ? ["x", "y"] : ["x"]).map((name) => this.selectFor(name, name, () => this.show()));
    this.label = this.selectFor("label", "label", () => this.show());
    this.choices = h("div.choices", {}, ...[this.select, ...this.axes, this.label].map((each) => each.parentElement));
    this.note = h("p.note", { role: "status", "data-bx": "table-note" });
    const where = app.model.standsAlone ? "Nothing leaves this browser." : "Only the points shown go to this notebook’s kernel.";
    const hands = h("span.hands", {}, "You can also drop the file here, or press Ctrl+V. "); // which a phone has not
    const hint = h("p.note", {}, hands, where);
    const row = h("div.row", {}, open, this.cells, this.file);
    this.element = h("div.table", { "data-hide": "table" }, row, this.choices, this.note, hint);
    this.listTables();
    this.watch();
    if (app.model.get("table")?.rows) this.offer(app.model.get("table"));
  }

  selectFor(name, words, onchange) {
    const select = h("select", { "data-bx": `table-${name}`, onchange });
    h("label", {}, h("span", {}, words), select);
    return select;
  }

  /** What Python has given, of which the last columns are shown. */
  offer(given) {
    const { app } = this, labels = given.labels.map((k) => given.class_names[k]), n = given.features.length;
    const table = knownTable("data", { ...given, labels });
    const choice = { axes: [...given.features.keys()].slice(-this.limits.n_axes), label: labels.length ? n : -1 };
    this.tables.set("data", table);
    this.listTables();
    SOURCES.set(app.state.points, { table, choice, words: "" });
  }

  // Where tables come from ...........................................................................................

  /** Take what is dropped on the page, in a notebook on the explorer, or pasted while nobody is writing. */
  watch() {
    const { app } = this, place = app.model.standsAlone ? document : app.root, stop = new AbortController();
    const holdsFile = (event) => event.dataTransfer?.types.includes("Files") && !this.isHidden;
    const mark = (isOver) => app.root.toggleAttribute("data-drop", isOver);
    const on = (type, react) => place.addEventListener(type, react, { signal: stop.signal });
    on("dragover", (event) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = "copy";
      mark(true);
    });
    on("dragleave", ({ relatedTarget }) => { if (!relatedTarget || !place.contains(relatedTarget)) mark(false); });
    on("drop", (event) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      event.stopPropagation();
      mark(false);
      this.readFile(event.dataTransfer.files[0]);
    });
    on("paste", (event) => { if (!isTyping(event) && !this.isHidden) this.onPaste(event); });
    this.stop = () => stop.abort();
  }

  get isHidden() {
    for (let part = this.element; part; part = part.parentElement) {
      if (part.dataset.hide && this.app.hides(part.dataset.hide)) return true;
    }
    return false;
  }

  onPaste(event) {
    const { files: [file] } = event.clipboardData, text = event.clipboardData.getData("text/plain");
    const isTable = /[\t\n\r;,]/.test(text.trim()); // and not a word
    if (!file && !isTable) return;
    event.preventDefault();
    if (isTable) this.readText(text, "pasted cells");
    else this.readFile(file);
  }

  /** Cells that came without a paste, as from the keyboard of a phone. */
  readTyped() {
    const { cells } = this, text = cells.value;
    cells.value = "";
    if (text.trim()) this.readText(text, "pasted cells");
  }

  async readFile(file) {
    if (!file) return;
    const { name, size } = file, millions = (bytes) => `${Number((bytes / 1e6).toPrecision(2))} MB`;
    try {
      if (size > MOST_BYTES) throw new Error(`${name} has ${millions(size)}, and ${millions(MOST_BYTES)} is the most: take some of its rows`);
      const { text, encoding } = decoded(new Uint8Array(await file.arrayBuffer()));
      this.readText(text, name, { ...(encoding !== "utf-8" && { encoding }) });
    } catch (error) {
      this.refuse(error instanceof DOMException ? new Error(`${name} cannot be read`) : error);
    }
  }

  /** Take over a text; where it is bad, say why and leave everything as it was. */
  readText(text, name, encoding = null) {
    let table;
    try {
      if (text.length > MOST_BYTES) throw new Error("This is too much to paste: open it as a file");
      table = { name, ...readTable(text) };
    } catch (error) {
      return this.refuse(error);
    }
    if (encoding) table.file = { name, options: { ...table.options, ...encoding } };
    this.tables.set(name, table);
    this.listTables();
    this.begin(table);
  }

  // What is shown of them ............................................................................................

  listTables() {
    const blank = h("option", { value: "" }, "Choose a data set …");
    this.select.replaceChildren(blank, ...[...this.tables.keys()].map((name) => h("option", { value: name }, name)));
    this.listColumns(null);
  }

  chooseTable() {
    const table = this.tables.get(this.select.value);
    if (table) this.begin(table);
    else this.listColumns(null);
  }

  begin(table) {
    const choice = firstChoice(table, this.limits);
    this.listColumns(table, choice);
    this.show();
  }

  /** Offer the columns of a table, and choose some. */
  listColumns(table, { axes, label } = {}) {
    const isOther = this.current !== table, { choices, select } = this;
    this.current = table;
    select.value = table?.name ?? "";
    choices.hidden = !this.tables.size;
    select.parentElement.hidden = this.tables.size === 1 && Boolean(table); // the note has its name
    for (const each of [...this.axes, this.label]) each.parentElement.hidden = !table;
    if (!table) return;
    const option = (j) => h("option", { value: j }, table.columns[j].name);
    const all = [...table.columns.keys()], blank = h("option", { value: -1 }, "Choose …");
    if (isOther) {
      for (const each of this.axes) each.replaceChildren(...numericColumns(table).map(option));
      this.label.replaceChildren(blank, ...all.map(option));
    }
    this.axes.forEach((each, i) => { each.value = axes[i] ?? -1; });
    this.label.value = label;
    this.label.parentElement.hidden = !this.limits.labelled || Boolean(table.isKnown);
  }

  /** Show the chosen columns of the current table, if that makes sense. */
  show() {
    const { app, current: table } = this;
    const axes = this.axes.filter(({ value }) => value).map(({ value }) => Number(value));
    const choice = { axes, label: Number(this.label.value) };
    try {
      const chosen = chosenFrom(table, choice, this.limits), { points, words, code } = chosen;
      const source = { table, choice, words, code };
      SOURCES.set(points, source);
      const taken = app.takeTable(chosen);
      if (taken !== true) throw new Error(taken || "These numbers are too large, too small or too much alike");
      source.gives = Object.fromEntries(DERIVED.map((trait) => [trait, app.state[trait]]));
      if (code.features.some(({ name, key }) => name !== key)) delete source.gives.feature_names;
      this.say(words);
    } catch (error) {
      this.refuse(error);
    }
  }

  refuse(error) {
    if (error.constructor !== Error) throw error; // which is none of ours
    this.say(`${error.message}. Nothing was changed.`, true);
  }

  say(text, wrong = false) {
    this.note.className = wrong ? "bx-message" : "bx-note";
    setText(this.note, text);
    this.app.reveal(this.element);
  }

  /** Follow a state that comes from a table, as Undo brings it back; points that were moved are still of its columns. */
  refresh({ points, feature_names, feature_name }) {
    const axes = String(feature_names ?? feature_name);
    const isMoved = this.source && axes === this.shown; // as is true of those that were drawn anew
    if (isMoved && !SOURCES.has(points)) SOURCES.set(points, { ...this.source, words: "", gives: null });
    const source = SOURCES.get(points);
    this.shown = axes;
    if (source === this.source) return;
    this.source = source;
    this.listColumns(source?.table ?? null, source?.choice);
    setText(this.note, source?.words ?? "");
    this.note.className = "bx-note";
  }

  /** What Python needs to make this state of the file that it came from; null if it did not, or not as it is. */
  pythonSource() {
    const { state } = this.app, { table, gives, code } = SOURCES.get(state.points) ?? {};
    if (!table?.file || !gives) return null;
    const made = pandasOf(table.file.name, table.file.options, code, state.class_names);
    return made && { ...made, gives };
  }
}
