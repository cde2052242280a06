// What the threshold explorer draws on its plots.

import { fontOf, lineTone, paleColor, tone } from "./kit/theme.js";

export const BAND = 24; // height of the band that says what is decided, in pixels

/** Where curves are computed: everywhere, closer together about each mean, and at the ends of regions. */
export function placesOf({ classes, regions, best }, { viewport: { view: { x: [low, high] } } }) {
  const grid = Array.from({ length: 301 }, (_, i) => low + ((high - low) * i) / 300);
  const near = classes.flatMap(({ mean, deviation }) =>
    Array.from({ length: 65 }, (_, i) => mean + (deviation * (i - 32)) / 8));
  const ends = [...regions, ...best].map((region) => region.low);
  return [...grid, ...near, ...ends].filter((x) => x >= low && x <= high).sort((a, b) => a - b);
}

/** The area of each class in regions of others, and, if it may be seen, hatched what the best regions would avoid of it. */
export function drawMistakes(plot, { regions, best }, curves, xs, styles, showsBest) {
  const { context, theme } = plot, [of, share] = theme.background[0] < 128 ? [lineTone, 0.5] : [tone, 0.4]; // or the dark swallows it
  curves.forEach((curve, k) => regions.filter(({ decision }) => decision !== k).forEach((region) => {
    context.beginPath();
    traceArea(plot, xs, region, curve, () => 0);
    context.fillStyle = `rgba(${of(theme, styles[k]).map(Math.round).join()}, ${share})`;
    context.fill();
  }));
  if (!showsBest) return;
  context.beginPath();
  eachDifference(regions, best, (part, mine, better) => traceArea(plot, xs, part, curves[better], curves[mine]));
  context.fillStyle = hatching(plot);
  context.fill();
}

/** Add the area between two curves over a region to the path. */
function traceArea({ context, viewport }, xs, { low, high }, top, bottom) {
  const within = xs.filter((x) => x >= low && x <= high);
  within.forEach((x, i) => context[i ? "lineTo" : "moveTo"](...viewport.toPixel(x, top(x))));
  for (const x of within.reverse()) context.lineTo(...viewport.toPixel(x, bottom(x)));
}

/** Visit what regions of two rules have in common where their decisions differ. */
function eachDifference(regions, others, visit) {
  for (const one of regions) {
    for (const other of others) {
      const low = Math.max(one.low, other.low), high = Math.min(one.high, other.high);
      if (low < high && one.decision !== other.decision) visit({ low, high }, one.decision, other.decision);
    }
  }
}

/** Slanted lines as a pattern: drawn one by one they take a third of the frame. */
function hatching({ context, theme, ratio }) {
  const tile = document.createElement("canvas"), size = Math.round(6 * ratio), pen = tile.getContext("2d");
  tile.width = tile.height = size;
  pen.lineWidth = 1.2 * ratio;
  pen.strokeStyle = theme.ink;
  for (const shift of [-size, 0, size]) { // the corners belong to the neighbours' lines
    pen.moveTo(shift - size, 2 * size);
    pen.lineTo(shift + 2 * size, -size);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern;
}

/** The places of the Bayes rule, and the cheapest thresholds where they are others. */
export function drawBestPlaces(plot, { best, cheapest }) {
  const { viewport: { view: { y: [, top] } }, theme: { muted } } = plot;
  const mark = (place, dash) => plot.drawLine([[place, 0], [place, top]], { color: muted, width: 1.2, dash });
  for (const place of bayesPlaces(plot, best)) mark(place, [7, 4]);
  for (const place of otherPlaces(plot, best, cheapest)) mark(place, [2, 3]);
}

const bayesPlaces = ({ viewport: { view: { x: [from, to] } } }, best) =>
  best.slice(1).map(({ low }) => low).filter((place) => place > from && place < to);

function otherPlaces(plot, best, cheapest) {
  const { units: [unit], view: { x: [from, to] } } = plot.viewport, bayes = bayesPlaces(plot, best);
  const isOther = (place) => bayes.every((each) => Math.abs(each - place) > unit);
  return cheapest.filter((place) => place > from && place < to && isOther(place));
}

/** Their names, above the frame: in the plot, curves, lines and handles would cross them. */
export function nameBestPlaces(plot, { best, cheapest }) {
  nameAbove(plot, "Bayes", bayesPlaces(plot, best), 0);
  nameAbove(plot, "cheapest", otherPlaces(plot, best, cheapest), 1);
}

/** A text above the frame at each place, or a little to its right, where there is room for it; rows go upwards. */
export function nameAbove(plot, text, places, row) {
  const { context, theme, viewport, viewport: { view: { y: [, top] } } } = plot;
  context.font = fontOf(theme);
  const half = context.measureText(text).width / 2, last = viewport.width + plot.margins[1] * theme.size;
  let taken = -Infinity;
  for (const place of places) {
    const [u] = viewport.toPixel(place, 0), left = Math.min(Math.max(u - half, taken + 6), last - 2 * half);
    if (left < taken + 6 || left > u) continue;
    plot.drawText(text, [place, top], { color: theme.muted, shift: [left - u, (-8 - 14 * row) * theme.size] });
    taken = left + 2 * half;
  }
}

/** The posterior from which on the second class is cheaper. */
export function drawLevel(plot, level) {
  const { x: [low, high] } = plot.viewport.view;
  plot.drawLine([[low, level], [high, level]], { color: plot.theme.muted, width: 1.2, dash: [2, 3] });
}

/** What is decided where, along the upper edge. */
export function drawBand({ context, theme, viewport }, regions, styles, names) {
  for (const { low, high, decision } of regions) {
    const [from, to] = [low, high].map((x) => Math.min(Math.max(viewport.toPixel(x, 0)[0], 0), viewport.width));
    context.fillStyle = paleColor(theme, styles[decision]);
    context.fillRect(from, 0, to - from, BAND);
    const fits = (text) => context.measureText(text).width < to - from - 8;
    const text = [`decide ${names[decision]}`, names[decision]].find(fits);
    Object.assign(context, { fillStyle: theme.ink, textAlign: "center", textBaseline: "middle" });
    context.fillText(text ?? "", (from + to) / 2, BAND / 2);
  }
}
