"""What the covariance of a class may be: by NumPy's formulas, at both ends of `shared` exactly, and how it shrinks."""

from itertools import product
from typing import get_args

import numpy as np
import pytest
from family import FAMILY, refusals
from sklearn.base import clone
from sklearn.covariance import OAS, ledoit_wolf_shrinkage

from bayeslab import GaussianClassifier, LinearDiscriminantAnalysis, Moments, class_covariances, load_iris
from bayeslab.covariance_kinds import INTENSITIES, RuleName, oas, restrict

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
    ],
)
def test_what_makes_no_sense_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        GaussianClassifier(**parameters).fit(IRIS.X, IRIS.y)


# The rules for the intensity. A new one needs a peer here, and must pass all that follows.
PEERS = {
    "ledoit_wolf": lambda z: ledoit_wolf_shrinkage(z, assume_centered=True),
    "oas": lambda z: OAS(assume_centered=True).fit(z).shrinkage_,
}
EACH_RULE = pytest.mark.parametrize("rule", INTENSITIES)
EACH_CASE = pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)


@EACH_RULE
def test_for_the_pooled_covariance_the_intensity_is_scikit_learns(rule):
    """There the best multiple of the identity, which scikit-learn shrinks to, is the identity itself."""
    fitted = LinearDiscriminantAnalysis(shrinkage=rule, ddof=0).fit(IRIS.X, IRIS.y)
    deviations = np.concatenate([group - group.mean(axis=0) for group in GROUPS])
    np.testing.assert_allclose(fitted.shrinkage_, PEERS[rule](deviations / deviations.std(axis=0)), rtol=1e-9)


@EACH_RULE
@EACH_CASE
def test_an_intensity_does_not_see_units_an_offset_or_a_constant_column(rule, estimator):
    X = np.round(IRIS.X * 2**10) / 2**10  # so that adding the offset rounds nothing away
    estimator = clone(estimator).set_params(shrinkage=rule)
    expected = estimator.fit(X, IRIS.y).shrinkage_
    np.testing.assert_allclose(estimator.fit(X + 2.0**36, IRIS.y).shrinkage_, expected, rtol=1e-11)
    np.testing.assert_allclose(estimator.fit(X * [1e-3, 1, 1e9, 7], IRIS.y).shrinkage_, expected, rtol=1e-11)
    with pytest.warns(UserWarning, match="never vary: columns 4"):
        fitted = estimator.fit(np.column_stack([X, np.full(150, 0.1)]), IRIS.y)
    np.testing.assert_allclose(fitted.shrinkage_, expected, rtol=1e-12)


@EACH_RULE
@EACH_CASE
def test_to_an_intensity_a_weight_is_a_repetition(rule, estimator):
    counts, estimator = np.random.default_rng(1).integers(0, 4, 150), clone(estimator).set_params(shrinkage=rule)
    weighted = estimator.fit(IRIS.X, IRIS.y, counts).shrinkage_
    repeated = estimator.fit(np.repeat(IRIS.X, counts, axis=0), np.repeat(IRIS.y, counts)).shrinkage_
    np.testing.assert_allclose(weighted, repeated, rtol=1e-11)


@EACH_RULE
@pytest.mark.parametrize("shared", [False, True])
def test_of_one_column_all_kinds_of_covariance_have_the_same_intensity(rule, shared):
    fits = (GaussianClassifier(kind, shared, shrinkage=rule).fit(IRIS.X[:, :1], IRIS.y) for kind in KINDS)
    full, *others = (fitted.shrinkage_ for fitted in fits)
    assert (full == 1).all() == shared  # where the pooled covariance is the target
    np.testing.assert_allclose(others, [full, full], rtol=1e-12)


@EACH_RULE
def test_with_other_priors_an_intensity_stays_though_the_samples_are_gone(rule):
    fitted = GaussianClassifier(shrinkage=rule).fit(IRIS.X, IRIS.y)
    np.testing.assert_array_equal(fitted.with_priors([0.2, 0.3, 0.5]).shrinkage_, fitted.shrinkage_)


@EACH_RULE
def test_a_class_of_one_sample_gets_the_target(rule):
    X, y = np.vstack([IRIS.X[:51]]), IRIS.y[:51]
    fitted = GaussianClassifier(shrinkage=rule).fit(X, y)
    assert fitted.shrinkage_[0] < fitted.shrinkage_[1] == 1
    np.testing.assert_allclose(fitted.covariance_[1], np.diag(np.cov(X[:50].T).diagonal()))


@EACH_RULE
def test_the_names_of_the_rules_are_in_the_types_the_documentation_and_the_messages(rule):
    assert get_args(RuleName) == tuple(INTENSITIES)
    assert f'"{rule}"' in GaussianClassifier.__doc__
    with pytest.raises(ValueError, match=f"None, .*'{rule}'.* or a number"):
        GaussianClassifier(shrinkage="auto").fit(IRIS.X, IRIS.y)
    with pytest.raises(ValueError, match=f"shrinkage='{rule}' needs shared=False or shared=True, not 0.5"):
        GaussianClassifier(shared=0.5, shrinkage=rule).fit(IRIS.X, IRIS.y)


@EACH_CASE
def test_beside_a_sample_that_has_all_of_the_weight_ledoit_and_wolf_know_nothing(estimator):
    X = np.random.default_rng(3).normal(size=(20, 2))
    weights = np.where(np.arange(20) < 2, 1e200, np.arange(20) < 15)
    estimator = clone(estimator).set_params(shrinkage="ledoit_wolf")
    np.testing.assert_array_equal(estimator.fit(X, np.arange(20) % 2, weights).shrinkage_, 1)


@pytest.mark.parametrize("diagonal", [False, True])
def test_oas_solves_its_equation(diagonal):
    """For S whose trace is not d as well; near the target, the only solution is λ = 1."""
    rng = np.random.default_rng(4)
    for n, size in product([3, 10, 100], [1e-3, 0.7, 1, 1.02, 3]):
        z = rng.normal(size=(n, 4)) * rng.uniform(0.5, 2, 4) * size
        S = np.diag(np.square(z).mean(axis=0)) if diagonal else z.T @ z / n

        def excess(λ, S=S, n=n):
            Σ = (1 - λ) * S + λ * np.eye(4)
            error = (np.trace(Σ @ S) + (np.trace(Σ @ S) if diagonal else np.trace(Σ) * np.trace(S))) / n
            return λ * (error + np.trace((Σ - np.eye(4)) @ (S - np.eye(4)))) - error

        λ = oas(S.diagonal() if diagonal else S, n)
        if λ < 1:
            assert excess(λ) == pytest.approx(0, abs=1e-12 * np.square(S).sum())
        else:
            assert (np.array([excess(other) for other in np.linspace(0, 0.999, 50)]) < 0).all()


def test_for_few_gaussian_samples_oas_is_closer_to_the_best_intensity():
    """Fewer samples than columns, in two classes with one covariance; the errors are squared Frobenius norms."""
    rng, Σ, n = np.random.default_rng(5), 0.5 ** np.abs(np.subtract.outer(range(20), range(20))), 6
    X, y = rng.multivariate_normal(np.zeros(20), Σ, size=(60, 2 * n)), np.repeat([0, 1], n)
    errors = {rule: [] for rule in ("oas", "ledoit_wolf")}
    for rule, x in product(errors, X):
        errors[rule].append(np.square(GaussianClassifier(shrinkage=rule).fit(x, y).covariance_ - Σ).sum())
    assert np.mean(errors["oas"]) < 0.8 * np.mean(errors["ledoit_wolf"])
