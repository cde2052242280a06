// What Python reads as well (_content.py): each constant is written as JSON.

export const MOST_CLASSES = 5;
export const MOST_NEIGHBOURS = 999;

// Of points: that the page itself takes, and that Python may give it. With more than a few thousand, drags are slow.
export const MOST_POINTS = 5000;
export const MOST_POINTS_GIVEN = 200000;

// Of the other explorers: points with which a drag is still followed, and what else the two languages must agree on.
export const LIMITS = {
  "EM": { "points": 1000, "components": 5, "iterations": 400, "tolerance": 1e-6, "sizes": [0.02, 2], "farthest": 1e6 },
  "likelihood": { "points": 1000 },
  "neighbours": { "points": 600, "voters": 65 },
  "regularised": { "points": 200, "side": 21 },
  "lattice": { "side": 48 },
  "variance": { "points": [3, 200], "samples": 200, "seed": 1000000 }
};

// The Gaussian rules: what each keeps of a covariance, and how much of it all classes share; null: as much as the
// slider says. A line added here is a rule in the browser and in Python.
export const GAUSSIAN_RULES = {
  "nearest mean": { "covariance": "spherical", "shared": 1 },
  "naive": { "covariance": "diagonal", "shared": 0 },
  "LDA": { "covariance": "full", "shared": 1 },
  "RDA": { "covariance": "full", "shared": null },
  "QDA": { "covariance": "full", "shared": 0 }
};
