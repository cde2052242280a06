// Pairs of classes to draw samples from; Python reads them as well.

export const SCENES = {
  "two shapes": {
    "means": [[0, 0], [3, 3]],
    "covariances": [[[1, 0.5], [0.5, 1]], [[1, 0], [0, 2]]]
  },
  "similar shapes": {
    "means": [[0, 0], [1.5, 0]],
    "covariances": [[[1, 0.6], [0.6, 1]], [[1.4, 0.4], [0.4, 0.8]]]
  },
  "one tilted shape": {
    "means": [[-1, 0], [1, 0]],
    "covariances": [[[1, 0.8], [0.8, 1]], [[1, 0.8], [0.8, 1]]]
  },
  "round": {
    "means": [[-1, 0], [1, 0]],
    "covariances": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]
  },
  "opposite tilts": {
    "means": [[0, 0], [0, 0]],
    "covariances": [[[1.5, 1], [1, 1.5]], [[1.5, -1], [-1, 1.5]]]
  }
};
