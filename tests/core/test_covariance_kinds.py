"""What the covariance of a class may be: by NumPy's formulas, at both ends of `shared` exactly, and shrunken."""

from itertools import product

import numpy as np
import pytest
from family import FAMILY, refusals
from sklearn.base import clone
from sklearn.covariance import ledoit_wolf_shrinkage

from bayeslab import GaussianClassifier, LinearDiscriminantAnalysis, Moments, class_covariances, load_iris
from bayeslab.covariance_kinds import restrict

IRIS = load_iris()
GROUPS = [IRIS.X[IRIS.y == label] for label in IRIS.class_names]
MOMENTS = [Moments.of(group) for group in GROUPS]
KINDS = {
    "full": lambda Σ: Σ,
    "diagonal": lambda Σ: np.diag(np.diag(Σ)),
    "spherical": lambda Σ: np.trace(Σ) / 4 * np.eye(4),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shared", [False, 0.3, True])
def test_by_numpys_covariances(kind, shared):
    for ddof, shrinkage in product([0, 1], [0, 0.2, 1]):
        own = [np.cov(group.T, ddof=ddof) for group in GROUPS]
        pooled = sum((len(g) - ddof) * Σ for g, Σ in zip(GROUPS, own, strict=True)) / (150 - 3 * ddof)
        found = class_covariances(MOMENTS, kind, shared, ddof, shrinkage)
        for Σ, ours in zip(own, found, strict=True):
            expected = (1 - shrinkage) * ((1 - shared) * Σ + shared * pooled) + shrinkage * np.diag(np.diag(pooled))
            np.testing.assert_allclose(
                ours, KINDS[kind](expected), rtol=1e-12, atol=1e-15, err_msg=f"{ddof=}, {shrinkage=}"
            )


def test_both_ends_are_the_own_and_the_pooled_covariance_to_the_last_bit():
    own, pooled = [each.covariance() for each in MOMENTS], sum(each.scatter for each in MOMENTS) / (150 - 3)
    for shared, expected in ((0, own), (1, [pooled] * 3)):
        np.testing.assert_array_equal(class_covariances(MOMENTS, shared=shared), expected)


@pytest.mark.parametrize("shared", [np.False_, np.True_, np.float32(0.5), 1, 0.0])
def test_numbers_of_any_type(shared):
    GaussianClassifier(shared=shared, ddof=np.int64(1), shrinkage=np.float32(0.25)).fit(IRIS.X, IRIS.y)


KINDS_THERE_ARE = "kind must be one of 'full', 'diagonal', 'spherical', not"
test_kinds_and_shares_that_there_are_not = refusals(
    (lambda: restrict(np.eye(2), "sphericl"), KINDS_THERE_ARE),
    (lambda: class_covariances(MOMENTS, "Full"), KINDS_THERE_ARE),
    (lambda: class_covariances(MOMENTS, shared=2), "between 0 and 1, not 2 and 0"),
    (lambda: class_covariances(MOMENTS, shrinkage=-0.1), r"not False and -0\.1"),
)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"shared": "no"}, "shared must be False, True or a number between them, not 'no'"),
        ({"shared": 1.5}, "not 1.5"),
        ({"ddof": -5}, "ddof must be a number, 0 or more, not -5"),
        ({"ddof": "1"}, "not '1'"),
        ({"ddof": np.nan}, "not nan"),
        ({"shrinkage": True}, "not True"),
        ({"shrinkage": 1.5}, r"number in \[0, 1\], not 1.5"),
        ({"shrinkage": "auto"}, "not 'auto'"),
        ({"singular": "psuedo"}, "'raise', 'pseudo', not 'psuedo'"),
        ({"covariance": ["full"]}, "'full', 'diagonal', 'spherical', not"),
        ({"shared": 0.5, "shrinkage": "ledoit_wolf"}, "needs shared=False or shared=True, not 0.5"),
    ],
)
def test_what_makes_no_sense_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        GaussianClassifier(**parameters).fit(IRIS.X, IRIS.y)


def test_the_ledoit_wolf_intensity_is_scikit_learns_for_the_pooled_covariance():
    """There the best multiple of the identity, which scikit-learn shrinks to, is the identity itself."""
    fitted = LinearDiscriminantAnalysis(shrinkage="ledoit_wolf", ddof=0).fit(IRIS.X, IRIS.y)
    deviations = np.concatenate([group - group.mean(axis=0) for group in GROUPS])
    expected = ledoit_wolf_shrinkage(deviations / deviations.std(axis=0), assume_centered=True)
    np.testing.assert_allclose(fitted.shrinkage_, expected, rtol=1e-9)


@pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
def test_the_ledoit_wolf_intensity_does_not_see_an_offset_or_a_constant_column(estimator):
    X = np.round(IRIS.X * 2**10) / 2**10  # so that adding the offset rounds nothing away
    estimator = clone(estimator).set_params(shrinkage="ledoit_wolf")
    expected = estimator.fit(X, IRIS.y).shrinkage_
    np.testing.assert_allclose(estimator.fit(X + 2.0**36, IRIS.y).shrinkage_, expected, rtol=1e-11)
    with pytest.warns(UserWarning, match="never vary: columns 4"):
        fitted = estimator.fit(np.column_stack([X, np.full(150, 0.1)]), IRIS.y)
    np.testing.assert_allclose(fitted.shrinkage_, expected, rtol=1e-12)


@pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
def test_beside_a_sample_that_has_all_of_the_weight_nothing_is_known_of_the_covariance(estimator):
    X = np.random.default_rng(3).normal(size=(20, 2))
    weights = np.where(np.arange(20) < 2, 1e200, np.arange(20) < 15)
    estimator = clone(estimator).set_params(shrinkage="ledoit_wolf")
    np.testing.assert_array_equal(estimator.fit(X, np.arange(20) % 2, weights).shrinkage_, 1)
