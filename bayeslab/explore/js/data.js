// Data: tables, and what the explorer shows of them.

import { range } from "./math/numbers.js";
import { gaussian } from "./math/gaussian.js";
import { estimate } from "./math/estimate.js";
import { MOST_CLASSES } from "./constants.js";

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

/** Labels in order, once each; as numbers if they are whole numbers. Throws where there are too few or too many. */
export function classesOf(labels) {
  const distinct = [...new Set(labels)], n = distinct.length, range = `there must be 2 to ${MOST_CLASSES} classes`;
  if (n === 0) throw new Error("There are no points");
  if (n === 1) throw new Error(`All points have the label ${distinct[0]}; ${range}`);
  if (n > MOST_CLASSES) throw new Error(`There are ${n} different labels; ${range}`);
  const whole = distinct.every((label) => /^-?\d{1,15}$/.test(label) && String(Number(label)) === label);
  return whole ? distinct.map(Number).sort((p, q) => p - q) : distinct.sort();
}

/** What to show for two columns of a table: the points, and as densities the Gaussians fitted to them. */
export function fromTable({ features, rows, labels }, i, j) {
  const names = classesOf(labels);
  const index = new Map(names.map((name, k) => [String(name), k]));
  const points = rows.map((row, n) => [row[i], row[j], index.get(labels[n])]);
  const { counts, means, covariances, pooled } = estimate(points, names.length);
  const spare = [i, j].map((column, d) => pooled?.[d][d] || spread(rows, column) ** 2 / 16 || 1);
  return {
    class_names: names,
    classes: names,
    feature_names: [features[i], features[j]],
    points,
    means,
    covariances: covariances.map((S, k) => (gaussian(means[k], S) ? S : [[spare[0], 0], [0, spare[1]]])),
    priors: counts.map((n) => n / points.length),
    mode: "estimate",
  };
}

/**
 * Which two columns of which data set a state shows, as `{ name, features, scene }` with what `fromTable` makes of
 * them; null where its points are others. `datasets` are those that the course ships.
 */
export function columnsShown(datasets, { feature_names, class_names, points }) {
  for (const [name, set] of Object.entries(datasets)) {
    const { features } = set, [i, j] = feature_names.map((feature) => features.indexOf(feature));
    const isOther = Math.min(i, j) < 0 || i === j || class_names.some((label) => !(label in set.classes));
    if (isOther) continue;
    const scene = fromTable(tableOf(set), i, j);
    if (inOrder(points) === inOrder(scene.points)) return { name, features: [features[i], features[j]], scene };
  }
  return null;
}

/** Points as a text, class by class: a file may have them in another order. */
const inOrder = (points) => points.toSorted((p, q) => p[2] - q[2]).join(";");

function spread(rows, column) {
  const [low, high] = range(rows.map((row) => row[column]));
  return high - low;
}
