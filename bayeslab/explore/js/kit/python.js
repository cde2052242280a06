// Values as Python writes them.

const WIDTH = 80;

/** A call with keyword arguments, in one line or with an argument to a line; a long list goes on in further lines. */
export function pythonCall(callee, values, first) {
  const argument = ([name, value]) => `${name}=${Array.isArray(value) ? filled(value) : pythonOf(value)}`;
  const all = [...(first ? [first] : []), ...Object.entries(values).map(argument)], line = `${callee}(${all.join(", ")})`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  return `${callee}(\n${all.map((each) => `    ${each},\n`).join("")})`;
}

function pythonOf(value) {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value); // numbers, and texts with escapes that Python has too
}

/** A list, broken between its items. */
function filled(list) {
  let text = "", length = 0;
  list.map(pythonOf).forEach((item, i) => {
    const breaks = length + item.length > WIDTH;
    if (i) text += breaks ? ",\n        " : ", ";
    text += item;
    length = (breaks ? 0 : length) + item.length + 2;
  });
  return `[${text}]`;
}
