// A state as the fragment of an address, "rule=LDA&means=0,0;3,3", and back.

export const LONGEST_LINK = 80_000; // characters: Safari takes no more, and mail programs even less

const NUMBER = /^-?\d+(\.\d+)?(e-?\d+)?$/;
const MARKS = [",", ";", ";;"]; // between numbers, between rows, between matrices

/** A codec is { write: (value, state) => text, read: (text, state) => value }; `read` throws what it cannot read. */
export const numberCodec = {
  write: (value) => String(value).replace("+", ""),
  read: (text) => {
    const value = NUMBER.test(text) ? Number(text) : NaN;
    if (!Number.isFinite(value)) throw new Error(`“${shortened(text)}” is not a number`);
    return value;
  },
};

/** A whole number from `least` to `most`. */
export const wholeCodec = (least, most) => ({
  write: numberCodec.write,
  read: (text) => {
    const value = numberCodec.read(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new Error(`${value} is not a whole number from ${least} to ${most}`);
  },
});

export const textCodec = { write: encodeURIComponent, read: decodeURIComponent };

/** One of these texts; where they are too many to be listed, `kind` says of what. */
export const choiceCodec = (options, kind = null) => ({
  write: encodeURIComponent,
  read: (text) => {
    const value = decodeURIComponent(text);
    if (options.includes(value)) return value;
    const asked = `“${shortened(value)}”`;
    throw new Error(kind ? `there is no ${kind} ${asked}` : `${asked} is none of ${options.join(", ")}`);
  },
});

export const flagCodec = {
  write: (value) => (value ? "1" : "0"),
  read: (text) => choiceCodec(["0", "1"]).read(text) === "1",
};

/** A list of texts, numbers and truth values. What could be taken for another kind of thing has a ' before it. */
export const labelsCodec = {
  write: (list) => list.map((label) => {
    if (typeof label !== "string") return numberCodec.write(label);
    return encodeURIComponent(/^'|^$|^true$|^false$/.test(label) || NUMBER.test(label) ? `'${label}` : label);
  }).join(","),
  read: (text) => (text === "" ? [] : text.split(",").map((part) => {
    const label = decodeURIComponent(part);
    if (label.startsWith("'")) return label.slice(1);
    if (label === "true" || label === "false") return label === "true";
    return NUMBER.test(label) ? numberCodec.read(label) : label;
  })),
};

/** A list of any length: of numbers, of rows of n numbers, `listsCodec(n)`, or of matrices, `listsCodec(m, n)`. */
export function listsCodec(...shape) {
  const mark = MARKS[shape.length], [length, ...rest] = shape, of = length ? listsCodec(...rest) : numberCodec;
  return {
    write: (list) => list.map((one) => of.write(one)).join(mark),
    read: (text) => (text === "" ? [] : text.split(mark).map((part) => {
      const one = of.read(part);
      if (length && one.length !== length) throw new Error(`“${shortened(part)}” should have ${length} parts`);
      return one;
    })),
  };
}

/** The fragment that leads from the state `base`, the page's, to this one: what is the same in both is left out. */
export function writeLink(codecs, state, base) {
  const written = (name, from) => codecs[name].write(from[name], from);
  const differs = (name) => state[name] !== base[name] && written(name, state) !== written(name, base);
  return Object.keys(codecs).filter(differs).map((name) => `${name}=${written(name, state)}`).join("&");
}

/**
 * The state that a fragment leads to from `base`. Throws an Error that says what is wrong. Codecs read in their order:
 * the state that they are given already has what those before them have read.
 */
export function readLink(codecs, fragment, base) {
  if (fragment.length > LONGEST_LINK) throw new Error(`it has ${fragment.length} characters`);
  const texts = new Map();
  for (const part of fragment.split("&").filter(Boolean)) {
    const [name, ...values] = part.split("=");
    if (!Object.hasOwn(codecs, name)) throw new Error(`this page knows no “${shortened(name)}”`);
    if (texts.has(name) || values.length !== 1) throw new Error(`“${name}” needs one value`);
    texts.set(name, values[0]);
  }
  const state = { ...base };
  for (const name of Object.keys(codecs)) {
    if (texts.has(name)) state[name] = codecs[name].read(texts.get(name), state);
  }
  return state;
}

const shortened = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
