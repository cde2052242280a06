"""The Gaussian Bayes classifier: one rule, one density, and a choice of covariance.

Begin at `GaussianClassifier`. The named cases that follow differ only in that choice, which
`covariance_kinds.class_covariances` makes:

- `QuadraticDiscriminantAnalysis`: a full Σ_k for each class
- `GaussianNB`: a diagonal Σ_k for each class
- `LinearDiscriminantAnalysis`: one full Σ for all classes
- `NearestMean`: one σ²I for all classes

The functions at the end say what is wrong with the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from operator import attrgetter
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from bayeslab._base.arrays import (
    Array,
    Labelled,
    Labels,
    Priors,
    Weights,
    as_classes,
    check_finite,
    code_labels,
    is_number,
    listed,
    one_thread,
    warn_user,
)
from bayeslab._base.estimators import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from bayeslab._base.failures import all_or_nothing
from bayeslab.class_densities import ClassDensities, fisher_axes, linear_scores
from bayeslab.classifier import Accepts, BayesClassifier
from bayeslab.covariance_kinds import (
    INTENSITIES,
    KINDS,
    Kind,
    Shrinkage,
    check_learns_in_pieces,
    class_covariances,
    intensities,
    pooled_scale,
)
from bayeslab.gaussian import Gaussian, Singular, SingularCovarianceError
from bayeslab.moments import Moments, moments_by_group
from bayeslab.streaming import LeaveOneOutMixin, StreamingMixin, can_stream


class Settings(NamedTuple):
    """A copy of the hyperparameters: changing one of the classifier does not change what it has learned."""

    covariance: str
    shared: float
    ddof: float
    singular: str
    shrinkage: Any
    n_components: int | None = None  # of LDA only


class Learned(NamedTuple):
    """What follows from the moments of the classes."""

    densities: ClassDensities
    shrinkage: Array  # (K,) array


class GaussianClassifier(LeaveOneOutMixin, StreamingMixin, BayesClassifier):
    """Bayes classifier with one Gaussian per class.

    Parameters
    ----------
    covariance : {"full", "diagonal", "spherical"}
        Σ_k as estimated; without its off-diagonal entries; or σ²I with the mean of its diagonal.
    shared : bool or float in [0, 1]
        True: one covariance for all classes, pooled from their scatters. False: one each. Between, regularised
        discriminant analysis: (1 − shared)·own + shared·pooled.
    priors : None, "equal" or (K,) array
        π_k: the share of each class in the training data, 1/K, or these numbers, in the order of `classes_`.
    ddof : float
        1 divides the scatter by n_k − 1 (shared: n − K), the unbiased estimate; 0 by n_k (n), maximum likelihood.
        With sample weights, n_k is their sum, and 1 is unbiased only if they count repetitions of rows.
    singular : {"raise", "pseudo"}
        If a covariance has no inverse: raise, or use the pseudo-inverse and pseudo-determinant in units of the pooled
        standard deviations. A warning says if the ranks differ, because such densities are not comparable.
    shrinkage : None, "ledoit_wolf", "oas" or float in [0, 1]
        λ in (1 − λ) Σ_k + λ diag(pooled variances). Unlike a multiple of I, this target does not depend on units. The
        names learn λ from the data: "oas" takes them for Gaussian and learns in pieces too, "ledoit_wolf" does neither.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    moments_ : list of K `Moments`
        Also called `statistics_`, as in every classifier that learns in pieces.
    means_, covariance_, gaussians_, shrinkage_, varies_, coef_, intercept_
        These follow from the moments; see the properties.

    Raises
    ------
    SingularCovarianceError
        From `fit`, if a covariance has no inverse; it names the class, the rank and the columns.
    ValueError
        From `fit`, if a class has too few samples, the priors do not match the classes, or X holds NaN or infinity.

    References
    ----------
    Friedman (1989), Regularized discriminant analysis, JASA 84.

    Examples
    --------
    >>> from bayeslab import load_iris
    >>> iris = load_iris()
    >>> rule = GaussianClassifier("full", shared=0.5).fit(iris.X[1:], iris.y[1:])  # all but the first flower
    >>> print(rule.predict(iris.X[:1]))
    ['setosa']
    """

    statistics_: list[Moments]
    _learned: Learned
    _shows_infinity = True

    def __init__(
        self,
        covariance: Kind = "full",
        shared: bool | float = False,
        priors: Priors = None,
        ddof: float = 1,
        singular: Singular = "raise",
        shrinkage: Shrinkage = None,
    ):
        self.covariance = covariance
        self.shared = shared
        self.priors: Priors = priors
        self.ddof = ddof
        self.singular = singular
        self.shrinkage = shrinkage

    @all_or_nothing
    def fit(self, X: ArrayLike, y: Labels, sample_weight: Weights = None) -> Self:
        """Estimate priors, means and covariances from X, shape (n, d), and the labels y, shape (n,).

        A `sample_weight`, shape (n,), of 2 means the same as repeating the row. Weights that average less than 1 can't
        count repetitions: they are shares, whose unit doesn't matter. A fit that fails changes nothing.
        """
        self._settings = settings = self._read_settings()
        X, index, weights = self._start_fit(X, y, sample_weight)  # sets classes_ and priors_
        with one_thread(*X.shape):
            self.statistics_ = moments_by_group(X, index, len(self.classes_), weights, settings.covariance != "full")
            self._learned = self._learn((X, index, weights))  # now, so that errors in the data are raised by fit
        return self

    def _learn(self, samples: Any = None) -> Learned:
        """From the moments of the classes to their Gaussians: the means, and the covariances of the chosen kind."""
        settings, labels, moments = self._settings, self.classes_.tolist(), self.statistics_
        choice = settings.covariance, settings.shared, settings.ddof
        λ, gaussians = settings.shrinkage or 0.0, list[Gaussian]()
        means, columns = np.array([each.mean for each in moments]), ...
        # Merging and removing may leave rounding errors in the means of a constant column.
        varies = means.max(axis=0) - means.min(axis=0) > 1e-13 * np.abs(means).max(axis=0)
        if not varies.all():  # between the classes; perhaps within them
            varies |= Moments.pooled(moments).variation > 0
        if not varies.all():
            columns = np.flatnonzero(varies)
            warn_of_constants(varies, np.array(self._column_names))
        try:
            if settings.shrinkage in INTENSITIES:
                λ = intensities(settings.shrinkage, moments, *choice, samples)
            moments = moments if varies.all() else [each.of_columns(varies) for each in moments]
            scale = pooled_scale(moments, settings.ddof) if settings.singular == "pseudo" else None
            for m, Σ in zip(moments, class_covariances(moments, *choice, λ), strict=True):
                if gaussians and settings.shared == 1:
                    gaussians.append(gaussians[0].moved_to(m.mean, m.remainder))
                else:
                    gaussians.append(Gaussian._unchecked(m.mean.copy(), Σ, settings.singular, scale, m.remainder))
        except ValueError as error:
            k, names = len(gaussians), np.array(self._column_names)[columns]
            raise name_class_and_columns(error, k, moments, labels, names, settings) from None
        if settings.singular == "pseudo":
            warn_of_pseudo_densities(gaussians, moments, labels, np.array(self._column_names)[columns], settings)
        return Learned(ClassDensities(gaussians, settings.shared == 1, columns), np.full(len(labels), λ))

    # What `predict` and `explain` call are the methods of the densities that were learned.
    _scores: Any = property(attrgetter("_learned.densities.scores"))
    _terms: Any = property(attrgetter("_learned.densities.terms"))

    @classmethod
    def of_moments(cls, moments: list[Moments], classes: Sequence[Any] | Labelled, **parameters: Any) -> Self:
        """Classifier with these hyperparameters, fitted to samples of which only the moments are known.

        Parameters
        ----------
        moments : list of K `Moments`
        classes : list of K labels, in the order of the moments
        **parameters
            Hyperparameters of the classifier; priors in the order of the sorted labels.

        Examples
        --------
        >>> rule = NearestMean.of_moments([Moments.of([1, 3]), Moments.of([7, 9])], ["a", "b"])
        >>> rule.predict([[4], [6]]).tolist()  # the means are 2 and 8
        ['a', 'b']
        """
        fitted = cls(**parameters)
        can_stream(fitted)  # or raises
        fitted._settings = settings = fitted._read_settings()
        fitted._asked_priors = fitted.priors
        fitted.classes_, index = code_labels(as_classes(classes))
        if len(fitted.classes_) < 2 or not len(fitted.classes_) == len(classes) == len(moments):
            raise ValueError(
                f"at least two different classes are needed, with moments of each, not {len(moments)} moments and "
                f"the classes {list(classes)}"
            )
        shapes = {each.scatter.shape for each in moments}
        if len(shapes) > 1 or (moments[0].scatter.ndim == 1 and settings.covariance == "full"):
            raise ValueError(
                f"covariance={settings.covariance!r} needs scatters of one shape, (d, d) for full covariances, "
                f"not {sorted(shapes)}"
            )
        if settings.covariance != "full":
            moments = [each.without_covariances() for each in moments]
        fitted.n_features_in_ = moments[0].n_features
        fitted._set_statistics([moments[k] for k in index.argsort()])
        return fitted

    @property
    def moments_(self) -> list[Moments]:
        """Weight, mean and scatter of each class."""
        return self.statistics_

    @property
    def gaussians_(self) -> list[Gaussian]:
        """Density of each class in the d' of d columns that vary; a column that is constant in all data is left out."""
        return self._learned.densities.gaussians

    @property
    def means_(self) -> Array:
        """Class means, shape (K, d)."""
        return np.array([each.mean for each in self.moments_])

    @property
    def covariance_(self) -> Array:
        """Covariances of the columns that vary, shape (K, d', d'), or (d', d') when shared by all classes."""
        covariances = [gaussian.covariance for gaussian in self.gaussians_]
        return covariances[0] if self._settings.shared == 1 else np.array(covariances)

    @property
    def varies_(self) -> np.ndarray:
        """True for each column that varies, shape (d,)."""
        varies = np.zeros(self.n_features_in_, dtype=bool)
        varies[self._learned.densities.columns] = True
        return varies

    @property
    def shrinkage_(self) -> Array:
        """Intensity λ of each class, shape (K,)."""
        return self._learned.shrinkage

    @property
    def coef_(self) -> Array:
        """Coefficients Σ⁻¹(μ_k − Σ_l π_l μ_l) of the linear scores of a shared covariance, shape (K, d).

        For two classes, shape (1, d): those of the log posterior odds. Shapes and signs are scikit-learn's.
        """
        return self._linear_scores()[0]

    @property
    def intercept_(self) -> Array:
        """Intercepts that go with `coef_`, shape (K,), or (1,) for two classes."""
        return self._linear_scores()[1]

    _accepts = Accepts(gaps="in prediction")  # a missing value is integrated out

    def _read_settings(self) -> Settings:
        kind, shared, ddof, singular, λ = (getattr(self, name) for name in Settings._fields[:5])
        a_share = isinstance(shared, np.bool_) or (isinstance(shared, Real) and 0 <= float(shared) <= 1)
        a_rule, rules = isinstance(λ, str) and λ in INTENSITIES, ", ".join(map(repr, INTENSITIES))
        a_number = λ is None or (is_number(λ) and 0 <= λ <= 1)
        for name, is_fine, wanted in (
            ("covariance", isinstance(kind, str) and kind in KINDS, "one of 'full', 'diagonal', 'spherical'"),
            ("shared", a_share, "False, True or a number between them"),
            ("ddof", is_number(ddof) and ddof >= 0, "a number, 0 or more"),
            ("singular", isinstance(singular, str) and singular in ("raise", "pseudo"), "one of 'raise', 'pseudo'"),
            ("shrinkage", a_rule or a_number, f"None, {rules} or a number in [0, 1]"),
        ):
            if not is_fine:
                raise ValueError(f"{name} must be {wanted}, not {getattr(self, name)!r}")
        if a_rule and 0 < shared < 1:
            raise ValueError(f"shrinkage={λ!r} needs shared=False or shared=True, not {shared!r}: use a number instead")
        return Settings(kind, float(shared), ddof, singular, λ)

    def _statistics_of(self, X: Array, index: np.ndarray, weights: Array | None) -> list[Moments]:
        # Keep full scatters if the stream began with them, even if variances would now do.
        before = vars(self).get("statistics_")
        diagonal = before[0].scatter.ndim == 1 if before else self._settings.covariance != "full"
        with one_thread(*X.shape):
            return moments_by_group(X, index, len(self.classes_), weights, diagonal)

    def _check_streams(self, asked: Any) -> None:
        check_learns_in_pieces(asked.shrinkage)

    def _check_continues(self, before: Any) -> None:
        if self.statistics_[0].scatter.ndim == 1 and self._settings.covariance == "full":
            raise ValueError(
                f"covariance={self._settings.covariance!r} needs covariances, but only the variances of the "
                f"samples seen so far were kept: start again with fit"
            )

    def _linear_scores(self) -> tuple[Array, Array]:
        if self._settings.shared < 1:
            raise AttributeError("only a covariance shared by all classes gives linear scores: use shared=True")
        means, varies = self.means_, self.varies_
        center = self.priors_ @ means
        coefficients = np.zeros(means.shape)
        coefficients[:, varies], constants = linear_scores((means - center)[:, varies], self.gaussians_[0].whitening)
        intercepts = self._log_priors + constants - coefficients @ center
        if len(means) == 2:
            return np.diff(coefficients, axis=0), np.diff(intercepts)
        return coefficients, intercepts


