// Voronoi cells and ties of votes, which no oracle draws: node --test tests/explorer/
import assert from "node:assert/strict";
import test from "node:test";
import { randomNumbers } from "../../bayeslab/explore/js/math/numbers.js";
import { areBeyond, movedBetween, Neighbours } from "../../bayeslab/explore/js/math/neighbours.js";
import { countErrors, decideForAllK, groupsOf, nearestTo, sortDistances } from "../../bayeslab/explore/js/math/vote.js";
import { voronoi } from "../../bayeslab/explore/js/math/voronoi.js";

for (const n of [1, 2, 5, 40, 200]) {
  test(`${n} points: a cell holds the places that are nearest to its point, and all cells fill the window`, () => {
    const random = randomNumbers(n), inside = () => [-3 + 7 * random(), -2 + 7 * random()];
    const points = Array.from({ length: n }, (_, i) => [...inside().map((value) => 1.3 * value), i % 2]);
    const cells = voronoi(points, { x: [-3, 4], y: [-2, 5] });
    assert.ok(Math.abs(cells.reduce((total, cell) => total + area(cell), 0) - 49) < 1e-9);
    for (let draw = 0; draw < 300; draw++) {
      const place = inside();
      assert.ok(holds(cells[nearestTo(place, points, 1)[0].i], place), `${place}`);
    }
  });
}

const cross = ([x, y], [u, v], [a, b]) => (u - x) * (b - y) - (v - y) * (a - x);
const edges = (cell) => cell.map((corner, i) => [corner, cell[(i + 1) % cell.length]]);
const area = (cell) => edges(cell).reduce((total, [p, q]) => total + (p[0] * q[1] - q[0] * p[1]) / 2, 0);
const holds = (cell, place) => cell.length > 2 && edges(cell).every(([p, q]) => cross(p, q, place) > -1e-9);

test("points at one place share one cell, and points on a lattice have squares", () => {
  const window = { x: [0, 3], y: [0, 3] };
  const square = [0.5, 1.5, 2.5].flatMap((x) => [0.5, 1.5, 2.5].map((y) => [x, y, 0]));
  for (const cell of voronoi(square, window)) assert.ok(Math.abs(area(cell) - 1) < 1e-12);
  const [first, second, third] = voronoi([[1, 1, 0], [1, 1, 1], [2, 1, 0]], window);
  assert.deepEqual([area(first), second.length, area(third)], [4.5, 0, 4.5]);
  assert.equal(area(voronoi([[1, 1, 0]], window)[0]), 9);
  assert.deepEqual(voronoi([], window), []);
});

test("ties of votes and of distances go to the first class; what is left out has no vote", () => {
  const groups = groupsOf([[1, 0, 1], [-1, 0, 0], [0, 0, 1]], 2), decisions = new Uint8Array(3);
  sortDistances(groups, 0, 0);
  decideForAllK(groups, decisions);
  assert.deepEqual([...decisions], [1, 0, 1]);
  decideForAllK(groups, decisions, 1);
  assert.deepEqual([...decisions], [0, 0, 0]);
});

/** 200 points of three classes on a coarse lattice, so that many distances are equal, and what moves one of them. */
function drifting() {
  const random = randomNumbers(3), coordinate = () => Math.round(20 * random()) / 2;
  const points = Array.from({ length: 200 }, (_, i) => [coordinate(), coordinate(), i % 3]);
  const moved = (from) => {
    const i = Math.floor(from.length * random()), [x, y, label] = from[i], step = () => Math.round(4 * random() - 2) / 2;
    return from.with(i, [x + step(), y + step(), random() < 0.2 ? (label + 1) % 3 : label]);
  };
  return { points, moved, coordinate };
}

test("errors that are carried on while points move are those that are counted anew", () => {
  const { points, moved } = drifting();
  let now = points, carried = countErrors(now, 3, 20), kept = 0;
  for (let step = 0; step < 60; step++) {
    now = step % 15 === 14 ? now.slice(1) : moved(moved(now)); // a point goes, or two move
    const before = carried, anew = countErrors(now, 3, 20);
    carried = countErrors(now, 3, 20, before);
    assert.deepEqual([carried.training, carried.leftOut], [anew.training, anew.leftOut]);
    kept += now.filter((point) => carried.known.get(point) === before.known.get(point)).length;
  }
  assert.ok(kept > 60 * 100, `${kept} votes were kept`); // and most of them need not be
  assert.deepEqual(countErrors(now, 3, 30, carried).leftOut, countErrors(now, 3, 30).leftOut);
});

for (const k of [1, 7, 60]) {
  test(`a vote of ${k} stays while nothing moves within its reach`, () => {
    const { points, moved, coordinate } = drifting();
    let now = points, stayed = 0;
    for (let step = 0; step < 40; step++) {
      const next = moved(now), changed = movedBetween(now, next);
      const [old, then] = [now, next].map((list) => new Neighbours(list));
      for (let draw = 0; draw < 25; draw++) {
        const place = [coordinate() + 0.1, coordinate() + 0.2], votes = old.votes(...place, k, 3);
        assert.ok(Math.abs(old.reach - nearestTo(place, now, k).at(-1).squared) < 1e-12);
        if (!areBeyond(changed, place, old.reach)) continue;
        assert.deepEqual(then.votes(...place, k, 3), votes);
        stayed += 1;
      }
      now = next;
    }
    assert.ok(stayed > 300, `${stayed} stayed`);
  });
}

test("cells of some points are those that they have among all", () => {
  const { points } = drifting(), window = { x: [0, 10], y: [0, 10] }, isWanted = (i) => i % 7 === 0;
  const all = voronoi(points, window), some = voronoi(points, window, isWanted);
  assert.deepEqual(some, all.map((cell, i) => (isWanted(i) ? cell : [])));
});
