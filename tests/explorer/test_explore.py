"""The boundary explorer without a browser: what it starts from, and its traits."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from traitlets import TraitError

from bayeslab import (
    Gaussian,
    GaussianClassifier,
    LinearDiscriminantAnalysis,
    TrueClassifier,
    load_iris,
    make_three_classes,
    make_xor,
)
from bayeslab.explore import BoundaryExplorer

GRID = np.random.default_rng(0).uniform(-3, 6, (50, 2))


@pytest.fixture
def explorer():
    return BoundaryExplorer(load_iris().select("petal length", "petal width"))


def test_a_data_set_is_shown_with_the_gaussians_fitted_to_it(explorer):
    iris = load_iris().select("petal length", "petal width")
    fitted = GaussianClassifier().fit(iris.X, iris.y)
    assert explorer.class_names == ["setosa", "versicolor", "virginica"]
    assert explorer.feature_names == ["petal length (cm)", "petal width (cm)"]
    np.testing.assert_array_equal(explorer.X, iris.X)
    np.testing.assert_array_equal(explorer.y, iris.y)
    np.testing.assert_allclose(explorer.means, fitted.means_)
    np.testing.assert_allclose(explorer.covariances, fitted.covariance_)
    assert (explorer.mode, explorer.rule) == ("estimate", "QDA")


def test_a_data_set_that_knows_its_truth_brings_it():
    dataset = make_three_classes(20, np.random.default_rng(0))
    explorer = BoundaryExplorer(dataset)
    np.testing.assert_array_equal(explorer.means, [gaussian.mean for gaussian in dataset.truth.gaussians])
    assert explorer.mode == "truth"
    assert len(explorer.points) == 60
    mixture = BoundaryExplorer(make_xor(20, np.random.default_rng(0)))  # two Gaussians per class: fitted instead
    assert mixture.mode == "estimate"


@pytest.mark.parametrize("rule", ["nearest mean", "naive", "LDA", "QDA"])
def test_a_classifier_is_shown_as_it_is_and_comes_back(rule):
    options = {
        "nearest mean": ("spherical", True),
        "naive": ("diagonal", False),
        "LDA": ("full", True),
        "QDA": ("full", False),
    }
    dataset = make_three_classes(30, np.random.default_rng(1))
    fitted = GaussianClassifier(*options[rule]).fit(dataset.X, dataset.y)
    explorer = BoundaryExplorer(fitted)
    assert (explorer.rule, explorer.mode, len(explorer.points)) == (rule, "truth", 0)
    back = explorer.classifier()
    np.testing.assert_allclose(back.predict_log_proba(GRID), fitted.predict_log_proba(GRID), atol=1e-9)


@pytest.mark.parametrize("kind", ["full", "diagonal"])
@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_a_regularised_classifier_is_shown_as_one_and_comes_back(kind, priors):
    dataset = make_three_classes(30, np.random.default_rng(1))
    fitted = GaussianClassifier(kind, shared=0.3, priors=priors).fit(dataset.X, dataset.y)
    explorer = BoundaryExplorer(fitted)
    assert (explorer.rule, explorer.shared) == ("RDA", 0.3)
    back = explorer.classifier()
    np.testing.assert_allclose(back.predict_log_proba(GRID), fitted.predict_log_proba(GRID), atol=1e-9)
    if priors is None:  # equal classes are pooled by equal priors: then the covariances are their own
        own = GaussianClassifier(kind).fit(dataset.X, dataset.y).covariance_
        np.testing.assert_allclose(explorer.covariances, own, atol=1e-9)
    again = BoundaryExplorer(back)
    assert (again.rule, again.shared) == ("RDA", 0.3)
    np.testing.assert_allclose(again.covariances, explorer.covariances, atol=1e-9)


def test_where_rda_cannot_be_shown_the_explorer_says_so_and_decides_the_same():
    X = np.random.default_rng(0).normal(size=(60, 2)) * np.repeat([[1], [9]], 30, axis=0)
    fitted = GaussianClassifier(shared=0.9, priors=[0.01, 0.99]).fit(X, np.repeat(["narrow", "wide"], 30))
    with pytest.warns(UserWarning, match="pools covariances by the priors.* shared=0.9: it shows them as QDA"):
        explorer = BoundaryExplorer(fitted)
    assert explorer.rule == "QDA"
    back = explorer.classifier()
    np.testing.assert_allclose(back.predict_log_proba(GRID), fitted.predict_log_proba(GRID), atol=1e-9)


def test_the_rule_can_be_chosen_and_traits_can_be_given():
    explorer = BoundaryExplorer(LinearDiscriminantAnalysis().fit(GRID, GRID[:, 0] > 1), "naive", k=9, side_by_side=True)
    assert (explorer.rule, explorer.k, explorer.side_by_side) == ("naive", 9, True)
    assert explorer.class_names == [False, True]


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (load_iris(), ValueError, r"4: choose, such as \.select\('petal length', 'petal width'\)"),
        ((np.ones((4, 3)), [0, 0, 1, 1]), ValueError, r"X has shape \(4, 3\)"),
        ((GRID, [0, 1]), ValueError, "X has 50 rows, but y has 2 labels"),
        ((GRID[:, [0, 0]], GRID[:, 0] > 1), ValueError, "singular"),
        (make_xor(5, np.random.default_rng(0)).truth, ValueError, "one Gaussian per class"),
        (TrueClassifier([Gaussian(0, 1), Gaussian(1, 1)], [0, 1]), ValueError, "2 features"),
        ((GRID, np.arange(50) % 6), TraitError, "2 to 5 different labels"),
        (GaussianClassifier(), NotFittedError, "not fitted yet"),
        ("iris", TypeError, "not from a str"),
    ],
)
def test_what_cannot_be_shown_is_refused(source, error, message):
    with pytest.raises(error, match=message):
        BoundaryExplorer(source)


def test_arrays_are_copies_that_cannot_be_changed_unnoticed(explorer):
    means = explorer.means + 1
    explorer.means = means
    means[0] = 99
    assert explorer.means.max() < 99
    with pytest.raises(ValueError, match="read-only"):
        explorer.means[0, 0] = 5


def test_an_observer_hears_of_a_change_once(explorer):
    heard = []
    explorer.observe(heard.append, ["means", "points"])
    explorer.means = explorer.means + 1
    explorer.means = explorer.means.tolist()
    explorer.points = explorer.points[:0]
    assert [change.name for change in heard] == ["means", "points"]


def test_what_the_browser_sends_arrives_and_is_not_sent_back(explorer, monkeypatch):
    sent = []
    monkeypatch.setattr(explorer, "send_state", sent.append)
    state = explorer.get_state(["means", "points"])
    state["means"][0] = [7, 8]
    explorer.set_state(state)
    assert explorer.means[0].tolist() == [7, 8]
    assert sent == []
    with pytest.raises(TraitError):
        explorer.set_state({"priors": [2, -1, 0]})
