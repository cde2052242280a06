"""The covariance explorer: its numbers in the browser are NumPy's, and its traits make sense."""

import numpy as np
import pytest
from javascript import call

from bayeslab.explore import CovarianceExplorer


def matrices(n=40):
    """Return covariance matrices of all shapes, of sizes from 1e-4 to 1e4."""
    rng = np.random.default_rng(0)
    for _ in range(n):
        roots = rng.normal(size=(2, 2)) * 10 ** rng.uniform(-2, 2, (2, 1))
        yield roots @ roots.T
    yield np.eye(2)
    yield np.diag([4.0, 1.0])
    yield np.diag([1.0, 4.0])


def test_all_that_is_read_off_is_numpys():
    cases = [(S, cut) for S in matrices() for cut in (0, -1.5)]
    found = call("covariance_explorer.js", "partsOf", [[{"covariance": S.tolist(), "cut": cut}] for S, cut in cases])
    for (S, cut), parts in zip(cases, found, strict=True):
        values, vectors = np.linalg.eigh(S)
        np.testing.assert_allclose(parts["values"], values[::-1], rtol=1e-9, atol=1e-9 * values[1])
        if values[1] - values[0] > 1e-6 * values[1]:
            cosines = np.abs(np.sum(vectors.T[::-1] * parts["vectors"], axis=1))
            np.testing.assert_allclose(cosines, 1, atol=1e-9)
        assert parts["determinant"] == pytest.approx(np.linalg.det(S), rel=1e-9, abs=1e-9 * S[0, 0] * S[1, 1])
        assert parts["area"] == pytest.approx(np.pi * np.sqrt(parts["determinant"]), rel=1e-9)
        np.testing.assert_allclose(parts["sigmas"], np.sqrt(np.diag(S)), rtol=1e-9)
        assert parts["rho"] == pytest.approx(S[0, 1] / np.sqrt(S[0, 0] * S[1, 1]), abs=1e-9)
        conditional = CovarianceExplorer(S, cut).conditional()
        assert conditional.mean[0] == pytest.approx(S[0, 1] / S[0, 0] * cut)  # the line of regression
        deviation = np.sqrt(1 / np.linalg.inv(S)[1, 1])  # a precision is that of what is left, given the other
        assert parts["conditional"]["mean"] == pytest.approx(conditional.mean[0], rel=1e-9, abs=1e-9)
        assert parts["conditional"]["deviation"] == pytest.approx(deviation, rel=1e-7)
        assert parts["conditional"]["deviation"] ** 2 == pytest.approx(conditional.covariance[0, 0], rel=1e-9)


def test_a_matrix_is_made_of_deviations_and_correlation():
    (found,) = call("covariance_explorer.js", "matrixOf", [[[2, 3], -0.5]])
    np.testing.assert_allclose(found, [[4, -3], [-3, 9]])
