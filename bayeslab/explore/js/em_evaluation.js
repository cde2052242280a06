// What follows from the starts of the EM explorer: the run, where in it the screen is, and how to say it.

import { LIMITS } from "./constants.js";
import { eStep, roomFor, Run, startAt } from "./math/em.js";
import { scientific, short } from "./kit/text.js";

export const fixed = (value) => value.toFixed(3).replace("-", "−");

/**
 * The run from the starts, kept while they stay where they are, and where in it the screen is.
 *
 * With little `work` at a time it may take some frames: `next` is the run that goes on, `run` the last whole one, which
 * is shown meanwhile, but for its start: `isBehind` until it is the run from where the starts are now.
 */
export function evaluateEM({ points, starts, sizes, step }, before, work = Infinity) {
  const from = [points, starts, sizes], isHere = (run) => run.from.every((value, i) => value === from[i]);
  const { iterations, tolerance } = LIMITS.EM;
  const begin = () => Object.assign(new Run(points, startAt(starts, sizes, points), iterations, tolerance), { from });
  const isAlike = before && before.run.from[0] === points && before.run.from[1].length === starts.length;
  const goesOn = before && (isHere(before.next) || (isAlike && work < Infinity && !before.next.end));
  const next = (goesOn ? before.next : begin()).goOn(isAlike ? work : Infinity), run = next.end ? next : before.run;
  const start = ([run, next].find(isHere) ?? begin().goOn(1)).history[0], at = (i) => (i ? run.history[i] : start);
  const last = 2 * run.history.length - (run.end.why ? 1 : 2), here = Math.min(step, last), turn = Math.ceil(here / 2);
  const room = roomFor(points, starts.length), known = at(Math.max(turn - 1, 0));
  eStep(room, known.weights, known.gaussians);
  return { run, next, start, isBehind: !isHere(run), last, here, turn, now: at(here >> 1), shares: room.shares };
}

/** How a run ends, in words. */
export function ending({ history, end }) {
  if (end.why) return `component ${end.component} collapses in iteration ${end.iteration}`;
  const ell = `ℓ = ${fixed(history.at(-1).logLikelihood)}`;
  return `${ell} ${end.converged ? "after" : "and still rising after"} ${end.iteration} iterations`;
}

/** Why a component collapses: what is left of it. */
export const reason = ({ weight, why }, n) => `with ${(weight * n).toFixed(1)} of ${n} points ${why}`;

/** By how much an iteration has raised the log-likelihood. */
export function gainText(history, iteration) {
  if (!iteration) return "–";
  const gain = history[iteration].logLikelihood - history[iteration - 1].logLikelihood;
  return gain > 0 && gain < 1e-3 ? scientific(gain, 1) : short(gain);
}
