// What the colours of a map of errors mean: a step for each count, or a scale where there are too many.

import { css, fontOf } from "./kit/theme.js";

const BOX = [30, 18]; // sides of a step, in pixels
const MOST_COUNTS = 9;
const SHADES = 7; // of a scale

/** Steps { value, text } of errors that are shares of n points; without n, or with too many counts, of a scale. */
export function legendSteps(values, n) {
  const known = [...new Set(values.filter((value) => value !== null))].sort((a, b) => a - b);
  if (n && known.length <= MOST_COUNTS) return known.map((value) => ({ value, text: `${Math.round(n * value)}` }));
  const [least, most] = [known[0], known.at(-1)], share = (i) => i / (SHADES - 1);
  return Array.from({ length: SHADES }, (_, i) => ({ value: least + share(i) * (most - least), text: "" }));
}

/**
 * Write below a plot what its colours are: a title, steps { value, text } in the colour `shade(value)`, the texts at
 * their ends, a frame around the step that is nearest to `here`, and marks { text, dot } or { text, fill }, `inLine`
 * with the steps or in a row of their own.
 */
export function drawLegend(plot, { title, steps, ends: [low, high], shade, here, marks, inLine, row = 0 }) {
  const { context, theme, theme: { size, ink, background }, viewport } = plot, gap = 6 * size;
  const height = BOX[1] * size;
  let width = BOX[0] * size, left = 0, top = viewport.height + 46 * size + row * (height + gap);
  const write = (text, color = ink) => {
    context.fillStyle = color;
    context.fillText(text, left, top + height / 2);
    if (text) left += context.measureText(text).width + gap;
  };
  const box = (color) => {
    context.fillStyle = color;
    context.fillRect(left, top, width, height);
    Object.assign(context, { strokeStyle: theme.muted, lineWidth: 1 });
    context.strokeRect(left, top, width, height);
  };
  Object.assign(context, { font: fontOf(theme), textBaseline: "middle", textAlign: "left" });
  write(title);
  write(low);
  const widthOf = ({ text, fill }) => (fill ? width : 6 * size) + context.measureText(text).width + 2 * gap;
  const others = (high && context.measureText(high).width + gap) + (inLine ? marks.reduce((all, mark) => all + widthOf(mark), 3 * gap) : 0);
  const room = viewport.width + plot.margins[1] * size - 2 - left - others;
  width = Math.min(width, room / steps.length);
  const distance = ({ value }) => Math.abs(value - here), nearest = Math.min(...steps.map(distance));
  let frame = null;
  for (const step of steps) {
    const color = shade(step.value), isDark = color[1] < 140;
    box(css(color));
    context.textAlign = "center";
    context.fillStyle = isDark ? "#fff" : "#1f2328";
    context.fillText(step.text, left + width / 2, top + height / 2);
    context.textAlign = "left";
    if (here !== null && distance(step) === nearest) frame ??= left;
    left += width;
  }
  if (frame !== null) {
    Object.assign(context, { strokeStyle: ink, lineWidth: 2.5 * size });
    context.strokeRect(frame, top, width, height);
  }
  left += gap;
  write(high);
  [left, top] = inLine ? [left + 2 * gap, top] : [0, top + height + gap];
  for (const { text, dot, fill } of marks) {
    if (fill) {
      box(fill);
      left += width + gap;
    } else {
      context.fillStyle = dot;
      context.beginPath();
      context.arc(left + 3 * size, top + height / 2, 3 * size, 0, 2 * Math.PI);
      context.fill();
      left += 6 * size + gap;
    }
    write(text);
  }
}
