// Numbers that follow from a state, for the goals of challenges to look at.

import { conic } from "./math/conic.js";
import { crossingsOfConics } from "./math/crossings.js";
import { errorRate } from "./math/error_rate.js";
import { eigen } from "./math/gaussian.js";
import { gaussianFit } from "./math/gaussian_fit.js";
import { decide } from "./rules.js";
import { sampleErrorOf, truthOf } from "./evaluation.js";

/** What is true of a state, computed when it is asked for; `ruleOf(rule)` is what `evaluateRule` makes of the state. */
export class Facts {
  constructor(state, ruleOf) {
    Object.assign(this, { state, ruleOf, truth: truthOf(state) });
  }

  get rule() { return this.state.rule; }
  get mode() { return this.state.mode; }
  get priors() { return this.state.priors; }
  get n() { return this.state.points.length; }

  /** Number of points of each class. */
  get counts() { return this.state.means.map((_, k) => this.state.points.filter((point) => point[2] === k).length); }

  /** Whether a rule can decide at all. */
  decides(rule = this.rule) { return !this.ruleOf(rule).problem; }

  sampleError(rule = this.rule) { return sampleErrorOf(this.ruleOf(rule)); }

  /** Error of a rule under the true densities; NaN, with which no comparison holds, where it cannot decide. */
  trueError(rule = this.rule) { return this.decides(rule) ? this.ruleOf(rule).trueError(this.truth).error : NaN; }

  get bayesError() { return (this.knownBayesError ??= errorRate(this.truth, this.truth).error); }

  /** Name of the curve between two classes, null where there is none to name. */
  get kind() { return curveBetween(this.ruleOf(this.rule).fit); }

  /** The same for the scene that a hand may have meant: sigmas and means to a quarter, angles to nine degrees. */
  get kindByHand() {
    const { means, covariances, priors } = this.state;
    return curveBetween(truthOf({ means: means.map(toQuarters), covariances: covariances.map(byHand), priors }));
  }

  /** Places between −10 and 10 where the regions of three classes meet. */
  get corners() {
    const { fit } = this.ruleOf(this.rule);
    if (fit?.gaussians?.length !== 3 || this.priors.includes(0)) return [];
    const [first, ...others] = fit.gaussians, [log, ...logs] = fit.logPriors;
    return crossingsOfConics(others.map((other, j) => conic(first, other, log - logs[j])), 10);
  }

  /** Share of class k, under its true density, that the rule on the screen recognises. */
  recall(k) {
    const alone = this.priors.map((_, j) => Number(j === k));
    return 1 - this.ruleOf(this.rule).trueError(gaussianFit(this.truth.gaussians, alone)).error;
  }

  /** The class that the rule on the screen names at the mean of class k; null where it cannot decide. */
  namedAtMean(k) {
    const { fit } = this.ruleOf(this.rule);
    return fit ? decide(fit, ...this.state.means[k]) : null;
  }
}

function curveBetween(fit) {
  if (fit?.gaussians?.length !== 2 || !fit.gaussians.every(Boolean) || fit.logPriors.includes(-Infinity)) return null;
  return conic(...fit.gaussians, fit.logPriors[0] - fit.logPriors[1]).kind;
}

const toQuarters = (values) => values.map((value) => Math.round(4 * value) / 4);

/** A covariance whose sigmas and angle are round numbers. */
function byHand(S) {
  const { values, vectors } = eigen(S), unit = Math.PI / 20;
  const angle = unit * Math.round(Math.atan2(vectors[1][0], vectors[0][0]) / unit);
  const [large, small] = toQuarters(values.map(Math.sqrt)).map((sigma) => sigma ** 2);
  const middle = (large + small) / 2, tilt = (large - small) / 2;
  return [
    [middle + tilt * Math.cos(2 * angle), tilt * Math.sin(2 * angle)],
    [tilt * Math.sin(2 * angle), middle - tilt * Math.cos(2 * angle)],
  ];
}