class QuadraticDiscriminantAnalysis(GaussianClassifier):
    """QDA: a full covariance per class, quadratic boundaries.

    Some texts call it the optimal Bayes classifier. It would be, if the classes were Gaussian with known parameters.

    Parameters
    ----------
    priors, ddof, singular, shrinkage
        As in `GaussianClassifier`.

    Examples
    --------
    >>> X, y = [[-1], [0], [1], [-4], [0], [4]], ["narrow"] * 3 + ["wide"] * 3  # about the same mean
    >>> QuadraticDiscriminantAnalysis().fit(X, y).predict([[0], [3]]).tolist()
    ['narrow', 'wide']
    >>> LinearDiscriminantAnalysis().fit(X, y).predict([[0], [3]]).tolist()  # with one variance every point is a tie
    ['narrow', 'narrow']
    """

    def __init__(
        self, priors: Priors = None, ddof: float = 1, singular: Singular = "raise", shrinkage: Shrinkage = None
    ):
        super().__init__("full", False, priors, ddof, singular, shrinkage)


class LinearDiscriminantAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GaussianClassifier):
    """LDA: one full covariance for all classes, linear boundaries; and Fisher's axes, which separate the classes best.

    Why linear: with one Σ the quadratic term is the same for every class; see `class_densities.linear_scores`.

    Parameters
    ----------
    priors, ddof, singular, shrinkage
        As in `GaussianClassifier`.
    n_components : int, optional
        Number of axes in `transform`, at most K − 1, which is the default.

    Examples
    --------
    >>> from bayeslab import load_iris
    >>> iris = load_iris()
    >>> lda = LinearDiscriminantAnalysis(n_components=1).fit(iris.X, iris.y)
    >>> lda.transform(iris.X).shape, lda.explained_variance_ratio_.round(3)
    ((150, 1), array([0.991]))
    """

    def __init__(
        self,
        priors: Priors = None,
        ddof: float = 1,
        singular: Singular = "raise",
        shrinkage: Shrinkage = None,
        n_components: int | None = None,
    ):
        super().__init__("full", True, priors, ddof, singular, shrinkage)
        self.n_components = n_components

    def transform(self, X: ArrayLike) -> Array:
        """Coordinates on Fisher's axes, relative to the mean Σ π_k μ_k of the classes, shape (n, n_components).

        Under the fitted Σ they are uncorrelated and have variance 1 within the classes.
        """
        X, _ = self._as_samples(X)
        check_finite(X, "X")
        axes = self._axes()[0]
        coordinates = np.zeros((X.shape[1], axes.shape[1]))
        coordinates[self.varies_] = axes
        return (X - self.priors_ @ self.means_) @ coordinates

    @property
    def explained_variance_ratio_(self) -> Array:
        """Share of the variance between the class means that lies along each axis, shape (n_components,)."""
        return self._axes()[1]

    def _read_settings(self) -> Settings:
        return super()._read_settings()._replace(n_components=self.n_components)

    def _learn(self, samples: Any = None) -> Learned:
        learned, asked = super()._learn(samples), self._settings.n_components
        most = min(len(self.classes_) - 1, learned.densities.gaussians[0].rank)
        if asked is not None and not (is_number(asked, Integral) and 1 <= asked <= most):
            raise ValueError(f"n_components must be None or a whole number from 1 to {most}, not {asked!r}")
        return learned

    def _axes(self) -> tuple[Array, Array]:
        axes, ratio = fisher_axes(self.means_[:, self.varies_], self.priors_, self.gaussians_[0].whitening)
        return axes[:, : self._settings.n_components], ratio[: self._settings.n_components]

    @property
    def _n_features_out(self) -> int:
        return len(self.explained_variance_ratio_)


