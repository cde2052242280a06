"""The Gaussian family by name: the choice of covariance makes the same rule QDA, LDA, naive Bayes or nearest mean."""

from __future__ import annotations

from bayeslab.gaussian_classifier import GaussianClassifier


class _NamedCase(GaussianClassifier):
    """A `GaussianClassifier` whose covariance is fixed by its name."""

    _covariance, _shared = "full", False

    def __init__(self, priors=None, ddof=1, singular="raise", shrinkage=None):
        super().__init__(self._covariance, self._shared, priors, ddof, singular, shrinkage)


class QuadraticDiscriminantAnalysis(_NamedCase):
    """QDA: a full covariance per class, quadratic boundaries. Some texts call it the optimal Bayes classifier.

    Parameters are those of `GaussianClassifier`.
    """


class LinearDiscriminantAnalysis(_NamedCase):
    """LDA: one full covariance for all classes, linear boundaries. Parameters are those of `GaussianClassifier`."""

    _shared = True


class GaussianNB(_NamedCase):
    """Naive Bayes: a diagonal covariance per class, that is, features independent within each class.

    Parameters are those of `GaussianClassifier`.
    """

    _covariance = "diagonal"


class NearestMean(_NamedCase):
    """Nearest mean: one σ²I for all classes; with equal priors the class whose mean is nearest wins.

    The priors are therefore "equal" unless given. The one classifier here whose decisions depend on the units of the
    columns. Parameters are those of `GaussianClassifier`.
    """

    _covariance, _shared = "spherical", True

    def __init__(self, priors="equal", ddof=1, singular="raise", shrinkage=None):
        super().__init__(priors, ddof, singular, shrinkage)
