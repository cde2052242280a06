// The lines of Python that read a file with pandas and choose from it what is shown.

const MOST_STRAYS = 10; // texts in a column of numbers that are worth a list

const text = (value) => JSON.stringify(value); // whose escapes Python has too
const none = { true: "True", false: "False", null: "None" };
const written = (value) => none[value] ?? (value === "\\s+" ? 'r"\\s+"' : text(value));

/**
 * Code that makes `table` of a file, and what a constructor takes of it first, { imports, before, source }; null where
 * no such lines give the same. `options` are those of `pandas.read_csv`; the rest is what `chosenFrom` calls `code`.
 */
export function pandasOf(file, options, { features, kind, step, only }, class_names) {
  const columns = [...features, ...(kind ? [kind] : [])], names = (list) => `[[${list.map(({ key }) => text(key)).join(", ")}]]`;
  if (new Set(columns).size < columns.length || features.some(({ strays }) => strays.size > MOST_STRAYS)) return null;
  const gone = columns.map((column) => [column, [...(column === kind ? [] : column.strays), ...(column.marked ? ["?"] : [])]]);
  const listed = gone.filter(([, texts]) => texts.length)
    .map(([{ key }, texts]) => `${text(key)}: [${texts.map(text).join(", ")}]`);
  const all = Object.entries(options).map(([name, value]) => `${name}=${written(value)}`);
  if (listed.length) all.push(`na_values={${listed.join(", ")}}`);
  if (kind?.areRead) all.push(`dtype={${text(kind.key)}: str}`);
  const label = kind && `table[${text(kind.key)}]`;
  const lines = [
    `table = pd.read_csv(${[text(file), ...all].join(", ")})`,
    `table = table${names(columns)}.dropna()`,
    kind?.areWhole && kind.missing && `${label} = ${label}.astype(int)`, // pandas has read floats, for the missing ones
    kind?.arePadded && !kind.areWhole && `${label} = ${label}.str.strip()`,
    only && `table = table[${label}.isin([${class_names.map(text).join(", ")}])]`,
    step > 1 && (kind ? `table = table[table.groupby(${text(kind.key)}).cumcount() % ${step} == 0]` : `table = table.iloc[::${step}]`),
  ];
  const frame = `table${names(features)}`, one = `table[${text(features[0].key)}]`;
  const source = kind ? `(${frame}, ${label})` : features.length > 1 ? frame : one;
  return { imports: "import pandas as pd\n\n", before: `${lines.filter(Boolean).join("\n")}\n`, source };
}
