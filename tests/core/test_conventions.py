"""scikit-learn's checks of its conventions, and the few that cannot pass, each with its reason."""

import pytest
from family import FAMILY, PEER_DDOF, Laplace
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from bayeslab import (
    BernoulliNB,
    DensityClassifier,
    GaussianClassifier,
    GaussianMixture,
    MultinomialNB,
    NaiveBayes,
    Normal,
    ParzenWindow,
    QuadraticDiscriminantAnalysis,
    StudentT,
)
from bayeslab.covariance_kinds import INTENSITIES

SHAPE, NOT_OVERWRITTEN = "check_sample_weights_shape", "check_sample_weights_not_overwritten"
EQUIVALENCE = "check_sample_weight_equivalence_on_dense_data"
FEW_SAMPLES = ("check_n_features_in_after_fitting", "check_dtype_object")  # in older versions of scikit-learn
SAME = "a class of these data, or a column or a cluster of it, is one sample repeated, and has no density"
FEW = "these data have fewer samples, of a class or in all, than a density in so many columns needs"


def of_gaussian_classifier(estimator) -> dict[str, str]:
    """Checks that fail for one Gaussian a class. Those for singular data pass if it is told what to do with them."""
    reasons = {"check_estimators_nan_inf": "NaN is refused by fit, but in prediction it means a missing value"}
    told = estimator.singular != "raise"
    if isinstance(estimator.shrinkage, str):
        reasons[EQUIVALENCE] = "the intensity finds no uncertainty in one sample repeated, and no shrinkage"
    if not told and estimator.covariance != "spherical":
        reasons |= {SHAPE: SAME, NOT_OVERWRITTEN: SAME}
    if not told and (estimator.covariance == "full" or not estimator.shared):
        reasons[EQUIVALENCE] = SAME
    if not told and PEER_DDOF and estimator.covariance == "full" and not estimator.shared:
        reasons |= dict.fromkeys(FEW_SAMPLES, FEW)
    return reasons


def of_mixture(estimator) -> dict[str, str]:
    """Checks that fail for a mixture of two components."""
    if estimator.covariance == "full":
        return {EQUIVALENCE: FEW}
    reasons = {EQUIVALENCE: "starts are random, so that repeated rows give another start than weights"}
    return reasons if estimator.prior_samples else {**reasons, SHAPE: SAME}


def expected_failures(estimator) -> dict[str, str]:
    """Checks that may fail, and why."""
    if hasattr(estimator, "singular"):
        return of_gaussian_classifier(estimator)
    if isinstance(estimator, GaussianMixture):
        return of_mixture(estimator)
    if isinstance(estimator, StudentT):
        return {EQUIVALENCE: FEW}
    if isinstance(estimator, MultinomialNB):
        return {"check_decision_proba_consistency": "its data have negative numbers, which are no counts"}
    if isinstance(estimator, NaiveBayes) and not estimator.families.get_params().get("bandwidth"):
        return {SHAPE: SAME, NOT_OVERWRITTEN: SAME, EQUIVALENCE: SAME}
    return {}


# One of each class, and one for each way through it. scikit-learn itself skips check_array_api_input, since no array
# but NumPy's is promised.
CHECKED = [
    GaussianClassifier("diagonal", shared=True),
    GaussianClassifier("spherical"),
    *FAMILY,
    *(clone(each).set_params(singular="pseudo", shrinkage=0.1) for each in FAMILY),
    *(QuadraticDiscriminantAnalysis(singular="pseudo", shrinkage=rule) for rule in INTENSITIES),
    GaussianMixture(2, "diagonal", shared=True),
    # Two components with covariances of their own collapse on the ten samples per class that most checks have,
    # but not with pseudo-samples.
    GaussianMixture(2, prior_samples=1),
    DensityClassifier(Laplace()),
    StudentT(),
    MultinomialNB(alpha=1.0),
    BernoulliNB(alpha=0),
    NaiveBayes(Normal()),
    NaiveBayes(ParzenWindow(1.0)),
]


# Some of these data have columns that do not vary within any class.
@pytest.mark.filterwarnings("ignore:the pseudo-inverse leaves out columns")
@pytest.mark.parametrize("estimator", CHECKED, ids=repr)
def test_scikit_learns_conventions(estimator):
    results = check_estimator(estimator, expected_failed_checks=expected_failures(estimator), on_skip=None)
    assert {each["check_name"] for each in results if each["status"] == "skipped"} <= {"check_array_api_input"}
