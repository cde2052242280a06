// Tables as people have them: from the bytes of a file, or the text of a clipboard, to columns.

import { d3 } from "../vendor/d3_dsv.js";

export const MOST_BYTES = 5e6; // which are read in about a second
const MOST_COLUMNS = 1000; // which a select still offers
const SAMPLE = 50_000; // characters, by which separators are told
const END = "\uE000end"; // after the last row: it is a row of its own, unless a quotation mark is still open

/** What pandas takes for a missing value, and "?". */
const MISSING = new Set(["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>",
  "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null", "?"]);

/** Numbers as they are written with each decimal mark. */
const NUMBERS = {
  ".": /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i,
  ",": /^[-+]?(?:\d+,?\d*|,\d+)(?:e[-+]?\d+)?$/i,
};

// Bytes ..............................................................................................................

/** The text that these bytes are and its encoding, as Python calls it. Throws an Error where they are no text. */
export function decoded(bytes) {
  const encoding = encodingOf(bytes), isWide = encoding.startsWith("utf-16"), start = bytes.subarray(0, 4096);
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] < 9;
  if (isZip) throw new Error("This is a spreadsheet or another packed file: save it as CSV, or copy its cells and paste them");
  if (!isWide && start.some((byte) => byte < 9 || (byte > 13 && byte < 27))) throw new Error("This is not a table of text");
  const wide = encoding === "utf-16-be" || bytes[0] === 0xfe ? "utf-16be" : "utf-16le";
  const label = isWide ? wide : encoding.replace("cp1252", "windows-1252");
  return { text: new TextDecoder(label).decode(bytes), encoding };
}

function encodingOf(bytes) {
  const [first, second] = bytes, pairs = bytes.subarray(0, 2000);
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return "utf-16";
  const zeros = [0, 1].map((odd) => pairs.filter((byte, i) => byte === 0 && i % 2 === odd).length);
  for (const [odd, name] of [[1, "utf-16-le"], [0, "utf-16-be"]]) {
    if (zeros[odd] > pairs.length / 4 && !zeros[1 - odd]) return name; // every other byte, as in Latin letters
  }
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    return "cp1252"; // as Excel writes it in Western Europe
  }
}

// Text ...............................................................................................................

/**
 * The table in a text: { columns, n, long }, with the number of rows and of those that had more fields than the others,
 * which are left out; `options` are those of `pandas.read_csv`. Throws an Error that says what is wrong.
 */
export function readTable(text) {
  const [mark, named] = /^\uFEFF?(?:sep=([;,\t])\r?\n)?/i.exec(text), body = text.slice(mark.length);
  const separator = named ?? separatorOf(body), all = rowsOf(body, separator);
  if (!all.length) throw new Error("There is nothing to read");
  const [first, ...rest] = all, width = usualWidth(rest.length ? rest : all);
  const skips = first.length === width - 1 && width > 2; // R gives no name to a column of row names
  const isEnded = skips && rest.every((row) => !row[width - 1]); // or each row ends with a separator
  const begin = skips && !isEnded ? 1 : 0, end = isEnded ? width - 1 : width;
  if (end - begin > MOST_COLUMNS) throw new Error(`There are ${end - begin} columns; ${MOST_COLUMNS} is the most`);
  const decimal = separator !== "," && areWrittenWithCommas(all) ? "," : ".", isNumber = (cell) => NUMBERS[decimal].test(cell);
  const fitting = all.filter(({ length }, i) => length <= width || (!i && skips));
  const hasHeader = skips || isHeader(fitting, width, isNumber), lines = fitting.slice(hasHeader ? 1 : 0);
  const isSpaced = separator !== " " && /(^|[;,\t\r\n]) /.test(body), header = skips ? first : padded(first, width);
  const keys = hasHeader ? keysOf(isSpaced ? header.map((cell) => cell.trimStart()) : header) : null;
  const columns = Array.from({ length: end - begin }, (_, j) => {
    const cells = lines.map((row) => row[begin + j] ?? ""), key = keys?.[j] ?? j;
    return columnOf(keys ? key.trim() || key : `column ${j + 1}`, cells, { key, decimal });
  });
  const options = {
    ...(separator !== "," && { sep: separator === " " ? "\\s+" : separator }),
    ...(decimal === "," && { decimal }), ...(named && { skiprows: 1 }), ...(!hasHeader && { header: null }),
    ...(isEnded && { index_col: false }), ...(fitting.length < all.length && { on_bad_lines: "skip" }),
    ...(isSpaced && { skipinitialspace: true }),
  };
  return { columns, n: all.length - (hasHeader ? 1 : 0), long: all.length - fitting.length, options };
}

