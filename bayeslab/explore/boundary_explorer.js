// The decision-boundary explorer: an anywidget module and, inlined by `BoundaryExplorer.save`, a page without Python.
//
//   1  Mathematics   Gaussians, the five rules, boundaries, errors     (exported: tests/explorer/explorer.test.mjs)
//   2  Data          CSV, random points, taking hold of a class        (exported as well)
//   3  Drawing       a viewport, and one function for each layer of the picture
//   4  Stage         the picture with its handles: pointer and keyboard
//   5  Panel         controls and readouts
//   6  Store, render what the model (Python's traits) and the screen share
//
// A point is [x, y, class index], a covariance [[a, b], [b, c]], a quadratic its coefficients of x², xy, y², x, y, 1.

/* 1 Mathematics ---------------------------------------------------------------------------------------------------- */

const LOG_2PI = Math.log(2 * Math.PI);

/** The Gaussian rules: what each keeps of the covariance, and whether all classes share one. kNN is the fifth. */
export const RULES = {
  "nearest mean": { covariance: "spherical", shared: true },
  naive: { covariance: "diagonal", shared: false },
  LDA: { covariance: "full", shared: true },
  QDA: { covariance: "full", shared: false },
  kNN: null,
};

const RESTRICT = {
  full: (S) => S,
  diagonal: ([[a], [, c]]) => [[a, 0], [0, c]],
  spherical: ([[a], [, c]]) => [[(a + c) / 2, 0], [0, (a + c) / 2]],
};

/** N(mean, S) with its Cholesky factor, or null where S has no full rank; the rank is judged without units. */
export function gaussian(mean, S) {
  if (!S) return null;
  const [[a, b], [, c]] = S;
  const rho = Math.abs(b) / Math.sqrt(a * c);
  if (!(a > 0 && c > 0 && 1 - rho > 8 * Number.EPSILON * (1 + rho))) return null;
  const l11 = Math.sqrt(a);
  const l21 = b / l11;
  const l22 = Math.sqrt(c - l21 * l21);
  return { mean, S, l11, l21, l22, logDeterminant: 2 * (Math.log(l11) + Math.log(l22)) };
}

/** ln N(x, y). */
export function logDensity(g, x, y) {
  const z1 = (x - g.mean[0]) / g.l11;
  const z2 = (y - g.mean[1] - g.l21 * z1) / g.l22;
  return -LOG_2PI - (g.logDeterminant + z1 * z1 + z2 * z2) / 2;
}

/** ln N + logPrior as a quadratic of u and v, x = x0 + sx u and y = y0 + sy v: no digits are lost to an offset. */
export function quadratic(g, logPrior, [x0, y0] = [0, 0], [sx, sy] = [1, 1]) {
  const p0 = (x0 - g.mean[0]) / g.l11, p1 = sx / g.l11;
  const q0 = (y0 - g.mean[1] - g.l21 * p0) / g.l22, q1 = (-g.l21 * p1) / g.l22, q2 = sy / g.l22;
  const constant = logPrior - LOG_2PI - (g.logDeterminant + p0 * p0 + q0 * q0) / 2;
  return [-(p1 * p1 + q1 * q1) / 2, -q1 * q2, (-q2 * q2) / 2, -(p0 * p1 + q0 * q1), -q0 * q2, constant];
}

/** Counts, means, covariances (divided by n − 1) and pooled covariance (by n − K) of points; null where too few. */
export function estimate(points, K) {
  const groups = Array.from({ length: K }, (_, k) => points.filter((p) => p[2] === k));
  const means = groups.map((group) => group.length ? [0, 1].map((j) => meanOf(group, j)) : null);
  const scatters = groups.map((group, k) => scatterOf(group, means[k]));
  const over = (S, n) => (n > 0 ? S.map((row) => row.map((value) => value / n)) : null);
  const total = scatters.reduce((T, S) => T.map((row, i) => row.map((value, j) => value + S[i][j])));
  return {
    counts: groups.map((group) => group.length),
    means,
    covariances: scatters.map((S, k) => over(S, groups[k].length - 1)),
    pooled: over(total, points.length - K),
  };
}

function meanOf(group, j) {
  const origin = group[0][j];
  return origin + group.reduce((sum, p) => sum + (p[j] - origin), 0) / group.length;
}

