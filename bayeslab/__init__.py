"""BayesLab: one rule, one density, and a choice of covariance.

The rule: choose the class with the largest prior × density. The density: the Gaussian. The choice of covariance makes
naive Bayes, QDA, LDA and nearest mean. To read the code, start with these files, in this order:

- `moments`: all that a Gaussian fit remembers of its data
- `gaussian`: the density, in one dimension or many
- `covariance_kinds`: full, diagonal or spherical; one per class, or shared
- `classifier`: the rule, for any densities; `explain` says why a row gets its label
- `class_densities`: the Gaussian terms of all classes, in one place, why LDA is linear, and its axes
- `gaussian_classifier`: all of these together, and the named cases
- `density_classifier`: the same rule with any density that can be fitted
- `families`, `naive_bayes`, `documents`: densities in one dimension, and the rule that multiplies them
- `student_t`: the density of the next sample when mean and covariance come from few samples
- `em`, `mixture`: a density made of several Gaussians, fitted in two alternating steps
- `boundary`: where two Gaussian classes meet, and what curve that is
- `risk`: how often the best rule, or any other, is wrong if the densities are known
- `validation`: rows to train and to test on, and the accuracy of a classifier
- also: `streaming` (learning in pieces, leaving one out), `distributed` (on many machines; needs dask, so it is not
  imported here), `datasets`, `truth` (the best possible classifier), `plotting`

`_base` holds what all of them share, `checks` judges the exercises of the course, and `explore` holds its widgets.

How QDA finds a label, as a path through these files. `fit` of `gaussian_classifier` has `classifier` check X and y and
estimate the priors (`_start_fit`). `moments_by_group` sums up each class. `_learn` turns the sums into covariances
(`covariance_kinds.class_covariances`) and these into Gaussians (`Gaussian._unchecked`): W with W Wᵀ = Σ⁻¹ and ln |Σ|,
by Cholesky. `predict` of `classifier` takes a block of rows at a time (`_in_blocks`). Its `_scores` are those of the
densities that were learned, `ClassDensities.scores`: ln π_k + ln p(x | C_k), the sum of the `terms`, of which only
−½ D² takes work, from W. `first_largest` finds the class with the largest sum.
"""

import importlib.metadata

from bayeslab._base.failures import as_sentences
from bayeslab.boundary import QuadraticSurface, log_determinant_rule, two_class
from bayeslab.classifier import BayesClassifier
from bayeslab.covariance_kinds import class_covariances
from bayeslab.datasets import (
    Dataset,
    load_austen,
    load_digits,
    load_disasters,
    load_iris,
    load_mnist5k,
    load_penguins,
    load_spambase,
    load_tumours,
    make_concentric,
    make_gaussian_pair,
    make_mixture_pair,
    make_three_classes,
    make_xor,
)
from bayeslab.density_classifier import DensityClassifier
from bayeslab.documents import BernoulliNB, MultinomialNB
from bayeslab.em import CollapsedComponentError, e_step, m_step
from bayeslab.families import (
    Bernoulli,
    Binomial,
    Categorical,
    DegenerateSampleError,
    Exponential,
    Gamma,
    Laplace,
    Normal,
    ParzenWindow,
    Poisson,
    Rayleigh,
)
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.gaussian_classifier import (
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
)
from bayeslab.mixture import GaussianMixture
from bayeslab.moments import Moments
from bayeslab.naive_bayes import NaiveBayes
from bayeslab.risk import bayes_error, error_of
from bayeslab.student_t import StudentT
from bayeslab.truth import TrueClassifier
from bayeslab.validation import (
    AccuracySummary,
    accuracy_summary,
    cross_validate,
    first_half_split,
    k_fold,
    learning_curve,
    random_split,
    shuffle_splits,
)

__all__ = [
    "AccuracySummary",
    "BayesClassifier",
    "Bernoulli",
    "BernoulliNB",
    "Binomial",
    "Categorical",
    "CollapsedComponentError",
    "Dataset",
    "DegenerateSampleError",
    "DensityClassifier",
    "Exponential",
    "Gamma",
    "Gaussian",
    "GaussianClassifier",
    "GaussianMixture",
    "GaussianNB",
    "Laplace",
    "LinearDiscriminantAnalysis",
    "Moments",
    "MultinomialNB",
    "NaiveBayes",
    "NearestMean",
    "Normal",
    "ParzenWindow",
    "Poisson",
    "QuadraticDiscriminantAnalysis",
    "QuadraticSurface",
    "Rayleigh",
    "SingularCovarianceError",
    "StudentT",
    "TrueClassifier",
    "accuracy_summary",
    "bayes_error",
    "class_covariances",
    "cross_validate",
    "e_step",
    "error_of",
    "first_half_split",
    "k_fold",
    "learning_curve",
    "load_austen",
    "load_digits",
    "load_disasters",
    "load_iris",
    "load_mnist5k",
    "load_penguins",
    "load_spambase",
    "load_tumours",
    "log_determinant_rule",
    "m_step",
    "make_concentric",
    "make_gaussian_pair",
    "make_mixture_pair",
    "make_three_classes",
    "make_xor",
    "random_split",
    "shuffle_splits",
    "two_class",
]

__version__ = importlib.metadata.version("bayeslab")  # set in pyproject.toml

as_sentences(__name__, __all__)
