// What Python reads as well (_content.py): each constant is written as JSON.

export const MOST_CLASSES = 5;

// The Gaussian rules: what each keeps of a covariance, and how much of it all classes share; null: as much as the
// slider says. A line added here is a rule in the browser and in Python.
export const GAUSSIAN_RULES = {
  "nearest mean": { "covariance": "spherical", "shared": 1 },
  "naive": { "covariance": "diagonal", "shared": 0 },
  "LDA": { "covariance": "full", "shared": 1 },
  "RDA": { "covariance": "full", "shared": null },
  "QDA": { "covariance": "full", "shared": 0 }
};
