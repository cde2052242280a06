// Small things that numbers and lists of them need everywhere.

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
export const sum = (values) => values.reduce((total, value) => total + value, 0);
export const dot = (u, v) => u[0] * v[0] + u[1] * v[1];

/** Index of the largest value; a tie goes to the first. */
export const argmax = (values) => values.reduce((best, value, k) => (value > values[best] ? k : best), 0);

/** The least and the largest of any number of values, which need not fit on the stack as arguments. */
export function range(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Whether a number, or all numbers of nested lists, leave room for their squares. */
export const areUsable = (values) => [values].flat(3).every((value) => Math.abs(value) < 1e100);

/** A number with so many digits after the point, or before it where they are negative; never −0. */
export function rounded(value, digits) {
  const unit = 10 ** -digits;
  return (digits > 0 ? Number(value.toFixed(Math.min(digits, 100))) : Math.round(value / unit) * unit) + 0;
}

/** Random numbers in [0, 1) from a seed (mulberry32): the same page draws the same points. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
