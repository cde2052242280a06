// The mathematics of the one-dimensional explorers, held to mpmath's 50 digits (one_d_cases.json) and to properties.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const FOLDER = "../../bayeslab/explore/js/";
const MODULES = ["math/one_d", "math/likelihood", "threshold_explorer", "likelihood_explorer"];
const [one_d, likelihood, threshold_explorer, likelihood_explorer] =
  await Promise.all(MODULES.map((name) => import(`${FOLDER}${name}.js`)));
const cases = JSON.parse(readFileSync(new URL("one_d_cases.json", import.meta.url), "utf-8"));

/** Equal to 1e-9 of the value itself, or of a unit where one is given: small areas must be right in their digits. */
function assertClose(actual, expected, what, unit = 0) {
  assert.equal(actual.length, expected.length, `${what}: ${actual}, not ${expected}`);
  expected.map(Number).forEach((value, i) => {
    const close = actual[i] === value || Math.abs(actual[i] - value) <= 1e-9 * Math.max(Math.abs(value), unit);
    assert.ok(close, `${what} [${i}]: ${actual[i]} is not ${value}`);
  });
}

for (const { name, given, expected } of cases.classes) {
  const { means, deviations, priors, costs, thresholds } = given;
  const classes = means.map((mean, k) => ({ mean, deviation: deviations[k], weight: priors[k] }));
  const weighed = classes.map((each, k) => ({ ...each, weight: priors[k] * costs[k] }));
  const unit = Math.min(...deviations);

  test(`${name}: all that the explorer shows of them is mpmath's`, () => {
    const shown = threshold_explorer.risksOf(given);
    assertClose(shown.lost.map((share, k) => share * priors[k]), expected.mistakes, "mistakes");
    assertClose([shown.error], [expected.mistakes.reduce((a, b) => a + b)], "error");
    assertClose([shown.cost], [expected.cost], "cost");
    assert.deepEqual(shown.best.map(({ decision }) => decision), expected.bayes_decisions);
    // A far crossing of nearly equal deviations hangs on the last digits of these.
    assertClose(shown.best.slice(1).map(({ low }) => low), expected.bayes_thresholds, "Bayes threshold", unit);
    assertClose([shown.bayesError], [expected.bayes_error], "Bayes error");
    assertClose(shown.cheapest, expected.cheapest_thresholds, "cheapest threshold", unit);
    assertClose([shown.leastCost], [expected.least_cost], "least cost");
    assertClose([shown.bayesCost], [expected.bayes_cost], "cost of the Bayes rule");
  });

  if (means.length === 2) {
    test(`${name}: where the second class becomes cheaper, its posterior is the level`, () => {
      const { level } = threshold_explorer.risksOf(given); // c₁ / (c₁ + c₂)
      for (const { low } of one_d.bestRegions(weighed).slice(1).filter(({ low }) => Math.abs(low) < 1e7 * unit)) {
        assert.ok(Math.abs(one_d.posteriorsAt(classes, low)[1] - level) < 1e-6);
      }
    });
  }

  test(`${name}: at a Bayes threshold two posteriors are the largest, and no step makes the threshold cheaper`, () => {
    for (const place of expected.bayes_thresholds.filter((each) => Math.abs(each) < 1e7 * unit)) {
      const [first, second] = one_d.posteriorsAt(classes, place).sort((a, b) => b - a);
      assert.ok(Math.abs(first - second) < 1e-6, `${first} and ${second}`);
    }
    const { thresholds: cheapest, loss } = one_d.bestThresholds(weighed);
    for (const step of [-1, -0.1, 0.1, 1].map((each) => each * unit)) {
      for (let i = 0; i < cheapest.length; i++) {
        const moved = cheapest.map((place, j) => (j === i ? place + step : place)).sort((a, b) => a - b);
        assert.ok(one_d.lossOf(weighed, one_d.regionsOf(moved)) >= loss * (1 - 1e-12));
      }
    }
  });
}

test("erfc keeps its digits on both sides of the place where its two forms meet, and far out", () => {
  const known = [[0, 1], [0.5, 0.4795001221869535], [1.9999999, 0.0046777370477462158], [2, 0.004677734981047266],
    [-1, 1.842700792949715], [5, 1.5374597944280349e-12], [25, 8.300172571196522e-274], [30, 0], [Infinity, 0]];
  for (const [x, value] of known) assertClose([one_d.erfc(x)], [value], `erfc(${x})`);
});

for (const { name, given, expected } of cases.samples) {
  const { sample, value, slopes, top } = likelihood_explorer.fitOf(given);

  test(`${name}: likelihood, its slopes and its maximum are mpmath's`, () => {
    assertClose([value], [expected.log_likelihood], "ℓ");
    assertClose(slopes, expected.gradient, "slope", Math.max(...expected.gradient.map(Math.abs)));
    assertClose([top.mu, top.sigma, top.value], [expected.mean, expected.deviations[0], expected.maximum], "maximum");
    assertClose([Math.sqrt(sample.scatter / (sample.n - 1))], [expected.deviations[1]], "deviation with n − 1");
    const atTop = likelihood.gradient(sample, top.mu, top.sigma), unit = sample.n / top.sigma;
    for (const slope of atTop) assert.ok(Math.abs(slope) < 1e-9 * unit);
  });

  test(`${name}: on a contour ℓ is as far below the maximum as it says`, () => {
    for (const drop of [0.01, 1, 30, 300]) {
      const curve = likelihood.contour(sample, drop);
      for (const [mu, sigma] of curve) {
        const fallen = top.value - likelihood.logLikelihood(sample, mu, sigma);
        assert.ok(Math.abs(fallen - drop) < 1e-7 * Math.max(drop, Math.abs(top.value)), `${fallen}, not ${drop}`);
      }
      assert.ok(curve.some(([mu]) => mu > top.mu) && curve.some(([mu]) => mu < top.mu));
    }
  });
}

test("equal values have no maximum", () => {
  assert.equal(likelihood.maximum(likelihood.summaryOf([2, 2, 2])), null);
  assert.equal(likelihood.maximum(likelihood.summaryOf([2])), null);
  assert.equal(likelihood.maximum(likelihood.summaryOf([0.1, 0.1, 0.1])), null); // their sum is not 0.3 to the last digit
});
