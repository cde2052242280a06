// How far a number is from where a challenge wants it.

import { clamp } from "./math/numbers.js";
import { h, setText } from "./kit/dom.js";
import { percent } from "./kit/text.js";

/** Whether a number is where it is wanted: { name, of: (facts) => …, from, to }, where one of the ends may be missing. */
export function isWithin({ of, from = -1, to = 1 }, facts) {
  const value = of(facts);
  return value >= from && value <= to;
}

export class Gauge {
  constructor() {
    this.name = h("span");
    this.far = h("b");
    this.target = h("i.target");
    this.mark = h("i.mark");
    const scale = h("div.scale", { "aria-hidden": "true" }, this.target, this.mark);
    this.element = h("div.gauge", { "data-bx": "gauge" }, h("p.row", {}, this.name, this.far), scale);
  }

  write(gauge, facts) {
    this.element.hidden = !gauge;
    if (!gauge) return;
    const { name, of, from = 0, to = 1 } = gauge, value = of(facts), end = Math.min(1, to < 1 ? 4 * to : 1.5 * from);
    const points = (distance) => `${Number((100 * distance).toPrecision(2))} points`;
    const low = value < from && `${points(from - value)} too low`, high = value > to && `${points(value - to)} too high`;
    const known = Number.isFinite(value), at = (share) => `${100 * clamp(share / end, 0, 1)}%`;
    setText(this.name, `${name} ${known ? percent(value, 3) : "–"}`);
    setText(this.far, known ? low || high || "✓" : "");
    this.target.style.left = at(from);
    this.target.style.right = `calc(100% - ${at(to)})`;
    this.mark.style.left = at(known ? value : 0);
    this.mark.hidden = !known;
  }
}
