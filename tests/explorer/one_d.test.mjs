// The mathematics of the one-dimensional explorers, held to mpmath's 50 digits (one_d_cases.json) and to properties.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const FOLDER = "../../bayeslab/explore/js/math/";
const one_d = Object.assign({}, ...(await Promise.all(["one_d", "likelihood"].map((name) => import(`${FOLDER}${name}.js`)))));
const cases = JSON.parse(readFileSync(new URL("one_d_cases.json", import.meta.url), "utf-8"));

/** Equal to 1e-9 of the value itself, or of a unit where one is given: small areas must be right in their own digits. */
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

  test(`${name}: thresholds, errors and costs are mpmath's`, () => {
    const regions = one_d.regionsOf(thresholds), best = one_d.bestRegions(classes);
    const mistakes = one_d.sharesLost(classes, regions).map((share, k) => share * priors[k]);
    assertClose(mistakes, expected.mistakes, "mistakes");
    assertClose([one_d.lossOf(weighed, regions)], [expected.cost], "cost");
    assert.deepEqual(best.map(({ decision }) => decision), expected.bayes_decisions);
    // A far crossing of nearly equal deviations hangs on the last digits of these.
    assertClose(best.slice(1).map(({ low }) => low), expected.bayes_thresholds, "Bayes threshold", unit);
    assertClose([one_d.lossOf(classes, best)], [expected.bayes_error], "Bayes error");
    const cheapest = one_d.bestThresholds(weighed);
    assertClose(cheapest.thresholds, expected.cheapest_thresholds, "cheapest threshold", unit);
    assertClose([cheapest.loss], [expected.least_cost], "least cost");
    assertClose([one_d.lossOf(weighed, one_d.bestRegions(weighed))], [expected.bayes_cost], "cost of the Bayes rule");
  });

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
  const sample = one_d.summary(given.points), top = one_d.maximum(sample);

  test(`${name}: likelihood, its slopes and its maximum are mpmath's`, () => {
    assertClose([one_d.logLikelihood(sample, given.mean, given.deviation)], [expected.log_likelihood], "ℓ");
    const size = Math.max(...expected.gradient.map(Math.abs));
    assertClose(one_d.gradient(sample, given.mean, given.deviation), expected.gradient, "slope", size);
    assertClose([top.mu, top.sigma, top.value], [expected.mean, expected.deviations[0], expected.maximum], "maximum");
    assertClose([Math.sqrt(sample.scatter / (sample.n - 1))], [expected.deviations[1]], "deviation with n − 1");
    const units = sample.n / top.sigma;
    for (const slope of one_d.gradient(sample, top.mu, top.sigma)) assert.ok(Math.abs(slope) < 1e-9 * units);
  });

  test(`${name}: on a contour ℓ is as far below the maximum as it says`, () => {
    for (const drop of [0.01, 1, 30, 300]) {
      const curve = one_d.contour(sample, drop);
      for (const [mu, sigma] of curve) {
        const fallen = top.value - one_d.logLikelihood(sample, mu, sigma);
        assert.ok(Math.abs(fallen - drop) < 1e-7 * Math.max(drop, Math.abs(top.value)), `${fallen}, not ${drop}`);
      }
      assert.ok(curve.some(([mu]) => mu > top.mu) && curve.some(([mu]) => mu < top.mu));
    }
  });
}

test("equal values have no maximum", () => {
  assert.equal(one_d.maximum(one_d.summary([2, 2, 2])), null);
  assert.equal(one_d.maximum(one_d.summary([2])), null);
  assert.equal(one_d.maximum(one_d.summary([0.1, 0.1, 0.1])), null); // whose mean is not 0.1 to the last digit
});
