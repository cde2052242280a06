// The likelihood of the mean and the deviation of a Gaussian, given a sample on a line.

import { sum } from "./numbers.js";

/** What the likelihood needs of a sample: its size, its mean and the sum of squares about it. */
export function summaryOf(points) {
  const n = points.length, mean = points[0] + sum(points.map((x) => x - points[0])) / n; // exact, if all are equal
  return { n, mean, scatter: sum(points.map((x) => (x - mean) ** 2)) };
}

/** ℓ(μ, σ) = Σ ln N(xᵢ; μ, σ²). */
export function logLikelihood({ n, mean, scatter }, mu, sigma) {
  const squares = scatter + n * (mean - mu) ** 2;
  return -n * (Math.log(2 * Math.PI) / 2 + Math.log(sigma)) - squares / (2 * sigma * sigma);
}

/** Its slopes, along μ and along σ. */
export function gradient({ n, mean, scatter }, mu, sigma) {
  const squares = scatter + n * (mean - mu) ** 2;
  return [(n * (mean - mu)) / sigma ** 2, (squares / sigma ** 2 - n) / sigma];
}

/** The maximum { mu, sigma, value }; none where all values are equal, since ℓ then grows without end as σ vanishes. */
export function maximum(sample) {
  if (!(sample.scatter > 0)) return null;
  const mu = sample.mean, sigma = Math.sqrt(sample.scatter / sample.n);
  return { mu, sigma, value: logLikelihood(sample, mu, sigma) };
}

/**
 * The closed curve [[mu, sigma], …] on which ℓ is so much below its maximum.
 *
 * With v = σ/s, ℓ has fallen by n (ln v + (1/v² − 1)/2 + (μ − m)²/2σ²): for each v, (μ − m)/s = ±√(v² (2 drop/n + 1 −
 * 2 ln v) − 1). No grid is needed, and a contour is exact however narrow it is.
 */
export function contour(sample, drop) {
  const { mu, sigma } = maximum(sample), level = (2 * drop) / sample.n + 1, steps = 60;
  const square = (v) => v * v * (level - 2 * Math.log(v)) - 1;
  const [low, high] = [edge(square, 1, 0), edge(square, 1, Math.exp(level / 2))];
  const side = Array.from({ length: steps + 1 }, (_, i) => {
    const v = low * (high / low) ** ((1 - Math.cos((Math.PI * i) / steps)) / 2); // close together at both ends
    return [sigma * Math.sqrt(Math.max(square(v), 0)), sigma * v];
  });
  return [...side.map(([half, s]) => [mu + half, s]), ...side.reverse().map(([half, s]) => [mu - half, s])];
}

/** Where a function changes its sign between a place where it is positive and one where it is not. */
function edge(f, inside, outside) {
  for (let i = 0; i < 60; i++) {
    const middle = (inside + outside) / 2;
    if (f(middle) > 0) inside = middle;
    else outside = middle;
  }
  return inside;
}
