// The explorer's mathematics, held to what Python says (explorer_cases.json) and to brute force: node --test tests/explorer/
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const FOLDER = "../../bayeslab/explore/js/";
const MODULES = ["math/numbers", "math/gaussian", "math/gaussian_fit", "math/estimate", "math/segments", "math/neighbours", "math/error_rate",
  "math/conic", "math/axes", "kit/theme", "kit/viewport", "kit/fitting_view", "kit/text", "constants", "rules", "evaluation", "data", "csv", "ellipse", "readouts", "state"];
const explorer = Object.assign({}, ...(await Promise.all(MODULES.map((name) => import(`${FOLDER}${name}.js`)))));

const cases = JSON.parse(readFileSync(new URL("explorer_cases.json", import.meta.url), "utf-8"));
const random = explorer.randomNumbers(7);

/** What a Gaussian rule makes of densities. */
const fitRule = (rule, model, priors, class_names, shared = 0.5) =>
  explorer.RULES[rule].fit({ priors, class_names, shared }, model);

// The same cases as in test_explore_output.py.
const STYLES = (species) => [
  [species, species, [0, 1, 2]], [species.slice(1), species, [1, 2]], [["virginica", "setosa"], species, [2, 0]],
  [["A", "B"], [], [0, 1]], [["A", "virginica", "B"], species, [3, 2, 4]], [[9, 4], [...Array(10).keys()], [9, 4]],
  [[12, 4], [...Array(13).keys()], [3, 4]], [[10, 0, 3], [...Array(10).keys()], [1, 0, 3]],
];

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
        const fit = fitRule(rule, explorer.densities({ mode, ...state }), state.priors, names, state.shared);
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
    const truth = fitRule("QDA", explorer.densities({ mode: "truth", ...state }), state.priors, names);
    const { error, accuracy } = explorer.errorRate(truth, truth);
    assert.ok(Math.abs(error - bayes_error) < 1e-9, `${error} is not ${bayes_error}`);
    assert.ok(accuracy < 1e-9, `accuracy ${accuracy}`);
  });
}

test("the Bayes error of crossed needles is (2/π) atan r, however thin and turned", () => {
  for (const r of [0.5, 0.1, 0.01, 1e-4]) {
    for (const turn of [0, 0.3, 1.2]) {
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const turned = (a, b) => [[c * c * a + s * s * b, c * s * (a - b)], [c * s * (a - b), s * s * a + c * c * b]];
      const model = { means: [[1, 2], [1, 2]], covariances: [turned(1, r * r), turned(r * r, 1)] };
      const fit = fitRule("QDA", model, [0.5, 0.5], ["A", "B"]), exact = (2 / Math.PI) * Math.atan(r);
      for (const tolerance of [1e-6, 1e-9]) {
        const { error, accuracy } = explorer.errorRate(fit, fit, tolerance);
        assert.ok(Math.abs(error - exact) < 1e-9 && accuracy < 1e-9, `${r}, ${turn}: ${error} is not ${exact}`);
      }
    }
  }
});

test("the quadratic of a class is its log density, in any units and from any origin", () => {
  const g = explorer.gaussian([1, -2], [[2, 0.6], [0.6, 1]]);
  const [xx, xy, yy, x, y, one] = explorer.quadratic(g, Math.log(0.3), [5, 7], [0.5, -2]);
  for (const [u, v] of [[0, 0], [1, 0], [0, 1], [2, -3]]) {
    const value = xx * u * u + xy * u * v + yy * v * v + x * u + y * v + one;
    assertClose(value, Math.log(0.3) + explorer.logDensity(g, 5 + 0.5 * u, 7 - 2 * v), "log joint density");
  }
});

test("on a row, quadratics are those of u alone", () => {
  const form = [2, 3, 5, 7, 11, 13], v = -1.5;
  const [a, b, c] = explorer.onRow([form], v, new Float64Array(3));
  for (const u of [0, 1, -2]) assertClose((a * u + b) * u + c, 2 * u * u + 3 * u * v + 5 * v * v + 7 * u + 11 * v + 13, "row");
});

test("confusion counts truth in rows and decisions in columns", () => {
  const points = [[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 2]];
  assert.deepEqual(explorer.confusion(points, [0, 1, 1, 1], 3), [[1, 1, 0], [0, 1, 0], [0, 1, 0]]);
});