class GaussianNB(GaussianClassifier):
    """Naive Bayes: a diagonal covariance per class, that is, features independent within each class.

    `NaiveBayes(Normal())` is the same with ``ddof=0``, the maximum-likelihood variances.

    Parameters
    ----------
    priors, ddof, singular, shrinkage
        As in `GaussianClassifier`.

    Examples
    --------
    >>> rule = GaussianNB().fit([[0, 0], [2, 2], [4, 5], [6, 1]], ["a", "a", "b", "b"])
    >>> rule.covariance_[0].tolist()  # of "a"; the full covariance [[2, 2], [2, 2]] would have no inverse
    [[2.0, 0.0], [0.0, 2.0]]
    """

    def __init__(
        self, priors: Priors = None, ddof: float = 1, singular: Singular = "raise", shrinkage: Shrinkage = None
    ):
        super().__init__("diagonal", False, priors, ddof, singular, shrinkage)


class NearestMean(GaussianClassifier):
    """Nearest mean: one σ²I for all classes; with equal priors, which are the default, the nearest mean wins.

    Unlike the others, this classifier depends on the units of the columns.

    Parameters
    ----------
    priors, ddof, singular, shrinkage
        As in `GaussianClassifier`. Shrinkage has no effect: σ² is the mean of the pooled variances already.

    Examples
    --------
    >>> X, y, units = np.array([[0, -1], [0, 1], [2, 9], [2, 11]]), ["a", "a", "b", "b"], [1, 0.01]
    >>> NearestMean().fit(X, y).predict([[2, 1]]).tolist()
    ['a']
    >>> NearestMean().fit(X * units, y).predict([[2, 0.01]]).tolist()  # the second column in metres, no longer in cm
    ['b']
    """

    def __init__(
        self, priors: Priors = "equal", ddof: float = 1, singular: Singular = "raise", shrinkage: Shrinkage = None
    ):
        super().__init__("spherical", True, priors, ddof, singular, shrinkage)


