// The window that a plane begins with.

import { range } from "../math/numbers.js";

/**
 * A square window that holds points and densities; both axes have the same scale unless one
 * of them would then be as much as `most` times too long.
 * In a plot that is wider, `aspect` times as high as wide, what it shows besides may hold the rest.
 */
export function fittingView({ means, covariances, points }, aspect = 1, most = 2.5) {
  const reach = [0, 1].map((j) => {
    const ends = covariances.flatMap((S, k) => [-3, 3].map((n) => means[k][j] + n * Math.sqrt(S[j][j])));
    const [low, high] = range([...ends, ...points.map((p) => p[j])]);
    return { middle: (low + high) / 2, width: 1.08 * (high - low) };
  });
  const ends = reach.map(({ width }) => width), alike = Math.max(...ends) < most * Math.min(...ends);
  reach[0].width *= aspect;
  const widest = Math.max(reach[0].width, reach[1].width);
  const [x, y] = reach.map(({ middle, width }) => {
    const side = (alike ? widest : width) || widest || 1 + Math.abs(middle); // where nothing varies there is none
    return [middle - side / 2, middle + side / 2];
  });
  return { x, y };
}