test("a tie goes to the first class", () => {
  assert.equal(explorer.argmax([1, 3, 3]), 1);
  const votes = new explorer.Neighbours([[0, 1, 1], [0, -1, 0]]).votes(0, 0, 2, 2);
  assert.equal(explorer.argmax(votes), 0);
});

test("RDA goes from QDA to LDA", () => {
  const { means, covariances, priors, points } = cases.find(({ name }) => name === "three classes");
  for (const mode of ["truth", "estimate"]) {
    const model = explorer.densities({ mode, means, covariances, priors, points }), names = ["A", "B", "C"];
    for (const [shared, rule] of [[0, "QDA"], [1, "LDA"]]) {
      const own = fitRule("RDA", model, priors, names, shared), other = fitRule(rule, model, priors, names);
      assert.deepEqual(own.gaussians, other.gaussians);
    }
  }
});

test("every rule decides by its scores, and its quadratics are they", () => {
  const { means, covariances, points } = cases.find(({ name }) => name === "three classes"), priors = [0.5, 0, 0.5];
  const state = { mode: "truth", means, covariances, priors, points, class_names: [0, 1, 2], k: 3, shared: 0.4 };
  for (const rule of Object.values(explorer.RULES)) {
    const fit = rule.fit(state, explorer.densities(state)), [x, y] = [0.3, 2.1], scores = fit.scores(x, y);
    const posterior = fit.posterior(x, y);
    assert.equal(explorer.argmax(posterior), explorer.decide(fit, x, y));
    assertClose(posterior.reduce((a, b) => a + b), 1, "total");
    fit.quadratics?.([x, y]).forEach((form, k) => form && assertClose(form[5], scores[k], "score"));
    if (fit.quadratics) assert.deepEqual(fit.quadratics([0, 0]).map(Boolean), [true, false, true]);
  }
});

test("a rule without quadratics has an error too: of any scores, on a lattice", () => {
  const { means, covariances, priors } = cases.find(({ name }) => name === "hyperbola");
  const state = { mode: "truth", means, covariances, priors, points: [], class_names: [0, 1], k: 3, shared: 0.4 };
  const truth = explorer.gaussianFit(means.map((mean, k) => explorer.gaussian(mean, covariances[k])), priors);
  const exact = explorer.evaluateRule("QDA", state, explorer.densities(state)).trueError(truth);
  assert.ok(exact.accuracy < 1e-5, `accuracy ${exact.accuracy}`); // of rays, not of a lattice
  explorer.RULES.test = { fit: () => ({ scores: truth.scores, posterior: truth.posterior }) };
  const { error, accuracy } = explorer.evaluateRule("test", state, explorer.densities(state)).trueError(truth, true);
  delete explorer.RULES.test;
  assert.ok(Math.abs(error - exact.error) < 2 * accuracy && accuracy < 0.01, `${error} ± ${accuracy}, not ${exact.error}`);
});

test("why there is no decision is said with the class", () => {
  const problem = (rule, points) => {
    const model = explorer.densities({ mode: "estimate", means: [0, 1], points });
    return fitRule(rule, model, [0.5, 0.5], ["A", "B"]).problem;
  };
  const A = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
  assert.equal(problem("QDA", A), "class B has no points");
  assert.equal(problem("QDA", [...A, [5, 5, 1], [6, 5, 1]]), "QDA needs more points in class B: it has 2");
  assert.equal(problem("QDA", [...A, [5, 5, 1], [6, 6, 1], [7, 7, 1]]), "all points of class B lie on a line");
  assert.equal(problem("QDA", [...A, [5, 5, 1], [6, 5, 1], [7, 7, 1]]), undefined);
  assert.match(problem("LDA", [[0, 0, 0], [1, 0, 0], [5, 0, 1]]), /vary in both directions/);
  assert.equal(problem("RDA", [...A, [5, 5, 1]]), "RDA needs more points in class B: it has 1");
  assert.equal(problem("RDA", [...A, [5, 5, 1], [6, 5, 1]]), undefined);
  const level = [[0, 0, 0], [1, 0, 0], [5, 0, 1], [6, 0, 1], [7, 0, 1]];
  assert.equal(problem("RDA", level), "the points of class A do not vary in both directions");
  assert.equal(problem("QDA", level), "QDA needs more points in class A: it has 2");
  const B = [[5, 0, 1], [6, 1, 1], [7, 5, 1]], upright = [[0, 0, 0], [0, 1, 0], ...B];
  assert.equal(problem("naive", upright), "the points of class A do not vary in both directions");
  assert.equal(problem("naive", upright.slice(1)), "naive needs more points in class A: it has 1");
  assert.equal(problem("QDA", [[0, 3, 0], ...upright]), "the points of class A do not vary in both directions");
  assert.equal(problem("QDA", [...Array(3).fill([2, 2, 0]), ...B]), "the points of class A do not vary at all");
  assert.equal(problem("nearest mean", [[0, 0, 0], [5, 0, 1], [5, 0, 1]]), "nearest mean needs points that vary within the classes");
});

