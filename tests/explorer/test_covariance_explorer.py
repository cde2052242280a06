"""The covariance explorer: its numbers in the browser are NumPy's, and its traits make sense."""

import numpy as np
import pytest
from javascript import call, needs_node, script_of
from traitlets import TraitError

from bayeslab import Gaussian
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


@needs_node
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
        deviation = np.sqrt(1 / np.linalg.inv(S)[1, 1])  # a precision is that of what is left, given the other
        assert parts["conditional"]["mean"] == pytest.approx(conditional.mean[0], rel=1e-9, abs=1e-9)
        assert parts["conditional"]["deviation"] == pytest.approx(deviation, rel=1e-7)
        assert parts["conditional"]["deviation"] ** 2 == pytest.approx(conditional.covariance[0, 0], rel=1e-9)


@needs_node
def test_a_matrix_is_made_of_deviations_and_correlation():
    (found,) = call("covariance_explorer.js", "matrixOf", [[[2, 3], -0.5]])
    np.testing.assert_allclose(found, [[4, -3], [-3, 9]])


def test_the_conditional_is_that_of_a_fine_strip():
    """Of a large sample, those with x₁ near the cut."""
    explorer = CovarianceExplorer([[2, 1.2], [1.2, 1.5]], cut=1)
    X = explorer.gaussian().sample(400_000, np.random.default_rng(0))
    strip = X[np.abs(X[:, 0] - 1) < 0.02, 1]
    assert strip.mean() == pytest.approx(explorer.conditional().mean[0], abs=0.05)
    assert strip.var() == pytest.approx(explorer.conditional().covariance[0, 0], rel=0.1)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("covariance", [[1, 2], [2, 1]], "positive definite"),
        ("covariance", [[1, 0.5], [0, 1]], "symmetric"),
        ("covariance", np.eye(3), r"shape \(2, 2\), not \(3, 3\)"),
        ("covariance", [[1, np.nan], [0, 1]], r"covariance\[0, 1\] is nan"),
        ("cut", np.inf, "finite"),
        ("cut", "a", "cut"),
    ],
)
def test_nonsense_is_refused_and_the_last_good_state_stays(name, value, message):
    explorer = CovarianceExplorer()
    before = explorer.get_state()
    with pytest.raises(TraitError, match=message):
        setattr(explorer, name, value)
    assert explorer.get_state() == before


def test_a_notebook_keeps_a_picture_and_a_text():
    data, _ = CovarianceExplorer([[4, 0], [0, 1]], cut=2)._repr_mimebundle_()
    assert data["text/plain"] == "CovarianceExplorer([[4.0, 0.0], [0.0, 1.0]], cut=2)"
    assert "image/png" in data
    assert isinstance(CovarianceExplorer().gaussian(), Gaussian)


def test_a_page_holds_the_traits_that_are_ours():
    assert set(CovarianceExplorer()._saved_state()) == {"covariance", "cut", "compact"}


def test_the_saved_page_holds_what_it_needs_alone(tmp_path):
    CovarianceExplorer().save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "Made by CovarianceExplorer.save" in page
    assert "class Stage" in script_of(page)
    assert "class Picture" not in script_of(page)
