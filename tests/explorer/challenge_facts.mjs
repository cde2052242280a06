// What the explorer makes of a state, without a page: shared by challenges.test.mjs and test_challenges.py.

const FOLDER = "../../bayeslab/explore/js/";
const { Facts } = await import(`${FOLDER}facts.js`);
const { evaluateRule } = await import(`${FOLDER}evaluation.js`);
const { densities } = await import(`${FOLDER}math/estimate.js`);

export const { CHALLENGES, isMet, solutionOf, startOf } = await import(`${FOLDER}challenges.js`);
export const { makesSense } = await import(`${FOLDER}state.js`);

export function factsOf(state) {
  const model = densities(state);
  return new Facts(state, (rule) => evaluateRule(rule, state, model));
}

/** The solutions, and the numbers of theirs that goals look at, for Python. */
export function numbersOfSolutions() {
  return CHALLENGES.map((challenge) => {
    const state = solutionOf(challenge), facts = factsOf(state), classes = [...state.means.keys()];
    const asked = state.mode === "truth" ? ["nearest mean", "naive", "LDA", "QDA"] : ["LDA", "QDA", state.rule];
    const rules = asked.filter((rule) => facts.decides(rule));
    const here = rules.includes(state.rule);
    return {
      id: challenge.id, state, kind: facts.kind, corners: facts.corners, bayes_error: facts.bayesError,
      counts: facts.counts,
      sample_error: Object.fromEntries(rules.map((rule) => [rule, facts.sampleError(rule)])),
      true_error: Object.fromEntries(rules.map((rule) => [rule, facts.trueError(rule)])),
      recall: here && classes.map((k) => facts.recall(k)),
      named_at_mean: here && classes.map((k) => facts.namedAtMean(k)),
    };
  });
}
