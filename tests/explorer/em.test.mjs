// The EM explorer's mathematics, held to e_step and m_step of Python (em_cases.json): node --test tests/explorer/
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { collapsed, covarianceOfAll, eStep, mStep, runEM, startAt } from "../../bayeslab/explore/js/math/em.js";

const cases = JSON.parse(readFileSync(new URL("em_cases.json", import.meta.url), "utf-8"));

/** Equal to 1e-9, relative to `unit`. */
function assertClose(actual, expected, what, unit = 1) {
  const given = [actual].flat(3);
  [expected].flat(3).forEach((value, i) => {
    assert.ok(Math.abs(given[i] - value) <= 1e-9 * unit, `${what} [${i}]: ${given[i]} is not ${value}`);
  });
}

for (const { name, points, means, sizes, steps, collapsed: end } of cases) {
  const run = runEM(points, startAt(means, sizes, points), 30, 0);
  if (end) {
    test(`${name}: the component collapses that collapses in Python`, () => {
      assert.deepEqual([run.end.component, run.end.iteration], [end.component, end.iteration]);
      assert.equal(run.history.length, end.iteration);
      assert.match(run.end.why, /line|width|point/);
    });
    continue;
  }
  test(`${name}: thirty iterations are Python's`, () => {
    const spread = covarianceOfAll(points), deviations = [0, 1].map((j) => Math.sqrt(spread[j][j]));
    for (const step of steps) {
      const found = run.history[step.iteration], what = (part) => `${part} of iteration ${step.iteration}`;
      const { responsibilities } = eStep(points, found.weights, found.gaussians), K = means.length;
      const every = Math.floor(points.length / 7);
      const shares = step.responsibilities.map((_, i) => [...responsibilities.slice(i * every * K, (i * every + 1) * K)]);
      assertClose(found.logLikelihood, step.log_likelihood, what("log-likelihood"), Math.abs(step.log_likelihood));
      assertClose(found.weights, step.weights, what("weights"));
      assertClose(shares, step.responsibilities, what("responsibilities"));
      [0, 1].forEach((j) => {
        const column = (rows) => rows.map((row) => row[j]), unit = deviations[j];
        const magnitude = Math.max(unit, Math.abs(points[0][j]) * 1e-6); // of coordinates that are rounded themselves
        assertClose(column(found.means), column(step.means), what("means"), magnitude);
        [0, 1].forEach((i) => assertClose(found.covariances.map((S) => S[i][j]), step.covariances.map((S) => S[i][j]),
          what("covariances"), deviations[i] * unit));
      });
    }
  });
}

test("the log-likelihood never falls, and a run ends where it no longer rises", () => {
  const { points, means } = cases[0], { history, end } = runEM(points, startAt(means, [1, 1], points), 400);
  assert.ok(end.converged && end.iteration === history.length - 1);
  const gains = history.slice(1).map((now, i) => now.logLikelihood - history[i].logLikelihood);
  assert.ok(gains.every((gain) => gain >= -1e-9));
  assert.ok(gains.at(-1) < 1e-6 && gains.at(-2) >= 1e-6);
  assert.equal(runEM(points, startAt(means, [1, 1], points), 3).end.converged, false);
});

test("equal twins never part", () => {
  const { history, end } = runEM(cases[0].points, startAt([[1, 2], [1, 2]], [1, 1], cases[0].points), 50);
  assert.ok(end.converged && history.length <= 3);
  assertClose(history.at(-1).means[0], history.at(-1).means[1], "means");
});

test("a start of no size has collapsed before the first step", () => {
  const { points, means } = cases[0], { history, end } = runEM(points, startAt(means, [1e-20, 1], points), 5);
  assert.deepEqual([history.length, end.iteration, end.component], [0, 0, 0]);
});

test("a mixture without a fault has not collapsed", () => {
  const start = startAt(cases[0].means, [1, 1], cases[0].points);
  assert.equal(collapsed(start, covarianceOfAll(cases[0].points)), null);
  const own = [1, 0, 0, 1, 0, 1], four = mStep([[0, 0], [2, 0], [2, 4]], own, [[0, 0], [0, 0]]);
  assert.deepEqual(four.means, [[0, 0], [2, 2]]);
});
