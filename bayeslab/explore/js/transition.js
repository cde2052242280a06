// From one rule to the next in a few frames: what lies between what two rules make of the same densities.

import { gaussian } from "./math/gaussian.js";

const DURATION = 250; // ms

/** Between two numbers, or two lists of them alike. */
export const between = (a, b, t) =>
  Array.isArray(a) ? a.map((value, i) => between(value, b[i], t)) : a + t * (b - a);

/** Whether there is something between two evaluations: both have scores that are quadratics, of the same classes. */
export const canMove = (from, to) =>
  Boolean(from?.fit?.quadratics && to.fit?.quadratics) && from.gaussians.length === to.gaussians.length;

/** What is drawn of a rule at a time t from 0 to 1: scores, and with them the boundary, means and covariances. */
export function betweenRules(from, to, t) {
  const quadratics = (origin, units) => {
    const start = from.fit.quadratics(origin, units);
    return to.fit.quadratics(origin, units).map((form, k) => form && between(start[k], form, t));
  };
  const gaussians = to.gaussians.map((g, k) => {
    const h = from.gaussians[k];
    return gaussian(between(h.mean, g.mean, t), between(h.S, g.S, t));
  });
  return { ...to, fit: { quadratics }, gaussians };
}

/** How far a movement is after so many milliseconds: it starts and ends softly. */
export function progress(elapsed) {
  const t = Math.min(elapsed / DURATION, 1);
  return t * t * (3 - 2 * t);
}
