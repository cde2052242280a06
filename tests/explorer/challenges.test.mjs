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
