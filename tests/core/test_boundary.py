"""Selecting two classes, the rule between them, and the surface where it ties."""

import mpmath
import numpy as np
import pytest
from family import refusals
from scipy.stats import multivariate_normal

from bayeslab import (
    Gaussian,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    QuadraticSurface,
    load_iris,
    log_determinant_rule,
    two_class,
)

A = Gaussian([0, 1], [[2, 0.5], [0.5, 1]])
B = Gaussian([1, 0], [[1, -0.3], [-0.3, 3]])
X = np.random.default_rng(0).normal(size=(40, 2))


def test_the_rule_is_twice_scipys_log_likelihood_ratio():
    ratio = multivariate_normal(A.mean, A.covariance).logpdf(X) - multivariate_normal(B.mean, B.covariance).logpdf(X)
    np.testing.assert_allclose(log_determinant_rule(X, A, B), 2 * ratio)
    np.testing.assert_allclose(log_determinant_rule(X, B, A), -2 * ratio)


def test_two_class_keeps_the_order_of_the_file():
    X, y = two_class([[1], [2], [3], [4]], ["b", "a", "c", "b"], "a", "b")
    assert X.ravel().tolist() == [1, 2, 4]
    assert y.tolist() == ["b", "a", "b"]


def random_pair(d, rng, shared=False):
    roots = rng.normal(size=(2, d, d + 2))
    roots[1] = roots[0] if shared else roots[1]
    return [Gaussian(mean, root @ root.T / d) for mean, root in zip(rng.normal(size=(2, d)), roots, strict=True)]


def expanded(surface, points):
    """Return xᵀWx + wᵀx + w₀, computed as written."""
    return np.einsum("...i,ij,...j->...", points, surface.W, points) + points @ surface.w + surface.w0


@pytest.mark.parametrize("d", [1, 2, 5, 40])
@pytest.mark.parametrize("priors", [(0.5, 0.5), (0.9, 0.1)])
def test_the_surface_is_the_log_posterior_odds(d, priors):
    rng = np.random.default_rng(d)
    a, b = random_pair(d, rng)
    points = rng.normal(size=(3, 7, d))
    logs = [multivariate_normal(g.mean, g.covariance).logpdf(points) for g in (a, b)]
    odds = logs[0] - logs[1] + np.log(priors[0] / priors[1])
    surface = QuadraticSurface.between(a, b, priors)
    for value in (surface.value, surface, lambda points: expanded(surface, points)):
        np.testing.assert_allclose(value(points).reshape(odds.shape), odds, rtol=1e-9, atol=1e-8 if d == 40 else 1e-10)
    np.testing.assert_allclose(QuadraticSurface.between(b, a, priors[::-1])(points), -surface(points), atol=1e-8)
    given_surface = QuadraticSurface(surface.W, surface.w, surface.w0)
    np.testing.assert_allclose(given_surface(points), surface(points), atol=1e-8)


def test_the_sign_of_the_surface_is_the_decision_of_the_classifier():
    iris = load_iris()
    X, y = two_class(iris.X, iris.y, "versicolor", "virginica")
    for model in (QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(priors=[0.8, 0.2])):
        fitted = model.fit(X, y)
        surface = QuadraticSurface.between(*fitted.gaussians_, fitted.priors_)
        joint = fitted.joint_log_likelihood(X)
        np.testing.assert_allclose(surface(X), joint[:, 0] - joint[:, 1], atol=1e-10)
        assert (np.where(surface.sign(X) > 0, "versicolor", "virginica") == fitted.predict(X)).all()
    assert QuadraticSurface([[1]], [0], -4).sign([-3, -2, 0, 2, 3]).tolist() == [1, 0, -1, 0, 1]