test("a window has room also where a column, or everything, does not vary", () => {
  for (const at of [0, 1, -1e9]) {
    for (const [xs, ys] of [[[1, 1, 1], [0, 2, 3]], [[0, 2, 3], [1, 1, 1]], [[4, 4, 4], [1, 1, 1]]]) {
      const points = xs.map((x, i) => [x + at, ys[i] + at]);
      const view = explorer.fittingView({ means: [], covariances: [], points }), viewport = new explorer.Viewport(view, 400);
      for (const point of points) {
        const pixel = viewport.toPixel(...point);
        assert.ok(pixel.every((u) => u > 10 && u < 390), `${point} ${pixel}`);
        viewport.toData(...pixel).forEach((value, j) => assert.ok(Math.abs(value - point[j]) < 1e-5));
      }
    }
  }
});

test("shares are percentages with so many digits, which no line break parts from their sign", () => {
  for (const [share, digits, text] of [[0.0831444, 4, "8.314 %"], [0.5, 4, "50 %"], [0, 4, "0 %"], [0.12345, 3, "12.3 %"],
    [1.23e-11, 4, "1·10⁻⁹ %"], [-0.25, 4, "−25 %"], [-1e-18, 4, "−1·10⁻¹⁶ %"]]) {
    assert.equal(explorer.percent(share, digits), text.replace(" ", "\u00a0"));
  }
});

test("numbers have four digits, a minus sign, and powers of ten as they are printed", () => {
  for (const [value, text] of [[0, "0"], [-0, "0"], [1, "1"], [-1.5, "−1.5"], [1 / 3, "0.3333"], [123456, "123500"], [1e-7, "1·10⁻⁷"],
    [-1e-7, "−1·10⁻⁷"], [-1.23456e22, "−1.235·10²²"], [4e100, "4·10¹⁰⁰"]]) {
    assert.equal(explorer.short(value), text);
  }
  assert.deepEqual([-1, 2].map(explorer.short), ["−1", "2"]); // the place in the list is no digit
  assert.equal(explorer.scientific(-1.26e-9, 1), "−1.3·10⁻⁹");
});

test("places in a window are told apart, however far from 0 it is", () => {
  for (const low of [-1e9 - 1, -3, 0, 1e5, 1e12]) {
    for (const width of [1e-3, 1, 400]) {
      const texts = Array.from({ length: 101 }, (_, i) => explorer.shortIn([low, low + width], low + (width * i) / 100));
      const distinct = new Set(Array.from({ length: 101 }, (_, i) => low + (width * i) / 100)).size;
      assert.equal(new Set(texts).size, distinct, `${low} ${width}`);
    }
  }
  assert.equal(explorer.shortIn([99990, 100010], 100003.3), "100003.3");
  assert.equal(explorer.shortIn([0, 10], 3.14159), "3.142");
});

test("equations have their signs, and no terms that are but rounding", () => {
  const given = { W: [[0.5, -0.5], [-0.5, 1e-17]], w: [-2, 123456], w0: 1e-9, noise: [0, 0, 1e-16, 0, 0, 0] };
  assert.equal(explorer.equation(given), "0.5 x₁² − 1 x₁x₂ − 2 x₁ + 1.23·10⁵ x₂ + 1.00·10⁻⁹ = 0");
  assert.equal(explorer.equation({ ...given, noise: new Array(6).fill(1e9) }), "0 = 0");
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)]; // circles have no mixed term, however they were turned
  const round = (a) => [[c * c * a + s * s * a, 1e-17], [1e-17, s * s * a + c * c * a]];
  for (const at of [0, 1e3]) {
    const circle = explorer.conic(explorer.gaussian([at, 0], round(1)), explorer.gaussian([at, 0], round(4)), 0);
    assert.ok(!explorer.equation(circle).includes("x₁x₂"), explorer.equation(circle));
  }
});

