// What the controls do.

import { withPrior } from "./math/estimate.js";
import { isBetween, RULES } from "./rules.js";
import { MOST_CLASSES, MOST_NEIGHBOURS, MOST_POINTS } from "./constants.js";
import { h, markerOf, setField, setText, wholeNumber } from "./kit/dom.js";
import { button, checkbox, choice, closeAsMenu, slider } from "./kit/controls.js";
import { Tabs } from "./kit/tabs.js";
import { Picture } from "./picture.js";
import { LAYERS, LAYOUT, MODES, TOOLS } from "./layout.js";

export class Panel {
  constructor(app) {
    this.app = app;
    this.activeClass = 0;
    this.id = `bx-${Math.random().toString(36).slice(2, 8)}`; // radio buttons of two explorers on a page stay apart
    app.live.insertAdjacentHTML("beforebegin", LAYOUT);
    this.addChoices();
    this.addButtons();
    this.parts = Object.fromEntries([...app.root.querySelectorAll("[data-bx]")].map((part) => [part.dataset.bx, part]));
    this.shared = slider(app, { name: "shared", label: "shared", min: 0, max: 1, step: 0.05 });
    this.parts.between.append(this.shared.element);
    this.makeMultiples();
    this.makeTabs();
    closeAsMenu(this.parts.more, app.root);
    app.root.addEventListener("change", ({ target }) => this.onChange(target));
  }

  // Controls .........................................................................................................

  /** Put a control where the layout has its name. */
  put(control) {
    const element = control.element ?? control;
    this.app.root.querySelector(`[data-at="${element.dataset.hide}"]`).replaceWith(element);
    if (control.refresh) this.app.controls.push(control);
  }

  addChoices() {
    const { app } = this, rules = Object.fromEntries(Object.keys(RULES).map((rule) => [rule, rule]));
    this.put(choice(app, { name: "rule", label: "Rule", options: rules }));
    this.put(choice(app, { name: "mode", label: "Densities", options: MODES }));
    this.put(choice(app, {
      name: "tool", label: "Tool", options: TOOLS, get: () => app.stage.tool, choose: (tool) => this.useTool(tool),
    }));
    for (const [name, label] of Object.entries(LAYERS)) this.put(checkbox(app, { name, label }));
  }

  addButtons() {
    const { app } = this, equal = () => app.state.means.map((_, k, { length: K }) => 1 / K);
    const countOf = (k) => app.state.points.filter((point) => point[2] === k).length;
    const shares = () => app.state.means.map((_, k) => countOf(k) / app.state.points.length);
    const others = () => app.state.points.filter((point) => point[2] !== this.activeClass);
    for (const [name, text, act, label] of [
      ["zoom-out", "−", () => app.zoom(1.25), "Zoom out"],
      ["zoom-in", "+", () => app.zoom(0.8), "Zoom in"],
      ["fit", "Fit", () => app.lookAtAll(), "Fit the window to classes and points"],
      ["add-class", "Add a class", () => app.addClass()],
      ["priors-equal", "Equal priors", () => app.update({ priors: equal() })],
      ["priors-sample", "As in the sample", () => app.update({ priors: app.state.points.length ? shares() : equal() })],
      ["draw", "Draw", () => this.drawSample(this.parts["draw-count"])],
      ["clear", "Delete all points", () => app.update({ points: [] })],
      ["clear-class", "Delete those of the chosen class", () => app.update({ points: others() })],
    ]) this.put(button(name, text, act, label));
  }

  drawSample(field) {
    const most = `At most ${MOST_POINTS} points are drawn; more would make dragging slow.`;
    setText(this.parts.message, field.valueAsNumber > MOST_POINTS ? most : "");
    field.value = wholeNumber(field, MOST_POINTS);
    this.app.drawSample(Number(field.value));
  }

  onChange(input) {
    const { app } = this, { bx } = input.dataset;
    if (bx === "k") app.update({ k: (input.value = wholeNumber(input, MOST_NEIGHBOURS)) && Number(input.value) });
    else if (bx.startsWith("active")) this.activeClass = Number(input.value);
  }

  /** Bring what has no `refresh` of its own in line with the state. */
  refresh() {
    const { app, parts } = this, { state } = app;
    if (document.activeElement !== parts.k) setField(parts.k, { value: state.k });
    const names = JSON.stringify([state.class_names, app.styles]);
    if (this.names !== names) this.listClasses(names);
    this.priors.forEach((inputs, k) => inputs.forEach((input) => {
      const typing = input.type === "number" && document.activeElement === input;
      if (!typing) setField(input, { value: shortPrior(state.priors[k]) });
    }));
    parts["add-class"].disabled = state.means.length >= MOST_CLASSES;
    for (const [name, isShown] of [
      ["neighbours", state.side_by_side || state.rule === "kNN"],
      ["between", state.side_by_side || isBetween(state.rule)], ["cut-card", state.show_cut],
    ]) parts[name].toggleAttribute("hidden", !isShown); // set anew, `hidden` would make the page be styled anew
    if (this.compact !== state.compact) this.arrange(this.compact = state.compact);
    if (state.side_by_side !== (this.tabs.name === "multiples")) {
      if (state.side_by_side) this.tabs.show("multiples");
      else this.tabs.back();
    }
    this.shared.refresh(state);
    for (const { element, rule } of this.items) element.setAttribute("aria-pressed", rule === state.rule);
  }