function scatterOf(group, mean) {
  let xx = 0, xy = 0, yy = 0;
  for (const [x, y] of group) {
    const dx = x - mean[0], dy = y - mean[1];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return [[xx, xy], [xy, yy]];
}

/** What the rules go by: the true densities (pooled: Σ π_k Σ_k), or those estimated from the points. */
export function densities({ mode, means, covariances, priors, points }) {
  if (mode === "estimate") return estimate(points, means.length);
  const pooled = [0, 1].map((i) => [0, 1].map((j) => covariances.reduce((sum, S, k) => sum + priors[k] * S[i][j], 0)));
  return { means, covariances, pooled };
}

/** One Gaussian per class as a rule sees it, with log priors; or { problem }, a sentence. */
export function fitRule(rule, model, priors, names) {
  const { covariance, shared } = RULES[rule];
  const gaussians = [];
  for (let k = 0; k < priors.length; k++) {
    const S = shared ? model.pooled : model.covariances[k];
    const g = model.means[k] && gaussian(model.means[k], S && RESTRICT[covariance](S));
    if (!g) return { problem: whyNot(rule, model, k, names[k]) };
    gaussians.push(g);
  }
  return { gaussians, logPriors: priors.map(Math.log) };
}

function whyNot(rule, { counts, means }, k, name) {
  const n = counts?.[k];
  if (!means[k]) return `class ${name} has no points`;
  if (RULES[rule].shared) return `${rule} needs points that vary in both directions within the classes`;
  if (n < 3) return `${rule} needs more points in class ${name}: it has ${n}`;
  return `all points of class ${name} lie on a line`;
}

/** ln π_k + ln p(x, y | class k) of each class. */
export function logJoint({ gaussians, logPriors }, x, y) {
  return gaussians.map((g, k) => logPriors[k] + logDensity(g, x, y));
}

/** ln p(class | x, y) of each class: Bayes' theorem. */
export function logPosterior(fit, x, y) {
  const joint = logJoint(fit, x, y);
  const top = Math.max(...joint);
  const evidence = top + Math.log(joint.reduce((sum, value) => sum + Math.exp(value - top), 0));
  return joint.map((value) => value - evidence);
}

/** Index of the largest value; a tie goes to the first. */
export const argmax = (values) => values.reduce((best, value, k) => (value > values[best] ? k : best), 0);

/** Nearest neighbours among points sorted by x: the search goes outwards and stops when x alone is too far. */
export class Neighbours {
  constructor(points) {
    const sorted = [...points].sort((p, q) => p[0] - q[0]);
    this.x = Float64Array.from(sorted, (p) => p[0]);
    this.y = Float64Array.from(sorted, (p) => p[1]);
    this.label = Uint8Array.from(sorted, (p) => p[2]);
  }

  /** Votes of the k nearest points for each of K classes. */
  votes(x, y, k, K) {
    const n = this.x.length, last = Math.min(k, n) - 1;
    if (last > 40) return this.manyVotes(x, y, last, K);
    const nearest = new Float64Array(last + 1).fill(Infinity), labels = new Uint8Array(last + 1);
    let right = this.firstNotBelow(x), left = right - 1;
    while (left >= 0 || right < n) {
      const goLeft = right >= n || (left >= 0 && x - this.x[left] < this.x[right] - x);
      const i = goLeft ? left-- : right++;
      const dx = this.x[i] - x, dy = this.y[i] - y, distance = dx * dx + dy * dy;
      if (dx * dx > nearest[last]) break;
      if (distance >= nearest[last]) continue;
      let slot = last;
      for (; slot > 0 && nearest[slot - 1] > distance; slot--) {
        nearest[slot] = nearest[slot - 1];
        labels[slot] = labels[slot - 1];
      }
      nearest[slot] = distance;
      labels[slot] = this.label[i];
    }
    const votes = new Array(K).fill(0);
    for (const label of labels) votes[label]++;
    return votes;
  }

  /** The same for many neighbours, from the distances of all points: inserting each in order would take too long. */
  manyVotes(x, y, last, K) {
    const n = this.x.length, votes = new Array(K).fill(0);
    this.distances ??= [new Float64Array(n), new Float64Array(n)];
    const [distances, scratch] = this.distances;
    for (let i = 0; i < n; i++) distances[i] = scratch[i] = (this.x[i] - x) ** 2 + (this.y[i] - y) ** 2;
    const limit = orderStatistic(scratch, last);
    let left = last + 1; // those at the limit come last: not all of them may be wanted
    for (let i = 0; i < n; i++) if (distances[i] < limit) { votes[this.label[i]]++; left--; }
    for (let i = 0; left; i++) if (distances[i] === limit) { votes[this.label[i]]++; left--; }
    return votes;
  }

  firstNotBelow(x) {
    let low = 0, high = this.x.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.x[middle] < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The value that would be number k if the values, which are reordered, were sorted: Hoare's quickselect. */
function orderStatistic(values, k) {
  let low = 0, high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low, j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i <= j) {
        const value = values[i];
        values[i++] = values[j];
        values[j--] = value;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return values[k];
}

/** Real roots of a t² + b t + c, appended to `out`; stable where a is nearly 0. */
function pushRoots(a, b, c, out) {
  const discriminant = b * b - 4 * a * c;
  if (!(discriminant >= 0)) return;
  const q = -(b + Math.sign(b || 1) * Math.sqrt(discriminant)) / 2;
  if (a !== 0) out.push(q / a);
  if (q !== 0) out.push(c / q);
}

/** Cut [t0, t1] where the largest of the quadratics a t² + b t + c (three numbers each in `line`) changes. */
export function eachSegment(line, t0, t1, visit) {
  const cuts = [t1], n = line.length;
  for (let i = 3; i < n; i += 3) {
    for (let j = 0; j < i; j += 3) {
      pushRoots(line[i] - line[j], line[i + 1] - line[j + 1], line[i + 2] - line[j + 2], cuts);
    }
  }
  cuts.sort((p, q) => p - q);
  let start = t0, low = t0, winner = -1;
  for (const cut of cuts) {
    if (!(cut > low)) continue;
    const high = cut < t1 ? cut : t1, t = (low + high) / 2;
    let best = 0, most = -Infinity;
    for (let i = 0; i < n; i += 3) {
      const value = (line[i] * t + line[i + 1]) * t + line[i + 2];
      if (value > most) { most = value; best = i / 3; }
    }
    if (best !== winner) {
      if (winner >= 0) visit(start, low, winner);
      [start, winner] = [low, best];
    }
    low = high;
    if (cut >= t1) break;
  }
  visit(start, t1, winner);
}

/** Quadratics, on the horizontal line at v, as quadratics of u; `line` is filled and returned. */
export function onRow(quadratics, v, line) {
  quadratics.forEach(([xx, xy, yy, x, y, one], k) => {
    line[3 * k] = xx;
    line[3 * k + 1] = xy * v + x;
    line[3 * k + 2] = (yy * v + y) * v + one;
  });
  return line;
}

/**
 * Probability that a rule errs on draws from the true Gaussians, as { error, accuracy }.
 *
 * In coordinates that make class k round, the part of it which the rule gives away is exact along each ray from its
 * mean: ∫ r exp(−r²/2) dr between the roots of quadratics. What is left is an adaptive integral over the angle.
 */
export function errorRate(truth, fit, tolerance = 1e-9) {
  const able = fit.logPriors.map((_, k) => k).filter((k) => fit.logPriors[k] > -Infinity);
  let error = 0, accuracy = 0;
  truth.gaussians.forEach((g, k) => {
    const prior = Math.exp(truth.logPriors[k]);
    if (prior === 0) return;
    const quadratics = able.map((j) => quadratic(fit.gaussians[j], fit.logPriors[j], g.mean));
    const line = new Float64Array(3 * able.length);
    const ray = (angle) => lostOnRay(g, quadratics, able, k, angle, line);
    const lost = integrate(ray, corners(g, quadratics), tolerance);
    error += (prior * lost.value) / (2 * Math.PI);
    accuracy += (prior * lost.accuracy) / (2 * Math.PI);
  });
  return { error, accuracy };
}

function lostOnRay(g, quadratics, able, k, angle, line) {
  const cos = Math.cos(angle), sin = Math.sin(angle);
  const dx = g.l11 * cos, dy = g.l21 * cos + g.l22 * sin;
  quadratics.forEach(([xx, xy, yy, x, y, one], j) => {
    line[3 * j] = xx * dx * dx + xy * dx * dy + yy * dy * dy;
    line[3 * j + 1] = x * dx + y * dy;
    line[3 * j + 2] = one;
  });
  let lost = 0;
  eachSegment(line, 0, 40, (from, to, winner) => {
    if (able[winner] !== k) lost += Math.exp((-from * from) / 2) - Math.exp((-to * to) / 2);
  });
  return lost;
}

/** Angles at which rays begin to meet a boundary: the square or the discriminant of a difference has a root there. */
function corners(g, quadratics) {
  const slopes = [Infinity]; // a root that a polynomial in the slope does not have
  quadratics.forEach((p, i) => quadratics.slice(0, i).forEach((q) => {
    const [xx, xy, yy, x, y, one] = p.map((value, n) => value - q[n]);
    const cos = x * g.l11 + y * g.l21, sin = y * g.l22; // of t; and of t², in cos², cos sin and sin²:
    const square = [(xx * g.l11 + xy * g.l21) * g.l11 + yy * g.l21 ** 2, (xy * g.l11 + 2 * yy * g.l21) * g.l22,
      yy * g.l22 ** 2];
    const discriminant = [cos * cos, 2 * cos * sin, sin * sin].map((value, n) => value - 4 * square[n] * one);
    for (const [cc, cs, ss] of [square, discriminant]) pushRoots(ss, cs, cc, slopes);
  }));
  return slopes.flatMap((slope) => [Math.atan(slope), Math.atan(slope) + Math.PI]);
}

// The 15-point Gauss-Kronrod rule and the 7-point Gauss rule inside it (Piessens et al., QUADPACK).
const NODES = [0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911,
  0.4058451513773972, 0.20778495500789848, 0];
const KRONROD = [0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592,
  0.1690047266392679, 0.19035057806478542, 0.20443294007529889, 0.20948214108472782];
const GAUSS = [0.1294849661688697, 0.27970539148927664, 0.3818300505051189, 0.4179591836734694];

/**
 * ∫ f over a full turn, cut at `corners`, since a needle between two nodes would not be seen, and halved where the two
 * rules differ; `accuracy` is the sum of the differences that are left.
 */
function integrate(f, corners, tolerance) {
  const turn = 2 * Math.PI, start = 0.1 - turn / 4;
  const eighths = Array.from({ length: 9 }, (_, i) => start + (turn * i) / 8);
  const within = corners.map((angle) => (angle < start ? angle + turn : angle));
  const cuts = [...eighths, ...within].sort((p, q) => p - q);
  const waiting = cuts.slice(1).map((end, i) => [cuts[i], end]);
  let value = 0, accuracy = 0, budget = 4000;
  while (waiting.length) {
    const [a, b] = waiting.pop();
    const middle = (a + b) / 2, half = (b - a) / 2;
    let kronrod = KRONROD[7] * f(middle), gauss = (GAUSS[3] / KRONROD[7]) * kronrod;
    for (let i = 0; i < 7; i++) {
      const pair = f(middle - half * NODES[i]) + f(middle + half * NODES[i]);
      kronrod += KRONROD[i] * pair;
      if (i % 2) gauss += GAUSS[(i - 1) / 2] * pair;
    }
    const difference = half * Math.abs(kronrod - gauss);
    // A small piece may differ more than its share: near a tangent the integrand has a square root.
    if (difference <= tolerance * Math.sqrt((b - a) / turn) || --budget < 0) {
      value += half * kronrod;
      accuracy += difference;
    } else waiting.push([a, middle], [middle, b]);
  }
  return { value, accuracy };
}

/**
 * The same of any rule, such as kNN, from decisions on points spread evenly over each class: lattices of the golden
 * angle, which cover it better than chance does. Their disagreement says how accurate the mean of them is.
 */
export function errorByLattice(truth, decide, perClass, lattices = 8) {
  const n = Math.max(1, Math.round(perClass / lattices)), turn = Math.PI * (3 - Math.sqrt(5));
  const errors = Array.from({ length: lattices }, (_, m) => sum(truth.gaussians.map((g, k) => {
    const prior = Math.exp(truth.logPriors[k]), start = (2 * Math.PI * m) / lattices, inner = (m + 0.5) / lattices;
    let wrong = 0;
    for (let i = 0; i < n && prior; i++) {
      const radius = Math.sqrt(-2 * Math.log(1 - (i + inner) / n)), angle = start + turn * i;
      const z1 = radius * Math.cos(angle), z2 = radius * Math.sin(angle);
      wrong += decide([g.mean[0] + g.l11 * z1, g.mean[1] + g.l21 * z1 + g.l22 * z2]) !== k;
    }
    return (prior * wrong) / n;
  })));
  const error = sum(errors) / lattices, variance = sum(errors.map((one) => (one - error) ** 2)) / (lattices - 1);
  return { error, accuracy: 2 * Math.sqrt(variance / lattices) };
}

/** Counts[truth][decision] of points. */
export function confusion(points, decisions, K) {
  const counts = Array.from({ length: K }, () => new Array(K).fill(0));
  points.forEach((p, i) => counts[p[2]][decisions[i]]++);
  return counts;
}

/** Eigenvalues, the larger first, and orthonormal eigenvectors (in columns) of [[a, b], [b, c]]. */
export function eigen([[a, b], [, c]]) {
  const middle = (a + c) / 2, radius = Math.hypot((a - c) / 2, b);
  const angle = Math.atan2(2 * b, a - c) / 2;
  const cos = Math.cos(angle), sin = Math.sin(angle);
  return { values: [middle + radius, middle - radius], vectors: [[cos, -sin], [sin, cos]] };
}

/**
 * The boundary g(x) = xᵀWx + wᵀx + w0 = ln π_a p(x | a) − ln π_b p(x | b) = 0, and the name of its conic.
 *
 * In coordinates z = Uᵀ(x − center), in which both covariances are diagonal, g = Σ q z² + l z + k: bayeslab.boundary.
 */
export function conic(a, b, logOdds) {
  const total = a.S.map((row, i) => row.map((value, j) => value + b.S[i][j]));
  const difference = a.S.map((row, i) => row.map((value, j) => value - b.S[i][j]));
  const root = gaussian([0, 0], total);
  const { values: delta, vectors: V } = eigen(congruent(difference, root));
  const axes = [0, 1];
  const U = axes.map((i) => solveTransposed(root, V[0][i], V[1][i])); // its columns
  const T = U.map((u) => total.map((row) => dot(row, u)));
  const precisions = [a, b].map((g) => T.map((t) => squaredNorm(g, t)));
  const half = U.map((u) => dot(u, [a.mean[0] - b.mean[0], a.mean[1] - b.mean[1]]) / 2);
  const center = axes.map((j) => (a.mean[j] + b.mean[j]) / 2 - sum(axes.map((i) => T[i][j] * delta[i] * half[i])));
  const means = [a, b].map((g) => U.map((u) => dot(u, [g.mean[0] - center[0], g.mean[1] - center[1]])));
  const q = delta.map((d, i) => (d * precisions[0][i] * precisions[1][i]) / 2);
  const l = axes.map((i) => precisions[0][i] * means[0][i] - precisions[1][i] * means[1][i]);
  const largest = axes.map((i) => Math.max(precisions[0][i], precisions[1][i]));
  const logs = delta.map((d, i) => Math.sign(d) * Math.log1p(Math.abs(d) * largest[i]));
  const squares = [0, 1].map((g) => sum(axes.map((i) => precisions[g][i] * means[g][i] ** 2)));
  const k = logOdds - sum(logs) / 2 - (squares[0] - squares[1]) / 2;
  const form = { q, l, k, rounding: roundingOf([a, b], { U, center, precisions, means, logs, logOdds }) };
  const W = axes.map((i) => axes.map((j) => sum(axes.map((m) => U[m][i] * q[m] * U[m][j]))));
  const slope = axes.map((j) => U[0][j] * l[0] + U[1][j] * l[1]);
  const Wc = W.map((row) => dot(row, center));
  const w = axes.map((j) => slope[j] - 2 * Wc[j]), w0 = k - dot(center, slope) + dot(center, Wc);
  const noise = noiseOf(form.rounding, U, center, [dot(center, slope), dot(center, Wc)]);
  return { W, w, w0, kind: kindOf(form), noise };
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const sum = (values) => values.reduce((total, value) => total + value, 0);
const dot = (u, v) => u[0] * v[0] + u[1] * v[1];

/** L⁻¹ S L⁻ᵀ for the Cholesky factor L of g. */
function congruent(S, g) {
  const [p, q] = [0, 1].map((j) => solve(g, S[0][j], S[1][j])); // columns of L⁻¹ S
  const [first, second] = [0, 1].map((i) => solve(g, p[i], q[i]));
  return [first, [first[1], second[1]]];
}

/** L⁻¹ v, and (L⁻¹)ᵀ v. */
function solve(g, x, y) {
  const z = x / g.l11;
  return [z, (y - g.l21 * z) / g.l22];
}
function solveTransposed(g, x, y) {
  const z = y / g.l22;
  return [(x - g.l21 * z) / g.l11, z];
}

/** vᵀ Σ⁻¹ v. */
function squaredNorm(g, v) {
  const z = solve(g, v[0], v[1]);
  return dot(z, z);
}

/** How far off rounding of the entries of Σ and μ may have put q, l and k. */
function roundingOf(pair, { U, center, precisions, means, logs, logOdds }) {
  const ROUNDING = 16 * Number.EPSILON;
  const along = (v) => U.map((u) => Math.abs(u[0]) * v[0] + Math.abs(u[1]) * v[1]);
  const deviations = pair.map((g) => along([Math.sqrt(g.S[0][0]), Math.sqrt(g.S[1][1])]));
  const e = deviations.map((both, n) => both.map((d, i) => ROUNDING * (precisions[n][i] * d) ** 2));
  const size = (g, j) => ROUNDING * (Math.abs(g.mean[j]) + Math.abs(center[j]));
  const shift = pair.map((g) => along([size(g, 0), size(g, 1)]));
  const reach = pair.map((_, n) => sum([0, 1].map((i) => Math.sqrt(e[n][i]) * Math.abs(means[n][i]))));
  const over = (term) => sum([0, 1].map(term));
  const dq = [0, 1].map((i) => over((n) => e[n][i]));
  const dl = [0, 1].map((i) => over((n) => precisions[n][i] * shift[n][i] + Math.sqrt(e[n][i]) * reach[n]));
  const own = (n, i) => precisions[n][i] * Math.abs(means[n][i]) * shift[n][i] + e[n][i] / precisions[n][i];
  const dk = over((n) => over((i) => own(n, i)) + reach[n] ** 2);
  return [dq, dl, dk + ROUNDING * (Math.abs(logOdds) + sum(logs.map(Math.abs)))];
}

/** How far off it may have put the coefficients of x², xy, y², x, y and 1, which also lose digits to the center. */
function noiseOf([dq, dl, dk], U, center, terms) {
  const [xx, xy, yy] = [[0, 0], [0, 1], [1, 1]].map(([i, j]) => sum(U.map((u, m) => Math.abs(u[i] * u[j]) * dq[m])));
  const far = center.map(Math.abs), slope = [0, 1].map((j) => sum(U.map((u, m) => Math.abs(u[j]) * dl[m])));
  const bend = [xx * far[0] + xy * far[1], xy * far[0] + yy * far[1]];
  const lost = 16 * Number.EPSILON * sum(terms.map(Math.abs));
  return [xx, 2 * xy, yy, slope[0] + 2 * bend[0], slope[1] + 2 * bend[1], dk + dot(far, slope) + dot(far, bend) + lost];
}

/** Name of the curve Σ q z² + l z + k = 0: as in bayeslab.conic. */
function kindOf({ q: given, l, k: constant, rounding: [dq, dl, dk] }) {
  const curved = given.map((value, i) => Math.abs(value) > dq[i]);
  const q = given.map((value, i) => (curved[i] ? value : 0));
  const vertex = q.map((value, i) => (curved[i] ? -l[i] / (2 * value) : 0));
  const k = constant + sum(vertex.map((v, i) => v * (q[i] * v + l[i])));
  const reach = sum(vertex.map((v, i) => Math.sqrt(dq[i]) * Math.abs(v)));
  const number = curved.filter(Boolean).length;
  const sloping = l.some((value, i) => !curved[i] && Math.abs(value) > dl[i] + 2 * Math.sqrt(dq[i]) * reach);
  if (sloping) return number ? "parabola" : "line";
  const side = Math.abs(k) > dk + sum(vertex.map((v, i) => Math.abs(v) * dl[i])) + reach ** 2 ? Math.sign(k) : 0;
  if (number === 2 && q[0] * q[1] < 0) return side ? "hyperbola" : "two lines";
  if (!number || side === sum(q.map(Math.sign)) / number) return "none";
  if (number === 2) return side ? "ellipse" : "point";
  return side ? "two lines" : "line";
}

/* 2 Data ----------------------------------------------------------------------------------------------------------- */

export const MOST_CLASSES = 5;
const MOST_POINTS = 5000;

/** Table of a CSV text, { features, rows, labels }: numbers and, last, a label. Throws an Error that names the line. */
export function readCSV(text) {
  const lines = text.split(/\r\n|\n|\r/).map((line, i) => [line, i + 1]).filter(([line]) => line.trim());
  if (!lines.length) throw new Error("There is nothing to read: paste lines such as 1.5, 2.0, A");
  const separator = ["\t", ";", ","].find((mark) => lines[0][0].includes(mark)) ?? ",";
  const fieldsOf = (line) => line.split(separator).map((field) => field.trim().replace(/^"(.*)"$/, "$1"));
  const number = (field) => (field === "" ? NaN : Number(separator === "," ? field : field.replace(",", ".")));
  const first = fieldsOf(lines[0][0]), width = first.length;
  if (width < 3) throw new Error(`Line ${lines[0][1]} has ${width} of at least 3 fields: two numbers and a label`);
  const headed = first.slice(0, -1).every((field) => !Number.isFinite(number(field)));
  const features = headed ? first.slice(0, -1) : first.slice(1).map((_, j) => `x${"₁₂₃₄₅₆₇₈₉"[j] ?? j + 1}`);
  const rows = [], labels = [];
  for (const [line, where] of lines.slice(headed ? 1 : 0)) {
    const fields = fieldsOf(line), n = fields.length;
    if (n !== width) throw new Error(`Line ${where} has ${n} fields, but the first line has ${width}`);
    const values = fields.slice(0, -1).map(number);
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw new Error(`Line ${where}: "${fields[bad]}" is not a number; the label comes last`);
    if (!fields[width - 1]) throw new Error(`Line ${where} has no label`);
    rows.push(values);
    labels.push(fields[width - 1]);
  }
  if (rows.length > MOST_POINTS) throw new Error(`There are ${rows.length} points; ${MOST_POINTS} is the most`);
  classesOf(labels); // throws
  return { features, rows, labels };
}

/** The same table of a data set that has for each class all its rows in one list. */
function tableOf({ features, classes }) {
  const d = features.length, entries = Object.entries(classes);
  const groups = entries.map(([, list]) => list.filter((_, i) => i % d === 0).map((_, n) => list.slice(d * n, d * n + d)));
  return { features, rows: groups.flat(), labels: entries.flatMap(([name], k) => groups[k].map(() => name)) };
}

/** Labels in order, once each; as numbers if they are whole numbers. Throws where there are too few or too many. */
function classesOf(labels) {
  const distinct = [...new Set(labels)], n = distinct.length, range = `there must be 2 to ${MOST_CLASSES} classes`;
  if (n === 0) throw new Error("There are no points");
  if (n === 1) throw new Error(`All points have the label ${distinct[0]}; ${range}`);
  if (n > MOST_CLASSES) throw new Error(`There are ${n} different labels; ${range}`);
  const whole = distinct.every((label) => /^-?\d{1,15}$/.test(label) && String(Number(label)) === label);
  return whole ? distinct.map(Number).sort((p, q) => p - q) : distinct.sort();
}

/** What to show for two columns of a table: the points, and as densities the Gaussians fitted to them. */
export function fromTable({ features, rows, labels }, i, j) {
  const names = classesOf(labels);
  const index = new Map(names.map((name, k) => [String(name), k]));
  const points = rows.map((row, n) => [row[i], row[j], index.get(labels[n])]);
  const { counts, means, covariances, pooled } = estimate(points, names.length);
  const spare = [i, j].map((column, d) => pooled?.[d][d] || spread(rows, column) ** 2 / 16 || 1);
  return {
    class_names: names,
    classes: names,
    feature_names: [features[i], features[j]],
    points,
    means,
    covariances: covariances.map((S, k) => (gaussian(means[k], S) ? S : [[spare[0], 0], [0, spare[1]]])),
    priors: counts.map((n) => n / points.length),
    mode: "estimate",
  };
}

function spread(rows, column) {
  const [low, high] = range(rows.map((row) => row[column]));
  return high - low;
}

/** The least and the largest of any number of values, which need not fit on the stack as arguments. */
function range(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Random numbers in [0, 1) from a seed (mulberry32): the same page draws the same points. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draw n points in all, shared out to the classes by their priors. */
export function drawPoints({ means, covariances, priors }, n, random) {
  const ends = priors.reduce((all, prior) => [...all, all[all.length - 1] + prior], [0]);
  return priors.flatMap((_, k) => {
    const g = gaussian(means[k], covariances[k]);
    const count = Math.round(n * ends[k + 1]) - Math.round(n * ends[k]);
    return Array.from({ length: count }, () => {
      const radius = Math.sqrt(-2 * Math.log(1 - random())), angle = 2 * Math.PI * random();
      const z1 = radius * Math.cos(angle), z2 = radius * Math.sin(angle);
      return [means[k][0] + g.l11 * z1, means[k][1] + g.l21 * z1 + g.l22 * z2, k];
    });
  });
}

/** Set one prior, and give the others their shares of what is left. */
export function withPrior(priors, k, value) {
  const prior = clamp(value, 0, 1), rest = sum(priors) - priors[k];
  return priors.map((p, j) => (j === k ? prior : (1 - prior) * (rest > 0 ? p / rest : 1 / (priors.length - 1))));
}

/** Semi-axes [[x, y], [x, y]] of the 1σ ellipse, the longer first; perpendicular on the screen, that is, in units. */
export function semiAxes(S, [ux, uy]) {
  const scaled = [[S[0][0] / ux / ux, S[0][1] / ux / uy], [S[0][1] / ux / uy, S[1][1] / uy / uy]];
  const { values, vectors } = eigen(scaled);
  return [0, 1].map((i) => {
    const length = Math.sqrt(Math.max(values[i], 0));
    return [vectors[0][i] * length * ux, vectors[1][i] * length * uy];
  });
}

/**
 * Move class k: its points and its true density follow the map that takes mean and semi-axes to the new ones. What the
 * others have become `now`, since the start of a drag, they stay.
 */
export function moveClass({ means, covariances, points }, k, from, to, now = { means, covariances, points }) {
  const [[a, b], [c, d]] = from.axes, determinant = a * d - b * c;
  const A = [0, 1].map((i) => [
    (to.axes[0][i] * d - to.axes[1][i] * b) / determinant,
    (to.axes[1][i] * a - to.axes[0][i] * c) / determinant,
  ]);
  const map = (x, y) => A.map((row, i) => to.mean[i] + row[0] * (x - from.mean[0]) + row[1] * (y - from.mean[1]));
  const still = from.axes.flat().every((value, i) => value === to.axes.flat()[i]);
  const replaced = (list, value) => list.map((old, j) => (j === k ? value : old));
  return {
    means: replaced(now.means, map(...means[k])),
    covariances: still ? now.covariances : replaced(now.covariances, transformed(covariances[k], A)),
    points: now.points.map((p, i) => (p[2] === k && points[i]?.[2] === k ? [...map(...points[i]), k] : p)),
  };
}

/** A S Aᵀ, symmetric to the last digit. */
function transformed(S, A) {
  const AS = A.map((row) => [row[0] * S[0][0] + row[1] * S[1][0], row[0] * S[0][1] + row[1] * S[1][1]]);
  const xy = dot(AS[0], A[1]);
  return [[dot(AS[0], A[0]), xy], [xy, dot(AS[1], A[1])]];
}

/* 3 Drawing -------------------------------------------------------------------------------------------------------- */

// The colours and the markers of bayeslab.plotting, in its order; a marker is a path about the origin.
export const COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933", "#000000",
  "#882255", "#44AA99"];
const MARKERS = ["M-4.6,0a4.6,4.6 0 1,0 9.2,0a4.6,4.6 0 1,0 -9.2,0Z", "M0,-5.4L5.2,4.2H-5.2Z",
  "M-4.2,-4.2H4.2V4.2H-4.2Z", "M0,-5.8L5.8,0L0,5.8L-5.8,0Z", "M0,5.4L5.2,-4.2H-5.2Z",
  "M-1.8,-5.4H1.8V-1.8H5.4V1.8H1.8V5.4H-1.8V1.8H-5.4V-1.8H-1.8Z",
  "M-5.2,-2.6L-2.6,-5.2L0,-2.6L2.6,-5.2L5.2,-2.6L2.6,0L5.2,2.6L2.6,5.2L0,2.6L-2.6,5.2L-5.2,2.6L-2.6,0Z",
  "M0,-6L1.4,-1.9H5.7L2.3,.7L3.5,4.9L0,2.4L-3.5,4.9L-2.3,.7L-5.7,-1.9H-1.4Z", "M-5.4,0L4.2,-5.2V5.2Z",
  "M5.4,0L-4.2,-5.2V5.2Z"];

/** Colour and marker of each class: its place among all `classes`; one that is not among them takes what is free. */
export function stylesOf(names, classes) {
  const styles = names.map((name) => classes.indexOf(name)).map((i) => (i < COLORS.length ? i : -1));
  const places = [...COLORS.keys()], start = classes.length % COLORS.length;
  const free = [...places.slice(start), ...places.slice(0, start)].filter((i) => !styles.includes(i));
  return styles.map((i) => (i < 0 ? free.shift() : i));
}

const FONT = "13px system-ui, sans-serif";

// Shares of the class colour in regions (pale) and posterior shading (strong).
const LIGHT = {
  background: [255, 255, 255], ink: "#1f2328", muted: "#59636e", grid: "#00000014", pale: 0.22, strong: 0.45,
};
const DARK = {
  background: [20, 23, 28], ink: "#f0f3f6", muted: "#9aa7b4", grid: "#ffffff1a", pale: 0.3, strong: 0.55,
};

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const mixed = (from, to, share) => from.map((value, i) => value + share * (to[i] - value));
const packed = ([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r;
const css = (color) => `rgb(${color.map(Math.round).join()})`;

/** Colour number i as red, green and blue; black, which a dark page would swallow, is the ink. */
const tone = (theme, i) => rgb(COLORS[i] === "#000000" ? theme.ink : COLORS[i]);

/** The same for lines and points, which stand on a pale tone of it: nearer to the ink, 3:1 at least. */
const lineColor = (theme, i) => css(mixed(tone(theme, i), rgb(theme.ink), 0.36));

/** Data from pixels of a square plot and back; its view is the window { x: [low, high], y: [low, high] }. */
export class Viewport {
  constructor(view, size) {
    Object.assign(this, { view, size });
    this.origin = [view.x[0], view.y[1]];
    this.units = [(view.x[1] - view.x[0]) / size, (view.y[0] - view.y[1]) / size]; // per pixel; y points up
  }
  toPixel(x, y) { return [(x - this.origin[0]) / this.units[0], (y - this.origin[1]) / this.units[1]]; }
  toData(u, v) { return [this.origin[0] + u * this.units[0], this.origin[1] + v * this.units[1]]; }

  /** The classes that can win, with their scores as quadratics of pixels, `ratio` of them to a pixel of this plot. */
  competitors({ gaussians, logPriors }, ratio = 1) {
    const units = this.units.map((unit) => unit / ratio);
    const able = logPriors.map((_, k) => k).filter((k) => logPriors[k] > -Infinity);
    return { able, quadratics: able.map((k) => quadratic(gaussians[k], logPriors[k], this.origin, units)) };
  }
}

/** One canvas and what is drawn on it. */
class Picture {
  constructor(canvas, margins) {
    Object.assign(this, { canvas, margins });
    this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    this.small = document.createElement("canvas");
  }

  /** Fit the canvas to its width on the page and to the square plot in it; returns the plot's side in CSS pixels. */
  resize(width, view) {
    const ratio = window.devicePixelRatio || 1, [top, right, bottom] = this.margins;
    const left = this.margins[3] && Math.max(this.margins[3], this.widestTick(view.y) + 26);
    const device = (length) => Math.round(length * ratio), side = Math.max(device(width - left - right), 1);
    const size = [device(width), side + device(top + bottom)], { canvas } = this;
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    canvas.style.height = `${size[1] / ratio}px`;
    Object.assign(this, { ratio, left: device(left) / ratio, top: device(top) / ratio });
    return side / ratio;
  }

  /** Width of the widest number on the vertical axis, in steps, so that the plot does not tremble. */
  widestTick([low, high]) {
    this.context.font = FONT;
    return 8 * Math.ceil(Math.max(...ticks(low, high).map(({ text }) => this.context.measureText(text).width)) / 8);
  }

  /** Draw a scene: { view, state, styles, evaluation, theme, coarse }. */
  draw(scene, side) {
    const { context } = this, { state, evaluation, theme } = scene;
    const size = this.resize(side, scene.view);
    this.viewport = new Viewport(scene.view, size);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = css(theme.background);
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const field = this.drawField(scene);
    context.setTransform(this.ratio, 0, 0, this.ratio, this.left * this.ratio, this.top * this.ratio);
    if (this.margins[3]) this.drawAxes(theme, state.feature_names);
    context.save();
    context.beginPath();
    context.rect(0, 0, size, size);
    context.clip();
    if (state.show_contours) this.drawContours(scene);
    if (state.show_ellipses) this.drawEllipses(scene);
    if (state.show_boundary && !evaluation.problem) this.drawBoundary(scene, field);
    this.drawPoints(scene);
    context.restore();
  }

  /** Decision regions or posterior shading; for kNN, returns the decisions on its grid of cells. */
  drawField({ state, styles, evaluation, theme, coarse }) {
    const { show_posterior: posterior, show_regions: regions } = state;
    if (evaluation.problem) return null;
    const colors = styles.map((i) => tone(theme, i));
    const shades = colors.map((color) => packed(mixed(theme.background, color, theme.pale)));
    if (evaluation.neighbours) {
      const cells = this.votes(evaluation, state, coarse);
      const shade = (k, votes) => posterior ? blend(theme, colors, votes.map((n) => n / sum(votes))) : shades[k];
      if (posterior || regions) this.paintCells(cells.size, (n) => shade(cells.winner[n], cells.votes[n]), !posterior);
      return cells;
    }
    if (posterior) this.paintPosterior(evaluation.fit, theme, colors, coarse ? 120 : 240);
    else if (regions) this.paintRegions(evaluation.fit, shades);
    return null;
  }

  /** Regions of a Gaussian rule, exact to a device pixel: each row is cut where the largest score changes. */
  paintRegions(fit, colors) {
    const { ratio, context } = this, size = Math.round(this.viewport.size * ratio);
    if (this.image?.width !== size) this.image = new ImageData(size, size);
    const pixels = new Uint32Array(this.image.data.buffer);
    const { able, quadratics } = this.viewport.competitors(fit, ratio);
    const line = new Float64Array(3 * able.length);
    for (let row = 0; row < size; row++) {
      eachSegment(onRow(quadratics, row + 0.5, line), 0, size, (from, to, winner) => {
        pixels.fill(colors[able[winner]], row * size + Math.round(from), row * size + Math.round(to));
      });
    }
    context.putImageData(this.image, Math.round(this.left * ratio), Math.round(this.top * ratio));
  }

  /** Each pixel in a mixture of the class colours, by posterior. */
  paintPosterior(fit, theme, colors, size) {
    const own = new Viewport(this.viewport.view, size);
    const { able, quadratics } = own.competitors(fit);
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
      return blend(theme, chosen, joint, total);
    }, false);
  }

  /** Paint size × size cells over the plot; `colorOf` gives the packed colour of cell number n. */
  paintCells(size, colorOf, sharp) {
    const { context, small, ratio } = this, side = this.viewport.size * ratio;
    small.width = small.height = size;
    const image = new ImageData(size, size), pixels = new Uint32Array(image.data.buffer);
    for (let n = 0; n < pixels.length; n++) pixels[n] = colorOf(n);
    small.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = !sharp;
    context.drawImage(small, this.left * ratio, this.top * ratio, side, side);
  }

  /** Votes and decisions of kNN on a grid of cells; kept until points, k or window change. */
  votes({ neighbours }, { k, means }, coarse) {
    const { viewport } = this, finest = Math.round(viewport.size / (coarse ? 8 : 3));
    const most = coarse ? 5e6 : 2e7; // distances, if there are many neighbours to find
    const size = k > 40 ? Math.min(finest, Math.ceil(Math.sqrt(most / neighbours.x.length))) : finest;
    const key = [neighbours, k, size, ...viewport.view.x, ...viewport.view.y];
    if (this.cells?.key.every((value, i) => value === key[i])) return this.cells;
    const votes = [], winner = new Uint8Array(size * size), own = new Viewport(viewport.view, size);
    for (let n = 0; n < winner.length; n++) {
      votes.push(neighbours.votes(...own.toData((n % size) + 0.5, Math.floor(n / size) + 0.5), k, means.length));
      winner[n] = argmax(votes[n]);
    }
    this.cells = { key, size, votes, winner };
    return this.cells;
  }

  drawAxes(theme, [nameX, nameY]) {
    const { context, viewport } = this, { size, view } = viewport;
    context.lineWidth = 1;
    context.fillStyle = theme.muted;
    context.strokeStyle = theme.grid;
    context.font = FONT;
    context.beginPath();
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const tick of ticks(...view.x)) {
      const [u] = viewport.toPixel(tick.value, 0);
      context.moveTo(u, 0);
      context.lineTo(u, size);
      context.fillText(tick.text, u, size + 6);
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const tick of ticks(...view.y)) {
      const [, v] = viewport.toPixel(0, tick.value);
      context.moveTo(0, v);
      context.lineTo(size, v);
      context.fillText(tick.text, -6, v);
    }
    context.rect(0, 0, size, size);
    context.stroke();
    context.fillStyle = theme.ink;
    context.textAlign = "center";
    context.fillText(nameX, size / 2, size + 30);
    context.save();
    context.translate(-this.left + 9, size / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(nameY, 0, 0);
    context.restore();
  }

  /** The 1, 2 and 3σ ellipses of the densities that the rule goes by; dashed, 2σ of the true ones if these differ. */
  drawEllipses({ state, styles, evaluation, theme }) {
    const { context } = this;
    evaluation.gaussians.forEach((g, k) => {
      context.strokeStyle = lineColor(theme, styles[k]);
      if (g) for (const n of [1, 2, 3]) this.strokeEllipse(g, n, 2.5 - n / 2);
      const dashed = dashedEllipse(state, g, k);
      if (!dashed) return;
      context.setLineDash([5, 4]);
      this.strokeEllipse(dashed, 2, 1.5);
      context.setLineDash([]);
    });
  }

  strokeEllipse(g, n, width) {
    const { context, viewport } = this, [u, v] = viewport.toPixel(...g.mean);
    context.beginPath();
    for (let i = 0; i <= 72; i++) {
      const cos = n * Math.cos((i * Math.PI) / 36), sin = n * Math.sin((i * Math.PI) / 36);
      context.lineTo(u + (g.l11 * cos) / viewport.units[0], v + (g.l21 * cos + g.l22 * sin) / viewport.units[1]);
    }
    context.lineWidth = width;
    context.stroke();
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
    const step = viewport.size / size, values = new Float64Array((size + 1) ** 2);
    for (let n = 0; n < values.length; n++) {
      values[n] = logMixture(...viewport.toData((n % (size + 1)) * step, Math.floor(n / (size + 1)) * step));
    }
    const peak = Math.max(...pairs.map(([g]) => logMixture(...g.mean)));
    context.beginPath();
    for (let z = 0.5; z <= 3.5; z += 0.5) traceLevel(context, values, size, step, peak - (z * z) / 2);
    context.lineWidth = 1;
    context.strokeStyle = theme.muted;
    context.stroke();
  }

  /** Where the two best classes are level: for Gaussian rules from roots on every third row and column of pixels. */
  drawBoundary({ evaluation, theme }, cells) {
    const { context } = this;
    context.beginPath();
    if (cells) this.traceCells(cells);
    else this.traceConics(evaluation.fit);
    context.lineWidth = this.margins[3] ? 2 : 1.5;
    context.strokeStyle = theme.ink;
    context.stroke();
  }

  /** Steep pieces of each conic are found on rows, flat ones on columns, those around 45° on both: there is no gap. */
  traceConics(fit) {
    const { size } = this.viewport, { quadratics } = this.viewport.competitors(fit);
    const step = 3, flipped = quadratics.map(([xx, xy, yy, x, y, one]) => [yy, xy, xx, y, x, one]);
    const rows = (u, v, du, dv) => { this.context.moveTo(u - du, v - dv); this.context.lineTo(u + du, v + dv); };
    const columns = (u, v, du, dv) => rows(v, u, dv, du);
    for (const [forms, add] of [[quadratics, rows], [flipped, columns]]) {
      const line = new Float64Array(3 * forms.length);
      for (let v = step / 2; v < size; v += step) {
        let last = -1;
        eachSegment(onRow(forms, v, line), 0, size, (from, to, winner) => {
          if (last >= 0) addPiece(forms[last], forms[winner], from, v, step / 2, add);
          last = winner;
        });
      }
    }
  }

  /** For kNN: the edges between cells of different decisions. */
  traceCells({ size, winner }) {
    const { context } = this, step = this.viewport.size / size;
    const edge = (u, v, du, dv) => { context.moveTo(u, v); context.lineTo(u + du, v + dv); };
    for (let n = 0; n < winner.length; n++) {
      const u = (n % size) * step, v = Math.floor(n / size) * step;
      if ((n + 1) % size && winner[n] !== winner[n + 1]) edge(u + step, v, 0, step);
      if (n + size < winner.length && winner[n] !== winner[n + size]) edge(u, v + step, step, 0);
    }
  }

  /** The sample; in a large picture a dark rim marks what the rule gets wrong. Whole pixels are quick to copy. */
  drawPoints({ state, styles, evaluation, theme, coarse }) {
    const { context, viewport, ratio } = this, large = this.margins[3] > 0;
    const sprites = this.sprites(theme, large ? 1 : 0.55), half = sprites[0].width / 2;
    const decisions = large && !(coarse && evaluation.slow) ? evaluation.sample?.().decisions : null;
    const place = (pixel, margin) => Math.round((pixel + margin) * ratio - half);
    context.setTransform(1, 0, 0, 1, 0, 0);
    state.points.forEach(([x, y, k], n) => {
      const [u, v] = viewport.toPixel(x, y), wrong = (decisions?.[n] ?? k) !== k;
      context.drawImage(sprites[2 * styles[k] + Number(wrong)], place(u, this.left), place(v, this.top));
    });
  }

  sprites(theme, size) {
    const key = `${theme.ink} ${this.ratio}`;
    if (this.spriteKey === key) return this.spriteList;
    this.spriteKey = key;
    this.spriteList = MARKERS.flatMap((marker, i) => [false, true].map((wrong) => {
      const sprite = document.createElement("canvas"), pixels = Math.ceil(16 * size * this.ratio);
      sprite.width = sprite.height = pixels;
      const context = sprite.getContext("2d");
      context.setTransform(pixels / 16, 0, 0, pixels / 16, pixels / 2, pixels / 2);
      context.scale(0.8, 0.8);
      context.fillStyle = lineColor(theme, i);
      context.strokeStyle = wrong ? theme.ink : css(theme.background);
      context.lineWidth = wrong ? 2 : 1;
      context.fill(new Path2D(marker));
      context.stroke(new Path2D(marker));
      return sprite;
    }));
    return this.spriteList;
  }
}

/** The true density of a class if its ellipse is to be dashed: where the one that the rule goes by is another. */
export function dashedEllipse({ mode, means, covariances }, g, k) {
  const truth = gaussian(means[k], covariances[k]), near = 5e-3; // of σ: a part of a pixel
  if (mode === "truth") return null;
  const [a, c] = [truth.S[0][0], truth.S[1][1]], sizes = [a, Math.sqrt(a * c), c];
  const same = g && g.mean.every((value, j) => Math.abs(value - means[k][j]) <= near * Math.sqrt(truth.S[j][j]))
    && [[0, 0], [0, 1], [1, 1]].every(([i, j], n) => Math.abs(g.S[i][j] - truth.S[i][j]) <= near * sizes[n]);
  return same ? null : truth;
}

/** Packed mixture of colours over the background; `shares` add up to `total`. */
function blend(theme, colors, shares, total = 1) {
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

/** Lines at one level through a grid of (size + 1)² values, by marching squares. */
function traceLevel(context, values, size, step, level) {
  const stride = size + 1;
  for (let n = 0; n < size * stride; n++) {
    if (n % stride === size) continue;
    const u = n % stride, v = Math.floor(n / stride), ends = [];
    const corners = [[u, v], [u + 1, v], [u + 1, v + 1], [u, v + 1]].map(([i, j]) => [i, j, values[i + j * stride]]);
    for (let i = 0; i < 4; i++) {
      const [u1, v1, a] = corners[i], [u2, v2, b] = corners[(i + 1) % 4];
      if (a < level === b < level) continue;
      const t = (level - a) / (b - a);
      ends.push([(u1 + t * (u2 - u1)) * step, (v1 + t * (v2 - v1)) * step]);
    }
    for (let i = 0; i + 1 < ends.length; i += 2) {
      context.moveTo(...ends[i]);
      context.lineTo(...ends[i + 1]);
    }
  }
}

/** About five round numbers between low and high, with their texts. */
export function ticks(low, high) {
  const rough = (high - low) / 8, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const value = (first + i) * step;
    return { value, text: value.toFixed(Math.min(digits, 20)).replace("-", "−") };
  });
}

/** A window that holds points and densities; both axes have the same scale unless that would waste most of it. */
export function fittingView({ means, covariances, points }) {
  const reach = [0, 1].map((j) => {
    const ends = covariances.flatMap((S, k) => [-2.6, 2.6].map((n) => means[k][j] + n * Math.sqrt(S[j][j])));
    const [low, high] = range([...ends, ...points.map((p) => p[j])]);
    return { middle: (low + high) / 2, width: 1.12 * (high - low) };
  });
  const widest = Math.max(reach[0].width, reach[1].width);
  const [x, y] = reach.map(({ middle, width }) => {
    const side = widest < 2.5 * Math.min(reach[0].width, reach[1].width) ? widest : width;
    return [middle - side / 2, middle + side / 2];
  });
  return { x, y };
}

/* 4 Stage: the picture, its handles, pointer and keyboard ---------------------------------------------------------- */

const MARGINS = [8, 8, 44, 54]; // top, right, bottom, left of the plot
const HANDLE_SIGMA = 2; // the axis handles sit on the 2σ ellipse, where small ellipses still leave room
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

class Stage {
  constructor(app, { stage, plot, cross, overlay, problem }) {
    Object.assign(this, { app, element: stage, canvas: plot, crossElement: cross, overlay, problem });
    this.picture = new Picture(plot, MARGINS);
    this.handles = [];
    this.useTool("move");
    this.listen();
  }

  listen() {
    const on = (element, type, react) => element.addEventListener(type, react);
    on(this.element, "pointerdown", (event) => this.onDown(event));
    on(this.element, "pointermove", (event) => this.onMove(event));
    on(this.element, "pointerup", (event) => this.onUp(event));
    on(this.element, "lostpointercapture", (event) => this.onUp(event));
    on(this.element, "pointerleave", () => this.app.panel.showPlace(null));
    on(this.overlay, "keydown", (event) => this.onHandleKey(event));
    on(this.canvas, "keydown", (event) => this.onCrossKey(event));
    on(this.canvas, "focus", () => this.showCross(this.cross ?? this.middle()));
    on(this.canvas, "blur", () => this.showCross(null));
  }

  useTool(tool) {
    this.tool = this.element.dataset.tool = tool;
    this.carried = -1;
  }

  get viewport() { return this.picture.viewport; }
  middle() { return this.viewport.toData(this.viewport.size / 2, this.viewport.size / 2); }

  draw(scene) {
    this.picture.draw(scene, this.element.clientWidth);
    const { problem } = scene.evaluation;
    setText(this.problem, problem ? `No decision: ${problem}.` : "");
    this.placeHandles();
    if (!this.crossElement.hidden) this.showCross(this.cross);
    else this.app.panel.showPlace(this.app.panel.place);
  }

  // Handles ..........................................................................................................

  /** One mean handle and two axis handles for each class, made anew when the classes change. */
  makeHandles(names, styles) {
    this.handles = names.flatMap((name, k) => ["mean", 0, 1].map((part) => {
      const isMean = part === "mean";
      const element = h(`button.handle.${isMean ? "mean" : "axis"}`, {
        type: "button", "data-handle": isMean ? "mean" : `axis${part + 1}`, "data-class": k,
        "aria-roledescription": "movable handle",
      }, isMean ? markerOf(styles[k], 18) : "");
      element.style.setProperty("--class", `var(--class-${styles[k]})`);
      return { element, k, part, name };
    }));
    this.overlay.replaceChildren(...this.handles.map(({ element }) => element));
  }

  /** Mean and semi-axes that the handles of a class hold: the estimate where that is shown, else the truth. */
  anchor(k) {
    const { state, shown } = this.app, units = this.viewport.units;
    const estimated = state.mode === "estimate" && shown.means[k] && gaussian(shown.means[k], shown.covariances[k]);
    const source = estimated ? shown : state, mean = source.means[k], S = source.covariances[k];
    const kept = this.keptAxes?.[k];
    return { mean, axes: kept && belong(kept, S, units) ? kept : semiAxes(S, units) };
  }

  placeHandles() {
    const { left, top } = this.picture;
    this.keptAxes = this.app.state.means.map((_, k) => this.anchor(k).axes);
    for (const handle of this.handles) {
      handle.at = this.positionOf(handle);
      const [u, v] = this.viewport.toPixel(...this.within(handle.at)); // one that lies outside waits at the edge
      handle.pixel = [u + left, v + top];
      handle.element.style.opacity = this.distanceOutside(handle.at) > 1 ? 0.6 : "";
      handle.element.style.transform = `translate(${u + left}px, ${v + top}px)`;
    }
  }

  /** Where a handle is in data units; an axis handle that would lie outside sits at the other end, until it is held. */
  positionOf(handle) {
    const { mean, axes } = this.anchor(handle.k), { part } = handle;
    if (part === "mean") return mean;
    const ends = [1, -1].map((sign) => mean.map((value, i) => value + sign * HANDLE_SIGMA * axes[part][i]));
    const [first, second] = ends.map((end) => this.distanceOutside(end));
    if (!handle.element.matches(":focus")) handle.end = second < first ? 1 : 0;
    return ends[handle.end ?? 0];
  }

  distanceOutside([x, y]) {
    const [u, v] = this.viewport.toPixel(x, y), { size } = this.viewport;
    return Math.max(0, -u, u - size, -v, v - size);
  }

  /** What screen readers say of the plot and its handles. */
  label() {
    const { feature_names: [x, y], points, means } = this.app.state;
    this.canvas.setAttribute("aria-label", `${y} against ${x}, ${points.length} points of ${means.length} classes. `
      + `${this.app.panel.summary()} Arrow keys move a cross, Enter acts there.`);
    for (const handle of this.handles) {
      const label = `${this.nameOf(handle)}. Arrow keys move it, with Shift in larger steps.`;
      handle.element.setAttribute("aria-label", label);
    }
  }

  nameOf({ part, name, at }) {
    const what = part === "mean" ? "Mean" : `Axis ${part + 1} of the ${HANDLE_SIGMA}σ ellipse`;
    return `${what} of class ${name} at ${this.app.place(at)}`;
  }

  /** What a move starts from; during a drag it stays the same, so that rounding does not add up. */
  holding(handle) {
    return { start: this.app.state, end: this.positionOf(handle), ...this.anchor(handle.k) };
  }

  moveHandle({ k, part }, place, from) {
    const { mean, axes, end, start } = from;
    const to = { mean, axes };
    if (part === "mean") to.mean = this.inside(place, mean);
    else to.axes = turnedAxes(axes, part, mean, end, this.app.roundedPlace(place), this.viewport.units);
    this.keptAxes[k] = to.axes;
    this.app.panel.hideHint();
    this.app.update(moveClass(start, k, from, to, this.app.state), true);
  }

  /** The nearest place in the window, or in the window stretched to hold where something came from. */
  within([x, y], from = this.middle()) {
    const { viewport } = this, origin = viewport.toPixel(...from);
    const ends = (i) => [Math.min(0, origin[i]), Math.max(viewport.size, origin[i])];
    return viewport.toData(...viewport.toPixel(x, y).map((pixel, i) => clamp(pixel, ...ends(i))));
  }
  inside(place, from) { return this.app.roundedPlace(this.within(place, from)); }

  // Pointer ..........................................................................................................

  eventPixel(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  eventPlace(event) {
    const [u, v] = this.eventPixel(event);
    return this.viewport.toData(u - this.picture.left, v - this.picture.top);
  }

  /** The nearest handle within reach of the pointer, which for a finger is further. */
  handleAt(event) {
    const [u, v] = this.eventPixel(event), reach = event.pointerType === "touch" ? 26 : 13;
    return nearestWithin(this.handles, ({ pixel }) => Math.hypot(pixel[0] - u, pixel[1] - v), reach);
  }

  pointAt(place, reach = 12) {
    const [u, v] = this.viewport.toPixel(...place);
    const near = nearestWithin(this.app.state.points.keys(), (n) => {
      const [pu, pv] = this.viewport.toPixel(...this.app.state.points[n]);
      return Math.hypot(pu - u, pv - v);
    }, reach);
    return near ?? -1;
  }

  onDown(event) {
    if (event.button || this.pointer !== undefined) return; // a second finger does nothing
    event.preventDefault();
    this.pointer = event.pointerId;
    this.element.setPointerCapture(event.pointerId);
    const place = this.eventPlace(event), handle = this.tool === "move" && this.handleAt(event);
    (handle ? handle.element : this.canvas).focus({ preventScroll: true });
    this.showCross(null);
    if (this.tool === "add") this.addPoint(place);
    else if (this.tool === "delete") this.deletePoint(this.pointAt(place));
    else this.drag = handle ? this.dragHandle(handle, place) : this.dragPointOrView(place);
  }

  dragHandle(handle, place) {
    const from = this.holding(handle), shift = this.within(from.end).map((value, i) => value - place[i]);
    this.element.dataset.drag = "handle";
    return (now) => this.moveHandle(handle, now.map((value, i) => value + shift[i]), from);
  }

  dragPointOrView(place) {
    const n = this.pointAt(place), { view } = this.app, start = this.viewport;
    this.element.dataset.drag = n >= 0 ? "point" : "view";
    if (n >= 0) return (now) => this.movePoint(n, now);
    return (_, event) => { // the place under the pointer stays under it
      const [u, v] = this.eventPixel(event), now = start.toData(u - this.picture.left, v - this.picture.top);
      const moved = (ends, i) => ends.map((end) => end - now[i] + place[i]);
      this.app.look({ x: moved(view.x, 0), y: moved(view.y, 1) });
    };
  }

  onMove(event) {
    const place = this.eventPlace(event);
    this.app.panel.showPlace(place);
    if (event.pointerId === this.pointer) return this.drag?.(place, event);
    const over = this.handleAt(event) || this.pointAt(place) >= 0;
    this.element.dataset.over = this.tool === "move" && over ? "handle" : "";
  }

  onUp(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = this.drag = undefined;
    delete this.element.dataset.drag;
    this.app.settle();
  }

  // Points ...........................................................................................................

  addPoint(place) {
    const k = this.app.panel.activeClass;
    this.app.update({ points: [...this.app.state.points, [...this.inside(place), k]] });
    this.app.announce(`Added a point of class ${this.app.state.class_names[k]} at ${this.app.place(place)}.`);
  }

  deletePoint(n) {
    if (n < 0) return this.app.announce("No point here.");
    const k = this.app.state.points[n][2];
    this.app.update({ points: this.app.state.points.filter((_, i) => i !== n) });
    this.app.announce(`Deleted a point of class ${this.app.state.class_names[k]}.`);
  }

  movePoint(n, place) {
    const points = [...this.app.state.points];
    if (!points[n]) return; // taken away meanwhile
    points[n] = [...this.inside(place), points[n][2]];
    this.app.panel.hideHint();
    this.app.update({ points }, true);
  }

  // Keyboard .........................................................................................................

  /** The step of an arrow key in data units: a hundredth of the window, ten times that with Shift. */
  arrowStep(event) {
    const direction = ARROWS[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return null;
    event.preventDefault();
    event.stopPropagation();
    const { x, y } = this.app.view, size = event.shiftKey ? 0.1 : 0.01;
    return [direction[0] * size * (x[1] - x[0]), direction[1] * size * (y[1] - y[0])];
  }

  onHandleKey(event) {
    const step = this.arrowStep(event), handle = this.handles.find(({ element }) => element === event.target);
    if (!step || !handle) return;
    const from = this.holding(handle); // keys may come quicker than frames: handle.at is the last one's
    this.moveHandle(handle, from.end.map((value, i) => value + step[i]), from);
    this.app.announce(() => `${this.nameOf(handle)}. ${this.app.panel.summary()}`);
  }

  /** On the plot itself: arrows move a cross, Enter does there what the tool does, picks a point up or puts it down. */
  onCrossKey(event) {
    const step = this.arrowStep(event);
    if (step) {
      this.showCross(this.inside(this.cross.map((value, i) => value + step[i])));
      if (this.carried >= 0) this.movePoint(this.carried, this.cross);
      this.app.announce(() => this.app.panel.verdict(this.cross));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      if (this.tool === "add") this.addPoint(this.cross);
      else if (this.tool === "delete") this.deletePoint(this.pointAt(this.cross, 20));
      else this.carry();
    }
  }

  carry() {
    const carrying = this.carried >= 0;
    this.carried = carrying ? -1 : this.pointAt(this.cross, 20);
    const found = this.carried < 0 ? "No point here." : "Picked up; arrow keys move the point, Enter puts it down.";
    this.app.announce(carrying ? "Put down." : found);
  }

  showCross(place) {
    this.crossElement.hidden = !place || !this.canvas.matches(":focus-visible");
    if (!place) {
      this.carried = -1;
      return this.app.panel.showPlace(null);
    }
    this.cross = place;
    const [u, v] = this.viewport.toPixel(...place);
    this.crossElement.style.transform = `translate(${u + this.picture.left}px, ${v + this.picture.top}px)`;
    if (!this.crossElement.hidden) this.app.panel.showPlace(place);
  }
}

function nearestWithin(items, distanceTo, reach) {
  let nearest = null, least = reach;
  for (const item of items) {
    const distance = distanceTo(item);
    if (distance <= least) [nearest, least] = [item, distance];
  }
  return nearest;
}

/** Whether these semi-axes are those of S and perpendicular on the screen; then they keep their order. */
function belong(axes, S, [ux, uy]) {
  const [[a, b], [c, d]] = axes, close = (p, q, size) => Math.abs(p - q) <= 1e-9 * size;
  const cosine = (a * c) / ux / ux + (b * d) / uy / uy;
  return close(cosine, 0, Math.hypot(a / ux, b / uy) * Math.hypot(c / ux, d / uy))
    && close(a * a + c * c, S[0][0], S[0][0]) && close(b * b + d * d, S[1][1], S[1][1])
    && close(a * b + c * d, S[0][1], Math.sqrt(S[0][0] * S[1][1]));
}

/** Semi-axes after an `end` of one is pulled to a place; the other stays perpendicular on the screen, and as long. */
export function turnedAxes(axes, part, mean, end, place, [ux, uy]) {
  const other = 1 - part, onScreen = (axis) => [axis[0] / ux, axis[1] / uy];
  const old = onScreen(axes[part]), across = onScreen(axes[other]);
  const from = (place) => onScreen(place.map((value, i) => (value - mean[i]) / HANDLE_SIGMA));
  const sign = dot(from(end), old) < 0 ? -1 : 1; // the handle may sit at either end
  const pulled = from(place).map((value) => sign * value);
  const length = Math.hypot(...pulled), toward = length > 0 ? pulled : old;
  const direction = toward.map((value) => value / Math.hypot(...toward));
  const kept = Math.max(length, 1); // pixel: an ellipse can be squeezed to a line, but not to nothing
  const side = Math.sign(old[0] * across[1] - old[1] * across[0]), breadth = side * Math.hypot(...across);
  const result = [];
  result[part] = [direction[0] * kept * ux, direction[1] * kept * uy];
  result[other] = [-direction[1] * breadth * ux, direction[0] * breadth * uy];
  return result;
}

/* 5 Panel: controls and readouts ----------------------------------------------------------------------------------- */

const MODES = { truth: "True densities", estimate: "Estimated from the points" };
const TOOLS = { move: "Move", add: "Add", delete: "Delete" };
const LAYERS = {
  show_regions: "Regions",
  show_posterior: "Posterior shading",
  show_boundary: "Boundary",
  show_ellipses: "1-2-3σ ellipses",
  show_contours: "Density contours",
};

// Every part that anything refers to has a name in `data-bx`; `data-trait` is the trait that an input sets.
const check = (trait, text) =>
  `<label class="bx-check"><input type="checkbox" data-bx="${trait}" data-trait="${trait}">${text}</label>`;
const button = (name, text, label = text) =>
  `<button type="button" class="bx-button" data-bx="${name}" aria-label="${label}">${text}</button>`;
const choice = (id, name, legend, options) => `
  <fieldset class="bx-switch" data-bx="${name}">
    <legend class="bx-hidden">${legend}</legend>
    ${Object.entries(options).map(([value, text]) => `<label>
      <input type="radio" name="${id}-${name}" value="${value}" data-bx="${name}-${value}" data-trait="${name}">
      <span data-bx="${name}-${value}-text">${text}</span></label>`).join("")}
  </fieldset>`;

const layout = (id) => `
  <div class="bx-bar">
    ${choice(id, "rule", "Rule", Object.fromEntries(Object.keys(RULES).map((rule) => [rule, rule])))}
    <label class="bx-group" data-bx="neighbours">k <input type="number" min="1" max="999" data-bx="k"></label>
    ${choice(id, "mode", "Densities", MODES)}
    ${check("side_by_side", "All five side by side")}
  </div>
  <div class="bx-main">
    <div class="bx-plot">
      <div class="bx-bar bx-tools">
        ${choice(id, "tool", "Tool", TOOLS)}
        <div class="bx-group">${button("zoom-out", "−", "Zoom out")} ${button("zoom-in", "+", "Zoom in")}
          ${button("fit", "Fit", "Fit the window to classes and points")}
          ${button("reset", "Reset", "Reset everything to the start")}</div>
      </div>
      <div class="bx-stage" data-bx="stage">
        <canvas class="bx-canvas" tabindex="0" role="application" aria-roledescription="plot" data-bx="plot"></canvas>
        <div class="bx-cross" aria-hidden="true" data-bx="cross" hidden></div>
        <div class="bx-overlay" role="application" aria-label="Handles of the classes" data-bx="overlay"></div>
        <p class="bx-problem" role="status" data-bx="problem"></p>
      </div>
      <div class="bx-below">
        <p class="bx-place" aria-hidden="true" data-bx="place"></p>
        <p class="bx-hint" data-bx="hint">Drag the mark at a mean to move its class, a ring to stretch and turn it.</p>
      </div>
    </div>
    <div class="bx-side">
      <div class="bx-multiples" role="group" aria-label="All rules" data-bx="multiples"></div>
      <div class="bx-stack">
        <section class="bx-card bx-readouts" aria-label="Readouts" data-bx="readouts">
          <h2 data-bx="title"></h2>
          <dl>
            <dt>Error on the sample</dt><dd data-bx="sample-error"></dd>
            <dt>Error under the <span data-bx="source-1"></span></dt><dd data-bx="true-error"></dd>
            <dt>Bayes error of the <span data-bx="source-2"></span></dt><dd data-bx="bayes-error"></dd>
          </dl>
          <p class="bx-note" data-bx="dashed">Dashed: the <span data-bx="source-3"></span></p>
          <div class="bx-scroll" tabindex="0" role="region" aria-label="Confusion matrix">
            <table data-bx="confusion">
              <caption>Confusion: rows truth, columns decision</caption><thead></thead><tbody></tbody>
            </table>
          </div>
          <p class="bx-kind" data-bx="kind"></p>
          <p class="bx-equation" data-bx="equation"></p>
          <p class="bx-note" data-bx="side"></p>
        </section>
        <section class="bx-card" aria-label="Points">
          <h2>Points</h2>
          <div class="bx-row">${button("draw", "Draw")}
            <input type="number" min="1" max="${MOST_POINTS}" value="150" data-bx="draw-count" aria-label="How many">
            new points from the <span data-bx="source-4"></span></div>
          <div class="bx-row">${button("clear", "Delete all points")}
            ${button("clear-class", "Delete those of the chosen class")}</div>
          <div class="bx-row">
            <select data-bx="dataset" aria-label="Data set"></select>
            <select data-bx="column-1" aria-label="Horizontal column" hidden></select>
            <select data-bx="column-2" aria-label="Vertical column" hidden></select>
          </div>
          <details><summary data-bx="csv-open">Paste or load a CSV</summary>
            <textarea rows="4" data-bx="csv" aria-label="CSV: two numbers and a label on each line"
              placeholder="x₁,x₂,class&#10;1.5,2.0,A&#10;0.3,1.1,B"></textarea>
            <div class="bx-row">${button("csv-use", "Use this text")}
              <input type="file" accept=".csv,.txt,.tsv,text/csv" data-bx="csv-file" aria-label="CSV file"></div>
          </details>
          <p class="bx-message" role="alert" data-bx="message"></p>
        </section>
      </div>
      <div class="bx-stack">
        <section class="bx-card" aria-label="Classes and priors">
          <h2>Classes and priors</h2>
          <div data-bx="classes"></div>
          <div class="bx-row">${button("add-class", "Add a class")} ${button("priors-equal", "Equal priors")}
            ${button("priors-sample", "As in the sample")}</div>
        </section>
        <section class="bx-card" aria-label="Show">
          <h2>Show</h2>
          ${Object.entries(LAYERS).map(([name, text]) => check(name, text)).join("")}
          <details><summary>How it works</summary>
            <p>Drag a mean to move a class with its points, an end of its axes to stretch and turn it, empty space to move
            the window. Tab reaches every handle; arrow keys move it, with Shift in larger steps. On the plot itself they
            move a cross, and Enter does there what the tool does.</p>
            <p>A dark rim marks a point that is decided wrongly. Nearest mean and LDA give all classes one covariance.
            kNN goes by the points alone, without priors.</p></details>
        </section>
      </div>
    </div>
  </div>
  <div class="bx-hidden" aria-live="polite" data-bx="live"></div>`;

class Panel {
  constructor(app) {
    this.app = app;
    this.activeClass = 0;
    this.tables = new Map(Object.entries(app.state.datasets).map(([name, set]) => [name, tableOf(set)]));
    this.id = `bx-${Math.random().toString(36).slice(2, 8)}`; // radio buttons of two explorers on a page stay apart
    app.root.innerHTML = layout(this.id);
    this.parts = Object.fromEntries([...app.root.querySelectorAll("[data-bx]")].map((part) => [part.dataset.bx, part]));
    for (const element of app.root.querySelectorAll(FOCUSABLE)) keepKeys(element);
    this.parts["tool-move"].checked = true;
    this.makeMultiples();
    this.listTables();
    app.root.addEventListener("click", ({ target }) => this.actions()[target.closest("button")?.dataset.bx]?.());
    app.root.addEventListener("change", ({ target }) => this.onChange(target));
  }

  // Controls .........................................................................................................

  /** What each button does. */
  actions() {
    const { app } = this, { state } = app, K = state.means.length;
    const counts = state.means.map((_, k) => state.points.filter((point) => point[2] === k).length);
    const equal = new Array(K).fill(1 / K), shares = counts.map((n) => n / state.points.length);
    return {
      "zoom-out": () => app.zoom(1.25),
      "zoom-in": () => app.zoom(0.8),
      fit: () => app.look(fittingView(state)),
      "add-class": () => app.addClass(),
      "priors-equal": () => app.update({ priors: equal }),
      "priors-sample": () => app.update({ priors: state.points.length ? shares : equal }),
      draw: () => app.drawSample(wholeNumber(this.parts["draw-count"], MOST_POINTS)),
      clear: () => app.update({ points: [] }),
      "clear-class": () => app.update({ points: state.points.filter((point) => point[2] !== this.activeClass) }),
      reset: () => app.replace(app.first),
      "csv-use": () => this.readText(this.parts.csv.value, "pasted CSV"),
    };
  }

  onChange(input) {
    const { app } = this, { bx, trait } = input.dataset;
    if (trait === "tool") app.stage.useTool(input.value);
    else if (trait) app.update({ [trait]: input.type === "checkbox" ? input.checked : input.value });
    else if (bx === "k") app.update({ k: (input.value = wholeNumber(input, 999)) && Number(input.value) });
    else if (bx === "dataset") this.listColumns();
    else if (bx.startsWith("column")) this.useTable();
    else if (bx === "csv-file") this.readFile(input);
    else if (bx.startsWith("active")) this.activeClass = Number(input.value);
  }

  /** Bring all controls in line with the state. */
  refresh() {
    const { app, parts } = this, { state } = app;
    for (const input of app.root.querySelectorAll("input[type=checkbox]")) input.checked = state[input.dataset.trait];
    for (const trait of ["rule", "mode"]) parts[`${trait}-${state[trait]}`].checked = true;
    if (document.activeElement !== parts.k) parts.k.value = state.k;
    const names = JSON.stringify([state.class_names, app.styles]);
    if (this.names !== names) this.listClasses(names);
    this.priors.forEach((inputs, k) => inputs.forEach((input) => {
      const typing = input.type === "number" && document.activeElement === input;
      if (!typing) input.value = shortPrior(state.priors[k]);
    }));
    parts["add-class"].disabled = state.means.length >= MOST_CLASSES;
    parts.multiples.hidden = !state.side_by_side;
    parts.neighbours.hidden = !state.side_by_side && state.rule !== "kNN";
    for (const { element, rule } of this.items) element.setAttribute("aria-pressed", rule === state.rule);
  }

  /** A row for each class: marker, name, prior, remove; the radio button says to which class new points go. */
  listClasses(names) {
    const { state } = this.app;
    this.names = names;
    this.activeClass = Math.min(this.activeClass, state.means.length - 1);
    this.priors = [];
    const { classes } = this.parts, focused = classes.contains(document.activeElement);
    classes.replaceChildren(...state.class_names.map((name, k) => this.classRow(name, k)));
    if (focused) classes.querySelector(":checked").focus();
    this.app.stage.makeHandles(state.class_names, this.app.styles);
  }

  classRow(name, k) {
    const { app } = this;
    const set = ({ target: input }) => {
      const value = input.valueAsNumber, prior = clamp(value, 0, 1);
      if (value !== prior && Number.isFinite(value)) input.value = prior; // what is used is what stands there
      if (Number.isFinite(value)) app.update({ priors: withPrior(app.state.priors, k, prior) });
    };
    const field = (type, step) => h("input", {
      type, step, min: 0, max: 1, "data-bx": `prior-${type}-${k}`, "aria-label": `Prior of class ${name}`, oninput: set,
      onchange: ({ target }) => { target.value = shortPrior(app.state.priors[k]); },
    });
    this.priors.push([field("range", 0.01), field("number", "any")]);
    const active = h("input", {
      type: "radio", name: `${this.id}-class`, value: k, checked: k === this.activeClass, "data-bx": `active-${k}`,
      "aria-label": `Add points to class ${name}`, title: "Added points go to this class",
    });
    const remove = h("button.button", {
      type: "button", "data-bx": `remove-${k}`, "aria-label": `Remove class ${name}`,
      disabled: app.state.means.length <= 2, onclick: () => app.removeClass(k),
    }, "×");
    const label = h("label.name", {}, active, markerOf(app.styles[k]), h("span", {}, String(name)));
    return h("div.class", {}, label, ...this.priors[k], remove);
  }

  makeMultiples() {
    this.items = Object.keys(RULES).map((rule) => {
      const canvas = h("canvas", { "aria-hidden": "true" }), caption = h("span.caption");
      const element = h("button.multiple", {
        type: "button", "data-bx": `multiple-${rule}`, onclick: () => this.app.update({ rule }),
      }, canvas, h("b", {}, rule), caption);
      return { rule, element, caption, canvas, picture: new Picture(canvas, [0, 0, 0, 0]) };
    });
    this.parts.multiples.append(...this.items.map(({ element }) => element));
  }

  drawMultiple({ rule, picture, canvas }, scene) {
    picture.draw({ ...scene, evaluation: this.app.evaluate(rule) }, canvas.clientWidth);
  }

  // Data sets and CSV ................................................................................................

  listTables() {
    const options = [...this.tables.keys()].map((name) => h("option", { value: name }, name));
    this.parts.dataset.replaceChildren(h("option", { value: "" }, "Choose a data set …"), ...options);
  }

  get columns() { return [this.parts["column-1"], this.parts["column-2"]]; }

  /** Offer the columns of the chosen data set, the last two first, and show them. */
  listColumns() {
    const table = this.currentTable(), names = table?.features ?? [];
    this.columns.forEach((select, j) => {
      select.hidden = !table;
      select.replaceChildren(...names.map((name, i) => h("option", { value: i }, name)));
      select.value = names.length - 2 + j;
    });
    if (table) this.useTable();
  }

  currentTable() { return this.tables.get(this.parts.dataset.value); }

  useTable() {
    this.show(this.currentTable(), ...this.columns.map((select) => Number(select.value)));
  }

  show(table, i, j) {
    const done = this.app.replace(fromTable(table, i, j));
    this.parts.message.textContent = done ? "" : "These numbers are too large or too small. Nothing was changed.";
    return done;
  }

  /** Take over a CSV text; where it is bad, say why and leave everything as it was. */
  readText(text, name) {
    let table;
    try {
      table = readCSV(text);
    } catch (error) {
      this.parts.message.textContent = `${error.message}. Nothing was changed.`;
      return;
    }
    if (!this.show(table, table.features.length - 2, table.features.length - 1)) return;
    this.tables.set(name, table);
    this.listTables();
    this.parts.dataset.value = name;
    this.listColumns();
  }

  async readFile(input) {
    const [file] = input.files;
    if (file) this.readText(await file.text(), file.name);
    input.value = ""; // so that the same file, mended, can be chosen again
  }

  // Readouts .........................................................................................................

  /** Write errors, confusion matrix and boundary of the rule on the screen. */
  write() {
    const { app, parts } = this, { state } = app, evaluation = app.evaluate(state.rule);
    if (app.coarse && evaluation.slow) return; // `settle` comes back to it
    const truth = app.truth(), bayes = errorRate(truth, truth, app.coarse ? 1e-6 : 1e-9);
    const trueError = (one) => (one.problem ? "no decision" : measured(one.trueError(truth, app.coarse)));
    for (const n of [1, 2, 3, 4]) setText(parts[`source-${n}`], app.fitted ? "fitted Gaussians" : "true densities");
    setText(parts["mode-truth-text"], app.fitted ? "Fitted Gaussians" : MODES.truth);
    const texts = {
      title: state.rule === "kNN" ? `k nearest neighbours, k = ${state.k}` : state.rule,
      "sample-error": sampleError(evaluation),
      "true-error": trueError(evaluation),
      "bayes-error": measured(bayes),
      ...this.boundaryTexts(evaluation),
    };
    for (const [name, text] of Object.entries(texts)) setText(parts[name], text);
    const dashed = evaluation.gaussians.some((g, k) => dashedEllipse(state, g, k));
    parts.dashed.hidden = !state.show_ellipses || !dashed;
    this.writeConfusion(evaluation);
    app.stage.label();
    if (!state.side_by_side) return;
    for (const { rule, caption } of this.items) {
      const one = app.evaluate(rule);
      if (app.coarse && one.slow) continue;
      const texts = [`sample ${sampleError(one, true)}`, `true ${one.problem ? "–" : trueError(one)}`];
      caption.replaceChildren(...texts.map((text) => h("span", {}, text)));
    }
  }

  writeConfusion({ sample, problem }) {
    const counts = sample?.().counts;
    const { state: { class_names: names }, styles } = this.app, { confusion: table } = this.parts;
    const label = (name, k) => [h("span.label", { title: name }, String(name)), markerOf(styles[k], 12)];
    const row = (name, k) => h("th", { scope: "row" }, h("span.head", {}, ...label(name, k).reverse()));
    const column = (name, k) => h("th", { scope: "col" }, h("span.head", {}, ...label(name, k)));
    table.dataset.upright = names.length > 3 || names.join("").length > 20; // column names, where they would be too wide
    const cell = (k) => (_, j) => h(`td${j === k ? ".right" : ""}`, {}, problem ? "–" : String(counts[k][j]));
    table.tHead.replaceChildren(h("tr", {}, h("td"), ...names.map(column)));
    const rows = names.map((name, k) => h("tr", {}, row(name, k), ...names.map(cell(k))));
    table.tBodies[0].replaceChildren(...rows);
  }

  boundaryTexts({ fit }) {
    const { class_names: names, priors } = this.app.state, never = priors.indexOf(0);
    const texts = { kind: "", equation: "", side: "" };
    if (!fit || names.length !== 2) return texts;
    if (never >= 0) return { ...texts, kind: `No boundary: class ${names[never]} has prior 0.` };
    const surface = conic(...fit.gaussians, fit.logPriors[0] - fit.logPriors[1]);
    return {
      kind: surface.kind === "none" ? "No boundary" : `Boundary: ${surface.kind}`,
      equation: equation(surface),
      side: `The left side is ln odds, positive where class ${names[0]} wins.`,
    };
  }

  summary() {
    const { rule, means } = this.app.state;
    return `${means.length} classes, ${rule}. Error on the sample: ${sampleError(this.app.evaluate(rule))}.`;
  }

  /** The decision at a place and its posterior, in words. */
  verdict(place) {
    const { state } = this.app, { fit, neighbours, problem } = this.app.evaluate(state.rule);
    if (problem) return `At ${this.app.place(place)}.`;
    const votes = neighbours?.votes(...place, state.k, state.means.length);
    const posterior = votes ? votes.map((n) => n / sum(votes)) : logPosterior(fit, ...place).map(Math.exp);
    const winner = argmax(posterior), share = percent(posterior[winner], 3);
    return `At ${this.app.place(place)}: class ${state.class_names[winner]}, posterior ${share}.`;
  }

  showPlace(place) {
    this.place = place;
    setText(this.parts.place, place ? this.verdict(place) : "");
  }

  /** Whoever has dragged once knows how; the line keeps its room, so that nothing moves. */
  hideHint() { this.parts.hint.dataset.done = ""; }
}

const FOCUSABLE = "button, input, select, textarea, summary, [tabindex]";

/** JupyterLab takes arrow keys and letters for commands, unless the focused element itself says that it needs them. */
function keepKeys(element) {
  element.dataset.lmSuppressShortcuts = "true";
}

/** An element: h("button.name", { attribute: value, onclick }, children). */
function h(kind, properties = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  element.className = classes.map((name) => `bx-${name}`).join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value);
  }
  if (element.matches(FOCUSABLE)) keepKeys(element);
  element.append(...children);
  return element;
}

/** Change a text only if it changes: a status that is set is read out, even if it says the same. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Marker number i as a small picture in its colour. */
function markerOf(i, size = 16) {
  const holder = h("span.marker");
  holder.innerHTML = `<svg viewBox="-8 -8 16 16" width="${size}" height="${size}" aria-hidden="true">
    <path d="${MARKERS[i]}" fill="var(--class-${i})"/></svg>`;
  return holder;
}

/** A prior to three digits after the point; a small one, which is not 0, to three digits. */
const shortPrior = (prior) => Number(prior < 0.1 ? prior.toPrecision(3) : prior.toFixed(3));

/** The number in a field, made whole and brought between 1 and `most`. */
const wholeNumber = (field, most) => clamp(Math.round(field.valueAsNumber) || 1, 1, most);

/** 0.08314 → "8.314 %". */
export function percent(share, digits = 4) {
  const value = 100 * share;
  return `${value && value < 1e-3 ? scientific(value) : Number(value.toPrecision(digits))} %`;
}

/** An error with how far off it may be, if that shows in the digits that are given. */
export function measured({ error, accuracy }) {
  const unit = (share) => (share ? 10 ** Math.floor(Math.log10(100 * share)) : 1e-2);
  const last = 100 * error < 1e-3 ? unit(error) : unit(error) / 1e3; // as `percent` has them
  if (100 * accuracy < last / 2) return percent(error);
  const digits = clamp(1 + Math.round(Math.log10(unit(error) / unit(accuracy))), 1, 4);
  return `${percent(error, digits)} (± ${percent(accuracy, 1)})`;
}

function sampleError({ sample, problem, n }, brief = false) {
  if (problem || !n) return brief ? "–" : "no points, or no decision";
  const wrong = n - sum(sample().counts.map((row, k) => row[k])), share = percent(wrong / n, 3);
  return brief ? share : `${share} (${wrong} of ${n})`;
}

/** 1.23e-9 → "1·10⁻⁹", or "1.23·10⁻⁹" with two digits. */
function scientific(value, digits = 0) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  const raised = [...exponent.replace("+", "")].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]);
  return `${mantissa}·10${raised.join("")}`;
}