/** Rows of fields, without empty ones. */
function rowsOf(text, separator) {
  const isSpace = separator === " "; // of several spaces, one counts
  const bare = isSpace ? text : text.replace(/([;,\t]) +"/g, '$1"').replace(/" +([;,\t\r\n])/g, '"$1');
  const rows = d3.dsvFormat(separator).parseRows(`${bare}\n${END}`);
  if (rows.pop()[0] !== END) throw new Error(`The quotation mark in row ${rows.length + 1} is not closed`);
  return (isSpace ? rows.map((row) => row.filter(Boolean)) : rows).filter((row) => row.some((cell) => cell.trim()));
}

/** The first of tab, semicolon, comma and space that parts nearly all rows into as many fields as the first. */
function separatorOf(text) {
  const cut = text.length > SAMPLE ? text.slice(0, text.lastIndexOf("\n", SAMPLE) + 1) || text.slice(0, SAMPLE) : text;
  const start = cut.replace(/"[^"]*"/g, "").trim().split(/[\r\n]/, 1)[0]; // d3 takes any mark after a quoted field for one
  const parts = (separator) => {
    if (!start.includes(separator)) return false;
    const rows = d3.dsvFormat(separator).parseRows(cut).map((row) => (separator === " " ? row.filter(Boolean) : row));
    const [first = [], ...rest] = rows.filter((row) => row.some((cell) => cell.trim()));
    const width = usualWidth(rest.length ? rest : [first]), skips = first.length === width - 1 && width > 2;
    return first.length > 1 && (first.length === width || skips)
      && rest.filter(({ length }) => length === width).length >= 0.7 * rest.length;
  };
  return ["\t", ";", ",", " "].find(parts) ?? ["\t", ";", ","].find((mark) => start.includes(mark)) ?? ",";
}

/** How many fields most rows have. */
function usualWidth(rows) {
  const counts = new Map();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

function areWrittenWithCommas(rows) {
  const cells = rows.slice(0, 1000).flat(), count = (mark) => cells.filter((cell) => mark.test(cell.trim())).length;
  return count(/^[-+]?\d*,\d+(e[-+]?\d+)?$/i) > count(/^[-+]?\d*\.\d+(e[-+]?\d+)?$/i);
}

/** Whether the first row has names: it has no number, or words over most of the columns of numbers. */
function isHeader([first, ...rest], width, isNumber) {
  const trimmed = first.map((cell) => cell.trim());
  if (!trimmed.some(isNumber)) return true;
  const below = rest.slice(0, 100), numeric = [...Array(width).keys()].filter((j) =>
    below.filter((row) => isNumber((row[j] ?? "").trim())).length > below.length / 2);
  return numeric.filter((j) => trimmed[j] && !isNumber(trimmed[j])).length > numeric.length / 2;
}

const padded = (row, width) => [...row, ...Array(width).fill("")].slice(0, width);

/** Names as pandas has them: one without a name gets one, and a second of the same name a number. */
function keysOf(names) {
  const taken = new Set();
  return names.map((name, j) => {
    let key = name || `Unnamed: ${j}`;
    for (let n = 1; taken.has(key); n++) key = `${name}.${n}`;
    taken.add(key);
    return key;
  });
}

/**
 * A column of texts: { name, key, texts, numbers, … }, where `numbers` are NaN in cells without one, `isNumeric` tells
 * whether most have one, and `strays` are texts, a few at most, in the others. `areWhole` and `areRead` tell of labels
 * whether they are whole numbers, and whether pandas would read something else into them.
 */
export function columnOf(name, cells, { key = name, decimal = "." } = {}) {
  const texts = cells.map((cell) => cell.trim()), numbers = new Float64Array(cells.length).fill(NaN), strays = new Set();
  let found = 0, missing = 0, whole = 0, flags = 0, marked = false;
  texts.forEach((text, i) => {
    if (MISSING.has(text)) {
      missing += 1;
      marked ||= text === "?";
      return;
    }
    const value = NUMBERS[decimal].test(text) ? Number(decimal === "," ? text.replace(",", ".") : text) : NaN;
    if (!(Math.abs(value) < 1e100)) { // as `areUsable` has it, in less time
      flags += /^(true|false)$/i.test(text);
      return void (strays.size < 11 && strays.add(text));
    }
    whole += Number.isInteger(value) && text.length < 16 && String(value) === text;
    numbers[i] = value;
    found += 1;
  });
  const filled = cells.length - missing, areWhole = filled > 0 && whole === filled;
  return {
    name, key, texts, numbers, strays, missing, marked, areWhole, isNumeric: found > 0 && found >= filled / 2,
    areRead: filled > 0 && !areWhole && (found === filled || flags === filled),
    arePadded: cells.some((cell, i) => cell !== texts[i]),
  };
}

/** Whether a label is there. */
export const isLabel = (text) => !MISSING.has(text);
