"""Student's t as the predictive density: against SciPy, an integral over μ and Σ, and its calibration at small n."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from bayeslab import DegenerateSampleError, DensityClassifier, NaiveBayes, StudentT, load_iris

IRIS = load_iris()


@pytest.mark.parametrize(("n", "d"), [(4, 3), (9, 2), (50, 4), (6, 1)])
def test_the_density_is_scipys_multivariate_t(n, d):
    X = IRIS.X[::3, :d][:n]
    fitted, S = StudentT().fit(X), np.atleast_2d(np.cov(X.T, bias=True)) * n
    expected = stats.multivariate_t(X.mean(axis=0), S * (n + 1) / (n * (n - d)), df=n - d)
    np.testing.assert_allclose(fitted.score_samples(IRIS.X[:, :d]), expected.logpdf(IRIS.X[:, :d]), rtol=1e-9)
    np.testing.assert_allclose(fitted.scale_, S * (n + 1) / (n * (n - d)), rtol=1e-9)
    assert fitted.score(IRIS.X[:, :d]) == pytest.approx(expected.logpdf(IRIS.X[:, :d]).mean())
    twice = StudentT().fit(X[:, :d], sample_weight=np.full(n, 2)), StudentT().fit(np.repeat(X, 2, axis=0))
    np.testing.assert_allclose(*(each.score_samples(X) for each in twice), rtol=1e-11)


@pytest.mark.parametrize("size", [1e160, 1e300])
@pytest.mark.parametrize("Rule", [DensityClassifier, NaiveBayes])
def test_a_remote_row_is_left_to_the_priors_and_does_not_spoil_the_others(Rule, size):
    """Its squared distance overflows."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 8)) @ rng.normal(size=(8, 8)) / 100
    rule = Rule(StudentT(), priors=[0.3, 0.7]).fit(X, np.arange(80) % 2)
    expected = rule.predict_proba(X[:2])
    for remote in size * rng.choice([-1, 1], size=(5, 8)):
        with pytest.warns(UserWarning, match=r"no class .* has a density above 0 at .* \(and 0 more rows\): too far"):
            found = rule.predict_proba([X[0], remote, X[1]])
        np.testing.assert_allclose(found, [expected[0], [0.3, 0.7], expected[1]], rtol=1e-10)
        with pytest.warns(UserWarning, match="too far"):
            assert rule.predict([remote]) == [1]


def test_far_away_the_density_falls_to_zero_without_a_warning():
    # With 0.1 degrees of freedom D²/ν overflows before D² does.
    few = StudentT().fit([[0.0], [1]], sample_weight=[0.55, 0.55])
    found = few.log_density(np.geomspace(1e100, 1e308, 999))
    assert (np.diff(found[np.isfinite(found)]) < 0).all()
    assert np.isneginf(found[-1])


def test_the_constant_keeps_its_digits_for_many_samples():
    counts = np.array([3e9, 2e9, 4e9])
    found = StudentT().fit([[1.0], [2], [4]], sample_weight=counts).log_density(1.5)
    mpmath.mp.dps = 40
    n, x = [mpmath.mpf(int(c)) for c in counts], [1, 2, 4]
    total = sum(n)
    mean = sum(c * v for c, v in zip(n, x, strict=True)) / total
    ν, S = total - 1, sum(c * (v - mean) ** 2 for c, v in zip(n, x, strict=True))
    scale = S * (total + 1) / (total * ν)
    exact = mpmath.log(mpmath.gamma((ν + 1) / 2) / mpmath.gamma(ν / 2) / mpmath.sqrt(ν * mpmath.pi * scale))
    exact -= (ν + 1) / 2 * mpmath.log1p((mpmath.mpf("1.5") - mean) ** 2 / scale / ν)
    assert found == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-100, 1e-6, 1e100])
def test_units_and_offsets_change_what_they_must_and_no_more(scale):
    units, near = np.array([scale, 1, 1, 1 / scale]), StudentT().fit(IRIS.X).score_samples(IRIS.X)
    np.testing.assert_allclose(StudentT().fit(IRIS.X * units).score_samples(IRIS.X * units), near, rtol=1e-9)
    X = np.round(IRIS.X * 2**10) / 2**10
    far = StudentT().fit(X + 2.0**36).score_samples(X + 2.0**36)
    np.testing.assert_allclose(far, StudentT().fit(X).score_samples(X), rtol=1e-9)


def test_errors_say_what_is_wrong():
    with pytest.raises(
        ValueError, match=r"needs more samples than columns, but n is 4 .* and d is 4: add .*NaiveBayes\(StudentT"
    ):
        StudentT().fit(IRIS.X[:4])
    with pytest.raises(ValueError, match=r"but n is 1 \(with weights, their sum\) and d is 1: add samples\n"):
        NaiveBayes(StudentT()).fit(IRIS.X[::50], IRIS.y[::50], np.full(3, 0.2))
    with pytest.raises(DegenerateSampleError, match=r"columns 0, 1, or a combination of them, do not vary"):
        StudentT().fit(IRIS.X[:20, [0, 0]])
    with pytest.raises(ValueError, match=r"X\[0, 0\] is nan"):
        StudentT().fit(IRIS.X * np.nan)