/** "0.5 x₁² − x₁x₂ + … = 0" to three digits, without what is but rounding. */
export function equation({ W, w, w0, noise }) {
  const values = [W[0][0], 2 * W[0][1], W[1][1], w[0], w[1], w0];
  const names = [" x₁²", " x₁x₂", " x₂²", " x₁", " x₂", ""];
  const number = (value) => (value >= 1e-3 && value < 1e5 ? Number(value.toPrecision(3)) : scientific(value, 2));
  const term = (value, i) => `${value < 0 ? "−" : "+"} ${number(Math.abs(value))}${names[i]}`;
  const terms = values.map((value, i) => Math.abs(value) > noise[i] && term(value, i));
  return `${terms.filter(Boolean).join(" ").replace(/^\+ /, "").replace(/^− /, "−") || 0} = 0`;
}

/* 6 Store, render -------------------------------------------------------------------------------------------------- */

const DENSITIES = ["class_names", "means", "covariances", "priors", "points"];
const SHARED = [...DENSITIES, "classes", "feature_names", "rule", "mode", "k", "side_by_side", ...Object.keys(LAYERS), "datasets"];

/** Whether a state makes sense: Python refuses others, but may set several traits one by one. */
export function makesSense({ class_names, means, covariances, priors, points, rule, mode, k }) {
  const K = means.length, finite = (values) => values.flat(2).every(Number.isFinite);
  return K >= 2 && K <= MOST_CLASSES && [covariances, priors, class_names].every((list) => list.length === K)
    && [means, covariances, priors, points].every(finite) && covariances.every((S, j) => gaussian(means[j], S))
    && priors.every((prior) => prior >= 0) && Math.abs(sum(priors) - 1) <= 1e-5
    && points.every((point) => point[2] in means) && rule in RULES && mode in MODES && k >= 1;
}

