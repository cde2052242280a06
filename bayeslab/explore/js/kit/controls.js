// Controls: each an element of the page, most with a function that brings it in line with the state.

import { clamp } from "../math/numbers.js";
import { h, setField, term } from "./dom.js";
import { readable } from "./text.js";
import { MARKERS } from "./theme.js";

export const button = (name, text, act, label = text) =>
  h("button.button", {
    type: "button", "data-bx": name, "data-hide": name, "aria-label": label, title: label, onclick: act,
  }, text);

/** Close a fold as a menu closes: by Escape, or when somebody clicks or moves elsewhere in the explorer. */
export function closeAsMenu(fold, root) {
  const close = ({ target }) => { if (!fold.contains(target)) fold.open = false; };
  for (const type of ["pointerdown", "focusin"]) root.addEventListener(type, close);
  fold.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !fold.open) return;
    event.stopPropagation();
    fold.open = false;
    fold.firstElementChild.focus();
  });
}

/**
 * A slider and a field for a number { name, label, min, max, step, get, set }: `get(state)` is the number, `set(number,
 * state)` the changes that make it so; without them it is the trait `name` itself. `label`, `min`, `max` and `step` may
 * be functions. The field takes any number between the ends, whatever the step: for a trait that is whole, `set` must
 * round.
 */
export function slider(app, { name, label, min, max, step, ...own }) {
  const { get = (state) => state[name], set = (value) => ({ [name]: value }) } = own;
  const now = (option) => (typeof option === "function" ? option() : option);
  let ends, asked = [];
  /** Move the ends out to what Python or a drag has set; they stay there, as they must not run away from a hand. */
  const fitEnds = (value) => {
    const wanted = [now(min), now(max)];
    if (wanted.some((end, i) => end !== asked[i])) ends = asked = wanted;
    ends = [Math.min(ends[0], value), Math.max(ends[1], value)];
  };
  const change = ({ target }) => {
    const value = target.valueAsNumber, within = clamp(value, ...ends);
    if (!Number.isFinite(value)) return;
    if (within !== value) target.value = within; // what is used is what stands there
    const { state } = app;
    app.update(set(within, state), name);
    if (app.state === state) refresh(state); // it was refused, or comes to the same
  };
  const field = (type) => h("input", { type, step: "any", "data-bx": `${name}-${type}`, oninput: change });
  const range = field("range"), number = field("number");
  const shown = (state) => readable(get(state), ends[1] - ends[0]);
  const refresh = (state) => {
    const words = now(label);
    fitEnds(get(state));
    const [least, most] = ends, value = shown(state);
    if (text.textContent !== words) {
      range.setAttribute("aria-label", words);
      number.setAttribute("aria-label", `${words}, as a number`);
      text.textContent = text.title = words; // the label is cut short where there is little room
    }
    setField(range, { step: now(step), min: least, max: most, value });
    setField(number, { min: least, max: most, ...(document.activeElement !== number && { value }) });
  };
  range.id = `bx-${Math.random().toString(36).slice(2, 8)}`; // two explorers on a page stay apart
  number.addEventListener("change", () => { number.value = shown(app.state); });
  const text = h("label", { for: range.id, "aria-hidden": "true" }); // read out with its fields already
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

/**
 * What the strokes of a plot are: entries { text, color, dash, width } of lines, in one or several colours, or { text, markers } of points, numbers
 * of their styles; with `rim`, one with a rim. One that `lights` a part is a term.
 */
export function legend(entries) {
  const line = ({ color, dash = "", width = 2 }) =>
    [color].flat().map((one, i, { length }) =>
      `<path d="M${28 * i / length},0H${28 * (i + 1) / length}" stroke="${one}" stroke-width="${width}" stroke-dasharray="${dash}"/>`).join("");
  const marker = (rim) => (style, i) => `<g transform="translate(${6 + 12 * i})${rim ? " scale(.75)" : ""}">${
    [rim && 'stroke="var(--ink)" stroke-width="5.5"', rim && 'stroke="var(--background)" stroke-width="2.5"',
      `fill="var(--class-${style})"`].filter(Boolean).map((look) => `<path d="${MARKERS[style]}" ${look}/>`).join("")}</g>`;
  const items = entries.map(({ text, lights, markers, rim, ...style }) => {
    const sample = h("span.sample"), width = markers ? 12 * markers.length : 28;
    sample.innerHTML = `<svg viewBox="-1 -7 ${width + 2} 14" width="${width + 2}" height="14" aria-hidden="true"
      fill="none">${markers ? markers.map(marker(rim)).join("") : line(style)}</svg>`;
    return h("li", {}, sample, lights ? term(text, lights) : text);
  });
  return h("ul.legend", {}, ...items);
}
