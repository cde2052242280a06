// The state of an explorer and its history: node --test tests/explorer/
import assert from "node:assert/strict";
import test from "node:test";

import { Store } from "../../bayeslab/explore/js/kit/store.js";

/** A model as anywidget has one, of two traits. */
function modelOf(values) {
  const listeners = new Map(), model = { values, saved: 0 };
  model.get = (name) => values[name];
  model.set = (name, value) => { values[name] = value; listeners.get(name)?.(); };
  model.on = (event, react) => listeners.set(event.replace("change:", ""), react);
  model.off = (event) => listeners.delete(event.replace("change:", ""));
  model.save_changes = () => { model.saved++; };
  model.listeners = listeners;
  return model;
}

function storeOf(values = { a: 1, b: [1] }) {
  const model = modelOf(values), origins = [], judgements = [];
  const changed = (before, origin) => origins.push(origin), judged = (refused) => judgements.push(refused);
  const store = new Store(model, Object.keys(values), ({ a }) => a >= 0, changed, judged);
  return { store, model, origins, judgements };
}

test("what is refused changes nothing", () => {
  const { store, model, origins } = storeOf(), { state } = store;
  assert.equal(store.update({ a: -1 }), false);
  assert.equal(store.state, state);
  assert.deepEqual([model.values.a, origins, store.canUndo], [1, [], false]);
});

test("what is as it was makes no step", () => {
  const { store } = storeOf();
  assert.equal(store.update({ b: [1] }), true);
  assert.equal(store.canUndo, false);
});

test("values are compared to the last number, whatever they are", () => {
  const points = [[1, 2, 0], [3, 4, 1]], { store } = storeOf({ a: 1, b: points });
  for (const [b, other] of [[[[1, 2, 0], [3, 4, 1]], false], [points.slice(1), true], [[[1, 2, 0], [3, 4, 0]], true],
    [[[1, 2], [3, 4, 1]], true], [null, true], ["points", true]]) {
    assert.equal(store.differs({ b }, store.state, "b"), other);
  }
});

test("undo and redo go back and forth, on the screen and in the model", () => {
  const { store, model, origins } = storeOf();
  store.update({ a: 2 });
  store.update({ b: [3] });
  store.undo();
  assert.deepEqual([store.state, model.values], [{ a: 2, b: [1] }, { a: 2, b: [1] }]);
  store.undo();
  store.undo(); // there is nothing left
  assert.deepEqual(store.state, { a: 1, b: [1] });
  store.redo();
  store.redo();
  assert.deepEqual([store.state, model.values], [{ a: 2, b: [3] }, { a: 2, b: [3] }]);
  assert.deepEqual(origins, ["screen", "screen", ...Array(4).fill("history")]);
  store.undo();
  store.update({ a: 9 }); // what was undone is gone
  assert.equal(store.canRedo, false);
});

test("a drag is one step, however long it takes, and the next one another", () => {
  const { store } = storeOf();
  for (const values of [[2, 3, 4], [5, 6]]) {
    store.hold();
    for (const a of values) {
      store.when = -1e9; // long ago
      store.update({ a }, "handle");
    }
    store.release();
  }
  store.undo();
  assert.equal(store.state.a, 4);
  store.undo();
  assert.equal(store.state.a, 1);
});

test("a drag that is cancelled leaves no trace", () => {
  const { store, model } = storeOf();
  store.update({ a: 2 });
  store.update({ a: 3 });
  store.undo();
  store.hold();
  store.update({ a: 7 }, "handle");
  store.update({ a: 8 }, "handle");
  store.undo(); // not while something is held
  assert.equal(store.state.a, 8);
  assert.equal(store.cancel(), true);
  assert.deepEqual([store.state.a, model.values.a, store.canRedo], [2, 2, true]);
  store.redo();
  assert.equal(store.state.a, 3);
  assert.equal(store.cancel(), false);
});

test("a key that is pressed again and again is one step, after a pause another", () => {
  const { store } = storeOf();
  for (const a of [2, 3, 4]) store.update({ a }, "handle");
  store.update({ a: 5 }, "other handle");
  store.update({ a: 6 }, "handle");
  store.when -= 1e4;
  store.update({ a: 7 }, "handle");
  const seen = [];
  while (store.canUndo) {
    store.undo();
    seen.push(store.state.a);
  }
  assert.deepEqual(seen, [6, 5, 4, 1]);
});

test("an echo of what was sent does not undo what is newer, and makes no step of the history", () => {
  const { store, model } = storeOf();
  store.hold();
  store.update({ a: 2 }, "drag");
  store.save();
  store.update({ a: 3 }, "drag");
  model.set("a", 2); // the echo
  assert.deepEqual([store.state.a, model.values.a], [3, 3]);
  model.set("b", [5]); // what Python sets meanwhile is followed
  assert.deepEqual([store.state, model.values], [{ a: 3, b: [5] }, { a: 3, b: [5] }]);
  store.save();
  model.set("a", 4);
  assert.equal(store.state.a, 4);
  store.cancel();
  assert.equal(store.state.a, 1);
});

test("what Python sets is refused for as long as it makes no sense, and what does make sense is followed meanwhile", () => {
  const { store, model, origins, judgements } = storeOf();
  model.set("a", -5);
  model.set("b", [2]);
  assert.deepEqual([store.state, model.values.a, judgements], [{ a: 1, b: [2] }, -5, [true]]);
  model.set("a", -6);
  store.update({ b: [3] });
  assert.deepEqual([store.state, model.values, judgements], [{ a: 1, b: [3] }, { a: -6, b: [3] }, [true]]);
  model.set("b", [3]); // the echo
  model.set("a", 4);
  assert.deepEqual([store.state, judgements], [{ a: 4, b: [3] }, [true, false]]);
  store.undo(); // what Python sets can be undone
  assert.deepEqual([store.state, model.values.a], [{ a: 1, b: [3] }, 1]);
  store.save();
  model.set("a", -5);
  model.set("a", 1); // as it is on the screen
  assert.deepEqual([store.state.a, judgements], [1, [true, false, true, false]]);
  model.set("a", -5);
  store.update({ a: 3 }); // the screen has the last word
  assert.deepEqual([store.state.a, model.values.a, judgements.slice(4)], [3, 3, [true, false]]);
  assert.deepEqual(origins, ["model", "screen", "model", "history", "screen"]);
});

test("what was changed is saved in the end, and nobody listens any more", () => {
  const { store, model } = storeOf();
  store.update({ a: 2 });
  store.destroy();
  assert.equal(model.saved, 1);
  assert.equal(model.listeners.size, 0);
});
