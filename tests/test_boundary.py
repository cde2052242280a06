"""The two-class rule and the choice of two classes."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from bayeslab import Gaussian, QuadraticDiscriminantAnalysis, load_iris, log_determinant_rule, two_class

A = Gaussian([0, 1], [[2, 0.5], [0.5, 1]])
B = Gaussian([1, 0], [[1, -0.3], [-0.3, 3]])
X = np.random.default_rng(0).normal(size=(40, 2))


def test_the_rule_is_twice_scipys_log_likelihood_ratio():
    ratio = multivariate_normal(A.mean, A.covariance).logpdf(X) - multivariate_normal(B.mean, B.covariance).logpdf(X)
    np.testing.assert_allclose(log_determinant_rule(X, A, B), 2 * ratio)
    np.testing.assert_allclose(log_determinant_rule(X, B, A), -2 * ratio)


def test_the_rule_decides_like_the_classifier_with_equal_priors():
    iris = load_iris()
    pair_X, pair_y = two_class(iris.X, iris.y, "versicolor", "virginica")
    fitted = QuadraticDiscriminantAnalysis(priors="equal").fit(pair_X, pair_y)
    c = log_determinant_rule(pair_X, *fitted.gaussians_)
    np.testing.assert_allclose(c, -2 * fitted.decision_function(pair_X))
    assert ((c > 0) == (fitted.predict(pair_X) == "versicolor")).all()


def test_two_class_keeps_the_order_of_the_file():
    X, y = two_class([[1], [2], [3], [4]], ["b", "a", "c", "b"], "a", "b")
    assert X.ravel().tolist() == [1, 2, 4]
    assert y.tolist() == ["b", "a", "b"]


@pytest.mark.parametrize(("pair", "message"), [(("a", "z"), "label 'z'; the labels are"), (("a", "a"), "both are 'a'")])
def test_two_class_errors(pair, message):
    with pytest.raises(ValueError, match=message):
        two_class([[1], [2]], ["a", "b"], *pair)


def test_lengths_and_dimensions_must_match():
    with pytest.raises(ValueError, match="X has 1 rows, but y has 2 labels"):
        two_class([[1]], ["a", "b"], "a", "b")
    with pytest.raises(ValueError, match="same features, but a has 2 and b has 1"):
        log_determinant_rule([3.0, 4.0], Gaussian([0, 0], 1), Gaussian(0, 1))
