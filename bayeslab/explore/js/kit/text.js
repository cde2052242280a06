// Numbers as text.

import { clamp } from "../math/numbers.js";

/** A number to four digits, or to more where a window of this width is far from 0: places in it are told apart. */
export function readable(value, width = Infinity) {
  const beyond = Math.floor(Math.log10(Math.abs(value) / width));
  return Number(value.toPrecision(clamp(5 + (beyond || 0), 4, 17))); // NaN, where both are 0
}

/** The same as text; and of a place in a window [low, high]. */
export const short = (value) => printed(readable(value));
export const shortIn = ([low, high], value) => printed(readable(value, high - low));

/** 0.08314 → "8.314 %", which stays on one line. */
export function percent(share, digits = 4) {
  const value = 100 * share;
  return `${value && Math.abs(value) < 1e-3 ? scientific(value) : printed(Number(value.toPrecision(digits)))}\u00a0%`;
}

/** "8.33 % (2 of 24)" */
export const countText = (count, n) => `${percent(count / n, 3)} (${count} of ${n})`;

/** An error with how far off it may be, if that shows in the digits that are given. */
export function measured({ error, accuracy }) {
  const unit = (share) => (share ? 10 ** Math.floor(Math.log10(100 * share)) : 1e-2);
  const last = 100 * error < 1e-3 ? unit(error) : unit(error) / 1e3; // as `percent` has them
  if (100 * accuracy < last / 2) return percent(error);
  const digits = clamp(1 + Math.round(Math.log10(unit(error) / unit(accuracy))), 1, 4);
  return `${percent(error, digits)} (± ${percent(accuracy, 1)})`;
}

/** 1.23e-9 → "1·10⁻⁹", or "1.23·10⁻⁹" with two digits. */
export const scientific = (value, digits = 0) => printed(value.toExponential(digits));

/** A number as it is printed: with a minus sign, and with 1e-9 as 1·10⁻⁹. */
function printed(number) {
  const [mantissa, exponent] = String(number).replace(/^-/, "−").split("e");
  if (exponent === undefined) return mantissa;
  const raised = [...exponent.replace("+", "")].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]);
  return `${mantissa}·10${raised.join("")}`;
}
