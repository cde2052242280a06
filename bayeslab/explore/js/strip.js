// The strip of challenges: a button for each, in groups, with a tick on those that are done.

import { h, setText } from "./kit/dom.js";
import { button } from "./kit/controls.js";
import { goAlong, stopAt } from "./kit/tabs.js";
import { CURVES } from "./challenges/curves.js";
import { KNOWN } from "./challenges/known.js";

export class Strip {
  constructor(challenges, begin) {
    this.ticks = challenges.map((one) => h("button.tick", {
      type: "button", "data-bx": `challenge-${one.id}`, title: one.title, onclick: () => begin(one.id),
    }));
    this.challenges = challenges;
    const groupOf = (one) => (CURVES.includes(one) ? "curves" : KNOWN.includes(one) ? "errors" : "learning");
    const list = h("div.groups", {}, ...[...Map.groupBy(challenges, groupOf)].map(([name, those]) => h(
      "div.group", { role: "group", "aria-label": name }, h("small", { "aria-hidden": "true" }, name),
      ...those.map((one) => this.ticks[challenges.indexOf(one)]),
    )));
    goAlong(list);
    this.count = h("strong");
    this.fold = button("challenges", "", () => this.toggle(this.fold.getAttribute("aria-expanded") === "false"));
    const attributes = { "aria-label": "Challenges", "data-hide": "challenges" };
    this.progress = h("strong.progress", { "data-hide": "challenges" }); // above the plot, where the list is beside it
    this.element = h("nav.strip", attributes, this.count, this.fold, list);
    this.close();
  }

  /** On a phone the strip is one button, which opens the list. */
  toggle(isOpen) {
    this.fold.setAttribute("aria-expanded", isOpen);
    this.element.toggleAttribute("data-open", isOpen);
  }

  close() { this.toggle(false); }

  write(current, met) {
    const { challenges, ticks } = this, done = `${met.size} of ${challenges.length} done`;
    for (const each of [this.count, this.progress]) setText(each, done);
    for (const each of [this.element, this.progress]) each.style.setProperty("--done", met.size / challenges.length);
    setText(this.fold, `${done} ▾`);
    this.fold.setAttribute("aria-label", `${done}: all challenges`);
    challenges.forEach(({ id, title }, i) => {
      setText(ticks[i], met.has(id) ? "✓" : String(i + 1));
      ticks[i].toggleAttribute("data-met", met.has(id));
      ticks[i].setAttribute("aria-label", `${met.has(id) ? "✓ " : ""}${i + 1} ${title}${met.has(id) ? ", done" : ""}`);
      ticks[i].setAttribute("aria-current", challenges[i] === current);
    });
    if (!ticks.includes(document.activeElement)) stopAt(ticks, ticks[challenges.indexOf(current)]);
  }
}