/** Whether the densities were fitted to the points: then nobody knows the true ones. */
function areFitted({ means, covariances, points }) {
  const found = estimate(points, means.length).means;
  return means.every((mean, k) => found[k]
    && mean.every((value, j) => Math.abs(value - found[k][j]) < 1e-3 * Math.sqrt(covariances[k][j][j])));
}

class Explorer {
  constructor(model, host) {
    this.model = model;
    this.random = randomNumbers(1);
    this.state = this.read();
    this.fitted = areFitted(this.state);
    const { datasets, ...first } = this.state;
    this.first = first;
    this.view = fittingView(this.state);
    this.root = h("div.root", { "data-bx": "root" });
    host.append(this.root);
    this.panel = new Panel(this);
    this.stage = new Stage(this, this.panel.parts);
    this.panel.refresh();
    this.watch();
    this.draw();
  }

  read() {
    return Object.fromEntries(SHARED.map((name) => [name, this.model.get(name)]));
  }

  /** Follow the model, the size, the resolution and the theme. */
  watch() {
    this.onModel = () => {
      if (this.setting) return;
      const given = this.read(), { state } = this;
      const differs = (name) => JSON.stringify(given[name]) !== JSON.stringify(state[name]);
      if (!SHARED.some(differs) || !makesSense(given)) return;
      const renamed = ["class_names", "feature_names"].some(differs);
      const moved = ["means", "covariances", "points"].some(differs) && !this.stage.drag && !this.holds(given);
      this.state = given;
      // Somebody who has zoomed in may stay there.
      if (renamed || (moved && (this.holds(state) || !given.means.every((mean) => this.sees(mean))))) {
        this.view = fittingView(given);
        this.fitted = areFitted(given);
      }
      this.invalidate();
    };
    for (const name of SHARED) this.model.on(`change:${name}`, this.onModel);
    const redraw = () => this.invalidate();
    this.resizing = new ResizeObserver(redraw);
    this.resizing.observe(this.root);
    this.theming = new MutationObserver(redraw);
    this.theming.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    this.scheme = window.matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", redraw);
    this.redraw = redraw;
  }

