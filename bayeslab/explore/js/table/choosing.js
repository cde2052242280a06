// What an explorer shows of a table: two columns, a label, and as many rows as it can.

import { MOST_CLASSES } from "../constants.js";
import { isLabel } from "./reading.js";

const FEW = 10; // different numbers: a year or a grade has no more
const USUAL = /^(class|label|target|species|kind|type|group|diagnosis|outcome)$/i; // names of labels

const quoted = (name) => `“${name.length > 40 ? `${name.slice(0, 39)}…` : name}”`;
const ofRows = (n) => `${n} row${n === 1 ? "" : "s"}`;

/** How many different labels a column has in its first thousands of rows. */
const kindsIn = ({ texts }) => new Set(texts.slice(0, 20_000).filter(isLabel)).size;

/** Indices of the columns that can be an axis. */
export const numericColumns = ({ columns }) => [...columns.keys()].filter((j) => columns[j].isNumeric);

/**
 * The columns to begin with, as indices { axes, label }: a label with few values, by its name or else of words if there
 * are any, and the last columns of numbers; not those that count the rows, or that have few different numbers, unless there are no others.
 */
export function firstChoice(table, { n_axes, labelled }) {
  const { columns } = table, all = [...columns.keys()], kinds = columns.map(kindsIn);
  const hasFew = (j) => kinds[j] >= 2 && kinds[j] <= MOST_CLASSES;
  const words = all.filter((j) => !columns[j].isNumeric), whole = all.filter((j) => columns[j].areWhole);
  const repeats = (j) => kinds[j] > MOST_CLASSES && kinds[j] < Math.min(columns[j].texts.length, 20_000) / 3;
  const named = all.find((j) => USUAL.test(columns[j].name) && hasFew(j));
  const label = !labelled ? -1 : named ?? words.find(hasFew) ?? whole.findLast(hasFew) ?? words.find(repeats) ?? -1;
  const counts = ({ numbers }) => numbers.length > 2 && numbers.every((value, i) => value === numbers[0] + i);
  const numeric = numericColumns(table).filter((j) => j !== label), good = numeric.filter((j) => !counts(columns[j]));
  const best = [good.filter((j) => kinds[j] > FEW), good, numeric].find(({ length }) => length >= n_axes) ?? [];
  return { axes: best.slice(-n_axes), label };
}

/**
 * What is shown: { points, feature_names, words } and, of labelled points, { class_names, classes }; `code` has what
 * Python needs to choose the same. `limits` are { n_axes, most, least, labelled }: `most` of all points, and `least` of a class. Throws an
 * Error that says why nothing can be shown.
 */
