// Tables from the text of a CSV file.

import { MOST_POINTS } from "./constants.js";
import { classesOf } from "./data.js";

const MISSING = ["", "na", "n/a", "nan", "null", "?"];

/**
 * Table of a CSV text, { features, rows, labels, omitted }: numbers, a label for each row, and how many rows were left
 * out as a value is missing. The label is the column of words, or else the last. Throws an Error that names the line.
 */
export function readCSV(text) {
  const clean = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const start = clean.trim().split("\n", 1)[0].replace(/"[^"]*"/g, "");
  const separator = ["\t", ";", ",", " "].find((mark) => start.includes(mark)) ?? ",";
  const lines = linesOf(clean, separator);
  if (!lines.length) throw new Error("There is nothing to read: paste lines such as 1.5, 2.0, A");
  const { fields: first, where } = lines[0], width = first.length;
  if (width < 3) throw new Error(`Line ${where} has ${width} of at least 3 fields: two numbers and a label`);
  const uneven = lines.find(({ fields }) => fields.length !== width);
  if (uneven) {
    throw new Error(`Line ${uneven.where} has ${uneven.fields.length} fields, but the first line has ${width}`);
  }
  const number = (field) => (field === "" ? NaN : Number(separator === "," ? field : field.replace(",", ".")));
  const isNumber = (field) => Number.isFinite(number(field));
  const headed = !first.some(isNumber), body = lines.slice(headed ? 1 : 0);
  const whole = body.filter(({ fields }) => !fields.some((field) => MISSING.includes(field.toLowerCase())));
  if (body.length && !whole.length) throw new Error("Every row has a missing value");
  if (whole.length > MOST_POINTS) throw new Error(`There are ${whole.length} points; ${MOST_POINTS} is the most`);
  const label = labelColumn(whole, headed ? first : first.map((_, j) => j + 1), isNumber);
  const columns = [...first.keys()].filter((j) => j !== label);
  const rows = whole.map(({ fields, where: line }) => columns.map((j) => {
    if (isNumber(fields[j])) return number(fields[j]);
    throw new Error(`Line ${line}: "${fields[j]}" is not a number, unlike others in its column`);
  }));
  const labels = whole.map(({ fields }) => fields[label]);
  classesOf(labels); // throws
  const features = columns.map((j, i) => (headed && first[j]) || `x${"₁₂₃₄₅₆₇₈₉"[i] ?? i + 1}`);
  return { features, rows, labels, omitted: body.length - whole.length };
}

/** Number of the column in which no field is a number, or else of the last one. */
function labelColumn(lines, names, isNumber) {
  const words = [...names.keys()].filter((j) => lines.length && !lines.some(({ fields }) => isNumber(fields[j])));
  if (words.length < 2) return words[0] ?? names.length - 1;
  throw new Error(`Columns ${words.map((j) => names[j]).join(", ")} hold words: keep only one, the label`);
}

/** Lines as { fields, where }, without empty ones; a field in quotes may hold separators, line ends and quotes. */
function linesOf(text, separator) {
  const lines = [];
  let fields = [], field = "", quoted = 0, where = 1, line = 1; // quoted: the line where the quotes began
  const endField = () => {
    fields.push(field.trim());
    field = "";
  };
  const endLine = () => {
    if (separator !== " " || field) endField();
    if (fields.some(Boolean)) lines.push({ fields, where });
    fields = [];
    where = line + 1;
  };
  for (let i = 0; i < text.length; i++) {
    const mark = text[i];
    if (quoted) {
      if (mark === '"' && text[i + 1] === '"') field += text[i++];
      else if (mark === '"') quoted = 0;
      else field += mark;
    } else if (mark === '"' && !field.trim()) {
      quoted = line;
      field = "";
    } else if (mark === "\n") endLine();
    else if (mark === separator) { // of several spaces, one counts
      if (mark !== " " || field) endField();
    } else field += mark;
    if (mark === "\n") line++;
  }
  if (quoted) throw new Error(`The quotation mark in line ${quoted} is not closed`);
  endLine();
  return lines;
}
