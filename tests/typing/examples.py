"""What users write. `make lint` runs mypy --strict over it, and nothing here is run.

A comment `type: ignore` stands where an error is expected: without one, mypy complains about the comment.
"""

import numpy as np
from numpy.typing import NDArray

from bayeslab import (
    Dataset,
    Gaussian,
    GaussianClassifier,
    LinearDiscriminantAnalysis,
    QuadraticSurface,
    bayes_error,
    load_iris,
    make_gaussian_pair,
    two_class,
)
from bayeslab.checks import Verdict, check
from bayeslab.explore import BoundaryExplorer, VarianceExplorer
from bayeslab.plotting import plot_points, plot_regions

# A fitted model is what it was before, so that an editor completes its methods.
petals: Dataset = load_iris().select("petal length", "petal width")
model: LinearDiscriminantAnalysis = LinearDiscriminantAnalysis(priors=[0.5, 0.3, 0.2]).fit(petals.X, petals.y)
general: GaussianClassifier = GaussianClassifier(shared=0.5, priors="equal").fit(petals.X.tolist(), ["a", "b"] * 75)
posterior: NDArray[np.float64] = model.predict_proba(petals.X[:3])

# Lists, arrays and numbers are all right where an array is meant.
narrow, wide = Gaussian([0, 0], [[1, 0.5], [0.5, 1]]), Gaussian(np.ones(2), 4)
kind: str = QuadraticSurface.between(narrow, wide, priors=(0.3, 0.7)).kind
error: float = bayes_error([narrow, wide]).value
X, y = two_class(petals.X, petals.y, "setosa", "virginica")
plot_regions(model, X, plot_points(X, y)).set_title(kind)

# Explorers have traits with types.
explorer = BoundaryExplorer(petals, rule="LDA", mode="estimate")
explorer.rule, explorer.show_cut, explorer.cut = "QDA", True, [[0, 0], [1, 1]]
middle: NDArray[np.float64] = explorer.points.mean(axis=0)
losses: NDArray[np.float64] = VarianceExplorer(rules=("LDA", "QDA"), n=8).errors()
verdict: Verdict = check("0.1", 4 / 7)

# Misspelt options and names are found.
GaussianClassifier(singular="psuedo")  # type: ignore[arg-type]
GaussianClassifier(covariance="diagnoal")  # type: ignore[arg-type]
make_gaussian_pair("P1d", 5, np.random.default_rng(0))  # type: ignore[arg-type]
make_gaussian_pair("P1a", 5, 0)  # type: ignore[arg-type]
explorer.rule = "LQA"  # type: ignore[assignment]
explorer.side_by_sid = True  # type: ignore[attr-defined]
