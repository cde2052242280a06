// What is drawn on the canvas: a method for each layer.

import { argmax, sum } from "./math/numbers.js";
import { logDensity } from "./math/gaussian.js";
import { eachSegment, onRow } from "./math/segments.js";
import { fontOf, lineColor, mixed, packed, palePacked, tone } from "./kit/theme.js";
import { Plot } from "./kit/plot.js";
import { sidesOfCell, onCorners, traceLevel } from "./kit/contour.js";
import { dashedEllipse } from "./ellipse.js";

/** The decision-boundary explorer's plot, with its layers; a small one, without axes, in the row of all rules. */
export class Picture extends Plot {
  /** Draw a scene: { view, state, styles, evaluation, theme, coarse }. */
  draw(scene, width) {
    const { state, evaluation, theme } = scene;
    this.clear(theme, width, scene.view);
    const field = this.drawField(scene);
    if (this.margins[3]) this.drawAxes(state.feature_names);
    this.clipped(() => {
      if (state.show_contours) this.drawContours(scene);
      if (state.show_ellipses) this.drawEllipses(scene);
      if (state.show_boundary && !evaluation.problem) this.drawBoundary(scene, field);
      this.drawSample(scene);
      if (scene.isNamed) this.drawNames(scene);
      if (scene.cut) this.drawCut(scene);
    });
  }

  /** A square window, made wider where the plot is. */
  shown({ x: [left, right], y }, [width, height]) {
    const middle = (left + right) / 2, half = ((right - left) * width) / height / 2;
    return { x: [middle - half, middle + half], y };
  }

  /** Decision regions or posterior shading; without quadratics, returns the decisions on a grid of cells. */
  drawField({ state, styles, evaluation: { fit, problem }, theme, coarse }) {
    const { show_posterior: posterior, show_regions: regions } = state;
    if (problem) return null;
    const colors = styles.map((i) => tone(theme, i));
    const shades = styles.map((i) => palePacked(theme, i));
    if (!fit.quadratics) {
      const cells = this.cellsOf(fit, posterior, coarse);
      const shade = (n) => (posterior ? blendColors(theme, colors, cells.shares[n]) : shades[cells.winner[n]]);
      if (posterior || regions) this.paintCells(cells.size, shade, !posterior);
      return cells;
    }
    if (posterior) this.paintPosterior(fit, theme, colors, coarse ? 120 : 240);
    else if (regions) this.paintRegions(fit, styles.map((i) => palePacked(theme, i)), coarse);
    return null;
  }

  /**
   * Regions of a Gaussian rule, exact to a pixel: each row is cut where the largest score changes. Coarse, rows are two
   * pixels of the page high, as the boundary is wide.
   */
  paintRegions(fit, colors, coarse) {
    const { ratio, context, left, top, viewport } = this, high = coarse ? Math.max(1, Math.round(2 * ratio)) : 1;
    const [width, height] = ["width", "height"].map((side) => Math.round(viewport[side] * ratio));
    const { able, quadratics } = competitors(viewport, fit, ratio), line = new Float64Array(3 * able.length);
    const { image } = this, isKept = image?.width === width && image.height === height;
    const { data } = isKept ? image : (this.image = new ImageData(width, height)), pixels = new Uint32Array(data.buffer);
    for (let row = 0; row < height; row += high) {
      const start = row * width, last = Math.min(row + high, height) * width;
      eachSegment(onRow(quadratics, row + high / 2, line), 0, width, (from, to, winner) => {
        pixels.fill(colors[able[winner]], start + Math.round(from), start + Math.round(to));
      });
      for (let below = start + width; below < last; below += width) pixels.copyWithin(below, start, start + width);
    }
    context.putImageData(this.image, Math.round(left * ratio), Math.round(top * ratio));
  }

  /** Each pixel in a mixture of the class colours, by posterior. */
  paintPosterior(fit, theme, colors, size) {
    const own = this.viewport.withCells(size);
    const { able, quadratics } = competitors(own, fit);
    const joint = new Float64Array(able.length), chosen = able.map((k) => colors[k]);
    this.paintCells(size, (n) => {
      const u = (n % size) + 0.5, v = Math.floor(n / size) + 0.5;
      let top = -Infinity, total = 0;
      for (let k = 0; k < joint.length; k++) {
        const q = quadratics[k];
        joint[k] = (q[0] * u + q[1] * v + q[3]) * u + (q[2] * v + q[4]) * v + q[5];
        if (joint[k] > top) top = joint[k];
      }
      for (let k = 0; k < joint.length; k++) total += joint[k] = Math.exp(joint[k] - top);
      return blendColors(theme, chosen, joint, total);
    }, false);
  }

