"""Student's t as the predictive density: against SciPy, an integral over μ and Σ, and its calibration at small n."""

import mpmath
import numpy as np
import pytest
import sklearn
from scipy import stats
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayeslab import (
    DegenerateSampleError,
    DensityClassifier,
    GaussianNB,
    Moments,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    StudentT,
    load_iris,
)

IRIS = load_iris()
OLD = sklearn.__version__.startswith("1.6.")  # which draws fewer samples for two of its checks
FEW = "the data of this check have not more samples (of a class) than columns: the predictive density does not exist"
SAME = "a class of these data has a column that does not vary, and no density"


def expected_failures(estimator) -> dict[str, str]:
    """Checks of scikit-learn that are expected to fail, and why."""
    if isinstance(estimator, StudentT):
        return {"check_sample_weight_equivalence_on_dense_data": FEW}
    return {
        "check_sample_weight_equivalence_on_dense_data": FEW,
        "check_sample_weights_shape": SAME,
        "check_sample_weights_not_overwritten": SAME,
        **({"check_n_features_in_after_fitting": FEW, "check_dtype_object": FEW} if OLD else {}),
    }


CHECKED = [StudentT(), DensityClassifier(StudentT())]


@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failures)
def test_scikit_learns_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("n", "d"), [(4, 3), (9, 2), (50, 4), (6, 1)])
def test_the_density_is_scipys_multivariate_t(n, d):
    X = IRIS.X[::3, :d][:n]
    fitted, S = StudentT().fit(X), np.atleast_2d(np.cov(X.T, bias=True)) * n
    expected = stats.multivariate_t(X.mean(axis=0), S * (n + 1) / (n * (n - d)), df=n - d)
    np.testing.assert_allclose(fitted.score_samples(IRIS.X[:, :d]), expected.logpdf(IRIS.X[:, :d]), rtol=1e-9)
    np.testing.assert_allclose(fitted.scale_, S * (n + 1) / (n * (n - d)), rtol=1e-9)
    assert fitted.score(IRIS.X[:, :d]) == pytest.approx(expected.logpdf(IRIS.X[:, :d]).mean())


def test_it_is_the_gaussian_averaged_over_the_posterior_of_mean_and_variance():
    """The integral of posterior × Gaussian over μ and ln σ, as a sum over a fine grid; d = 1."""
    x, point = np.array([1.0, 2.0, 2.5, 4.0]), 3.7
    μ, log_σ = np.meshgrid(np.linspace(-60, 65, 2501), np.linspace(-3, 5, 801), indexing="ij")
    σ = np.exp(log_σ)
    # p(μ, σ²) ∝ 1/σ² makes ln σ uniform.
    posterior = np.exp(sum(stats.norm(μ, σ).logpdf(each) for each in x))
    predictive = (posterior * stats.norm(μ, σ).pdf(point)).sum() / posterior.sum()
    assert np.exp(StudentT().fit(x[:, None]).log_density(point)) == pytest.approx(predictive, rel=2e-3)


@pytest.mark.parametrize("d", [1, 3])
def test_an_ellipsoid_of_ninety_percent_catches_ninety_percent_at_n_8(d):
    """The ellipsoid of the Gaussian with the estimates plugged in catches far fewer."""
    rng, n, runs, hits = np.random.default_rng(d), 8, 3000, np.zeros(2)
    true, limits = rng.normal(size=(d, d)), np.array([d * stats.f(d, n - d).ppf(0.9), stats.chi2(d).ppf(0.9)])
    for _ in range(runs):
        X = rng.normal(size=(n + 1, d)) @ true + 100
        fitted = StudentT().estimate(Moments.of(X[:n]))
        deviation = X[n] - fitted.location_
        squared = deviation @ np.linalg.solve(fitted.scale_, deviation)
        plugged = deviation @ np.linalg.solve(np.atleast_2d(np.cov(X[:n].T)), deviation)
        hits += np.array([squared, plugged]) < limits
    assert hits[0] / runs == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / runs))
    assert hits[1] / runs < (0.86 if d == 1 else 0.65)


