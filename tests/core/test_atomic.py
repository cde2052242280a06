"""A method that changes an estimator changes it whole or not at all."""

from functools import cached_property

import pytest
from sklearn.base import BaseEstimator

from bayeslab._base.atomic import all_or_nothing


class Estimator(BaseEstimator):
    """Learns a number in two steps, between which it may be interrupted."""

    def __init__(self, factor=1):
        self.factor = factor

    @all_or_nothing
    def fit(self, number, interruption=None):
        self.first_ = number
        if interruption:
            raise interruption
        self.second_ = self.factor * number
        return self

    @cached_property
    def cached_(self):
        return self.first_, self.second_


class Cached(Estimator):
    """A subclass of a user."""

    @cached_property
    def own_(self):
        return self.second_ + 1


@pytest.mark.parametrize("interruption", [ValueError("wrong"), KeyboardInterrupt(), SystemExit()])
def test_what_is_interrupted_changes_nothing(interruption):
    fresh, fitted = Estimator(), Estimator(3).fit(2)
    for estimator in (fresh, fitted):
        before = dict(vars(estimator))
        with pytest.raises(type(interruption)):
            estimator.fit(5, interruption)
        assert vars(estimator) == before


def test_what_succeeds_changes_the_estimator_itself():
    estimator = Cached(3)
    assert estimator.fit(2) is estimator
    assert (estimator.cached_, estimator.own_) == ((2, 6), 7)
    estimator.fit(5)
    assert (estimator.cached_, estimator.own_) == ((5, 15), 16)
