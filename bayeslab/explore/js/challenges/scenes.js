// What scenes of challenges are made of.

export const diagonal = (a, b) => [[a, 0], [0, b]];
export const tilted = (a, b, c) => [[a, b], [b, c]];

export const ROUND = diagonal(1, 1);
export const APART = [[-1.5, 0], [1.5, 0]];
export const TOGETHER = [[0, 0], [0, 0]];
export const ROUNDS = { means: APART, covariances: [ROUND, ROUND] };

// What the boundary explorer shows in Python, where nobody has said what to show.
export const AT_FIRST = { means: [[0, 0], [3, 3]], covariances: [tilted(1, 0.5, 1), diagonal(1, 2)] };

export const HYPERBOLA = { means: [[0, 0], [2.5, 1.5]], covariances: [tilted(1, 0.5, 1), diagonal(1, 2)] };

// Means and covariances of the penguins' bill length and body mass.
export const PENGUINS = {
  class_names: ["Adelie", "Chinstrap", "Gentoo"], classes: ["Adelie", "Chinstrap", "Gentoo"],
  feature_names: ["bill length (mm)", "body mass (g)"],
  means: [[38.79, 3701], [48.83, 3733], [47.5, 5076]],
  covariances: [tilted(7.094, 670.4, 210300), tilted(11.15, 659.2, 147700), tilted(9.498, 1040, 254100)],
  priors: [0.44, 0.2, 0.36],
};
