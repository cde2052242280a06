"""The EM explorer without a browser: its start is scikit-learn's, its picture follows, and it refuses nonsense."""

import warnings

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture as SklearnMixture

from bayeslab import CollapsedComponentError, make_gaussian_pair
from bayeslab.explore import EMExplorer

X = make_gaussian_pair("P1b", 100, np.random.default_rng(6)).X
STARTS = X[[1, 0]]


def explorer(**traits):
    return EMExplorer(X, **({"starts": STARTS} | traits))


def test_the_mixture_is_the_one_that_scikit_learn_finds_from_the_same_start():
    ours = explorer(sizes=[1, 0.5])
    weights, means, covariances = ours.start()
    np.testing.assert_allclose(covariances[1], np.cov(X.T, ddof=0) / 4)
    found = ours.mixture()
    start = {"weights_init": weights, "means_init": means, "precisions_init": np.linalg.inv(covariances)}
    peer = SklearnMixture(2, reg_covar=0, tol=1e-12, max_iter=2000, **start).fit(X)
    np.testing.assert_allclose(found.means_, peer.means_, atol=1e-2)  # ours ends where ℓ gains less than 1e-6
    np.testing.assert_allclose(found.covariances_, peer.covariances_, atol=1e-2)
    assert len(X) * (peer.score(X) - found.score(X)) < 1e-4


def test_a_collapse_is_raised_and_what_comes_before_is_drawn():
    farthest = X[np.argmax(X.sum(axis=1))]
    ours = explorer(starts=[[0, 0], farthest], sizes=[1, 0.02], step=99)
    with pytest.raises(CollapsedComponentError) as caught:
        ours.mixture()
    assert caught.value.component == 1
    plane, climb = ours._draw().axes
    assert [len(line.get_ydata()) for line in climb.lines] == [caught.value.iteration] * 2
    assert len(plane.collections[0].get_offsets()) == len(X)


@pytest.mark.parametrize(("step", "iteration"), [(0, 0), (1, 0), (2, 1), (7, 3), (10_000, 43)])
def test_the_picture_shows_the_half_step(step, iteration):
    ours = explorer(step=step)
    plane, climb = ours._draw().axes
    history = ours.mixture().history_
    assert len(history) == 44
    expected = [each.log_likelihood * len(X) for each in history]
    np.testing.assert_allclose(climb.lines[0].get_ydata(), expected)
    np.testing.assert_allclose(climb.lines[1].get_ydata(), expected[: iteration + 1])
    colours = np.unique(plane.collections[0].get_facecolors(), axis=0)
    assert len(colours) == 1 if step == 0 else len(colours) > 100  # grey, or mixed by responsibilities


def test_a_run_that_has_not_ended_draws_without_a_warning():
    cloud = np.random.default_rng(0).normal(size=(60, 2))
    slow = EMExplorer(cloud, [[0, 0.01], [0, 0]], step=3)
    with warnings.catch_warnings(action="error"):
        slow._repr_mimebundle_()