test("an ellipse that is stretched along its upright axes stays upright to the last digit", () => {
  const mean = [1.5, 0.3], units = [0.01, -0.01], other = explorer.gaussian([-1.5, 0.3], [[1, 0], [0, 1]]);
  for (const S of [[[1, 0], [0, 4]], [[4, 0], [0, 1]], [[1, 0], [0, 1]]]) {
    for (const [part, factor] of [[0, 5], [0, 0.005], [1, 5], [1, 0.005]]) {
      const axes = explorer.semiAxes(S, units), end = mean.map((value, i) => value + 2 * axes[part][i]);
      const place = mean.map((value, i) => explorer.rounded(value + factor * (end[i] - value), 4));
      const pulled = { mean, axes: explorer.turnedAxes(axes, part, mean, end, place, units) };
      const { covariances } = explorer.moveClass({ means: [mean], covariances: [S], points: [] }, 0, { mean, axes }, pulled);
      assert.equal(Math.abs(covariances[0][0][1]), 0);
      assert.doesNotMatch(explorer.equation(explorer.conic(other, explorer.gaussian(mean, covariances[0]), 0)), /x₁x₂/);
    }
  }
});

test("eigenvectors turn the right way, for every sign", () => {
  for (const a of [1, 4]) for (const c of [1, 4]) for (const b of [-0.7, 0, 0.7, 1e-9, -1e-170]) {
    const { values, vectors: [[p, q], [r, s]] } = explorer.eigen([[a, b], [b, c]]);
    const back = [[p * p * values[0] + q * q * values[1], p * r * values[0] + q * s * values[1]], r * r * values[0] + s * s * values[1]].flat();
    [a, b, c].forEach((value, i) => assertClose(back[i], value, `entry ${i} of ${[a, b, c]}`));
    assertClose(p * s - q * r, 1, "determinant");
    assert.ok(values[0] >= values[1]);
  }
});

test("an equation drops rounding by the size of its terms in the units of the data, and keeps what is small", () => {
  const random = explorer.randomNumbers(5), within = (low, high) => low + (high - low) * random();
  for (const unit of [1e-9, 1, 1e9]) {
    const pair = (tilt) => [[[1, tilt], [tilt, 2]], [[2, 0], [0, 1]]].map((S, k) =>
      explorer.gaussian([unit * k, 3 * unit], S.map((row) => row.map((value) => value * unit ** 2))));
    const equation = (a, b) => explorer.equation(explorer.conic(a, b, 0.3));
    // The mixed coefficient is that of Σ⁻¹ of the first class, −tilt / 2, with its sign changed.
    const small = explorer.scientific(0.5e-9 / unit ** 2, 2);
    assert.match(equation(...pair(1e-9)), new RegExp(` \\+ ${small} x₁x₂ `));
    assert.doesNotMatch(equation(...pair(1e-17)), /x₁x₂/);
    for (let trial = 0; trial < 200; trial++) {
      const place = () => [within(-3, 3) * unit, within(-3, 3) * unit];
      const upright = () => [[(within(0.1, 3) * unit) ** 2, 0], [0, (within(0.1, 3) * unit) ** 2]];
      const [one, other] = [upright(), upright()], at = place(), to = place();
      const all = equation(explorer.gaussian(at, one), explorer.gaussian(to, other));
      assert.match(all, /x₁² .* x₂² .* x₁ .* x₂ [+−] [^x]* = 0$/);
      assert.doesNotMatch(all, /x₁x₂/);
      other[0][0] = one[0][0];
      to[0] = at[0]; // then x₁ says nothing
      assert.doesNotMatch(equation(explorer.gaussian(at, one), explorer.gaussian(to, other)), /x₁/);
    }
  }
});

test("one line where two coincide, two where they do not", () => {
  const boundary = (b, logOdds) =>
    explorer.conic(explorer.gaussian([0, 0], [[1, 0], [0, 1]]), explorer.gaussian([0, 0], [[b, 0], [0, 1]]), logOdds);
  const level = -Math.log(2); // of ln odds, at which the two lines about the mean become one
  assert.equal(boundary(4, 0).kind, "two lines");
  assert.equal(boundary(4, level).kind, "line");
  assert.equal(boundary(4, level - 0.1).kind, "none");
});