export function chosenFrom({ name, columns, n, long }, { axes, label }, { n_axes, most, least = 1, labelled }) {
  const [kind, features] = [columns[label], axes.map((j) => columns[j])];
  if (features.length < n_axes) throw new Error(`${quoted(name)} needs ${n_axes > 1 ? "two columns" : "a column"} of numbers`);
  if (labelled && !kind) throw new Error("No column looks like a label, with 2 to 5 different values: choose one");
  const lost = [...features, kind].filter(Boolean).map(() => 0), used = [];
  for (let i = 0; i < columns[0].texts.length; i++) {
    const bad = features.findIndex(({ numbers }) => Number.isNaN(numbers[i]));
    if (bad >= 0) lost[bad] += 1;
    else if (labelled && !kind.given && !isLabel(kind.texts[i])) lost[features.length] += 1;
    else used.push(i);
  }
  const gaps = [
    ...features.map((column, j) => [lost[j], `no number in ${quoted(column.name)}`]),
    ...(labelled ? [[lost.at(-1), `no label in ${quoted(kind.name)}`]] : []), [long, "too many fields"],
  ].filter(([count]) => count);
  const leftOut = gaps.reduce((total, [count]) => total + count, 0);
  const why = gaps.map(([count, reason]) => (gaps.length > 1 ? `${reason} (${count})` : reason)).join(", ");
  if (!used.length) throw new Error(`No row can be used: ${why || "there is none"}`);
  const sentences = leftOut ? [`${leftOut} of ${ofRows(n)} left out: ${why}.`] : [];
  const classes = labelled ? classesIn(kind, used, least, sentences) : null;
  const index = classes && new Map(classes.shown.map((text, k) => [text, k]));
  const kept = classes ? used.filter((i) => index.has(kind.texts[i])) : used;
  const classOf = (i) => (classes ? index.get(kind.texts[i]) : 0);
  const step = stepFor(kept, classOf, most), seen = classes?.shown.map(() => 0) ?? [0];
  const rows = kept.filter((i) => seen[classOf(i)]++ % step === 0);
  if (step > 1) {
    sentences.push(`Every ${ordinal(step)} row${classes ? " of each class" : ""} is shown: ${most} points are the most here.`);
  }
  const place = (i) => features.map(({ numbers }) => numbers[i]), [line] = features;
  const labelOf = (text) => (kind.given ? kind.given.get(text) : kind.areWhole ? Number(text) : text);
  return {
    points: rows.map((i) => {
      if (classes) return [...place(i), index.get(kind.texts[i])];
      return n_axes > 1 ? place(i) : line.numbers[i];
    }),
    feature_names: features.map((column) => column.name),
    ...(classes && { class_names: classes.shown.map(labelOf), classes: classes.all.map(labelOf) }),
    words: [`${ofRows(rows.length)} of ${quoted(name)} ${rows.length === 1 ? "is" : "are"} shown.`, ...sentences].join(" "),
    code: { features, kind, step, only: classes && classes.shown.length < classes.all.length },
  };
}

/** The labels in order: all, and those that are shown. */
function classesIn(kind, used, least, sentences) {
  const counts = new Map(), places = kind.given && [...kind.given.keys()];
  const inOrder = places ? (p, q) => places.indexOf(p) - places.indexOf(q) : kind.areWhole ? (p, q) => p - q : undefined;
  for (const i of used) counts.set(kind.texts[i], (counts.get(kind.texts[i]) ?? 0) + 1);
  const all = [...counts.keys()].sort(inOrder), large = all.filter((text) => counts.get(text) >= least);
  if (large.length < 2) {
    const few = all.length > 1 ? `Fewer than two classes of ${quoted(kind.name)} have ${ofRows(least)}`
      : `All rows have the label ${quoted(all[0])} in ${quoted(kind.name)}`;
    throw new Error(`${few}: choose another label`);
  }
  const frequent = large.toSorted((p, q) => counts.get(q) - counts.get(p)).slice(0, MOST_CLASSES);
  const areMeasured = kind.isNumeric && !kind.areWhole; // and no labels, unless they are few
  if (large.length > MOST_CLASSES && (areMeasured || counts.get(frequent[1]) < 3)) {
    throw new Error(`${quoted(kind.name)} has ${all.length} different values in ${ofRows(used.length)}: choose another label`);
  }
  if (large.length < all.length) {
    const n = all.length - large.length;
    sentences.push(`${n} class${n > 1 ? "es" : ""} with fewer than ${least} rows left out.`);
  }
  if (large.length > MOST_CLASSES) {
    sentences.push(`${MOST_CLASSES} of ${large.length} classes are shown, those with the most rows.`);
  }
  return { all, shown: frequent.sort(inOrder) };
}

/** The smallest step with which every so manieth row of each class makes no more than `most`. */
function stepFor(rows, classOf, most) {
  const counts = [];
  for (const i of rows) counts[classOf(i)] = (counts[classOf(i)] ?? 0) + 1;
  let step = Math.max(1, Math.ceil(rows.length / most));
  while (counts.reduce((total, count) => total + Math.ceil(count / step), 0) > most) step += 1;
  return step;
}

const ordinal = (n) => `${n}${{ 1: "st", 2: "nd", 3: "rd" }[Math.floor(n / 10) % 10 === 1 ? 0 : n % 10] ?? "th"}`;
