// Samples that can be drawn again from a few numbers.

import { randomNumbers, range, rounded, sum } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { drawPoints } from "./math/estimate.js";
import { MOST_POINTS } from "./constants.js";
import { listsCodec, numberCodec } from "./kit/links.js";

const ORIGINS = new WeakMap(); // seed and counts of the lists of points that were drawn here

/** Draw so many points of each class, with coordinates that are good to read. */
export function drawSample({ means, covariances }, counts, seed) {
  const n = sum(counts), digits = [0, 1].map((axis) => {
    const ends = means.flatMap((mean, k) => [-3, 3].map((z) => mean[axis] + z * Math.sqrt(covariances[k][axis][axis])));
    const [low, high] = range(ends);
    return 4 - Math.floor(Math.log10(high - low));
  });
  const drawn = drawPoints({ means, covariances, priors: counts.map((count) => count / n) }, n, randomNumbers(seed));
  const points = drawn.map(([x, y, k]) => [rounded(x, digits[0]), rounded(y, digits[1]), k]);
  ORIGINS.set(points, { seed, counts });
  return points;
}

/** Seed and counts of a list of points, if it was drawn and nothing has been changed in it since. */
export const originOf = (points) => ORIGINS.get(points);

/** The points of a state in a link: "drawn,SEED,COUNT,COUNT" where that gives the same, else all coordinates. */
export const pointsCodec = {
  write: (points, state) => {
    const origin = originOf(points);
    const again = origin && drawSample(state, origin.counts, origin.seed);
    const same = again?.every((point, n) => point.every((value, j) => value === points[n][j]));
    return same ? `drawn,${listsCodec().write([origin.seed, ...origin.counts])}` : listsCodec(3).write(points);
  },
  read: (text, state) => {
    if (!text.startsWith("drawn,")) return listsCodec(3).read(text);
    const [seed, ...counts] = text.split(",").slice(1).map(numberCodec.read), n = sum(counts);
    const fits = counts.length === state.means.length
      && state.means.every((mean, k) => gaussian(mean, state.covariances[k]))
      && [seed, ...counts].every((count) => Number.isInteger(count) && count >= 0);
    if (!fits || !n || n > MOST_POINTS) {
      throw new Error(`a sample needs a seed and for each class a number of points, ${MOST_POINTS} in all at most`);
    }
    return drawSample(state, counts, seed);
  },
};