  destroy() {
    for (const name of SHARED) this.model.off(`change:${name}`, this.onModel);
    this.scheme.removeEventListener("change", this.redraw);
    this.resizing.disconnect();
    this.theming.disconnect();
    cancelAnimationFrame(this.frame);
    if (this.saving) this.save();
    for (const timer of ["writing", "settling", "speaking"]) clearTimeout(this[timer]);
    this.root.remove();
  }

  // Changes ..........................................................................................................

  /** Take changes over to screen and model, if they make sense; `live` ones come in a quick row, during a drag. */
  update(changes, live = false) {
    const next = { ...this.state, ...changes };
    if (!makesSense(next)) return false;
    this.state = next;
    this.setting = true;
    for (const name of Object.keys(changes)) this.model.set(name, changes[name]);
    this.setting = false;
    this.saving ??= setTimeout(() => this.save(), 50);
    if (live) this.settleSoon();
    else if (!Object.keys(changes).every((name) => name in LAYERS)) this.announce(() => this.panel.summary());
    this.invalidate();
    return true;
  }

  save() {
    clearTimeout(this.saving);
    this.saving = null;
    this.model.save_changes();
  }

  /** Replace the data, and look at them; tell whether they make sense. */
  replace(changes) {
    if (!this.update(changes)) return false;
    this.fitted = areFitted(this.state);
    this.look(fittingView(this.state));
    this.panel.showPlace(null);
    return true;
  }