def warn_of_constants(varies: np.ndarray, names: np.ndarray) -> None:
    """Warn of the columns that never vary and are left out; raise if that is all of them."""
    if not varies.any():
        raise ValueError("no column of X varies at all, so nothing distinguishes the classes")
    warn_user(f"left out, since they never vary: columns {listed(names[~varies].tolist())}")


def name_class_and_columns(
    error: ValueError, k: int, moments: list[Moments], labels: list[Any], names: np.ndarray, settings: Settings
) -> ValueError:
    """Return the error of a covariance, or of the Gaussian of class k, with the names of its class and columns."""
    if not isinstance(error, SingularCovarianceError):
        few = [label for label, each in zip(labels, moments, strict=True) if not each.count > settings.ddof]
        pooled = f"all {len(labels)} classes pooled, with ddof={settings.ddof:g} for each"
        return ValueError(f"class {few[0]!r}: {error}" if few and settings.shared < 1 else f"{pooled}: {error}")
    if settings.shared == 1:
        owner, cause, alike = "all classes pooled", " within the classes", moments
    else:
        owner, cause, alike = f"class {labels[k]!r}", " within the class", [moments[k]]
    n, needed = sum(each.count for each in alike), error.dimension + len(alike)  # one more for each mean
    columns, remedies = names[error.columns], ""
    apart = Moments.pooled(moments).variation == 0
    if apart.any():
        tells = "it differs between them and tells" if apart.sum() == 1 else "they differ between them and tell"
        cause = f" within any class, but {tells} classes apart without the others"
        remedies = (
            "drop such a column if it only repeats the label or won't be known when you predict; (2) otherwise fit "
            "scikit-learn's DecisionTreeClassifier to it alone"
        )
        columns = names[apart]
    elif settings.covariance == "full" and settings.shared in (0, 1) and n < needed:
        cause += f" ({n:g} samples, but a full covariance needs at least {needed})"
    return SingularCovarianceError(error.rank, error.dimension, columns.tolist(), owner, cause, remedies)


def warn_of_pseudo_densities(
    gaussians: list[Gaussian], moments: list[Moments], labels: list[Any], names: np.ndarray, settings: Settings
) -> None:
    """Warn if they live on spaces of different dimension, or leave out columns that tell classes apart."""
    if len({gaussian.rank for gaussian in gaussians}) > 1:
        ranks = ", ".join(f"{label!r} {each.rank}" for label, each in zip(labels, gaussians, strict=True))
        warn_user(
            f"the covariances of the classes have different ranks ({ranks}), so their pseudo-densities live on spaces "
            f"of different dimension and are not comparable; use shrinkage, or PCA first"
        )
    apart = Moments.pooled(moments).variation == 0
    if apart.any() and (settings.covariance != "spherical" or apart.all()):
        warn_user(
            f"the pseudo-inverse leaves out columns that do not vary within any class, although they differ between "
            f"them and tell classes apart: {listed(names[apart].tolist())}; fit scikit-learn's "
            f"DecisionTreeClassifier to them alone"
        )