test("a window holds points and ellipses, both axes alike unless that would waste most of it", () => {
  const alike = { means: [[0, 0], [4, 2]], covariances: [[[1, 0], [0, 1]], [[1, 0], [0, 1]]], points: [[9, 0, 0]] };
  const { x, y } = explorer.fittingView(alike);
  assert.ok(x[0] < -2.6 && x[1] > 9 && y[0] < -2.6 && y[1] > 4.6);
  assertClose(x[1] - x[0], y[1] - y[0], "side");
  assertClose(x[1] - x[0], 1.12 * 11.6, "side");
  const many = Array.from({ length: 2e5 }, (_, i) => [i / 2e5, 0, 0]); // too many to be arguments of a function
  assert.deepEqual(explorer.fittingView({ ...alike, points: [...many, [9, 0, 0]] }), { x, y });
  const unlike = explorer.fittingView({ ...alike, points: [[900, 0, 0]] });
  assertClose(unlike.y[1] - unlike.y[0], 1.12 * 7.2, "height");
});

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
  const [truth, lda] = ["QDA", "LDA"].map((rule) => fitRule(rule, model, priors, ["A", "B"]));
  const n = 1e6, points = explorer.drawPoints({ means, covariances, priors }, n, random);
  const wrong = points.filter(([x, y, k]) => explorer.argmax(explorer.logJoint(lda, x, y)) !== k).length;
  const { error } = explorer.errorRate(truth, lda);
  assert.ok(Math.abs(wrong / n - error) < 4 * Math.sqrt((error * (1 - error)) / n), `${wrong / n} is not ${error}`);
  assert.ok(error >= explorer.errorRate(truth, truth).error);
});

test("the lattice finds the error of kNN: against a sample, and as accurate as it says", () => {
  const { means, covariances } = cases.find(({ name }) => name === "hyperbola");
  const model = { means, covariances }, names = ["A", "B"];
  for (const priors of [[0.5, 0.5], [0.2, 0.8]]) {
    const truth = fitRule("QDA", model, priors, names), qda = ([x, y]) => explorer.argmax(explorer.logJoint(truth, x, y));
    const exact = explorer.errorRate(truth, truth).error, own = explorer.errorByLattice(truth, qda, 4000);
    assert.ok(Math.abs(own.error - exact) < 2 * own.accuracy && own.accuracy < 2e-3, `${own.error} ± ${own.accuracy}, not ${exact}`);
    for (const k of [1, 5, 31]) {
      const neighbours = new explorer.Neighbours(explorer.drawPoints({ means, covariances, priors: [0.5, 0.5] }, 100, random));
      const decide = ([x, y]) => explorer.argmax(neighbours.votes(x, y, k, 2)), n = 2e5;
      const fresh = explorer.drawPoints({ means, covariances, priors }, n, random);
      const wrong = fresh.filter((point) => decide(point) !== point[2]).length / n;
      const { error, accuracy } = explorer.errorByLattice(truth, decide, 4000);
      const least = 4 * Math.sqrt((wrong * (1 - wrong)) / n);
      assert.ok(Math.abs(error - wrong) < 2 * accuracy + least, `${k}: ${error} ± ${accuracy} is not ${wrong}`);
      assert.ok(accuracy < 3e-3 && accuracy > 0);
    }
  }
});

test("how far off an error may be is said where it shows", () => {
  for (const [error, accuracy, text] of [[0.03516, 2e-11, "3.516 %"], [0.24687, 0.0021, "24.7 % (± 0.2 %)"], [0, 0, "0 %"],
    [0.24687, 0.021, "25 % (± 2 %)"], [0.24687, 4e-5, "24.69 %"], [1.23e-11, 1e-13, "1·10⁻⁹ %"],
    [1.23e-11, 4e-11, "1·10⁻⁹ % (± 4·10⁻⁹ %)"], [0.5, 1e-9, "50 %"], [0.01, 0.03, "1 % (± 3 %)"]]) {
    assert.equal(explorer.measured({ error, accuracy }), text.replaceAll(" %", "\u00a0%"));
  }
});

