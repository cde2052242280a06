// Each challenge is not met where it starts, and met by its solution: node --test tests/explorer/
import assert from "node:assert/strict";
import test from "node:test";

import { CHALLENGES, factsOf, isMet, makesSense, solutionOf, startOf } from "./challenge_facts.mjs";

test("there are twenty challenges at least, and no two have the same name", () => {
  assert.ok(CHALLENGES.length >= 20);
  for (const name of ["id", "title", "task"]) {
    assert.equal(new Set(CHALLENGES.map((challenge) => challenge[name])).size, CHALLENGES.length);
  }
});

for (const challenge of CHALLENGES) {
  const start = startOf(challenge), solution = solutionOf(challenge);

  test(`${challenge.id}: not met at the start, met by the solution`, () => {
    assert.ok(makesSense(start) && makesSense(solution));
    assert.equal(isMet(challenge, factsOf(start)), false);
    assert.equal(isMet(challenge, factsOf(solution)), true);
  });

  // What the task says must stay: the goal alone would not notice.
  for (const name of challenge.keeps ?? []) {
    test(`${challenge.id}: not met if the ${name} are others`, () => {
      const others = structuredClone(solution);
      if (name === "mode") others.mode = "truth";
      else others[name] = [...others[name].slice(1), others[name][0]].map((one) => structuredClone(one));
      if (JSON.stringify(others[name]) === JSON.stringify(solution[name])) others[name] = others[name].slice(1);
      assert.equal(isMet({ ...challenge, goal: () => true }, factsOf(solution)), true);
      assert.equal(isMet({ ...challenge, goal: () => true }, factsOf(others)), false);
    });
  }
}

// No limit that a pixel misses: means a hundredth off, ellipses a hundredth larger.
for (const challenge of CHALLENGES) {
  const free = (name) => !(challenge.keeps ?? []).includes(name);
  test(`${challenge.id}: its goal leaves room for a hand`, () => {
    const near = solutionOf(challenge), larger = (S) => S.map((row) => row.map((value) => 1.01 * value));
    if (free("means")) near.means = near.means.map(([x, y], k) => [x + 0.01 * k, y - 0.01 * k]);
    if (free("covariances")) near.covariances = near.covariances.map(larger);
    assert.equal(isMet(challenge, factsOf(near)), true);
  });
}

test("the curve that a hand meant has the name of the curve without the tremor", () => {
  const curves = {
    "line": [1, 1], "two lines": [2.25, 1], "parabola": [1, 2.25], "ellipse": [2.25, 4], "hyperbola": [2.25, 0.5625],
  };
  const { start } = CHALLENGES.find(({ id }) => id === "parabola");
  for (const [kind, [a, c]] of Object.entries(curves)) {
    const scene = (means, S) => startOf({ start: { ...start, means, covariances: [start.covariances[0], S] } });
    const exact = factsOf(scene(start.means, [[a, 0], [0, c]]));
    assert.deepEqual([exact.kind, exact.kindByHand], [kind, kind]);
    const trembling = factsOf(scene([[-1.54, 0.03], [1.48, -0.05]], [[a + 0.04, 0.05], [0.05, c - 0.03]]));
    assert.ok(["ellipse", "hyperbola"].includes(trembling.kind));
    assert.equal(trembling.kindByHand, kind);
  }
});

test("two conics cross where they should, and a corner counts once", () => {
  const { start } = CHALLENGES.find(({ id }) => id === "corners"), together = [[0, 0], [0, 0], [0, 0]];
  const shapes = [[1, 1], [6, 1], [1, 6]].map(([a, c]) => [[a, 0], [0, c]]);
  const side = Math.sqrt(1.2 * Math.log(6)); // where ln N(x; 0, I) = ln N(x; 0, diag(6, 1))
  const found = factsOf(startOf({ start: { ...start, means: together, covariances: shapes } })).corners;
  assert.equal(found.length, 4);
  for (const place of found) for (const value of place) assert.ok(Math.abs(Math.abs(value) - side) < 1e-9);
  assert.equal(factsOf(startOf({ start })).corners.length, 1);
  const far = [[-30, -30], [-26, -30], [-28, -27]];
  assert.equal(factsOf(startOf({ start: { ...start, means: far } })).corners.length, 0);
});