  drawSample(n) {
    const drawn = drawPoints(this.state, n, this.random);
    this.fitted = false;
    this.update({ points: drawn.map(([x, y, k]) => [...this.roundedPlace([x, y]), k]) });
  }

  /** A round class away from the middle, in a direction of its own, with as many points as the others. */
  addClass() {
    const { means, covariances, priors, points, class_names } = this.state, K = means.length, { x, y } = this.view;
    const numbers = class_names.every((name) => typeof name === "number");
    const name = numbers ? Math.max(...class_names) + 1 : [..."ABCDEF"].find((letter) => !class_names.includes(letter));
    const width = x[1] - x[0], height = y[1] - y[0];
    const mean = [x[0] + width * (0.5 + 0.25 * Math.cos(2.4 * K)), y[0] + height * (0.5 + 0.25 * Math.sin(2.4 * K))];
    const S = [[(0.08 * width) ** 2, 0], [0, (0.08 * height) ** 2]];
    const one = { means: [this.roundedPlace(mean)], covariances: [S], priors: [1] };
    const drawn = drawPoints(one, Math.max(10, Math.round(points.length / K)), this.random);
    this.update({
      class_names: [...class_names, name],
      classes: [...new Set([...this.state.classes, name])],
      means: [...means, ...one.means],
      covariances: [...covariances, ...one.covariances],
      points: [...points, ...drawn.map(([u, v]) => [...this.roundedPlace([u, v]), K])],
      priors: withPrior([...priors, 0], K, 1 / (K + 1)),
    });
  }

