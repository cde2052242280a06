// Where each step of the tour begins, and the rules that it compares; Python reads it as well.

export const TOUR_SCENES = [
  {
    "rule": null, "old": null,
    "means": [[5, 3.1], [6.3, 3.5]],
    "covariances": [[[0.81, 0], [0, 0.81]], [[0.81, 0], [0, 0.81]]]
  },
  {
    "rule": "nearest mean", "old": null,
    "means": [[3.7, 2.9], [6.3, 3.5]],
    "covariances": [[[0.81, 0], [0, 0.81]], [[0.81, 0], [0, 0.81]]]
  },
  {
    "rule": "nearest mean", "old": "nearest mean",
    "means": [[3.7, 2.9], [6.3, 3.5]],
    "covariances": [[[0.81, 0], [0, 0.81]], [[0.81, 0], [0, 0.81]]]
  },
  {
    "rule": "naive", "old": "nearest mean",
    "means": [[3.7, 2.9], [6.3, 3.5]],
    "covariances": [[[0.81, 0], [0, 0.81]], [[0.81, 0], [0, 0.81]]]
  },
  {
    "rule": "LDA", "old": "naive",
    "means": [[4.2, 3.3], [5.8, 3.1]],
    "covariances": [[[1.2, 0.84], [0.84, 0.81]], [[1.2, 0.84], [0.84, 0.81]]]
  },
  {
    "rule": "QDA", "old": "LDA",
    "means": [[3.9, 3], [6, 3.5]],
    "covariances": [[[1, 0.5], [0.5, 0.8]], [[1, 0.5], [0.5, 0.8]]]
  },
  {
    "rule": "QDA", "old": "LDA",
    "means": [[4.1, 3], [5.7, 3.4]],
    "covariances": [[[1, 0.5], [0.5, 0.8]], [[0.35, -0.1], [-0.1, 0.45]]]
  }
];
