// The explorer's mathematics, held to what Python says (explorer_cases.json) and to brute force: node --test tests/
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf-8");
// By its text: a file that ends in .js counts as a module only for the newer versions of Node.js.
const module = Buffer.from(read("../bayeslab/explore/boundary_explorer.js")).toString("base64");
const explorer = await import(`data:text/javascript;base64,${module}`);

const cases = JSON.parse(read("explorer_cases.json"));
const random = explorer.randomNumbers(7);

/** Equal to 1e-9, relative to the largest of all; null stands for minus infinity. */
function assertClose(actual, expected, what) {
  const flat = (value) => [value].flat(3).map((one) => one ?? -Infinity);
  const size = Math.max(1, ...flat(expected).filter(Number.isFinite).map(Math.abs));
  flat(expected).forEach((value, i) => {
    const given = flat(actual)[i];
    assert.ok(given === value || Math.abs(given - value) <= 1e-9 * size, `${what} [${i}]: ${given} is not ${value}`);
  });
}

for (const { name, grid, expected, bayes_error, ...state } of cases) {
  const names = state.means.map(String);
  for (const [mode, rules] of Object.entries(expected)) {
    for (const [rule, { log_posterior, conic }] of Object.entries(rules)) {
      test(`${name}, ${mode}, ${rule}: posteriors and boundary are Python's`, () => {
        const fit = explorer.fitRule(rule, explorer.densities({ mode, ...state }), state.priors, names);
        grid.forEach(([x, y], i) => assertClose(explorer.logPosterior(fit, x, y), log_posterior[i], "log posterior"));
        if (!conic) return;
        const found = explorer.conic(...fit.gaussians, fit.logPriors[0] - fit.logPriors[1]);
        assert.equal(found.kind, conic.kind);
        // Coefficients can be compared in units of the first class, however different those of x and y are.
        const [s, t] = [0, 1].map((j) => Math.sqrt(state.covariances[0][j][j]));
        const inUnits = ({ W, w, w0 }) => [W[0][0] * s * s, W[0][1] * s * t, W[1][1] * t * t, w[0] * s, w[1] * t, w0];
        assertClose(inUnits(found), inUnits(conic), "coefficient");
      });
    }
  }
  test(`${name}: the Bayes error is SciPy's, and as accurate as it says`, () => {
    const truth = explorer.fitRule("QDA", explorer.densities({ mode: "truth", ...state }), state.priors, names);
    const { error, accuracy } = explorer.errorRate(truth, truth);
    assert.ok(Math.abs(error - bayes_error) < 1e-9, `${error} is not ${bayes_error}`);
    assert.ok(accuracy < 1e-9, `accuracy ${accuracy}`);
  });
}

test("what wins on a line is what wins at each of its points", () => {
  for (let trial = 0; trial < 200; trial++) {
    const K = 2 + (trial % 4), line = Float64Array.from({ length: 3 * K }, () => Math.round(20 * random() - 10) / 2);
    let covered = -10;
    explorer.eachSegment(line, -10, 10, (from, to, winner) => {
      assert.equal(from, covered);
      covered = to;
      for (const share of [1e-6, 0.3, 0.9]) {
        const t = from + share * (to - from);
        const values = Array.from({ length: K }, (_, k) => (line[3 * k] * t + line[3 * k + 1]) * t + line[3 * k + 2]);
        assert.ok(values[winner] >= Math.max(...values) - 1e-9);
      }
    });
    assert.equal(covered, 10);
  }
});

test("the rays find the error of any rule: LDA against a sample of a million", () => {
  const { means, covariances, priors } = cases.find(({ name }) => name === "unequal priors");
  const model = explorer.densities({ mode: "truth", means, covariances, priors, points: [] });
  const [truth, lda] = ["QDA", "LDA"].map((rule) => explorer.fitRule(rule, model, priors, ["A", "B"]));
  const n = 1e6, points = explorer.drawPoints({ means, covariances, priors }, n, random);
  const wrong = points.filter(([x, y, k]) => explorer.argmax(explorer.logJoint(lda, x, y)) !== k).length;
  const { error } = explorer.errorRate(truth, lda);
  assert.ok(Math.abs(wrong / n - error) < 4 * Math.sqrt((error * (1 - error)) / n), `${wrong / n} is not ${error}`);
  assert.ok(error >= explorer.errorRate(truth, truth).error);
});

test("nearest neighbours are those that a sort finds", () => {
  const points = Array.from({ length: 80 }, () => [random(), random(), Math.floor(3 * random())]);
  const neighbours = new explorer.Neighbours(points);
  for (let trial = 0; trial < 100; trial++) {
    const [x, y, k] = [1.4 * random() - 0.2, 1.4 * random() - 0.2, 1 + (trial % 9)];
    const sorted = [...points].sort((p, q) => Math.hypot(p[0] - x, p[1] - y) - Math.hypot(q[0] - x, q[1] - y));
    const votes = [0, 0, 0];
    for (const point of sorted.slice(0, k)) votes[point[2]]++;
    assert.deepEqual(neighbours.votes(x, y, k, 3), votes);
  }
  assert.deepEqual(new explorer.Neighbours(points.slice(0, 2)).votes(0, 0, 5, 3).reduce((a, b) => a + b), 2);
});

