// One-dimensional Gaussians, thresholds between them, and what these cost. A class is { mean, deviation, weight }: its
// weight is its prior, or prior × cost where mistakes about some classes cost more than those about others.

import { argmax, sum } from "./numbers.js";

const HALF_LOG_2PI = Math.log(2 * Math.PI) / 2;

/** erfc, the complementary error function, to its last digits also far out, where 1 − erf has none left. */
export function erfc(x) {
  if (x < 0) return 2 - erfc(-x);
  const bell = Math.exp(-x * x) / Math.sqrt(Math.PI);
  if (x < 2) {
    let term = 2 * x, total = 0; // erf = bell · Σ 2ⁿ⁺¹ x²ⁿ⁺¹ / (2n + 1)!!, and all its terms are positive
    for (let n = 1; total + term > total; n++) {
      total += term;
      term *= (2 * x * x) / (2 * n + 1);
    }
    return 1 - bell * total;
  }
  let fraction = x; // Laplace's continued fraction, from its far end
  for (let n = 40; n > 0; n--) fraction = x + n / 2 / fraction;
  return bell / fraction;
}

/** Area of the standard Gaussian left of z. */
const normalBelow = (z) => erfc(-z / Math.SQRT2) / 2;

/** ln weight + ln N(x; mean, deviation²). */
export function logWeighted({ mean, deviation, weight }, x) {
  const z = (x - mean) / deviation;
  return Math.log(weight) - Math.log(deviation) - HALF_LOG_2PI - (z * z) / 2;
}

/** Probability of each class at x, in proportion to weight × density. */
export function posteriorsAt(classes, x) {
  const logs = classes.map((each) => logWeighted(each, x)), top = Math.max(...logs);
  const shares = logs.map((log) => Math.exp(log - top)), total = sum(shares);
  return shares.map((share) => share / total);
}

/** Area of a class's density between two places; taken from the nearer tail, so that a small one keeps its digits. */
function areaBetween({ mean, deviation }, low, high) {
  const a = (low - mean) / deviation, b = (high - mean) / deviation;
  return a > 0 ? normalBelow(-a) - normalBelow(-b) : normalBelow(b) - normalBelow(a);
}

/**
 * How ln weight × density of one class exceeds that of another, as a quadratic [a, b, c] / 2r² of u = (x − m) / s.
 *
 * With the first class for origin m and unit s, the ratio r of the deviations and the distance δ of the means over s it
 * is (1 − r²) u² − 2 δ u + δ² + 2 r² ln(w s' / w' s): neither an offset nor nearly equal deviations cost digits.
 */
function comparison(one, other) {
  const delta = (other.mean - one.mean) / one.deviation, ratio = other.deviation / one.deviation;
  const start = Math.log(one.weight / other.weight) + Math.log(ratio);
  return { delta, ratio, start, square: (1 - ratio) * (1 + ratio) };
}

function isAhead(one, other, x) {
  const { delta, ratio, start, square } = comparison(one, other), u = (x - one.mean) / one.deviation;
  return (square * u - 2 * delta) * u + delta * delta + 2 * ratio * ratio * start > 0;
}

/** Where weight × density of two classes cross, from left to right: at two places, one or none. */
export function crossings(one, other) {
  const { delta, ratio, start, square } = comparison(one, other), discriminant = delta * delta - 2 * square * start;
  if (!(discriminant > 0 && Number.isFinite(start))) return [];
  const q = delta + (delta < 0 ? -1 : 1) * ratio * Math.sqrt(discriminant); // no difference of nearly equal numbers
  const roots = [(delta * delta + 2 * ratio * ratio * start) / q, ...(square ? [q / square] : [])];
  return roots.map((u) => one.mean + one.deviation * u).sort((a, b) => a - b);
}

/** Where any two classes cross, from left to right. */
const allCrossings = (classes) =>
  classes.flatMap((one, i) => classes.slice(0, i).flatMap((other) => crossings(other, one))).sort((a, b) => a - b);

/** The regions [{ low, high, decision }] of the rule that decides for the largest weight × density. */
export function bestRegions(classes) {
  const places = allCrossings(classes), cuts = [-Infinity, ...places, Infinity], regions = [];
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const beyond = Math.max(...classes.map(({ mean, deviation }) =>
    deviation + Math.max(Math.abs(first - mean), Math.abs(last - mean))));
  for (let i = 1; i < cuts.length; i++) {
    const [low, high] = [cuts[i - 1], cuts[i]];
    const middle = (Math.max(low, first - beyond) + Math.min(high, last + beyond)) / 2;
    const decision = classes.reduce((best, each, k) => (isAhead(each, classes[best], middle) ? k : best), 0);
    if (regions.at(-1)?.decision === decision) regions.at(-1).high = high;
    else regions.push({ low, high, decision });
  }
  return regions;
}

/** The regions of thresholds: the classes in their order, each from one threshold to the next. */
export function regionsOf(thresholds) {
  const cuts = [-Infinity, ...thresholds, Infinity];
  return cuts.slice(1).map((high, decision) => ({ low: cuts[decision], high, decision }));
}

/** Of each class, the share that lies in regions of other classes. */
export function sharesLost(classes, regions) {
  return classes.map((each, k) =>
    sum(regions.map(({ low, high, decision }) => (decision === k ? 0 : areaBetween(each, low, high)))));
}

/** Weight × share lost, summed over the classes: the error where weights are priors, else the expected cost. */
export function lossOf(classes, regions) {
  return sum(sharesLost(classes, regions).map((share, k) => classes[k].weight * share));
}

/** The thresholds, in ascending order, that lose least; where one is infinite, a class is never decided for. */
export function bestThresholds(classes) {
  // A best threshold stands where two classes cross, or leaves the line; several may stand at one place.
  const places = [-Infinity, ...allCrossings(classes), Infinity];
  let choices = [[]];
  for (let i = 1; i < classes.length; i++) {
    choices = choices.flatMap((chosen) =>
      places.filter((place) => !(place < chosen.at(-1))).map((place) => [...chosen, place]));
  }
  const losses = choices.map((thresholds) => lossOf(classes, regionsOf(thresholds)));
  const least = argmax(losses.map((loss) => -loss));
  return { thresholds: choices[least], loss: losses[least] };
}
