// Numbers as text.

import { clamp } from "../math/numbers.js";

/** A number to four digits, with a minus sign as it is printed. */
export const short = (value) => String(Number(value.toPrecision(4))).replace("-", "−");

/** 0.08314 → "8.314 %". */
export function percent(share, digits = 4) {
  const value = 100 * share;
  return `${value && value < 1e-3 ? scientific(value) : Number(value.toPrecision(digits))} %`;
}

/** An error with how far off it may be, if that shows in the digits that are given. */
export function measured({ error, accuracy }) {
  const unit = (share) => (share ? 10 ** Math.floor(Math.log10(100 * share)) : 1e-2);
  const last = 100 * error < 1e-3 ? unit(error) : unit(error) / 1e3; // as `percent` has them
  if (100 * accuracy < last / 2) return percent(error);
  const digits = clamp(1 + Math.round(Math.log10(unit(error) / unit(accuracy))), 1, 4);
  return `${percent(error, digits)} (± ${percent(accuracy, 1)})`;
}

/** 1.23e-9 → "1·10⁻⁹", or "1.23·10⁻⁹" with two digits. */
export function scientific(value, digits = 0) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  const raised = [...exponent.replace("+", "")].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]);
  return `${mantissa}·10${raised.join("")}`;
}