@pytest.mark.parametrize("d", [1, 2, 5])
def test_equal_covariances_give_a_hyperplane(d):
    rng = np.random.default_rng(d)
    a, b = random_pair(d, rng, shared=True)
    for other in (b, a.moved_to(b.mean)):
        surface = QuadraticSurface.between(a, other, (0.3, 0.7))
        assert np.array_equal(surface.W, np.zeros((d, d)))
        np.testing.assert_allclose(surface.w, np.linalg.solve(a.covariance, a.mean - b.mean), rtol=1e-9)
        middle = (a.mean + b.mean) / 2
        np.testing.assert_allclose(surface(middle), np.log(0.3 / 0.7))
    assert d != 2 or surface.kind == "line"


def exact_roots(a, b, priors):
    """Roots of the log posterior odds of two 1-D Gaussians, to 60 digits."""
    with mpmath.workdps(60):
        mean_a, mean_b, var_a, var_b = map(mpmath.mpf, (a.mean[0], b.mean[0], a.covariance[0, 0], b.covariance[0, 0]))
        two = (1 / var_b - 1 / var_a) / 2
        one = mean_a / var_a - mean_b / var_b
        none = (mean_b**2 / var_b - mean_a**2 / var_a + mpmath.log(var_b / var_a)) / 2
        none += mpmath.log(mpmath.mpf(priors[0]) / mpmath.mpf(priors[1]))
        if two == 0:
            return [] if one == 0 else [float(-none / one)]
        discriminant = one**2 - 4 * two * none
        if discriminant < 0:
            return []
        return sorted(float((-one + sign * mpmath.sqrt(discriminant)) / (2 * two)) for sign in (1, -1))


@pytest.mark.parametrize("ratio", [1e-8, 0.3, 1 - 1e-6, 1 - 1e-12, 1, 1 + 1e-14, 1 + 1e-9, 2, 1e8])
@pytest.mark.parametrize(("units", "offset"), [(1, 0), (1e-6, 0), (1e6, 0), (1, 1e6)])
def test_the_roots_are_those_of_exact_arithmetic(ratio, units, offset):
    a, b = Gaussian((offset + 1) * units, units**2), Gaussian((offset - 0.5) * units, ratio * units**2)
    rounding = {"rtol": 1e-15, "atol": 1e-9 * min(1, ratio**0.5) * units} if offset else {"rtol": 1e-13}
    for priors in ((0.5, 0.5), (0.1, 0.9), (0.999, 1 - 0.999)):
        surface = QuadraticSurface.between(a, b, priors)
        assert (np.shape(surface(0.0)), surface([0.0, 1.0]).shape) == ((), (2,))
        np.testing.assert_allclose(surface.roots(), exact_roots(a, b, priors), **rounding, err_msg=str(priors))
    # About one mean, where ln |Σ_a| − ln |Σ_b|, which may be nearly 0, decides alone.
    a, b = Gaussian(0, 4 * units**2), Gaussian(0, 4 * ratio * units**2)
    np.testing.assert_allclose(QuadraticSurface.between(a, b).roots(), exact_roots(a, b, (0.5, 0.5)), rtol=1e-13)


@pytest.mark.parametrize("narrow_first", [True, False])
def test_the_curve_around_a_class_much_narrower_than_the_other(narrow_first):
    narrow, wide = Gaussian([0, 0], 1e-16 * np.array([[1, 0.9], [0.9, 1]])), Gaussian([1, -2], [[1, -0.5], [-0.5, 2]])
    surface = QuadraticSurface.between(*((narrow, wide) if narrow_first else (wide, narrow)))
    (arc,) = surface.curve(1e-6 * np.array([[-1, 1], [-1, 1]]))
    assert (surface.kind, arc[0].tolist()) == ("ellipse", arc[-1].tolist())
    np.testing.assert_allclose(log_determinant_rule(arc, narrow, wide), 0, atol=1e-6)  # of two distances of about 50


