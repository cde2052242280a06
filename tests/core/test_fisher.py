"""Linear scores and Fisher's axes, beside scikit-learn's: up to the sign of an axis."""

import numpy as np
import pytest
from family import PEER_DDOF
from sklearn import discriminant_analysis

from bayeslab import (
    GaussianClassifier,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    load_iris,
    load_penguins,
    two_class,
)

IRIS = load_iris()
PAIR = two_class(IRIS.X, IRIS.y, "versicolor", "virginica")
DATA = {"iris": (IRIS.X, IRIS.y), "pair": PAIR, "penguins": (load_penguins().X, load_penguins().y)}


def both(X, y, priors=None):
    ours = LinearDiscriminantAnalysis(priors, ddof=PEER_DDOF).fit(X, y)
    return ours, discriminant_analysis.LinearDiscriminantAnalysis(priors=priors).fit(X, y)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("equal", [False, True])
def test_linear_scores_are_scikit_learns(name, equal):
    X, y = DATA[name]
    K = len(np.unique(y))
    ours, peer = both(X, y, np.full(K, 1 / K) if equal else None)
    assert ours.coef_.shape == peer.coef_.shape
    assert ours.intercept_.shape == peer.intercept_.shape
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-6)


@pytest.mark.parametrize("name", DATA)
def test_axes_are_scikit_learns(name):
    X, y = DATA[name]
    ours, peer = both(X, y)
    found, expected = ours.transform(X), peer.transform(X)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found * np.sign(found[0]), expected * np.sign(expected[0]), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(ours.explained_variance_ratio_, peer.explained_variance_ratio_, atol=1e-12)
    assert ours.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()


def test_a_column_that_is_left_out_has_the_coefficient_0():
    X = np.column_stack([np.ones(150), IRIS.X])
    with pytest.warns(UserWarning, match="never vary: columns 0"):
        fitted = LinearDiscriminantAnalysis().fit(X, IRIS.y)
    plain = LinearDiscriminantAnalysis().fit(IRIS.X, IRIS.y)
    np.testing.assert_allclose(fitted.coef_, np.column_stack([np.zeros(3), plain.coef_]))
    np.testing.assert_allclose(np.abs(fitted.transform(X)), np.abs(plain.transform(IRIS.X)))


@pytest.mark.parametrize("asked", [0, 3, 1.5, True, "one"])
def test_axes_that_there_are_not(asked):
    with pytest.raises(ValueError, match=f"n_components must be None or a whole number from 1 to 2, not {asked!r}"):
        LinearDiscriminantAnalysis(n_components=asked).fit(IRIS.X, IRIS.y)


@pytest.mark.parametrize("model", [QuadraticDiscriminantAnalysis(), GaussianClassifier(shared=0.9)])
def test_scores_that_are_not_linear_have_no_coefficients(model):
    assert not hasattr(model.fit(IRIS.X, IRIS.y), "coef_")
    with pytest.raises(AttributeError, match="use shared=True"):
        _ = model.intercept_


def test_no_more_axes_than_the_rank_and_changes_wait_for_the_next_fit():
    with pytest.raises(ValueError, match="from 1 to 1, not 2"):
        LinearDiscriminantAnalysis(n_components=2).fit(IRIS.X[:, :1], IRIS.y)
    fitted = LinearDiscriminantAnalysis().fit(IRIS.X, IRIS.y).set_params(n_components=1)
    assert fitted.transform(IRIS.X).shape == (150, 2)
    assert fitted.fit(IRIS.X, IRIS.y).transform(IRIS.X).shape == (150, 1)