  removeClass(k) {
    const without = (list) => list.filter((_, j) => j !== k), { state } = this;
    this.update({
      class_names: without(state.class_names),
      means: without(state.means),
      covariances: without(state.covariances),
      priors: without(withPrior(state.priors, k, 0)),
      points: state.points.filter((p) => p[2] !== k).map(([x, y, j]) => [x, y, j - (j > k)]),
    });
  }

  look(view) {
    this.view = view;
    this.settleSoon();
    this.invalidate();
  }

  zoom(factor) {
    const scaled = ([low, high]) => [low, high].map((end) => (low + high) / 2 + (factor * (end - (low + high) / 2)));
    this.look({ x: scaled(this.view.x), y: scaled(this.view.y) });
  }

  /** Whether the window holds the 1σ ellipses and nine of ten points. */
  holds({ means, covariances, points }) {
    const end = (k, n) => means[k].map((x, j) => x + n * Math.sqrt(covariances[k][j][j]));
    const outside = points.filter((point) => !this.sees(point)).length;
    return means.every((_, k) => [-1, 1].every((n) => this.sees(end(k, n)))) && outside <= points.length / 10;
  }

  sees([x, y]) {
    return x > this.view.x[0] && x < this.view.x[1] && y > this.view.y[0] && y < this.view.y[1];
  }