test("a class that is moved, stretched and turned takes its points along", () => {
  const state = { means: [[1, 2], [0, 0]], covariances: [[[2, 0.6], [0.6, 1]], [[1, 0], [0, 1]]], priors: [1, 0] };
  state.points = explorer.drawPoints(state, 50, random);
  const before = explorer.estimate(state.points, 2);
  const from = { mean: before.means[0], axes: explorer.semiAxes(before.covariances[0], [1, 3]) };
  const to = { mean: [5, -1], axes: [[0.2, 3], [-0.5, 0.1]] };
  const after = explorer.estimate(explorer.moveClass(state, 0, from, to).points, 2);
  const [[a, b], [c, d]] = to.axes;
  assertClose(after.means[0], to.mean, "mean");
  assertClose(after.covariances[0], [[a * a + c * c, a * b + c * d], [a * b + c * d, b * b + d * d]], "covariance");
});

test("semi-axes are perpendicular on the screen and belong to the covariance", () => {
  const S = [[2, -0.7], [-0.7, 1]], [ux, uy] = [3, -0.5];
  const [[a, b], [c, d]] = explorer.semiAxes(S, [ux, uy]);
  assertClose([[a * a + c * c, a * b + c * d], [a * b + c * d, b * b + d * d]], S, "covariance");
  assertClose([(a * c) / ux / ux + (b * d) / uy / uy], [0], "angle");
});

test("a prior that is set leaves the others their shares", () => {
  assertClose(explorer.withPrior([0.2, 0.3, 0.5], 2, 0.75), [0.1, 0.15, 0.75], "priors");
  assertClose(explorer.withPrior([0.2, 0.3, 0.5], 0, 1), [1, 0, 0], "priors");
  assertClose(explorer.withPrior([1, 0, 0], 0, 0), [0, 0.5, 0.5], "priors");
  assertClose(explorer.withPrior([0.5, 0.5], 0, 7), [1, 0], "priors");
});

test("CSV: header or none, tabs, semicolons with decimal commas, quotes, Windows line ends", () => {
  const plain = { features: ["x₁", "x₂"], rows: [[1.5, 2], [0, -1e3]], labels: ["A", "B"] };
  assert.deepEqual(explorer.readCSV("1.5,2,A\n0,-1e3,B\n"), plain);
  assert.deepEqual(explorer.readCSV("1,5;2;A\r\n\r\n0;-1e3;B"), plain);
  assert.deepEqual(explorer.readCSV('1.5\t2\t"A"\n0\t-1e3\tB'), plain);
  assert.deepEqual(explorer.readCSV("w, h ,z,class\n1,2,3,A\n4,5,6,B").features, ["w", "h", "z"]);
});

for (const [text, message] of [
  ["", /nothing to read/],
  ["1,2", /Line 1 has 2 of at least 3 fields/],
  ["1,2,A\n1,2", /Line 2 has 2 fields, but the first line has 3/],
  ["x,y,c\n1,2,A\n\n1,two,B", /Line 4: "two" is not a number/],
  ["1,2,A\n1,,B", /Line 2: "" is not a number/],
  ["1,2,A\nInfinity,2,B", /Line 2: "Infinity" is not a number/],
  ["1,2,A\n1,2,", /Line 2 has no label/],
  ["1,2,A\n3,4,A", /All points have the label A/],
  ["x,y,c", /no points/],
  ["1,1,A\n1,1,B\n1,1,C\n1,1,D\n1,1,E\n1,1,F", /6 different labels/],
  ["1,2,A\n".repeat(5001), /5001 points/],
]) {
  test(`CSV: ${JSON.stringify(text.slice(0, 30))} is refused with ${message}`, () => {
    assert.throws(() => explorer.readCSV(text), message);
  });
}

test("a table becomes a state that makes sense, even where a class has a single point", () => {
  const table = explorer.readCSV("5,1,10\n6,2,10\n7,1,10\n1,1,9");
  const state = { ...explorer.fromTable(table, 0, 1), rule: "QDA", k: 5 };
  assert.deepEqual(state.class_names, [9, 10]);
  assert.deepEqual(state.priors, [0.25, 0.75]);
  assert.ok(explorer.makesSense(state));
  const { problem } = explorer.fitRule("QDA", explorer.densities(state), state.priors, state.class_names);
  assert.match(problem, /class 9: it has 1/);
});

test("labels are numbers only if they read the same as such", () => {
  assert.deepEqual(explorer.fromTable(explorer.readCSV("1,2,10\n2,1,9"), 0, 1).class_names, [9, 10]);
  assert.deepEqual(explorer.fromTable(explorer.readCSV("1,2,01\n2,1,1"), 0, 1).class_names, ["01", "1"]);
});

test("states that make no sense are known", () => {
  const state = { ...cases[0], class_names: [0, 1], rule: "QDA", mode: "truth", k: 5 };
  assert.ok(explorer.makesSense(state));
  for (const bad of [
    { means: [[0, 0]] }, { means: [[0, 0], [NaN, 0]] }, { covariances: [[[1, 2], [2, 1]], [[1, 0], [0, 1]]] },
    { priors: [0.5, 0.6] }, { priors: [-0.5, 1.5] }, { points: [[0, 0, 2]] }, { rule: "SVM" }, { k: 0 },
  ]) {
    assert.ok(!explorer.makesSense({ ...state, ...bad }), JSON.stringify(bad));
  }
});

test("ticks are round, few and inside", () => {
  for (const [low, high] of [[0, 1], [-3.2, 7.9], [1e6, 1e6 + 3], [2e-7, 3e-6], [-5e8, 5e8]]) {
    const values = explorer.ticks(low, high).map(({ value }) => value);
    assert.ok(values.length >= 3 && values.length <= 9, `${values}`);
    assert.ok(values[0] >= low - 1e-9 * (high - low) && values.at(-1) <= high + 1e-9 * (high - low));
  }
});
