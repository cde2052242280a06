// Challenges: a scene to start from, a task, and a goal that the numbers of the scene meet or do not.

import { randomNumbers, rounded } from "./math/numbers.js";
import { drawPoints } from "./math/estimate.js";
import { isWithin } from "./gauge.js";
import { CURVES } from "./challenges/curves.js";
import { KNOWN } from "./challenges/known.js";
import { LEARNED } from "./challenges/learned.js";

/**
 * { id, title, task, hint, start, keeps, gauge, goal, solution }. A goal takes the Facts of a state, and so does a
 * gauge, which tasks about one number have (see gauge.js): it must be where it is wanted. What `keeps` lists must be as
 * it was at the start, and the task says so. `start` is a scene; `solution` says what to change in it.
 */
export const CHALLENGES = [...CURVES, ...KNOWN, ...LEARNED];

/** The traits that a scene sets; the points are drawn from its densities, unless they are given. */
function sceneOf({ means, covariances, drawn = { n: 0, seed: 1 }, added = [], ...rest }) {
  const K = means.length, names = [..."ABCDE"].slice(0, K), priors = rest.priors ?? new Array(K).fill(1 / K);
  const fresh = drawPoints({ means, covariances, priors }, drawn.n, randomNumbers(drawn.seed));
  const points = [...fresh.map(([x, y, k]) => [rounded(x, 3), rounded(y, 3), k]), ...added];
  return {
    class_names: names, classes: names, feature_names: ["x₁", "x₂"], rule: "QDA", mode: "truth", k: 5, shared: 0.5,
    cut: [], means, covariances, points, ...rest, priors,
  };
}

export const startOf = ({ start }) => sceneOf(start);
export const solutionOf = ({ start, solution }) => sceneOf({ ...start, ...solution });

/** Names of what must stay as it was at the start, and has not. */
export function strayed({ keeps = [], ...challenge }, state) {
  const first = startOf(challenge);
  return keeps.filter((name) => JSON.stringify(state[name]) !== JSON.stringify(first[name]));
}

/** Whether a state meets a challenge. */
export function isMet(challenge, facts) {
  const { goal = () => true, gauge } = challenge;
  return !strayed(challenge, facts.state).length && (!gauge || isWithin(gauge, facts)) && goal(facts);
}