  /** Decisions of any rule on a grid of cells, and if wanted posteriors; kept until the fit or the window is another. */
  cellsOf(fit, posterior, coarse) {
    const { viewport } = this, finest = Math.ceil(viewport.width / (coarse ? 27 : 3));
    const valuesAt = posterior ? fit.posterior : fit.scores;
    const most = coarse ? 5e6 : 2e7; // distances, if there are many to compute
    const size = fit.cost ? Math.min(finest, Math.ceil(Math.sqrt(most / fit.cost))) : finest;
    const key = [valuesAt, size, ...viewport.view.x, ...viewport.view.y];
    if (this.cells?.key.every((value, i) => value === key[i])) return this.cells;
    const shares = [], winner = new Uint8Array(size * size), own = viewport.withCells(size);
    for (let n = 0; n < winner.length; n++) {
      shares.push(valuesAt(...own.toData((n % size) + 0.5, Math.floor(n / size) + 0.5)));
      winner[n] = argmax(shares[n]);
    }
    this.cells = { key, size, shares, winner };
    return this.cells;
  }

  /** The 1, 2 and 3σ ellipses of the densities that the rule goes by; dashed, 2σ of the true ones if these differ. */
  drawEllipses({ state, styles, evaluation, theme }) {
    evaluation.gaussians.forEach((g, k) => {
      const color = lineColor(theme, styles[k]), dashed = dashedEllipse(state, g, k);
      if (g) for (const n of [1, 2, 3]) this.drawEllipse(g, n, { color, width: 2.4 - 0.4 * n, part: "ellipse" });
      if (dashed) this.drawEllipse(dashed, 2, { color, width: 1.5, dash: [5, 4] });
    });
  }

  /** Lines of equal density p(x) = Σ π_k p(x | k), where it falls from its peak as at 0.5, 1, … 3.5σ of a Gaussian. */
  drawContours({ evaluation, state, theme }) {
    const { context, viewport } = this, size = 96;
    const all = evaluation.gaussians.map((g, k) => [g, Math.log(state.priors[k])]);
    const pairs = all.filter(([g, prior]) => g && prior > -Infinity);
    if (!pairs.length) return;
    const logMixture = (x, y) => {
      const joint = pairs.map(([g, prior]) => prior + logDensity(g, x, y)), top = Math.max(...joint);
      return top + Math.log(sum(joint.map((value) => Math.exp(value - top))));
    };
    const values = onCorners(viewport, size, logMixture);
    const peak = Math.max(...pairs.map(([g]) => logMixture(...g.mean)));
    context.beginPath();
    for (let z = 0.5; z <= 3.5; z += 0.5) traceLevel(context, values, size, viewport, peak - (z * z) / 2);
    context.lineWidth = 1;
    context.strokeStyle = theme.muted;
    context.stroke();
  }

  /** Where the two best classes are level: for Gaussian rules from roots on every third (sixth) row and column. */
  drawBoundary({ evaluation, theme, coarse }, cells) {
    const { context } = this;
    context.beginPath();
    if (cells) this.traceCells(cells);
    else this.traceConics(evaluation.fit, coarse ? 6 : 3);
    this.stroke({ color: theme.ink, width: this.margins[3] ? 2 * theme.size : 1.5, part: "boundary" });
  }

  /** Steep pieces of each conic are found on rows, flat ones on columns, those around 45° on both: there is no gap. */
  traceConics(fit, step = 3) {
    const { width, height } = this.viewport, { quadratics } = competitors(this.viewport, fit);
    const flipped = quadratics.map(([xx, xy, yy, x, y, one]) => [yy, xy, xx, y, x, one]);
    const rows = (u, v, du, dv) => { this.context.moveTo(u - du, v - dv); this.context.lineTo(u + du, v + dv); };
    const columns = (u, v, du, dv) => rows(v, u, dv, du);
    const ways = [[quadratics, rows, width, height], [flipped, columns, height, width]];
    for (const [forms, add, along, across] of ways) {
      const line = new Float64Array(3 * forms.length);
      for (let v = step / 2; v < across; v += step) {
        let last = -1;
        eachSegment(onRow(forms, v, line), 0, along, (from, to, winner) => {
          if (last >= 0) addPiece(forms[last], forms[winner], from, v, step / 2, add);
          last = winner;
        });
      }
    }
  }

