// Controls: each an element of the page, most with a function that brings it in line with the state.

import { clamp } from "../math/numbers.js";
import { h } from "./dom.js";
import { readable } from "./text.js";

export const button = (name, text, act, label = text) =>
  h("button.button", {
    type: "button", "data-bx": name, "data-hide": name, "aria-label": label, title: label, onclick: act,
  }, text);

/**
 * A slider and a field for a number { name, label, min, max, step, get, set }: `get(state)` is the number, `set(number,
 * state)` the changes that make it so; without them it is the trait `name` itself. `max` may be a function. The field
 * takes any number between `min` and `max`, whatever the step: for a trait that is whole, `set` must round.
 */
export function slider(app, { name, label, min, max, step, ...own }) {
  const { get = (state) => state[name], set = (value) => ({ [name]: value }) } = own;
  const most = typeof max === "function" ? max : () => max;
  const change = ({ target }) => {
    const value = target.valueAsNumber, within = clamp(value, min, most());
    if (!Number.isFinite(value)) return;
    if (within !== value) target.value = within; // what is used is what stands there
    app.update(set(within, app.state), name);
  };
  const field = (type, step, label) =>
    h("input", { type, min, max: most(), step, "data-bx": `${name}-${type}`, "aria-label": label, oninput: change });
  const range = field("range", step, label), number = field("number", "any", `${label}, as a number`);
  const shown = (state) => readable(get(state), most() - min);
  const refresh = (state) => {
    const value = shown(state);
    range.max = number.max = most();
    range.value = value;
    if (document.activeElement !== number) number.value = value;
  };
  range.id = `bx-${Math.random().toString(36).slice(2, 8)}`; // two explorers on a page stay apart
  number.addEventListener("change", () => { number.value = shown(app.state); });
  const text = h("label", { for: range.id, "aria-hidden": "true" }, label); // read out with its fields already
  return { element: h("div.slider", { "data-hide": name }, text, range, number), refresh };
}

/**
 * One of several { name, label, options, get, choose }: `options` are texts by value. `get(state)` is the value now,
 * `choose(value)` makes it another; without them it is the trait `name` itself.
 */
export function choice(app, { name, label, options, ...own }) {
  const { get = (state) => state[name], choose = (value) => app.update({ [name]: value }) } = own;
  const group = `bx-${Math.random().toString(36).slice(2, 8)}`; // two explorers on a page stay apart
  const inputs = Object.keys(options).map((value) => h("input", {
    type: "radio", name: group, value, "data-bx": `${name}-${value}`, onchange: () => choose(value),
  }));
  const textOf = ({ value }) => h("span", { "data-bx": `${name}-${value}-text` }, options[value]);
  const labels = inputs.map((input) => h("label", {}, input, textOf(input)));
  const refresh = (state) => { for (const input of inputs) input.checked = input.value === String(get(state)); };
  const attributes = { "data-bx": name, "data-hide": name };
  return { element: h("fieldset.switch", attributes, h("legend.hidden", {}, label), ...labels), refresh };
}

/** A box to tick for the trait `name`. */
export function checkbox(app, { name, label }) {
  const input = h("input", {
    type: "checkbox", "data-bx": name, onchange: () => app.update({ [name]: input.checked }),
  });
  const refresh = (state) => { input.checked = state[name]; };
  return { element: h("label.check", { "data-hide": name }, input, label), refresh };
}
