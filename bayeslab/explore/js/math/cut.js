// A cut through the plane, from P to Q: prior × density of each class on it, and where the decision changes.

import { argmax, range } from "./numbers.js";
import { eachSegment } from "./segments.js";

const STEPS = 240;

/** Ends of the cut: those that were chosen, else on the line through the first two means, beyond both. */
export function endsOf({ cut, means: [first, second], covariances: [S] }) {
  if (cut.length) return cut;
  const apart = first.some((value, i) => value !== second[i]);
  const step = apart ? first.map((value, i) => second[i] - value) : [2 * Math.sqrt(S[0][0]), 0];
  return [first.map((value, i) => value - 0.7 * step[i]), second.map((value, i) => value + 0.7 * step[i])];
}

/**
 * A rule on the cut: { ends, at, curves, pieces, top, shares }. `at(t)` is a place, t from 0 at P to 1 at Q; `curves`
 * has of each class places [t, value]; `pieces` say who wins from where to where, exactly if the scores are quadratics;
 * `shares` says that the values are not prior × density, but shares of the votes.
 */
export function cutOf(fit, ends) {
  const [P, Q] = ends, at = (t) => P.map((value, i) => value + t * (Q[i] - value)), shares = !fit.gaussians;
  const valuesAt = (t) => (shares ? fit.posterior(...at(t)) : fit.scores(...at(t)).map(Math.exp));
  const rows = Array.from({ length: STEPS + 1 }, (_, i) => [i / STEPS, valuesAt(i / STEPS)]);
  const curves = rows[0][1].map((_, k) => rows.map(([t, values]) => [t, values[k]]));
  const most = range(rows.flatMap(([, values]) => values))[1];
  // The window changes in steps: it would tremble.
  const top = shares ? 1.05 : 2 ** Math.ceil(Math.log2(1.05 * most || 1));
  return { ends, at, valuesAt, curves, top, shares, pieces: piecesOf(fit, ends, rows) };
}

function piecesOf(fit, [P, Q], rows) {
  const pieces = [];
  if (fit.quadratics) {
    const forms = fit.quadratics(P, Q.map((value, i) => value - P[i]));
    const able = [...forms.keys()].filter((k) => forms[k]);
    const line = able.flatMap((k) => { // on the cut u and v are both t
      const [xx, xy, yy, x, y, one] = forms[k];
      return [xx + xy + yy, x + y, one];
    });
    eachSegment(line, 0, 1, (from, to, winner) => pieces.push({ from, to, winner: able[winner] }));
    return pieces;
  }
  for (const [t, values] of rows) {
    const winner = argmax(values), last = pieces.at(-1);
    if (last?.winner === winner) last.to = t;
    else pieces.push({ from: last ? (last.to = t - 0.5 / STEPS) : 0, to: t, winner });
  }
  return pieces;
}
