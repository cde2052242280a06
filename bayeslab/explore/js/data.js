// Data: tables, and what the explorer shows of them.

import { range } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { estimate } from "./math/estimate.js";

/**
 * Table { features, rows, labels } of a data set that has for each class all its rows in one list, as whole numbers n:
 * by the ruler of its column, [first, step, scale], one is (first + n·step) / scale.
 */
export function tableOf({ features, rulers, classes }) {
  const entries = Object.entries(classes), d = features.length;
  const values = (marks) => marks.map((n, i) => (rulers[i % d][0] + n * rulers[i % d][1]) / rulers[i % d][2]);
  const rowsOf = (list) => list.filter((_, i) => i % d === 0).map((_, n) => list.slice(d * n, d * n + d));
  const groups = entries.map(([, marks]) => rowsOf(values(marks)));
  return { features, rows: groups.flat(), labels: entries.flatMap(([name], k) => groups[k].map(() => name)) };
}

/** Chosen points with, as their densities, the Gaussians fitted to them. */
export function fittedTo({ class_names, classes, feature_names, points }) {
  const { counts, means, covariances, pooled } = estimate(points, class_names.length);
  const spare = [0, 1].map((j) => pooled?.[j][j] || spread(points, j) ** 2 / 16 || 1);
  return {
    class_names, classes, feature_names, points, means,
    covariances: covariances.map((S, k) => (gaussian(means[k], S) ? S : [[spare[0], 0], [0, spare[1]]])),
    priors: counts.map((n) => n / points.length),
    mode: "estimate",
  };
}

/**
 * Which two columns of which data set a state shows, as `{ name, features, scene }` with what `fittedTo` makes of
 * them; null where its points are others. `datasets` are those that the course ships.
 */
export function columnsShown(datasets, { feature_names, class_names, points }) {
  for (const [name, set] of Object.entries(datasets)) {
    const { features } = set, [i, j] = feature_names.map((feature) => features.indexOf(feature));
    const isOther = Math.min(i, j) < 0 || i === j || class_names.some((label) => !(label in set.classes));
    if (isOther) continue;
    const { rows, labels } = tableOf(set), names = Object.keys(set.classes);
    const chosen = rows.map((row, n) => [row[i], row[j], names.indexOf(labels[n])]);
    const given = { class_names: names, classes: names, feature_names: [features[i], features[j]], points: chosen };
    const scene = fittedTo(given);
    if (inOrder(points) === inOrder(scene.points)) return { name, features: [features[i], features[j]], scene };
  }
  return null;
}

/** Points as a text, class by class: a file may have them in another order. */
const inOrder = (points) => points.toSorted((p, q) => p[2] - q[2]).join(";");

function spread(points, j) {
  const [low, high] = range(points.map((point) => point[j]));
  return high - low;
}
