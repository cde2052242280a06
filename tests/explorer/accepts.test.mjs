// What explorers refuse, as Python does: node --test tests/explorer/
import assert from "node:assert/strict";
import test from "node:test";

import { CovarianceExplorer } from "../../bayeslab/explore/js/covariance_explorer.js";
import { evaluateEM } from "../../bayeslab/explore/js/em_evaluation.js";
import { EMExplorer } from "../../bayeslab/explore/js/em_explorer.js";

test("a covariance is symmetric, positive definite, and has room for its squares", () => {
  const accepts = (covariance, cut = 1) => CovarianceExplorer.prototype.accepts({ covariance, cut });
  for (const covariance of [[[1, 0.5], [0.5, 1]], [[1, 0.5], [0.5 + 1e-12, 1]], [[1e-200, 0], [0, 1e-200]], [[1e99, 0], [0, 1e-99]]]) {
    assert.ok(accepts(covariance), `${covariance}`);
  }
  for (const covariance of [[[1, 0.5], [0.2, 1]], [[1, 0.5], [0.5 + 1e-6, 1]], [[1, 1], [1, 1]], [[1, 2], [2, 1]], [[1e200, 0], [0, 1]],
    [[1e200, 1e200], [1e200, 1e200]], [[1, 0]], []]) {
    assert.ok(!accepts(covariance), `${covariance}`);
  }
  assert.ok(!accepts([[1, 0], [0, 1]], 1e200));
});

test("a start is so near the points that EM is more than rounding", () => {
  const points = [[0, 0], [1, 2], [3, 1], [4, 4]], state = { points, sizes: [1, 1], step: 0, feature_names: ["x", "y"] };
  const accepts = (...starts) => EMExplorer.prototype.accepts({ ...state, starts });
  for (const far of [1, 1e4, 1e6]) {
    assert.ok(accepts([0, 0], [far, far]), `${far}`);
    assert.ok(evaluateEM({ ...state, starts: [[0, 0], [far, far]] }).now);
  }
  for (const start of [[1e8, 0], [0, -1e8], [1e16, 1e16]]) assert.ok(!accepts([0, 0], start), `${start}`);
});