def test_a_half_space_of_ninety_percent_catches_more_in_four_dimensions():
    """In one direction the error has n − 1 degrees of freedom, but the predictive density only n − d."""
    rng, n, d, runs, hits = np.random.default_rng(0), 6, 4, 4000, 0
    quantile = stats.t(n - d).ppf(0.9)
    expected = stats.t(n - 1).cdf(quantile * np.sqrt((n - 1) / (n - d)))
    assert expected == pytest.approx(0.985, abs=5e-4)  # as the docstring says
    for _ in range(runs):
        X = rng.normal(size=(n + 1, d))
        fitted = StudentT().estimate(Moments.of(X[:n]))
        hits += X[n, 0] - fitted.location_[0] < quantile * np.sqrt(fitted.scale_[0, 0])
    assert hits / runs == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / runs))


def test_posteriors_of_few_samples_are_less_sure_and_better_than_the_plug_ins():
    """Mean log loss over many training sets of 8 samples a class, on fresh data."""
    losses, index = [], np.repeat([0, 1], 308)
    for seed in range(60):
        X = np.random.default_rng(seed).normal(size=(616, 3))
        X[index == 1] = X[index == 1] * [1, 2, 0.5] + 1
        few = np.arange(616) % 308 < 8
        rules = DensityClassifier(StudentT()), QuadraticDiscriminantAnalysis(), NaiveBayes(StudentT()), GaussianNB()
        logs = [rule.fit(X[few], index[few]).predict_log_proba(X[~few]) for rule in rules]
        losses.append([-log[np.arange(600), index[~few]].mean() for log in logs])
    full, plugged, diagonal, plugged_diagonal = np.mean(losses, axis=0)
    assert full < 0.8 * plugged
    assert diagonal < plugged_diagonal


@pytest.mark.parametrize("size", [1e160, 1e308, 1.7e308])
@pytest.mark.parametrize("Rule", [DensityClassifier, NaiveBayes])
def test_a_remote_row_is_left_to_the_priors_and_does_not_spoil_the_others(Rule, size):
    """Its products with Σ⁻¹ are infinite, of either sign, and their sum may be NaN."""
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


def test_with_many_samples_it_is_the_gaussian():
    X = np.random.default_rng(3).normal(size=(200_000, 2))
    fitted, points = StudentT().fit(X), X[:100]
    expected = stats.multivariate_normal(X.mean(axis=0), np.cov(X.T)).logpdf(points)
    np.testing.assert_allclose(fitted.score_samples(points), expected, atol=1e-3)


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


def test_a_weight_is_a_repetition():
    counts = np.random.default_rng(4).integers(0, 4, 150)
    weighted, repeated = StudentT().fit(IRIS.X, sample_weight=counts), StudentT().fit(np.repeat(IRIS.X, counts, axis=0))
    np.testing.assert_allclose(weighted.score_samples(IRIS.X), repeated.score_samples(IRIS.X), rtol=1e-11)
    assert weighted.dof_ == counts.sum() - 4


def test_naive_bayes_takes_it_column_by_column():
    fitted = NaiveBayes(StudentT(), priors="equal").fit(IRIS.X, IRIS.y)
    for k, part in enumerate(np.split(IRIS.X, 3)):
        t = stats.t(49, part.mean(axis=0), part.std(axis=0, ddof=1) * np.sqrt(51 / 50))
        expected = np.log(1 / 3) + t.logpdf(IRIS.X).sum(axis=1)
        np.testing.assert_allclose(fitted.joint_log_likelihood(IRIS.X)[:, k], expected, rtol=1e-9)
    first = NaiveBayes(StudentT(), priors="equal").partial_fit(IRIS.X[::2], IRIS.y[::2])
    streamed = first.partial_fit(IRIS.X[1::2], IRIS.y[1::2])
    np.testing.assert_allclose(streamed.predict_log_proba(IRIS.X), fitted.predict_log_proba(IRIS.X), rtol=1e-9)


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
    with pytest.raises(ValueError, match=r"but n is 0.4 \(with weights, their sum\) and d is 1: add samples\n"):
        NaiveBayes(StudentT()).fit(IRIS.X[::25], IRIS.y[::25], np.full(6, 0.2))
    with pytest.raises(DegenerateSampleError, match=r"columns 0, 1, or a combination of them, do not vary"):
        StudentT().fit(IRIS.X[:20, [0, 0]])
    with pytest.raises(ValueError, match=r"X\[0, 0\] is nan"):
        StudentT().fit(IRIS.X * np.nan)
    fitted = StudentT().fit(IRIS.X)
    before = fitted.score_samples(IRIS.X)
    with pytest.raises(ValueError, match=r"n is 2 .* and d is 2"):
        fitted.fit(IRIS.X[:2, :2])
    np.testing.assert_array_equal(fitted.score_samples(IRIS.X), before)
