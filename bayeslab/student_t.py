"""Student's t: the predictive density of a Gaussian whose mean and covariance are estimated from few samples."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln
from sklearn.utils.validation import check_is_fitted, validate_data

from bayeslab._base.arrays import Array, Weights, check_finite, not_varying
from bayeslab._base.estimators import BaseEstimator, DensityMixin
from bayeslab._base.failures import all_or_nothing
from bayeslab.families import DegenerateSampleError
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments


class StudentT(DensityMixin, BaseEstimator):
    """Predictive density of the next sample of a Gaussian, given n samples.

    A Gaussian with estimated parameters ignores how far off the estimates may be. Averaging the Gaussian over the
    posterior of μ and Σ gives Student's t, whose tails are heavier the fewer the samples:

        ln p(x) = ln Γ((ν+d)/2) − ln Γ(ν/2) − (d/2) ln νπ − ½ ln |Σ̂| − ((ν+d)/2) ln(1 + D²/ν),

    with ν = n − d degrees of freedom, location x̄ and scale matrix Σ̂ = S (n + 1) / (n (n − d)), where S is the scatter
    and D² the squared Mahalanobis distance to x̄ with Σ̂. As n grows, it becomes the Gaussian.

    The prior is p(μ, Σ) ∝ |Σ|^{−(d+1)/2}, which Jeffreys' rule gives for Σ alone, with a uniform μ (the independence
    Jeffreys prior); other uninformative priors lead to other ν. With this one, the ellipsoid D² ≤ c to which the
    density gives 90 % contains the next sample in 90 % of all cases, whatever μ, Σ and n. For d > 1 this does not hold
    for every region: with n = 6 and d = 4, a half-space of 90 % contains it in 98.5 % of all cases.

    Use it in `DensityClassifier`, or for single columns in `NaiveBayes`, where d = 1.

    Attributes
    ----------
    location_ : (d,) array
        x̄, in the units of X.
    scale_ : (d, d) array
        Σ̂, in those units squared. The covariance is ν / (ν − 2) times as large, if ν > 2.
    dof_ : float
        ν. With weights, n is their sum, since they count repetitions of rows, or the number of rows if that is more.

    Raises
    ------
    ValueError
        From `fit`, if X holds NaN or infinity, or has no more samples than columns.
    DegenerateSampleError
        From `fit`, if the columns, or a combination of them, do not vary.

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

    location_: Array
    scale_: Array
    dof_: float

    @all_or_nothing
    def fit(self, X: ArrayLike, y: object = None, sample_weight: Weights = None) -> Self:
        """Estimate location and scale from X, shape (n, d); a weight of 2 means the same as writing the row twice."""
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2)
        self.estimate(Moments.of(X, sample_weight))
        return self

    def score_samples(self, X: ArrayLike) -> Array:
        """Return ln p(x) of each row of X, shape (n, d)."""
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        check_finite(X, "X")
        return self.log_density(X)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Mean of ln p(x) over the rows of X, which a grid search maximises."""
        return float(self.score_samples(X).mean())

    # With the methods below it is also a family for `NaiveBayes`.

    def summarise(self, x: ArrayLike, weights: Weights = None) -> Moments:
        """Return the sufficient statistics of x, shape (n,) or (n, d), which can be added and subtracted."""
        return Moments.of(x, weights)

    @all_or_nothing
    def estimate(self, moments: Moments) -> Self:
        """Estimate location, scale and degrees of freedom from sufficient statistics."""
        n, d = moments.count, moments.n_features
        if not n > d:
            others = ", or take one column at a time: NaiveBayes(StudentT())" if d > 1 else ""
            raise ValueError(
                f"StudentT has n − d degrees of freedom and needs more samples than columns, but n is {n:g} (with "
                f"weights, their sum) and d is {d}: add samples{others}"
            )
        self.location_, self.dof_ = moments.mean, float(n - d)
        scale = moments.scatter * (n / moments.weight * (n + 1) / n / (n - d))
        try:
            self._gaussian = Gaussian(moments.mean, scale).moved_to(moments.mean, moments.remainder)
        except SingularCovarianceError as error:
            which, remedy = not_varying(error.columns), "drop one of these columns, or project with PCA before fitting"
            if d == 1:  # only the caller knows the name of this column
                which, remedy = f"all samples (of weight {n:g}) are {moments.mean[0]:g}", "drop the column"
            raise DegenerateSampleError(f"{which}, so that there is no density: {remedy}") from None
        self.scale_ = self._gaussian.covariance
        return self

    def log_density(self, X: ArrayLike) -> Array:
        """Return ln p(x) of points X, shape (..., d); for d = 1 also of a number or a flat array."""
        check_is_fitted(self)
        ν, d, gaussian = self.dof_, len(self.location_), self._gaussian
        # ln Γ((ν+d)/2) − ln Γ(ν/2): for large ν, the difference itself would lose all digits.
        log_gammas = gammaln(d / 2) - betaln(ν / 2, d / 2)
        with np.errstate(over="ignore"):  # D² overflows beyond 1e154 σ, and the answer there is −inf
            log_tail = (ν + d) * np.log1p(gaussian.mahalanobis_squared(X) / ν)
        return log_gammas - 0.5 * (d * np.log(ν * np.pi) + gaussian.log_determinant + log_tail)
