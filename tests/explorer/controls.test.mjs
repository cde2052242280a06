// A slider and its field, without a browser: node --test tests/explorer/
import assert from "node:assert/strict";
import test from "node:test";

import { slider } from "../../bayeslab/explore/js/kit/controls.js";

/** As much of an element as a slider needs. */
class Element {
  constructor() { Object.assign(this, { attributes: {}, listeners: {}, dataset: {}, children: [] }); }
  setAttribute(name, value) { this.attributes[name] = value; this[name] ??= value; }
  addEventListener(type, react) { this.listeners[type] = react; }
  matches() { return false; }
  append(...children) { this.children.push(...children); }
  get valueAsNumber() { return Number(this.value); }
  type_(value) { this.value = value; this.listeners.input?.({ target: this }); }
}
globalThis.document = { createElement: () => new Element(), activeElement: null };

/** A slider of `app.state.n`, whose state is what `accepts` lets through. */
function sliderOf(options = {}, accepts = () => true, n = 5) {
  const app = { state: { n }, refused: 0 };
  app.update = (changes) => {
    if (!accepts({ ...app.state, ...changes })) return false;
    app.state = { ...app.state, ...changes };
    return true;
  };
  const { element, refresh } = slider(app, { name: "n", label: "number", min: 0, max: 10, step: 1, ...options });
  const [text, range, number] = element.children;
  const show = (changes) => refresh(app.state = { ...app.state, ...changes });
  show();
  return { app, text, range, number, show };
}

test("a slider goes back where a change is refused", () => {
  const { app, range, number } = sliderOf({}, ({ n }) => n >= 3);
  range.type_(2);
  assert.deepEqual([app.state.n, range.value, number.value], [5, 5, 5]);
  range.type_(4);
  assert.equal(app.state.n, 4);
});

test("a slider goes back where its change comes to the same", () => {
  const { app, range, number } = sliderOf({ set: (value) => ({ n: Math.max(value, 5) }) });
  app.update = () => true; // as the store does where nothing is new
  range.type_(2);
  assert.deepEqual([range.value, number.value], [5, 5]);
});

test("what is typed beyond the ends is brought there", () => {
  const { app, number } = sliderOf();
  number.type_(99);
  assert.deepEqual([app.state.n, number.value], [10, 10]);
  number.type_(-1);
  assert.equal(app.state.n, 0);
});

test("the ends hold what others have set, and do not move while the slider does", () => {
  const { app, range, number, show } = sliderOf();
  show({ n: 80 });
  assert.deepEqual([range.min, range.max, range.value], [0, 80, 80]);
  number.type_(60); // which can be typed now
  show();
  assert.deepEqual([app.state.n, range.max, number.max], [60, 80, 80]);
  show({ n: -7 });
  assert.deepEqual([range.min, range.max], [-7, 80]);
});

test("ends and step that are functions are followed, and so is the name", () => {
  let most = 10, name = "of A";
  const { text, range, show } = sliderOf({ max: () => most, step: () => most / 10, label: () => name });
  show({ n: 50 });
  assert.equal(range.max, 50);
  [most, name] = [20, "of B"];
  show({ n: 12 });
  assert.deepEqual([range.max, range.step, text.textContent, range.attributes["aria-label"]], [20, 2, "of B", "of B"]);
});
