// Challenges about the boundary of known densities: which curve it is, and where it has corners.

import { APART, AT_FIRST, diagonal, ROUND, ROUNDS, tilted, TOGETHER } from "./scenes.js";

export const CURVES = [
  {
    id: "line",
    title: "A straight answer",
    task: "The boundary between A and B is curved. Make it a straight line, and leave both classes as they are.",
    hint: "The boundary is straight when all classes share one covariance. Which rules assume that?",
    start: AT_FIRST,
    keeps: ["means", "covariances"],
    goal: (facts) => facts.kind === "line",
    solution: { rule: "LDA" },
  },
  {
    id: "ellipse",
    title: "Surrounded",
    task: "The boundary is a hyperbola, as the line under the errors says. Drag the rings until QDA's boundary is "
      + "an ellipse.",
    hint: "Far away, the wider class wins. Make one class wider than the other in every direction.",
    start: AT_FIRST,
    goal: (facts) => facts.rule === "QDA" && facts.kind === "ellipse",
    solution: { means: [[0, 0], [2.5, 1.5]], covariances: [tilted(4, 1, 4), diagonal(1, 2)] },
  },
  {
    id: "hyperbola",
    title: "Two branches",
    task: "QDA's boundary is an ellipse around A. Open it: change the shape of a class until the boundary is a "
      + "hyperbola.",
    hint: "Each class has to win far away in some direction. Make B wider than A in one direction, and narrower in "
      + "the other.",
    start: { means: APART, covariances: [ROUND, diagonal(3, 2)] },
    goal: (facts) => facts.rule === "QDA" && facts.kind === "hyperbola",
    solution: { covariances: [ROUND, diagonal(3, 0.5)] },
  },
  {
    id: "parallel",
    title: "A strip",
    task: "Both classes are round, and QDA's boundary is one line. Pull one ring of B so that it becomes two lines "
      + "with a strip between them. Close is good enough, whatever the readout calls it.",
    hint: "Widen B along the line that joins the means, and only there. Zoom out to see both lines. The arrow keys "
      + "move a ring exactly along its axis.",
    start: ROUNDS,
    goal: (facts) => facts.rule === "QDA" && facts.mode === "truth" && facts.kindByHand === "two lines",
    solution: { covariances: [ROUND, tilted(3.1, 0.1, 1.05)] },
  },
  {
    id: "parabola",
    title: "One square left",
    task: "Both classes are round, and QDA's boundary is one line. Pull one ring of B so that it becomes a "
      + "parabola. Close is good enough, whatever the readout calls it.",
    hint: "The equation of a parabola has only one square, so only one variance may differ. Widen B at right "
      + "angles to the line that joins the means, and only there. The arrow keys move a ring exactly along its "
      + "axis.",
    start: ROUNDS,
    goal: (facts) => facts.rule === "QDA" && facts.mode === "truth" && facts.kindByHand === "parabola",
    solution: { covariances: [ROUND, tilted(1.05, 0.1, 3.1)] },
  },
  {
    id: "crossing",
    title: "Crossroads",
    task: "The boundary is a hyperbola. Leave the means and ellipses as they are, and turn it into two crossing "
      + "lines.",
    hint: "At the common mean, both densities are equally high. What else decides there?",
    start: { means: TOGETHER, covariances: [diagonal(4, 1), diagonal(1, 4)], priors: [0.7, 0.3] },
    keeps: ["means", "covariances"],
    goal: (facts) => facts.kind === "two lines",
    solution: { priors: [0.5, 0.5] },
  },
  {
    id: "corners",
    title: "Four corners",
    task: "Three regions meet in one corner here. Arrange the classes so that under QDA they meet in four corners, "
      + "all of them between −10 and 10.",
    hint: "Bring the means close together. Then make one class round, one wide and one tall.",
    start: { means: [[-2, -1], [2, -1], [0, 2]], covariances: [ROUND, ROUND, ROUND] },
    goal: (facts) => facts.rule === "QDA" && facts.corners.length === 4,
    solution: { means: [[0, 0], [0, 0], [0, 0]], covariances: [ROUND, diagonal(6, 1), diagonal(1, 6)] },
  },
];
