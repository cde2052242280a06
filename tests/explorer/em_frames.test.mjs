// A long run of the EM explorer goes on from frame to frame while a start is dragged.

import assert from "node:assert/strict";
import test from "node:test";
import { evaluateEM } from "../../bayeslab/explore/js/em_evaluation.js";

const points = Array.from({ length: 90 }, (_, i) => [3 * (i % 3) + Math.sin(i * i), (i % 2) + Math.cos(7 * i)]);
const HERE = { points, starts: [[0, 0], [3, 0], [4, 1]], sizes: [1, 1, 1], step: 1e4 };
const THERE = { ...HERE, starts: [[1, 1], [3, 0], [4, 1]] }, ELSEWHERE = { ...HERE, starts: [[2, 2], [3, 0], [4, 1]] };
const WORK = 90 * 3 * 5; // five iterations a frame

const historyOf = ({ run }) => run.history.map(({ means, logLikelihood }) => [means, logLikelihood]);

/** Frames until the run is that from the starts. */
function framesOf(state, before) {
  const frames = [evaluateEM(state, before, WORK)];
  while (frames.at(-1).isBehind) frames.push(evaluateEM(state, frames.at(-1), WORK));
  return frames;
}

test("what comes out after some frames is what comes out at once", () => {
  const before = evaluateEM(HERE), whole = evaluateEM(THERE), frames = framesOf(THERE, before);
  assert.equal(frames.length, Math.ceil(whole.run.history.length / 5));
  assert.ok(frames.length > 2);
  for (const frame of frames.slice(0, -1)) assert.deepEqual(historyOf(frame), historyOf(before));
  assert.deepEqual(historyOf(frames.at(-1)), historyOf(whole));
  assert.deepEqual(frames.at(-1).shares, whole.shares);
});

test("the start on the screen is where the starts are", () => {
  const first = evaluateEM({ ...THERE, step: 0 }, evaluateEM({ ...HERE, step: 0 }), WORK);
  assert.ok(first.isBehind);
  assert.deepEqual(first.now.means, THERE.starts);
  assert.equal(first.now.logLikelihood, evaluateEM({ ...THERE, step: 0 }).now.logLikelihood);
  const second = evaluateEM({ ...ELSEWHERE, step: 0 }, first, WORK); // of which no run has begun yet
  assert.deepEqual(second.now.means, ELSEWHERE.starts);
});

test("a run under way ends before the next begins, or no run would ever end during a drag", () => {
  const first = evaluateEM(THERE, evaluateEM(HERE), WORK), frames = framesOf(ELSEWHERE, first);
  const runs = frames.map(({ run }) => JSON.stringify(run.from[1])).filter((starts, i, all) => starts !== all[i - 1]);
  assert.deepEqual(runs, [HERE, THERE, ELSEWHERE].map(({ starts }) => JSON.stringify(starts)));
});

test("as long as the starts stay, their run is not made again", () => {
  const whole = evaluateEM(HERE), first = evaluateEM(THERE, whole, WORK);
  assert.equal(evaluateEM({ ...HERE, step: 3 }, whole).run, whole.run);
  assert.equal(evaluateEM(THERE, first).run, first.next); // let go: goes on from where it was
});

test("once it is let go, the run is whole at once, and so it is with other points or components", () => {
  const first = evaluateEM(THERE, evaluateEM(HERE), WORK);
  assert.deepEqual(historyOf(evaluateEM(ELSEWHERE, first)), historyOf(evaluateEM(ELSEWHERE)));
  for (const other of [
    { ...THERE, starts: THERE.starts.slice(1), sizes: [1, 1] },
    { ...THERE, points: points.map(([x, y]) => [x + 1, y]) },
  ]) {
    const shown = evaluateEM(other, first, WORK);
    assert.ok(!shown.isBehind);
    assert.deepEqual(historyOf(shown), historyOf(evaluateEM(other)));
  }
});
