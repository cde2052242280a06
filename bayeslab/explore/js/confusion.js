// The confusion matrix. The cell under the pointer, or the one with the focus, lights its points in the picture.

import { h, markerOf, setText } from "./kit/dom.js";

const NEXT_CELL = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class ConfusionTable {
  constructor(app, table) {
    Object.assign(this, { app, table, rows: [] });
    const on = (type, react) => table.addEventListener(type, react);
    on("pointerover", ({ target }) => this.light(target));
    on("pointerleave", () => this.light(document.activeElement));
    on("focusin", ({ target }) => this.focus(target));
    on("focusout", () => this.light(null));
    on("keydown", (event) => this.onKey(event));
  }

  /** Write counts[truth][decision], or that there are none. */
  write(counts) {
    const { state: { class_names: names }, styles } = this.app, written = JSON.stringify([names, styles]);
    if (this.written !== written) this.make(names, styles);
    this.written = written; // the cells stay while the classes do, and so does the focus
    const isEmpty = !counts || !this.app.state.points.length;
    this.table.parentElement.toggleAttribute("inert", isEmpty); // there is nothing to go to
    this.rows.forEach((row, k) => row.forEach((cell, j) => {
      setText(cell, counts ? String(counts[k][j]) : "–");
      cell.classList.toggle("bx-wrong", k !== j && counts?.[k][j] > 0);
    }));
    if (this.table.offsetWidth > this.table.parentElement.clientWidth) this.table.dataset.upright = true; // no room
  }

  make(names, styles) {
    this.app.lit = null; // the cell that lit its points goes, and no pointer leaves it
    this.app.invalidate();
    const label = (name, k) => [h("span.label", { title: name }, String(name)), markerOf(styles[k], 12)];
    const row = (name, k) => h("th", { scope: "row" }, h("span.head", {}, ...label(name, k).reverse()));
    const column = (name, k) => h("th", { scope: "col" }, h("span.head", {}, ...label(name, k)));
    this.table.dataset.upright = names.length > 3 || names.join("").length > 24; // where they are too wide
    const cell = (k, j) => h(`td${j === k ? ".right" : ""}`, { tabindex: k + j ? -1 : 0, style: `--pale: var(--pale-${styles[k]})` });
    this.rows = names.map((_, k) => names.map((_, j) => cell(k, j)));
    this.table.parentElement.style.setProperty("--rows", names.length);
    this.table.tHead.replaceChildren(h("tr", {}, h("td"), ...names.map(column)));
    this.table.tBodies[0].replaceChildren(...names.map((name, k) => h("tr", {}, row(name, k), ...this.rows[k])));
  }

  /** Row and column of a cell, null of anything else. */
  placeOf(element) {
    const k = this.rows.findIndex((row) => row.includes(element));
    return k < 0 ? null : [k, this.rows[k].indexOf(element)];
  }

  light(element) {
    this.app.lit = this.placeOf(element);
    this.app.invalidate();
  }

  focus(element) {
    const place = this.placeOf(element), names = this.app.state.class_names;
    if (!place) return;
    for (const cell of this.rows.flat()) cell.tabIndex = cell === element ? 0 : -1; // one stop for Tab
    this.light(element);
    const [truth, decision] = place.map((k) => names[k]);
    this.app.announce(() => `Highlighted: ${element.textContent} points of class ${truth} classified as ${decision}.`);
  }

  onKey(event) {
    const step = NEXT_CELL[event.key], [k, j] = this.placeOf(event.target) ?? [];
    if (!step || k === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.rows[k + step[0]]?.[j + step[1]]?.focus();
  }
}
