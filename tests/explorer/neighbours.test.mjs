// Voronoi cells and ties of votes, which no oracle draws: node --test tests/explorer/
import assert from "node:assert/strict";
import test from "node:test";
import { randomNumbers } from "../../bayeslab/explore/js/math/numbers.js";
import { decideForAllK, groupsOf, nearestTo, sortDistances } from "../../bayeslab/explore/js/math/vote.js";
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
