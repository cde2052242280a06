"""A mixture that is fitted to parts makes the iterations that it would make in memory."""

import dask
import dask.array as da
import dask.dataframe as dd
import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from family import state
from hypothesis import given, settings

from bayeslab import CollapsedComponentError, GaussianMixture
from bayeslab._machinery import mixture_parts
from bayeslab.distributed import fit, predict

MEANS = np.array([[0.0, 0, 0], [4, 0, 1], [0, 5, -1]])


@pytest.fixture(autouse=True)
def _one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def make_data(seed, n=300):
    """Three overlapping groups in columns of different units."""
    rng = np.random.default_rng(seed)
    return (MEANS[rng.integers(3, size=n)] + rng.normal(size=(n, 3))) * [1, 10, 0.1] + 5, rng


def assert_same_history(one, other, tolerance=1e-12):
    assert one.n_iter_ == other.n_iter_
    for ours, theirs in zip(one.history_, other.history_, strict=True):
        np.testing.assert_allclose(ours.objective, theirs.objective, rtol=tolerance)
        np.testing.assert_allclose(ours.log_likelihood, theirs.log_likelihood, rtol=tolerance)
        for name in ("weights", "means", "covariances"):
            expected = getattr(theirs, name)
            atol = tolerance * np.abs(expected).max()
            np.testing.assert_allclose(getattr(ours, name), expected, rtol=tolerance, atol=atol)


@pytest.mark.parametrize(
    "options",
    [{}, {"covariance": "diagonal", "prior_samples": 2.0}, {"covariance": "spherical"}, {"shared": True}],
    ids=str,
)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1), cuts=st.lists(st.integers(0, 300), max_size=8), weighted=st.booleans())
def test_each_iteration_is_that_in_memory(options, seed, cuts, weighted):
    X, rng = make_data(seed)
    weights = rng.integers(0, 4, 300) * 0.7 if weighted else None
    mixture = GaussianMixture(3, init=MEANS * [1, 10, 0.1] + 5, max_iter=12, tol=0, **options)
    cuts = np.sort([*cuts, *cuts[:2]])
    parts = np.split(X, cuts)
    weights_of_parts = None if weights is None else np.split(weights, cuts)
    whole = GaussianMixture(**mixture.get_params()).fit(X, sample_weight=weights)
    assert_same_history(fit(mixture, parts, sample_weight=weights_of_parts), whole)
    assert mixture.bic(X) == pytest.approx(whole.bic(X), rel=1e-12)


@pytest.mark.parametrize("init", ["kmeans", "random"])
def test_a_start_in_few_rows_is_that_in_memory(init):
    X, _ = make_data(1)
    mixture = GaussianMixture(3, init=init, n_init=2, random_state=4, max_iter=20, tol=0)
    whole = GaussianMixture(**mixture.get_params()).fit(X)
    assert_same_history(fit(mixture, np.array_split(X, 7)), whole, 1e-10)


def test_a_start_in_many_rows_is_looked_for_in_some_of_them(monkeypatch):
    X, _ = make_data(2, n=3000)
    monkeypatch.setattr(mixture_parts, "SAMPLE", 200)
    first, again = (fit(GaussianMixture(3, random_state=0), da.from_array(X, chunks=(170, 3))) for _ in range(2))
    assert first.lower_bound_ == again.lower_bound_
    whole = GaussianMixture(3, init=(first.weights_, first.means_, first.covariances_)).fit(X)
    assert first.converged_
    assert whole.lower_bound_ == pytest.approx(first.lower_bound_, abs=1e-5)


def test_the_sample_is_drawn_from_all_rows_alike(monkeypatch):
    """Of parts of 10 and of 990 rows: each row is as probable."""
    monkeypatch.setattr(mixture_parts, "SAMPLE", 100)
    X, model = np.arange(1000.0)[:, None], GaussianMixture()
    drawn = []
    for seed in range(200):
        small = mixture_parts.Survey.of(model, X[:10], None, 2 * seed)
        both = small.merged(mixture_parts.Survey.of(model, X[10:], None, 2 * seed + 1))
        assert len(both.sample) == 100
        drawn.append((both.sample[:, 0] < 10).sum())
    # Hypergeometric, with mean 1 and standard deviation 0.94: four standard errors.
    assert np.mean(drawn) == pytest.approx(1, abs=4 * 0.94 / np.sqrt(200))


def test_frames_and_lazy_predictions():
    X, rng = make_data(3)
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    weight = pd.Series(rng.random(300), name="weight")
    mixture = GaussianMixture(2, random_state=0, max_iter=5, tol=0)
    fit(mixture, dd.from_pandas(frame.assign(weight=weight), npartitions=3), sample_weight="weight")
    assert mixture.feature_names_in_.tolist() == ["p", "q", "r"]
    assert_same_history(mixture, GaussianMixture(**mixture.get_params()).fit(frame, sample_weight=weight), 1e-10)
    lazy = predict(mixture, dd.from_pandas(frame, npartitions=3), "predict_proba")
    np.testing.assert_array_equal(lazy.compute(), mixture.predict_proba(frame))


X_GOOD = make_data(5, 60)[0]


def with_value(value):
    X = X_GOOD.copy()
    X[7, 1] = value
    return X


@pytest.mark.parametrize(
    ("parts", "weights", "message"),
    [
        ([X_GOOD, with_value(np.nan)], None, r"part 1 of X: X\[7, 1\] is nan"),
        ([X_GOOD, X_GOOD, with_value(1e200)], None, "part 2 of X: column 1 holds 1e\\+200, which is too large"),
        ([X_GOOD, X_GOOD[:, :2]], None, "part 0 and part 1 of X do not go together: .* 3 and of 2 features"),
        ([X_GOOD * [1, 0, 1]] * 2, None, "column 1 does not vary"),
        ([X_GOOD] * 2, [np.ones(60), np.ones(6)], r"part 1 of X and sample_weight: weights must have shape \(60,\)"),
        ([X_GOOD] * 2, [np.zeros(60)] * 2, "all weights are zero"),
        ([X_GOOD[:0]] * 2, None, "X holds no rows at all"),
        ([X_GOOD[:1]] * 2, None, "do not vary|not vary"),
        ([pd.DataFrame(X_GOOD), pd.DataFrame(X_GOOD, columns=list("pqr"))], None, r"part 0 and part 1 .*'p', 'q', 'r'"),
    ],
)
def test_errors_name_the_part_and_leave_the_mixture_as_it_was(parts, weights, message):
    mixture = GaussianMixture(2, random_state=0).fit(X_GOOD)
    before = state(mixture)
    with pytest.raises(ValueError, match=message):
        fit(mixture, parts, sample_weight=weights)
    assert state(mixture) == before


def test_a_component_that_collapses_is_named_as_in_memory():
    X = np.vstack([X_GOOD, np.full((5, 3), 90.0)])
    mixture = GaussianMixture(2, init=[[5, 5, 5], [90, 90, 90]])
    with pytest.raises(CollapsedComponentError, match="component 1 collapsed"):
        fit(mixture, np.array_split(X, 3))
