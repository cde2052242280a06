// The probability of error: of Gaussian rules by exact rays, of any rule by a lattice; and confusion counts.

import { sum } from "./numbers.js";
import { eachSegment, addRoots } from "./segments.js";

/**
 * Probability that a rule with quadratics errs on draws from the true Gaussians, as { error, accuracy }.
 *
 * In coordinates that make class k round, the part of it which the rule gives away is exact along each ray from its
 * mean: ∫ r exp(−r²/2) dr between the roots of quadratics. What is left is an adaptive integral over the angle.
 */
export function errorRate(truth, fit, tolerance = 1e-9) {
  let error = 0, accuracy = 0;
  truth.gaussians.forEach((g, k) => {
    const prior = Math.exp(truth.logPriors[k]);
    if (prior === 0) return;
    const all = fit.quadratics(g.mean), able = [...all.keys()].filter((j) => all[j]), quadratics = all.filter(Boolean);
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
export function corners(g, quadratics) {
  const slopes = [Infinity]; // a root that a polynomial in the slope does not have
  quadratics.forEach((p, i) => quadratics.slice(0, i).forEach((q) => {
    const [xx, xy, yy, x, y, one] = p.map((value, n) => value - q[n]);
    const cos = x * g.l11 + y * g.l21, sin = y * g.l22; // of t; and of t², in cos², cos sin and sin²:
    const square = [(xx * g.l11 + xy * g.l21) * g.l11 + yy * g.l21 ** 2, (xy * g.l11 + 2 * yy * g.l21) * g.l22,
      yy * g.l22 ** 2];
    const discriminant = [cos * cos, 2 * cos * sin, sin * sin].map((value, n) => value - 4 * square[n] * one);
    for (const [cc, cs, ss] of [square, discriminant]) addRoots(ss, cs, cc, slopes);
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
export function errorByLattice(truth, decide, perClass) {
  const lattices = 8;
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
