// Links, descriptions of pictures, samples that can be drawn again: node --test tests/explorer/
import assert from "node:assert/strict";
import test from "node:test";

const FOLDER = "../../bayeslab/explore/js/";
const MODULES = ["math/numbers", "kit/links", "kit/python", "sample", "state"];
const { CODECS, drawSample, originOf, pythonCall, randomNumbers, readLink, writeLink, LONGEST_LINK } =
  Object.assign({}, ...(await Promise.all(MODULES.map((name) => import(`${FOLDER}${name}.js`)))));

const random = randomNumbers(11);
const below = (n) => Math.floor(n * random());
const pick = (list) => list[below(list.length)];
const NAMES = ["A", "B", "#&=%", "a,b;c;;d", "1", 1, 0, -2.5, "true", true, false, "'", "", "é ß 中 😀", "+", "a b", "%41",
  "__proto__", "<b>", "x".repeat(200), 1e21, "1e21", '"quoted"', "drawn,1,2"];
const value = () => pick([random(), 100 * random() - 50, Math.round(10 * random()), 1e-9 * random(), 1e25 * random(), 0.1]);

/** A state as drags leave it; some have points that were drawn, some have such that were changed by hand. */
function randomState() {
  const K = 2 + below(4), names = new Set();
  while (names.size < K) names.add(pick(NAMES));
  const weights = Array.from({ length: K }, () => random() + 0.01), total = weights.reduce((a, b) => a + b);
  const state = {
    class_names: [...names], classes: pick([[], [...names], [...names, "more"]]), feature_names: [pick(NAMES), pick(NAMES)].map(String),
    means: Array.from({ length: K }, () => [value(), value()]),
    covariances: Array.from({ length: K }, () => {
      const [s, t, rho] = [random() + 0.1, 1e3 * random() + 0.1, 1.8 * random() - 0.9];
      return [[s * s, rho * s * t], [rho * s * t, t * t]];
    }),
    priors: weights.map((weight) => weight / total), rule: pick(["LDA", "kNN", "nearest mean"]),
    mode: pick(["truth", "estimate"]), k: 1 + below(99), shared: random(), side_by_side: random() < 0.5,
    compact: random() < 0.5, cut: pick([[], [[value(), value()], [value(), value()]]]),
  };
  for (const layer of ["regions", "posterior", "boundary", "ellipses", "contours", "cut"]) state[`show_${layer}`] = random() < 0.5;
  const counts = Array.from({ length: K }, () => below(5));
  counts[0] += 1;
  state.points = pick([[], drawSample(state, counts, below(1e6)), [[value(), value(), below(K)], [value(), value(), below(K)]]]);
  if (state.points.length > 3 && random() < 0.3) state.points = state.points.map((point, n) => (n ? point : [1, 2, 0]));
  return state;
}

const page = { ...randomState(), points: [[0, 0, 0]] };

test("a link leads back to the state that it was made of, whatever that is", () => {
  let drawn = 0;
  for (let trial = 0; trial < 400; trial++) {
    const state = randomState(), base = trial % 2 ? page : randomState(), link = writeLink(CODECS, state, base);
    // As an address has it: nothing is lost in a browser's hands.
    const fragment = new URL(`https://example.org/a.html#${link}`).hash.slice(1);
    assert.deepEqual(readLink(CODECS, fragment, base), state, link);
    assert.match(link, /^[\w\-.~!*'(),;=&%]*$/);
    if (link.includes("points=drawn")) drawn++;
  }
  assert.ok(drawn > 50);
});

test("what is as on the page is left out, and a drawn sample is a seed and counts", () => {
  const state = { ...page, rule: "kNN", k: 7, points: drawSample(page, page.means.map(() => 3), 5) };
  const link = writeLink(CODECS, state, { ...page, rule: "LDA", k: 5 });
  assert.equal(link, `rule=kNN&k=7&points=drawn,5${",3".repeat(page.means.length)}`);
  assert.equal(writeLink(CODECS, page, page), "");
  const moved = { ...state, points: [[9, 9, 0], ...state.points.slice(1)] };
  assert.match(writeLink(CODECS, moved, page), /points=9,9,0;/);
  assert.equal(originOf(moved.points), undefined);
  // The densities move, and the points stay.
  const elsewhere = { ...state, means: state.means.map(([x, y]) => [2 * x + 1, y]) };
  assert.notDeepEqual(drawSample(elsewhere, page.means.map(() => 3), 5), state.points);
  assert.deepEqual(readLink(CODECS, writeLink(CODECS, elsewhere, page), page).points, state.points);
});

for (const [fragment, message] of [
  ["rul=LDA", /knows no “rul”/], ["rule", /“rule” needs one value/], ["rule=LDA&rule=QDA", /“rule” needs one value/],
  ["rule=toString", /none of/], ["__proto__=1", /knows no “__proto__”/], ["constructor=1", /knows no/], ["rule=LDA=1", /one value/],
  ["mode=<img onerror>", /none of truth, estimate/], ["k=0", /whole number/], ["k=1e9", /whole number/], ["k=2.5", /whole/],
  ["shared=", /not a number/], ["shared=NaN", /not a number/], ["shared=1e999", /not a number/], ["shared=0x1", /not a number/],
  ["means=1,2;3", /should have 2 parts/], ["means=1,2;;3,4", /2 parts/], ["covariances=1,0;0", /2 parts/], ["show_regions=2", /none of 0, 1/],
  ["points=drawn,1,1e9", /a sample needs/], ["points=drawn,1,-5,5", /a sample needs/], ["points=drawn", /not a number|parts/], ["class_names=%", URIError],
  ["class_names=%E0%A4%A", URIError], [`class_names=${"a".repeat(LONGEST_LINK)}`, /characters/], ["(((", /knows no/],
]) {
  test(`the fragment ${fragment.slice(0, 40)} is refused`, () => {
    assert.throws(() => readLink(CODECS, fragment, page), message);
  });
}

test("long code is broken between rows", () => {
  const points = Array.from({ length: 40 }, (_, n) => [n + 0.125, -n, n % 2]);
  const code = pythonCall("Explorer", { points, name: "a\n], [b", yes: true });
  assert.ok(code.split("\n").every((line) => line.length <= 100), code);
  assert.match(code, /^Explorer\(\n {4}points=\[\[0.125, 0, 0\], /);
  assert.match(code, /name="a\\n\], \[b",\n {4}yes=True,\n\)$/);
});
