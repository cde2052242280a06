// Tabs above panels of which one is open; and rows of buttons that are one stop for Tab, with arrows inside.

import { h } from "./dom.js";
import { keep, kept } from "./memory.js";

const STEP_OF = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Make `chosen` the button in a row that Tab reaches. */
export function stopAt(buttons, chosen) {
  for (const button of buttons) button.tabIndex = button === chosen ? 0 : -1;
}

/** Let arrow keys, Home and End go along the buttons of a row, and call `react` with the one that gets the focus. */
export function goAlong(row, react = () => {}) {
  row.addEventListener("keydown", (event) => {
    const buttons = [...row.querySelectorAll("button")].filter((button) => button.checkVisibility());
    const { key, target } = event, at = buttons.indexOf(target), n = buttons.length;
    const to = { Home: 0, End: n - 1 }[key] ?? (at + STEP_OF[key] + n) % n;
    if (at < 0 || Number.isNaN(to) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    stopAt(buttons, buttons[to]);
    buttons[to].focus();
    react(buttons[to]);
  });
}

/**
 * Panels by their names in `data-bx`, with their words in `data-tab`. `opened(name)` is told. What is open is remembered
 * as `memory`, but for those in `passing`, which are left again by `back()`.
 */
export class Tabs {
  constructor(panels, { label, memory, opened = () => {}, passing = [] }) {
    Object.assign(this, { memory, opened, passing, panels: new Map(panels.map((panel) => [panel.dataset.bx, panel])) });
    const id = `bx-${Math.random().toString(36).slice(2, 8)}`; // two explorers on a page stay apart
    this.tabs = new Map([...this.panels].map(([name, { dataset: { hide, tab } }]) => [name, h("button.tab", {
      type: "button", role: "tab", id: `${id}-${name}`, "data-bx": `tab-${name}`, "data-hide": hide,
      onclick: () => this.choose(name),
    }, tab)]));
    for (const [name, panel] of this.panels) {
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `${id}-${name}`);
    }
    this.element = h("div.tabs", { role: "tablist", "aria-label": label }, ...this.tabs.values());
    goAlong(this.element, (tab) => tab.click());
    const lasting = panels.map(({ dataset }) => dataset.bx).filter((name) => !passing.includes(name));
    this.lasting = lasting.find((name) => name === kept(memory)) ?? lasting[0];
    this.back();
  }

  /** Open a panel because somebody wants it. */
  choose(name) {
    if (name === this.name) return;
    this.show(name);
    if (!this.passing.includes(name)) keep(this.memory, this.lasting = name);
    this.opened(name);
  }

  back() { this.show(this.lasting); }

  show(name) {
    this.name = name;
    for (const [each, panel] of this.panels) panel.toggleAttribute("data-closed", each !== name);
    for (const [each, tab] of this.tabs) tab.setAttribute("aria-selected", each === name);
    stopAt(this.tabs.values(), this.tabs.get(name));
  }
}
