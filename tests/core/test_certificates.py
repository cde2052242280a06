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


@pytest.mark.parametrize("name", STRD)
def test_means_and_deviations(name):
    for _way, mean, deviation, _peer, needed in certificates.univariate(name):
        assert min(mean, deviation) >= needed


@pytest.mark.parametrize(("d", "condition"), certificates.PROBLEMS)
def test_log_densities(d, condition):
    *found, needed = certificates.multivariate(d, condition)
    assert min(found) >= needed