  /** On cells: the edges between cells of different decisions. */
  traceCells({ size, winner }) {
    const { context } = this, [across, down] = sidesOfCell(this.viewport, size);
    const edge = (u, v, du, dv) => { context.moveTo(u, v); context.lineTo(u + du, v + dv); };
    for (let n = 0; n < winner.length; n++) {
      const u = (n % size) * across, v = Math.floor(n / size) * down;
      if ((n + 1) % size && winner[n] !== winner[n + 1]) edge(u + across, v, 0, down);
      if (n + size < winner.length && winner[n] !== winner[n + size]) edge(u, v + down, across, 0);
    }
  }

  /** The names of the classes, where they touch no ellipse of theirs. */
  drawNames({ state: { class_names: names }, nameAt, styles, theme, theme: { size } }) {
    const font = `bold ${fontOf({ size: 1.25 * size })}`, align = "center";
    names.forEach((name, k) => this.drawText(String(name), nameAt(k), { color: lineColor(theme, styles[k]), font, align }));
  }

  /** The line of the cut, with a dot where the decision changes on it. */
  drawCut({ cut: { ends, pieces, at }, theme }) {
    this.drawLine(ends, { color: theme.ink, width: 1.5 * theme.size });
    this.drawDots(pieces.slice(1).map(({ from }) => at(from)), { color: theme.ink, size: 5 * theme.size });
    const [[u, v], [s, t]] = ends.map((end) => this.viewport.toPixel(...end)), away = 18 * theme.size;
    const beyond = [u - s, v - t].map((part) => (away * part) / (Math.hypot(u - s, v - t) || 1));
    this.drawText("P", ends[0], { align: "center", shift: beyond });
    this.drawText("Q", ends[1], { align: "center", shift: beyond.map((part) => -part) });
  }

  /** The sample; in a large picture a dark rim marks what the rule gets wrong. */
  drawSample({ state, styles, evaluation, coarse, lit, theme }) {
    const large = this.margins[3] > 0;
    const decisions = large && !(coarse && evaluation.slow) ? evaluation.sample?.().decisions : null;
    const isWrong = (n) => (decisions?.[n] ?? state.points[n][2]) !== state.points[n][2];
    const isFaint = (n) => state.points[n][2] !== lit[0] || decisions[n] !== lit[1];
    const size = large ? theme.size : 0.55;
    this.drawMarkers(state.points, (n) => styles[state.points[n][2]], isWrong, size, lit && decisions && isFaint);
  }
}

/** The classes that can win, with their scores as quadratics of pixels, `ratio` of them to a pixel of the viewport. */
function competitors({ origin, units }, fit, ratio = 1) {
  const all = fit.quadratics(origin, units.map((unit) => unit / ratio)), able = [...all.keys()].filter((k) => all[k]);
  return { able, quadratics: able.map((k) => all[k]) };
}

/** Packed mixture of colours over the background; `shares` add up to `total`. */
function blendColors(theme, colors, shares, total = 1) {
  let r = 0, g = 0, b = 0;
  for (let k = 0; k < colors.length; k++) {
    r += shares[k] * colors[k][0];
    g += shares[k] * colors[k][1];
    b += shares[k] * colors[k][2];
  }
  return packed(mixed(theme.background, [r / total, g / total, b / total], theme.strong));
}

/** A short piece of the curve first = second about its point (u, v), along the tangent, if it is steep there. */
function addPiece(first, second, u, v, half, add) {
  const [xx, xy, yy, x, y] = first.map((value, i) => value - second[i]);
  const gu = 2 * xx * u + xy * v + x, gv = xy * u + 2 * yy * v + y;
  const reach = 1.1 * half; // a little longer, so that no gap is seen
  if (Math.abs(gu) >= 0.8 * Math.abs(gv)) add(u, v, (-gv / gu) * reach, reach);
}