@pytest.mark.parametrize(
    ("coefficients", "roots"),
    [
        ((1, -6, 9), [3]),
        ((-1, 3, -2), [1, 2]),
        ((1, 0, 1), []),
        ((0, 2, -6), [3]),
        ((0, 0, 1), []),
        ((0, 0, 0), []),
        ((1e-200, -3e-200, 2e-200), [1, 2]),
        ((0, 2e-200, -6e-200), [3]),
        ((1, -1e9, 1), [1e-9, 1e9]),
        ((4, 0, 0), [0]),
    ],
)
def test_the_roots_of_given_coefficients(coefficients, roots):
    W, w, w0 = coefficients
    np.testing.assert_allclose(QuadraticSurface([[W]], [w], w0).roots(), roots, rtol=1e-14)


@pytest.mark.parametrize(("d", "condition"), [(10, 1e10), (50, 1e6)])
def test_the_value_keeps_the_digits_of_the_two_distances(d, condition):
    """Computed from W, they would be lost: both covariances are ill-conditioned, with different axes."""
    rng = np.random.default_rng(d)
    gaussians = []
    for _ in range(2):
        Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
        covariance = (Q * np.geomspace(1, 1 / condition, d)) @ Q.T
        gaussians.append(Gaussian(rng.normal(size=d), (covariance + covariance.T) / 2))
    X = rng.normal(size=(5, d))
    expected = log_determinant_rule(X, *gaussians) / 2 + np.log(3)
    np.testing.assert_allclose(QuadraticSurface.between(*gaussians, (0.75, 0.25))(X), expected, rtol=1e-14)


test_errors_say_what_is_wrong = refusals(
    (lambda: two_class([[1], [2]], ["a", "b"], "a", "z"), "label 'z'; the labels are"),
    (lambda: two_class([[1], [2]], ["a", "b"], "a", "a"), "both are 'a'"),
    (lambda: two_class([[1]], ["a", "b"], "a", "b"), "X has 1 rows, but y has 2 labels"),
    (lambda: log_determinant_rule([3.0, 4.0], A, Gaussian(0, 1)), "same features, but a has 2 and b has 1"),
    (lambda: QuadraticSurface([[1, 2]], [1], 0), "W and w must have shapes"),
    (lambda: QuadraticSurface([[np.nan]], [1], 0), r"W\[0, 0\] is nan"),
    (lambda: QuadraticSurface.between(A, Gaussian(0, 1)), "same features, but a has 2 and b has 1"),
    (lambda: QuadraticSurface.between(A, B, (1, 0)), r"two positive numbers with sum 1, not \[1.0, 0.0\]"),
    (lambda: QuadraticSurface.between(A, B, (1, 1)), "sum 1"),
    (lambda: QuadraticSurface.between(A, B, [0.2, 0.3, 0.5]), "two positive numbers"),
    (lambda: QuadraticSurface.between(A, Gaussian([0, 0], [1, 0], "pseudo")), "rank 1 of 2"),
    (lambda: QuadraticSurface.between(A, Gaussian([0, 0], [1, 1e200])), r"in column 1, .* by 1e\+100 times"),
    (lambda: QuadraticSurface.between(A, B).roots(), "roots needs d = 1, but this surface has d = 2"),
    (lambda: QuadraticSurface([[1]], [1], 0).kind, "kind needs d = 2"),
    (lambda: QuadraticSurface(np.eye(3), np.ones(3), 0).curve([(0, 1), (0, 1)]), "curve needs d = 2"),
    (lambda: QuadraticSurface.between(A, B)([1, 2, 3]), r"2 features, but X has shape \(3,\)"),
)


def test_equal_gaussians_with_equal_priors_tie_everywhere():
    surface = QuadraticSurface.between(A, A)
    assert np.array_equal(surface(X), np.zeros(len(X)))
    assert surface.kind == "none"
    assert surface.curve(((-1, 1), (-1, 1))) == []
    assert QuadraticSurface.between(Gaussian(1, 2), Gaussian(1, 2)).roots().size == 0
