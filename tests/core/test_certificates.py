"""Every row of the certificates holds; `make certificates` prints them."""

import certificates
import mpmath
import pytest
from nist import STRD, moments_in_decimal


@pytest.mark.parametrize("name", STRD)
def test_the_reference_data_are_those_that_were_certified(name):
    values, mean, deviation = STRD[name]
    found = moments_in_decimal(values)
    for ours, certified in zip(found, (mean, deviation), strict=True):
        assert mpmath.almosteq(ours, mpmath.mpf(certified), rel_eps=2e-15)


@pytest.mark.parametrize("row", list(certificates.univariate()), ids=lambda row: f"{row[0]}, {row[1]}")
def test_means_and_deviations(row):
    *_, mean, deviation, _peer, needed = row
    assert min(mean, deviation) >= needed


@pytest.mark.parametrize("row", list(certificates.multivariate()), ids=lambda row: f"d {row[0]}, condition {row[1]:g}")
def test_log_densities(row):
    *_, distance, density, odds, needed = row
    assert min(distance, density, odds) >= needed