test("an ellipse is dashed only where the rule goes by another", () => {
  const state = { mode: "estimate", means: [[1e3, 2]], covariances: [[[4, 1], [1, 1]]] };
  const dashed = (mean, S, mode = "estimate") => explorer.dashedEllipse({ ...state, mode }, S && explorer.gaussian(mean, S), 0) !== null;
  assert.ok(!dashed([1e3, 2], [[4, 1], [1, 1]]));
  assert.ok(!dashed([1e3 + 1e-3, 2], [[4.001, 1], [1, 1]]));
  assert.ok(dashed([1e3 + 0.1, 2], [[4, 1], [1, 1]]));
  assert.ok(dashed([1e3, 2], [[4, 1.1], [1.1, 1]]));
  assert.ok(dashed([1e3, 2], null));
  assert.ok(!dashed([9, 9], [[1, 0], [0, 1]], "truth"));
});

test("a class has the colour of its place among all classes, one that is not among them a free one", () => {
  const species = ["setosa", "versicolor", "virginica"];
  for (const [names, classes, styles] of STYLES(species)) assert.deepEqual(explorer.stylesOf(names, classes), styles);
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
  const many = [...Array(3)].flatMap((_, i) => points.map(([x, y, k]) => [x + i, y, k]));
  const crowd = new explorer.Neighbours(many);
  for (const k of [42, 120, 240, 999]) {
    const near = [...many].sort((p, q) => Math.hypot(p[0] - 1, p[1]) - Math.hypot(q[0] - 1, q[1])).slice(0, k);
    assert.deepEqual(crowd.votes(1, 0, k, 3), [0, 1, 2].map((label) => near.filter((p) => p[2] === label).length));
  }
  const same = new explorer.Neighbours(Array.from({ length: 60 }, (_, i) => [0, 0, i % 2])); // all at the same distance
  assert.equal(same.votes(1, 1, 45, 2).reduce((a, b) => a + b), 45);
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

test("a class that is moved takes its true density along, and leaves the others what they have become", () => {
  const S = [[2, 0.6], [0.6, 1]];
  const state = { means: [[1, 2], [0, 0]], covariances: [S, [[1, 0], [0, 1]]], points: [[1, 1, 0], [2, 2, 1]] };
  const now = { means: [[9, 9], [7, 7]], covariances: [S, [[3, 0], [0, 3]]], points: [[8, 8, 0], [6, 6, 1]] };
  const from = { mean: [1, 2], axes: [[1, 0], [0, 1]] }, to = { mean: [2, 0], axes: [[0, 2], [-1, 0]] };
  const moved = explorer.moveClass(state, 0, from, to, now); // A = [[0, −1], [2, 0]]
  assertClose(moved.means, [[2, 0], [7, 7]], "mean");
  assertClose(moved.covariances, [[[1, -1.2], [-1.2, 8]], [[3, 0], [0, 3]]], "covariance");
  assertClose(moved.points, [[3, 0, 0], [6, 6, 1]], "point");
  assert.deepEqual(explorer.moveClass(state, 0, from, { ...from, mean: [5, 5] }).covariances, state.covariances);
});

test("an axis follows its end, the other stays perpendicular on the screen and as long", () => {
  const units = [0.5, -0.25], mean = [1, 1], axes = [[10, 0], [0, -4]]; // 20 and 16 pixels
  const [first, second] = explorer.turnedAxes(axes, 0, mean, [21, 1], [1, 13], units); // 2σ, straight up
  assertClose(first, [0, 6], "pulled");
  assertClose([Math.hypot(second[0] / 0.5, second[1] / 0.25), second[1]], [16, 0], "other");
  // The opposite end is pulled: the axis points the other way.
  assertClose(explorer.turnedAxes(axes, 0, mean, [-19, 1], [1, 13], units)[0], [0, -6], "opposite end");
  // To nothing it cannot be squeezed: a pixel is left.
  assertClose(explorer.turnedAxes(axes, 0, mean, [21, 1], mean, units)[0], [0.5, 0], "squeezed");
  assertClose(explorer.turnedAxes(axes, 1, mean, [1, -7], [1, -3], units), [[10, 0], [0, -2]], "second axis");
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
  const plain = { features: ["x₁", "x₂"], rows: [[1.5, 2], [0, -1e3]], labels: ["A", "B"], omitted: 0 };
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
  ["1,2,A\n1,,B", /All points have the label A/],
  ["1,,A\n1,2,\n", /In every row a value is missing/],
  ["a,b,c\n1,2,3\n4,\"5,6\n7,8,9", /quotation mark in line 3 is not closed/],
  ["species,island,mass\nAdelie,Dream,1\nGentoo,Biscoe,2", /Columns species, island hold words: keep one of them/],
  ["1,2,A\n1,\"1,234\",B", /Line 2: "1,234" is not a number/],
  ["1,2,A\nInfinity,2,B", /Line 2: "Infinity" is not a number/],
  ["1,2,A\n3,4,A", /All points have the label A/],
  ["x,y,c", /no points/],
  ["1,1,A\n1,1,B\n1,1,C\n1,1,D\n1,1,E\n1,1,F", /6 different labels/],
  ["1,2,A\n".repeat(5001), /5001 points/],
]) {
  test(`CSV: ${JSON.stringify(text.slice(0, 30))} is refused with ${message}`, () => {
    assert.throws(() => explorer.readCSV(text), message);
  });
}

test("CSV: what a spreadsheet may write is read", () => {
  const plain = { features: ["a", "b"], rows: [[1.5, 2], [0, 3]], labels: ["Smith, John", "B"], omitted: 0 };
  for (const text of [
    'a,b,who\n1.5,2,"Smith, John"\n0,3,B', // a label with a comma
    'who,a,b\n"Smith, John",1.5,2\nB,0,3', // the label first
    'a,who,b\n1.5,"Smith, John",2\n0,B,3', // and between
    '\uFEFF"a";"b";"who"\r\n"1,5";"2";"Smith, John"\r\n"0";"3";"B"\r\n;;\r\n', // byte order mark, decimal commas, empty line
    ' a , b , who \n 1.5 ,2, "Smith, John" \n0, 3 ,B  ', // spaces
    'a b who\n1.5   2 "Smith, John"\n 0 3 B ', // only spaces
  ]) {
    assert.deepEqual(explorer.readCSV(text), plain, text);
  }
  assert.deepEqual(explorer.readCSV('1,2,"say ""no"""\n3,4,"two\nlines"').labels, ['say "no"', "two\nlines"]);
  assert.throws(() => explorer.readCSV('1,2,"two\nlines"\n3,x,B'), /Line 3: "x"/);
});

test("CSV: rows in which a value is missing are left out and counted", () => {
  const { rows, labels, omitted } = explorer.readCSV("a,b,c\n1,2,A\n,3,B\nNA,3,B\n4,NaN,A\n5,6,\n7,8,B\n9,?,B\n8,n/a,A");
  assert.deepEqual([rows, labels, omitted], [[[1, 2], [7, 8]], ["A", "B"], 6]);
});

test("a table becomes a state that makes sense, even where a class has a single point", () => {
  const table = explorer.readCSV("5,1,10\n6,2,10\n7,1,10\n1,1,9");
  const state = { ...explorer.fromTable(table, 0, 1), rule: "QDA", k: 5, shared: 0.5, cut: [] };
  assert.deepEqual(state.class_names, [9, 10]);
  assert.deepEqual(state.priors, [0.25, 0.75]);
  assert.ok(explorer.makesSense(state));
  const { problem } = fitRule("QDA", explorer.densities(state), state.priors, state.class_names);
  assert.match(problem, /class 9: it has 1/);
});

test("labels are numbers only if they read the same as such", () => {
  assert.deepEqual(explorer.fromTable(explorer.readCSV("1,2,10\n2,1,9"), 0, 1).class_names, [9, 10]);
  assert.deepEqual(explorer.fromTable(explorer.readCSV("1,2,01\n2,1,1"), 0, 1).class_names, ["01", "1"]);
});

test("states that make no sense are known", () => {
  const state = {
    ...cases[0], class_names: [0, 1], feature_names: ["x", "y"], rule: "QDA", mode: "truth", k: 5, shared: 0.5,
    cut: [[0, 1], [2, 3]],
  };
  assert.ok(explorer.makesSense(state));
  for (const bad of [
    { means: [[0, 0]] }, { means: [[0, 0], [NaN, 0]] }, { covariances: [[[1, 2], [2, 1]], [[1, 0], [0, 1]]] },
    { priors: [0.5, 0.6] }, { priors: [-0.5, 1.5] }, { points: [[0, 0, 2]] }, { rule: "SVM" }, { k: 0 }, { shared: 1.1 }, { shared: NaN }, { cut: [[0, 1]] },
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
