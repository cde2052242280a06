"""What notebook 03 says where one threshold becomes two: SciPy's densities, compared on a fine grid."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.datasets import load_iris
from stored import printed_by

WIDTHS = load_iris().data[50:, 3]
MEANS, σ = WIDTHS.reshape(2, 50).mean(axis=1), WIDTHS[:50].std(ddof=1)
GRID = np.linspace(-10, 14, 2_400_001)
NARROW = norm(MEANS[0], σ)


@pytest.mark.parametrize(("factor", "number"), [(1, 1), (2, 2), (3, 2)])
def test_crossings(factor, number):
    above = NARROW.logpdf(GRID) > norm.logpdf(GRID, MEANS[1], factor * σ)
    places = GRID[1:][np.diff(above)]
    line = printed_by("03", "crossings at").splitlines()[factor - 1]
    assert line.startswith(f"virginica's σ {factor * σ:.2f} cm")
    assert [float(x) for x in line.split("[")[1].split("]")[0].split()] == pytest.approx(places, abs=0.006)
    assert len(places) == number


def test_answers():
    """Error of one threshold halfway and of two, where virginica is wide; and who wins far out."""
    wide, halfway = norm(MEANS[1], 0.6), MEANS.mean()
    least = np.minimum(NARROW.pdf(GRID), wide.pdf(GRID)).sum() * (GRID[1] - GRID[0]) / 2
    assert [(NARROW.sf(halfway) + wide.cdf(halfway)) / 2, least] == pytest.approx([0.159, 0.150], abs=5e-4)
    assert norm(MEANS[1], 0.99 * σ).logpdf(-100) < NARROW.logpdf(-100) < norm(MEANS[1], 1.01 * σ).logpdf(-100)
