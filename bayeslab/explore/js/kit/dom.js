// Elements of the page.

import { clamp } from "../math/numbers.js";
import { MARKERS } from "./theme.js";

export const FOCUSABLE = "button, input, select, textarea, summary, [tabindex]";

/** JupyterLab takes arrow keys and letters for commands, unless the focused element itself says that it needs them. */
export function keepKeys(element) {
  element.dataset.lmSuppressShortcuts = "true";
}

/** Whether a key goes into a text, which also has a history of its own, or chooses from a list. */
export const isTyping = ({ target }) => target.matches("textarea, select, input[type=number], input[type=text]");

/** An element: h("button.name", { attribute: value, onclick }, children). */
export function h(kind, properties = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  element.className = classes.map((name) => `bx-${name}`).join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value);
  }
  if (element.matches(FOCUSABLE)) keepKeys(element);
  element.append(...children);
  return element;
}

/** A word of a text that lights up what it names in the plots: handles "mean" and "ring", or the `part` of a stroke. */
export const term = (text, lights) => h("span", { "data-lights": lights, tabindex: 0 }, text);

/** "Drag the [boundary|line]" as a text in which "line" is a term that lights up "boundary". */
export const withTerms = (text) => text.split(/\[([^\]|]+\|[^\]]+)\]/).map((piece, i) =>
  (i % 2 ? term(...piece.split("|").reverse()) : piece));

/** Change a text only if it changes: a status that is set is read out, even if it says the same. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Write a number in large, and in small what stands behind it in brackets. */
export function setNumber(place, text) {
  const [share, more] = text.split(/ (?=\()/);
  if (place.textContent === text) return;
  place.replaceChildren(h("b", {}, share), ...(more ? [" ", h("small", {}, more)] : []));
}

/** Give a field its value, ends or step only where they change: each that is set is styled anew, even if it is the same. */
export function setField(field, values) {
  for (const [name, value] of Object.entries(values)) if (field[name] !== String(value)) field[name] = value;
}

/** Marker number i as a small picture in its colour. */
export function markerOf(i, size = 16) {
  const holder = h("span.marker");
  holder.innerHTML = `<svg viewBox="-8 -8 16 16" width="${size}" height="${size}" aria-hidden="true">
    <path d="${MARKERS[i]}" fill="var(--class-${i})"/></svg>`;
  return holder;
}

/** The number in a field, made whole and brought between 1 and `most`. */
export const wholeNumber = (field, most) => clamp(Math.round(field.valueAsNumber) || 1, 1, most);
