"""Input of a mixture: numbers of any size, weights, settings, mistakes, interruptions."""

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.exceptions import NotFittedError

from bayeslab import DensityClassifier, Gaussian, GaussianMixture, e_step, load_iris

IRIS = load_iris()
HOLED = np.where(IRIS.X == 4.6, np.nan, IRIS.X)


@pytest.mark.parametrize("init", ["kmeans", "random"])
@pytest.mark.parametrize("weight", [5e-324, 1e-200, 1e200, 1e300])
def test_only_the_ratio_of_weights_counts(init, weight):
    settings = {"init": init, "random_state": 0}
    plain = GaussianMixture(2, **settings).fit(IRIS.X)
    weighted = GaussianMixture(2, **settings).fit(IRIS.X, sample_weight=np.full(150, weight))
    np.testing.assert_array_equal(weighted.covariances_, plain.covariances_)
    beside = np.append(np.full(150, weight), weight * 1e-100 * 1e-300)  # underflows to 0
    beside = GaussianMixture(2, **settings).fit(np.vstack([IRIS.X, np.zeros(4)]), sample_weight=beside)
    np.testing.assert_array_equal(beside.covariances_, plain.covariances_)


def test_a_fit_that_fails_or_is_interrupted_changes_nothing(monkeypatch):
    fresh, fitted = GaussianMixture(2), GaussianMixture(2, random_state=0).fit(IRIS.X)
    for model in (fresh, fitted):
        before = dict(vars(model))
        with pytest.raises(ValueError, match="do not vary"):
            model.fit(np.ones((9, 3)))
        assert vars(model) == before
        for error in (KeyboardInterrupt, MemoryError):
            # At the end of the fit, when everything has been estimated.
            monkeypatch.setattr(GaussianMixture, "_has_converged", lambda self, history, error=error: interrupt(error))
            with pytest.raises(error):
                model.fit(IRIS.X[:, :2])
            monkeypatch.undo()
            assert vars(model) == before


def interrupt(error):
    raise error


def test_numpy_numbers_are_numbers():
    numbers = {"tol": np.float32(1e-3), "max_iter": np.int32(100), "n_init": np.uint8(1), "prior_samples": np.int64(0)}
    ours = GaussianMixture(np.int64(2), shared=np.True_, random_state=0, **numbers).fit(IRIS.X)
    same = {"tol": float(np.float32(1e-3)), "max_iter": 100}
    np.testing.assert_array_equal(
        ours.means_, GaussianMixture(2, shared=True, random_state=0, **same).fit(IRIS.X).means_
    )


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
@pytest.mark.parametrize("prior_samples", [0, 1])
@pytest.mark.parametrize("unit", [1e110, 1e-110])
def test_units_change_nothing_as_long_as_squares_are_finite(covariance, prior_samples, unit):
    settings = {"tol": 0, "max_iter": 5, "prior_samples": prior_samples}
    plain = GaussianMixture(2, covariance, init=IRIS.X[[0, 99]], **settings).fit(IRIS.X)
    other = GaussianMixture(2, covariance, init=IRIS.X[[0, 99]] * unit, **settings).fit(IRIS.X * unit)
    np.testing.assert_allclose(other.means_ / unit, plain.means_, rtol=1e-9)
    np.testing.assert_allclose(other.covariances_ / unit / unit, plain.covariances_, rtol=1e-9)


