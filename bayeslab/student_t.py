"""Student's t as a posterior predictive: a Gaussian that does not pretend to know its mean and covariance."""

from __future__ import annotations

import numpy as np
from scipy.special import betaln, gammaln
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from bayeslab._base.arrays import as_weights, check_finite
from bayeslab._base.atomic import all_or_nothing
from bayeslab._base.warn import not_varying
from bayeslab.families import DegenerateSampleError
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments


class StudentT(DensityMixin, BaseEstimator):
    """Density of the next sample of a Gaussian whose mean and covariance are known from n samples only.

    Plugging the estimates into the Gaussian says how samples scatter, but not how far the estimates may be off.
    Averaging the Gaussian over all μ and Σ, as probable as they are after the samples, under the reference prior
    p(μ, Σ) ∝ |Σ|^{−(d+1)/2}, says both: it is Student's t, with heavier tails, the heavier the fewer the samples,

        ln p(x) = ln Γ((ν+d)/2) − ln Γ(ν/2) − (d/2) ln νπ − ½ ln |Σ̂| − ((ν+d)/2) ln(1 + D²/ν),

    with ν = n − d degrees of freedom, location x̄ and scale matrix Σ̂ = S (n + 1) / (n (n − d)), where S is the scatter
    and D² the squared Mahalanobis distance to x̄ by Σ̂. A region that has 90 % of it catches the next sample in 90 % of
    all cases, whatever μ, Σ and n. As n grows, it becomes the Gaussian.

    For `DensityClassifier`; and, column by column, for `NaiveBayes`: the same with d = 1, n − 1 degrees of freedom.

    Attributes
    ----------
    location_ : (d,) array
        x̄, in the units of X.
    scale_ : (d, d) array
        Σ̂, in these units squared. It is not the covariance, which is ν / (ν − 2) times as large, if ν > 2.
    dof_ : float
        ν. With weights, n is their sum: they count repetitions of rows.

    Raises
    ------
    ValueError
        From `fit`, if X holds NaN or infinity, or not more samples than columns.
    DegenerateSampleError
        From `fit`, if some combination of the columns does not vary.

    References
    ----------
    Geisser (1964), Posterior odds for multivariate normal classifications, JRSS B 26.

    Examples
    --------
    >>> student = StudentT().fit([[1], [2], [3]])
    >>> student.location_.tolist(), student.dof_, student.scale_.round(3).tolist()  # S = 2: 2 · 4 / (3 · 2)
    ([2.0], 2.0, [[1.333]])
    >>> from bayeslab import DensityClassifier, load_iris
    >>> iris = load_iris()
    >>> DensityClassifier(StudentT()).fit(iris.X, iris.y).score(iris.X, iris.y)
    0.98
    """

    @all_or_nothing
    def fit(self, X, y=None, sample_weight=None) -> StudentT:
        """Estimate location and scale from X, shape (n, d). A weight of 2 means the same as writing the row twice."""
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2)
        check_finite(X, "X")
        weights = None if sample_weight is None else as_weights(sample_weight, len(X))
        self.estimate(Moments.of(X, weights))
        return self

    def score_samples(self, X) -> np.ndarray:
        """Return ln p(x) of each row of X, shape (n, d)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        check_finite(X, "X")
        return self.log_density(X)

    def score(self, X, y=None) -> float:
        """Mean of ln p(x) over the rows of X: what a grid search compares."""
        return float(self.score_samples(X).mean())

    # What makes it a family of `NaiveBayes`, where x is one column:

    def summarise(self, x, weights=None) -> Moments:
        """Sufficient statistics of x, shape (n,), or X, shape (n, d), which add and subtract."""
        return Moments.of(x, weights)

    @all_or_nothing
    def estimate(self, moments: Moments) -> StudentT:
        """Take location, scale and degrees of freedom from these moments."""
        n, d = moments.weight, moments.n_features
        if not n > d:
            others = ", or take one column at a time: NaiveBayes(StudentT())" if d > 1 else ""
            raise ValueError(
                f"a Student predictive density in {d} dimension{'s' * (d > 1)} needs more than {d} sample"
                f"{'s' * (d > 1)} (or a larger sum of the weights, which count repetitions): it has n − d degrees of "
                f"freedom, but n is {n:g}; add samples{others}"
            )
        self.location_, self.dof_ = moments.mean, float(n - d)
        scale = moments.scatter * ((n + 1) / n / (n - d))
        try:
            self._gaussian = Gaussian(moments.mean, scale).moved_to(moments.mean, moments.remainder)
        except SingularCovarianceError as error:
            which, remedy = not_varying(error.columns), "drop one of these columns, or project with PCA before fitting"
            if d == 1:  # which of how many columns it is, only the caller knows
                which, remedy = f"all samples (of weight {n:g}) are {moments.mean[0]:g}", "drop the column"
            raise DegenerateSampleError(f"{which}, so that there is no density: {remedy}") from None
        self.scale_ = self._gaussian.covariance
        return self

    def log_density(self, X) -> np.ndarray:
        """Return ln p(x) of points X, shape (..., d); for d = 1 also a number or a flat array."""
        if not hasattr(self, "location_"):
            check_is_fitted(self)  # which raises; in a stream of blocks, it would take too long to ask it each time
        ν, d, gaussian = self.dof_, len(self.location_), self._gaussian
        # ln Γ((ν+d)/2) − ln Γ(ν/2), by the beta function: for large ν the difference would have no digits left.
        gammas = gammaln(d / 2) - betaln(ν / 2, d / 2)
        with np.errstate(over="ignore"):  # the square of a huge distance: a density of 0
            squared = gaussian.mahalanobis_squared(X)
        return gammas - 0.5 * (d * np.log(ν * np.pi) + gaussian.log_determinant + (ν + d) * np.log1p(squared / ν))
