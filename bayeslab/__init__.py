"""BayesLab: one rule, one density, and a choice of covariance.

The rule: take the class with the largest prior × density. The density: the Gaussian. The choice of covariance makes
naive Bayes, QDA, LDA and nearest mean. `bayeslab.datasets`, `bayeslab.plotting` and `bayeslab.checks` go with it.
"""

from bayeslab.boundary import log_determinant_rule, two_class
from bayeslab.classifier import BayesClassifier
from bayeslab.datasets import (
    Dataset,
    load_digits,
    load_iris,
    load_penguins,
    make_concentric,
    make_gaussian_pair,
    make_three_classes,
    make_xor,
)
from bayeslab.discriminant import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
)
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.gaussian_classifier import GaussianClassifier
from bayeslab.moments import Moments
from bayeslab.truth import TrueClassifier
from bayeslab.validation import first_half_split, random_split

__all__ = [
    "BayesClassifier",
    "Dataset",
    "Gaussian",
    "GaussianClassifier",
    "GaussianNB",
    "LinearDiscriminantAnalysis",
    "Moments",
    "NearestMean",
    "QuadraticDiscriminantAnalysis",
    "SingularCovarianceError",
    "TrueClassifier",
    "first_half_split",
    "load_digits",
    "load_iris",
    "load_penguins",
    "log_determinant_rule",
    "make_concentric",
    "make_gaussian_pair",
    "make_three_classes",
    "make_xor",
    "random_split",
    "two_class",
]