@pytest.mark.parametrize(
    ("mixture", "X", "message"),
    [
        (GaussianMixture(2), HOLED, r"X\[3, 0\] is nan"),
        (GaussianMixture(0), IRIS.X, "n_components must be a whole number, 1 or more, not 0"),
        (GaussianMixture(2, n_init=0), IRIS.X, "n_init must be a whole number, 1 or more, not 0"),
        (GaussianMixture(2, max_iter=1.5), IRIS.X, "max_iter must be a whole number, 0 or more, not 1.5"),
        (GaussianMixture(2, "tied"), IRIS.X, "'full', 'diagonal', 'spherical', not 'tied'"),
        (GaussianMixture(2, init="k-means++"), IRIS.X, "'kmeans', 'random', means or a tuple .* not 'k-means\\+\\+'"),
        (GaussianMixture(2, init=[[0, 0]]), IRIS.X, r"the means in init must have shape \(2, 4\), not \(1, 2\)"),
        (GaussianMixture(2, init=([0.5, 0.6], IRIS.X[:2], [np.eye(4)] * 2)), IRIS.X, "sums to 1.1"),
        (GaussianMixture(2, init=([0.5, 0.5], IRIS.X[:2], [1, 1])), IRIS.X, r"covariances in init .* \(2, 4, 4\)"),
        (GaussianMixture(2, init=([0.5, 0.3, 0.2], IRIS.X[:2], [np.eye(4)] * 2)), IRIS.X, r"weights in init .* \(2,\)"),
        (GaussianMixture(2, init=(IRIS.X[0], IRIS.X[1])), IRIS.X, "has 2 parts"),
        (GaussianMixture(2, init=HOLED[[3, 4]]), IRIS.X, r"means in init\[0, 0\] is nan"),
        (
            GaussianMixture(2, shared=True, init=([0.5, 0.5], IRIS.X[:2], [np.eye(4), 2 * np.eye(4)])),
            IRIS.X,
            "the same",
        ),
        (GaussianMixture(2, tol=-1), IRIS.X, "tol must be a number, 0 or more, not -1"),
        (GaussianMixture(3), np.array([[0.0], [1]] * 5), "n_components is 3, but X has only 2 different rows"),
        (GaussianMixture(2), IRIS.X[:, [0, 1, 0]], "columns 0, 2, or a combination of them, .*covariance='diagonal'"),
        (
            GaussianMixture(2),
            IRIS.X * [1, 0, 1, 1],
            "^column 1 does not vary in these 150 samples: drop it, or use",
        ),
        (
            GaussianMixture(2, "diagonal"),
            IRIS.X * [0, 1, 0, 1],
            "^columns 0, 2 do not vary .* drop them, .*'spherical'$",
        ),
        (
            GaussianMixture(2, "spherical"),
            np.ones((9, 1)),
            "^column 0 does not vary in these 9 .* samples that differ$",
        ),
        (GaussianMixture(2, "spherical"), np.ones((9, 2)), "^columns 0, 1 do not vary in these 9 samples: a mixture"),
        (GaussianMixture(2), IRIS.X * [1, 1e160, 1, 1], r"^column 1 holds 4.4e\+160, which is too large to square"),
        (GaussianMixture(2), -1e308 * np.sign(IRIS.X - 3), r"^column 0 holds 1e\+308, which is too large"),
        (
            GaussianMixture(2),
            IRIS.X * [1, 1, 1e-160, 1],
            "^column 2 varies by only 5.9e-160, which is too little",
        ),
        (GaussianMixture(2, init=None), IRIS.X, "init must be 'kmeans', .*, not None"),
        (GaussianMixture(2, init=["k", "means"]), IRIS.X, r"init must be .*, not \['k', 'means'\]"),
        (GaussianMixture(2, init=[[0, 1], [2]]), IRIS.X, r"init must be .*, not \[\[0, 1\], \[2\]\]"),
        (GaussianMixture(2, shared="no"), IRIS.X, "shared must be True or False, not 'no'"),
        (GaussianMixture(2, tol=np.nan), IRIS.X, "tol must be a number, 0 or more, not nan"),
        (GaussianMixture(2, tol="1e-3"), IRIS.X, "tol must be a number, 0 or more, not '1e-3'"),
        (GaussianMixture(2, prior_samples=-1), IRIS.X, "prior_samples must be a number, 0 or more, not -1"),
        (GaussianMixture(2, prior_samples=np.inf), IRIS.X, "prior_samples must be a number, 0 or more, not inf"),
        (GaussianMixture(2, prior_samples=True), IRIS.X, "prior_samples must be a number, 0 or more, not True"),
        (GaussianMixture(True), IRIS.X, "n_components must be a whole number, 1 or more, not True"),
        (GaussianMixture(2, random_state="x"), IRIS.X, "'x' cannot be used to seed"),
    ],
)
def test_errors_of_fit_say_what_is_wrong(mixture, X, message):
    with pytest.raises(ValueError, match=message):
        mixture.fit(X)


def test_a_missing_value_has_no_responsibilities():
    with pytest.raises(ValueError, match=r"X\[3, 0\] is nan"):
        GaussianMixture(2, random_state=0).fit(IRIS.X).predict_proba(HOLED)


def test_a_sample_beyond_all_distances_has_no_responsibilities():
    """The posterior would be 0/0 where all squared distances overflow; where one does not, it is exact."""
    with pytest.raises(ValueError, match=r"the sample \[1e\+160, 0.0\] is too far from all components"):
        e_step([[0.0, 0], [1e160, 0]], [0.5, 0.5], [Gaussian([0, 0], 1), Gaussian([1, 0], 1)])
    responsibilities, log_density = e_step([[1e100]], [0.5, 0.5], [Gaussian(0, 1e-150), Gaussian(0, 1e100)])
    np.testing.assert_array_equal(responsibilities, [[0, 1]])
    assert log_density[0] == pytest.approx(-5e99)


def test_a_row_beyond_all_distances_has_the_weights_and_leaves_the_others_alone():
    fitted = GaussianMixture(2, random_state=0).fit(IRIS.X)
    X = np.vstack([IRIS.X[:3], np.full(4, 1e200)])
    expected = logsumexp(np.log(fitted.weights_) + np.transpose([g.log_density(X) for g in fitted.gaussians_]), axis=1)
    np.testing.assert_allclose(fitted.score_samples(X), expected, rtol=1e-12)
    assert fitted.score_samples(X)[3] == fitted.score(X) == -np.inf
    with pytest.warns(UserWarning, match="rows too far from all components: 3; the weights alone decide there"):
        found = fitted.predict_proba(X)
    np.testing.assert_array_equal(found[:3], fitted.predict_proba(X[:3]))
    np.testing.assert_array_equal(found[3], fitted.weights_)


def test_a_row_that_one_class_cannot_reach_goes_to_the_other():
    narrow, wide = 1e-100 * IRIS.X[:50], IRIS.X[50:100]
    rule = DensityClassifier(GaussianMixture(1)).fit(np.vstack([narrow, wide]), np.repeat(["narrow", "wide"], 50))
    np.testing.assert_array_equal(rule.predict_proba([[1e60] * 4]), [[0, 1]])
    with pytest.warns(UserWarning, match="no class .* the priors alone decide"):
        np.testing.assert_allclose(rule.predict_proba([[1e200] * 4]), [[0.5, 0.5]])


@pytest.mark.parametrize("call", [lambda m: m.sample(3, np.random.default_rng(0)), lambda m: m.score_samples([[0.0]])])
def test_an_unfitted_mixture_says_so(call):
    with pytest.raises(NotFittedError, match="GaussianMixture instance is not fitted yet"):
        call(GaussianMixture())