  // Numbers ..........................................................................................................

  /** Digits after the point that a coordinate is worth: about a thirtieth of a pixel. */
  digits(axis) {
    const [low, high] = axis ? this.view.y : this.view.x;
    return Math.min(4 - Math.floor(Math.log10(high - low)), 100);
  }

  /** A place with coordinates that are good to read in Python. */
  roundedPlace(place) {
    return place.map((value, axis) => {
      const digits = this.digits(axis), unit = 10 ** -digits;
      return digits > 0 ? Number(value.toFixed(digits)) : Math.round(value / unit) * unit;
    });
  }

  /** "x₁ 1.20, x₂ −3.40" */
  place(at) {
    return at.map((value, axis) => {
      const text = value.toFixed(Math.max(this.digits(axis) - 1, 0));
      return `${this.state.feature_names[axis]} ${Number(text) ? text.replace("-", "−") : text.replace("-", "")}`;
    }).join(", ");
  }

  /** The Gaussians behind the points, whatever the mode. */
  truth() {
    const { means, covariances, priors } = this.state;
    return { gaussians: means.map((mean, k) => gaussian(mean, covariances[k])), logPriors: priors.map(Math.log) };
  }

  /** What a rule makes of the state: { fit or neighbours, gaussians to draw, sample, n, trueError } or a problem. */
  evaluate(rule) {
    const { evaluations } = this.current();
    return (evaluations[rule] ??= this.evaluateAnew(rule, this.state));
  }

  /** The densities that the rules go by. */
  get shown() { return this.current().shown; }

  /** Number of the colour and marker of each class. */
  get styles() { return this.current().styles; }

  /** What was computed from this state; forgotten with the next one. */
  current() {
    const { state } = this;
    if (this.computed?.state !== state) {
      const styles = stylesOf(state.class_names, state.classes);
      this.computed = { state, styles, shown: densities(state), evaluations: {} };
    }
    return this.computed;
  }

  evaluateAnew(rule, { points, priors, class_names, k }) {
    const K = priors.length;
    const own = this.shown.means.map((mean, j) => mean && gaussian(mean, this.shown.covariances[j]));
    const decided = (decide) => { // when it is asked for: with many neighbours, that takes longer than a frame
      let known;
      const sample = () => {
        const decisions = points.map(decide);
        return { decisions, counts: confusion(points, decisions, K) };
      };
      return { sample: () => (known ??= sample()), n: points.length };
    };
    if (rule === "kNN") {
      if (!points.length) return { problem: "kNN needs points", gaussians: own };
      if (this.neighboursOf !== points) [this.neighboursOf, this.neighbours] = [points, new Neighbours(points)];
      const decide = ([x, y]) => argmax(this.neighbours.votes(x, y, k, K));
      const dear = k > 40 ? points.length * K : 0; // distances for each point of a lattice, and of each class
      const perClass = (coarse) => Math.min(coarse ? 1000 : 4000, dear ? Math.ceil((coarse ? 5e6 : 2e7) / dear) : 4000);
      return {
        neighbours: this.neighbours, slow: k > 40 && points.length > 1e3, gaussians: own, ...decided(decide),
        trueError: (truth, coarse) => errorByLattice(truth, decide, perClass(coarse)),
      };
    }
    const fit = fitRule(rule, this.shown, priors, class_names);
    if (fit.problem) return { problem: fit.problem, gaussians: own };
    const trueError = (truth) => errorRate(truth, fit, 1e-6);
    return { fit, gaussians: fit.gaussians, trueError, ...decided(([x, y]) => argmax(logJoint(fit, x, y))) };
  }

  // Time .............................................................................................................

  invalidate() {
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  /** Once nothing has moved for a while: everything at its finest. */
  settleSoon() {
    this.coarse = true;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), 150);
  }

  settle() {
    clearTimeout(this.settling);
    if (this.stage.drag) return void (this.settling = setTimeout(() => this.settle(), 150));
    this.coarse = false;
    if (this.saving) this.save();
    this.writeSoon();
    this.invalidate();
  }

  writeSoon() {
    this.writing ??= setTimeout(() => { this.writing = null; this.panel.write(); }, 100);
  }

  draw() {
    this.frame = null;
    if (!this.stage.element.clientWidth) {
      // Hidden, as while JupyterLab changes its theme: observed anew, the size is reported once there is one.
      this.resizing.unobserve(this.root);
      this.resizing.observe(this.root);
      return;
    }
    const { state, panel } = this;
    const changed = this.drawn !== state;
    if (changed) panel.refresh();
    const dark = isDark(this.root);
    this.root.dataset.theme = dark ? "dark" : "light";
    const theme = dark ? DARK : LIGHT, evaluation = this.evaluate(state.rule);
    COLORS.forEach((_, i) => this.root.style.setProperty(`--class-${i}`, lineColor(theme, i)));
    const scene = { state, styles: this.styles, view: this.view, coarse: this.coarse, theme, evaluation };
    this.stage.draw(scene);
    if (!this.drawn) panel.write();
    else if (changed) this.writeSoon();
    this.drawn = state;
    if (!state.side_by_side) return;
    this.turn = ((this.turn ?? 0) + 1) % panel.items.length;
    for (const item of this.coarse ? [panel.items[this.turn]] : panel.items) panel.drawMultiple(item, scene);
  }

  /** Say something to a screen reader, the last of quick successors only; a function is asked when it is time. */
  announce(message) {
    clearTimeout(this.speaking);
    const say = () => { this.panel.parts.live.textContent = typeof message === "function" ? message() : message; };
    this.speaking = setTimeout(say, 300);
  }
}

/** JupyterLab's theme where there is one, else the system's. */
function isDark(element) {
  const jupyter = element.closest("[data-jp-theme-light]");
  return jupyter ? jupyter.dataset.jpThemeLight === "false" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}

/** anywidget's entry: show the model in `el`, and return what takes it away again. */
function render({ model, el }) {
  const explorer = new Explorer(model, el);
  return () => explorer.destroy();
}

export default { render };
