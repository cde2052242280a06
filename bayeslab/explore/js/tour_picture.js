// The picture of the tour: hills, flowers, regions, and the lines of two rules; in the last step those of many draws.

import { Picture } from "./picture.js";
import { traceBetween } from "./curve_between.js";
import { logDensity } from "./math/gaussian.js";
import { css, fontOf, lineColor, palePacked, tone } from "./kit/theme.js";
import { Plot } from "./kit/plot.js";
import { ticks } from "./kit/viewport.js";

const HILL = [2.5, 2, 1.5, 1, 0.5]; // standard deviations at which a hill becomes a little darker
const RINGS = [1, 2];

export class TourPicture extends Picture {
  /** The window is what it is asked for. */
  shown(view) { return view; }

  /**
   * Scene: { pair, priors, logOdds, fit, before, flowers, draws, coarse }: the Gaussians that are drawn, a rule with
   * its regions, the rule before it, dashed, and { runs, colors, truth, sample } of the last step; at the `level` one looks
   * at the hills from the side.
   */
  drawTour({ pair, priors = [0.5, 0.5], logOdds, fit, before, flowers, draws, coarse, level }) {
    const { theme, viewport: { view: { x } } } = this;
    if (fit) this.paintRegions(fit, [0, 1].map((i) => palePacked(theme, i)), coarse);
    pair.forEach((g, k) => this.drawHill(g, k, draws ? 0 : 2 * priors[k]));
    if (level !== undefined) this.drawLine(x.map((end) => [end, level]), { color: theme.ink, width: 1.5, dash: [2, 5] });
    if (draws) this.drawDraws(draws);
    this.drawMarkers(flowers, (n) => flowers[n][2], undefined, theme.size * (draws ? 1 : 0.85));
    if (before) this.drawBetween(before, { color: theme.muted, width: 2, dash: [7, 6], part: "before" });
    if (fit) this.drawBetween({ gaussians: pair, logOdds }, { color: theme.ink, width: 3, part: "boundary" });
  }

  /** A hill as on a map: the higher the stronger, times its share; with rings at one and two standard deviations. */
  drawHill(g, k, share) {
    const { context, theme } = this;
    for (const n of share ? HILL : []) {
      this.drawEllipse(g, n, { color: "#0000" });
      Object.assign(context, { fillStyle: css(tone(theme, k)), globalAlpha: (theme.background[0] < 128 ? 0.28 : 0.13) * share });
      context.fill();
      context.globalAlpha = 1;
    }
    for (const n of RINGS) this.drawEllipse(g, n, { color: lineColor(theme, k), width: 1.5, part: "ellipse" });
  }

  drawBetween({ gaussians, logOdds }, style) {
    traceBetween(this.context, this.viewport, gaussians, logOdds);
    this.stroke({ ...style, width: style.width * this.theme.size });
  }

  /** What each rule made of each draw, thin, of the last one thick; and the best possible line. */
  drawDraws({ runs, colors, truth }) {
    runs.forEach(({ fits, rule }, i) => fits.forEach((pair, draw) => {
      const isLast = draw === fits.length - 1;
      const isDimmed = runs.some((run) => run.rule === this.lit) && rule !== this.lit;
      this.context.globalAlpha = isDimmed ? 0.08 : isLast ? 1 : Math.max(0.25, 0.7 - fits.length / 60);
      this.drawBetween({ gaussians: pair }, { color: colors[i], width: isLast ? 3 : 1.2, part: rule });
      this.context.globalAlpha = 1;
    }));
    this.drawBetween({ gaussians: truth }, { color: this.theme.ink, width: 3, part: "best" });
  }
}

/** The hills from the side: how high they are along a line from left to right. */
export class SidePicture extends Plot {
  /** Numbers below, as in the picture from above; heights have none. */
  drawAxes() {
    const { context, theme, viewport, viewport: { height, view: { x } } } = this;
    Object.assign(context, { font: fontOf(theme), fillStyle: theme.muted, textAlign: "center", textBaseline: "top" });
    for (const { value, text } of ticks(...x)) context.fillText(text, viewport.toPixel(value, 0)[0], height + 5 * theme.size);
  }

  /** `pair` times `priors` at the height `level` of the picture from above, and what stands `at` a place on this line. */
  drawSide({ pair, priors = [1], level, at }) {
    const { theme, viewport: { view: { x: [from, to], y: [, top] } } } = this;
    const heights = pair.map((g, k) => (x) => priors[k] * Math.exp(logDensity(g, x, level)));
    heights.forEach((f, k) => {
      this.drawCurve(f, { color: lineColor(theme, k), width: 2.5, fill: `rgba(${tone(theme, k).join()}, ${theme.background[0] < 128 ? 0.5 : 0.3})` });
    });
    if (at !== undefined) {
      this.drawLine([[at, 0], [at, 0.86 * top]], { color: theme.ink, width: 1.5, dash: [2, 5] });
      heights.forEach((f, k) => this.drawDots([[at, f(at)]], { color: lineColor(theme, k), size: 5 * theme.size }));
    }
    this.drawLine([[from, 0], [to, 0]], { color: theme.muted, width: 2 });
  }

  drawTitle() {
    const { theme, viewport } = this;
    const place = viewport.toData(viewport.width / 2, viewport.height);
    this.drawText("from the side, along the dotted line", place, { align: "center", color: theme.muted, shift: [0, 30 * theme.size] });
  }
}