  /** In a lecture there is no room for the tools: what leads back stands beside the rules. */
  arrange(compact) {
    const { parts, app } = this;
    if (compact) parts["side-place"].parentElement.before(parts.rules);
    else parts["rules-place"].append(parts.rules);
    (compact ? parts.rules : parts.tools).append(parts.history, parts.more);
    parts[compact ? "history" : "more-row"].append(...app.rareButtons(compact));
    if (app.tables) parts[compact ? "share-place" : "table-place"].append(app.tables.element);
  }

  useTool(tool) {
    this.app.stage.useTool(tool);
    if (tool === "add") this.tabs.choose("classes-panel"); // which says of which class the points are
  }

  // Tabs and folds ...................................................................................................

  makeTabs() {
    const { app, parts } = this;
    const panels = [...parts["side-place"].querySelectorAll("[data-tab]")];
    const opened = (name) => {
      const side_by_side = name === "multiples";
      if (side_by_side !== app.state.side_by_side) app.update({ side_by_side });
    };
    const hidden = panels.filter(({ dataset }) => app.hides(dataset.hide)).map(({ dataset }) => dataset.bx);
    const passing = ["multiples", ...hidden], memory = `${app.constructor.name} tab`;
    this.tabs = new Tabs(panels, { label: "Panels", memory, opened, passing });
    panels[0].before(this.tabs.element);
  }

  // Classes ..........................................................................................................

  /** A row for each class: marker, name, prior, remove; the radio button says to which class new points go. */
  listClasses(names) {
    const { state } = this.app;
    this.names = names;
    this.activeClass = Math.min(this.activeClass, state.means.length - 1);
    this.priors = [];
    const { classes } = this.parts, focused = classes.contains(document.activeElement);
    classes.replaceChildren(...state.class_names.map((name, k) => this.classRow(name, k)));
    if (focused) classes.querySelector(":checked").focus();
  }

  classRow(name, k) {
    const { app } = this;
    let before = app.state.priors; // as they were when typing began
    const set = ({ target: input }) => {
      const prior = input.valueAsNumber, possible = prior >= 0 && prior <= 1;
      if (possible || prior < 0 || prior > 1) { // and not half a number
        app.update({ priors: possible ? withPrior(before, k, prior) : before }, `prior ${k}`);
      }
      setText(this.parts["prior-message"], possible || Number.isNaN(prior) ? "" : noPrior(input.value));
    };
    const field = (type, step) => h("input", {
      type, step, min: 0, max: 1, "data-bx": `prior-${type}-${k}`, "aria-label": `Prior of class ${name}`, oninput: set,
      onfocus: () => { before = app.state.priors; },
      onchange: ({ target }) => { target.value = shortPrior(app.state.priors[k]); },
    });
    this.priors.push([field("range", 0.01), field("number", "any")]);
    const active = h("input", {
      type: "radio", name: `${this.id}-class`, value: k, checked: k === this.activeClass, "data-bx": `active-${k}`,
      "aria-label": `Add points to class ${name}`, title: "Added points go to this class",
    });
    const remove = h("button.button", {
      type: "button", "data-bx": `remove-${k}`, "aria-label": `Remove class ${name}`,
      disabled: app.state.means.length <= 2, onclick: () => app.removeClass(k),
    }, "×");
    const label = h("label.name", {}, active, markerOf(app.styles[k]), h("span.label", { title: name }, String(name)));
    return h("div.class", {}, label, ...this.priors[k], remove);
  }

  makeMultiples() {
    this.items = Object.keys(RULES).map((rule) => {
      const canvas = h("canvas", { "aria-hidden": "true" }), caption = h("span.caption");
      const element = h("button.multiple", {
        type: "button", "data-bx": `multiple-${rule}`, disabled: this.app.hides("rule"),
        onclick: () => this.app.update({ rule }),
      }, canvas, h("b", {}, rule), caption);
      return { rule, element, caption, canvas, picture: new Picture(canvas, [0, 0, 0, 0]) };
    });
    this.parts.multiples.style.setProperty("--rules", this.items.length);
    this.parts.multiples.append(...this.items.map(({ element }) => element));
  }

  drawMultiple({ rule, picture, canvas }, scene) {
    if (!canvas.clientWidth) return; // hidden, as in a lecture
    picture.aspect = this.app.stage.viewport.height / this.app.stage.viewport.width;
    picture.draw({ ...scene, evaluation: this.app.ruleOf(rule) }, canvas.clientWidth);
  }
}

const noPrior = (text) =>
  `A prior is a probability, from 0 to 1, so it cannot be ${text.replace("-", "−")}. Nothing was changed.`;

/** A prior to three digits after the point; a small one, which is not 0, to three digits. */
const shortPrior = (prior) => Number(prior < 0.1 ? prior.toPrecision(3) : prior.toFixed(3));
