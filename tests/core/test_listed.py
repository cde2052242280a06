"""Errors and warnings about hundreds of columns name the first and count them; the error itself keeps all."""

import pickle

import numpy as np
import pandas as pd
import pytest

from bayeslab import (
    DegenerateSampleError,
    Exponential,
    Gaussian,
    GaussianMixture,
    NaiveBayes,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
    StudentT,
)
from bayeslab._base.warn import listed

WIDE = np.random.default_rng(0).normal(size=(40, 60))
Y = np.arange(40) % 2


def test_sixteen_entries_are_told_and_of_seventeen_three():
    assert listed(range(16)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15"
    assert listed(list("abcdefghijklmnopq")) == "'a', 'b', 'c', … (17 in all)"
    assert listed([], str) == ""
    assert listed(np.arange(3)) == "0, 1, 2"
    assert listed(np.array(["a"])) == "'a'"


def test_a_singular_covariance_of_many_columns_fills_no_page():
    with pytest.raises(
        SingularCovarianceError, match=r"columns 0, 1, 2, … \(60 in all\), or a combin.*\. Rem"
    ) as caught:
        QuadraticDiscriminantAnalysis().fit(WIDE, Y)
    assert caught.value.columns == list(range(60))
    assert len(str(caught.value)) < 500
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.columns) == (str(caught.value), caught.value.columns)
    named = pd.DataFrame(WIDE).add_prefix("pixel ")
    with pytest.raises(SingularCovarianceError, match=r"columns 'pixel 0', 'pixel 1', 'pixel 2', … \(60 in all\)"):
        QuadraticDiscriminantAnalysis().fit(named, Y)
    with pytest.raises(SingularCovarianceError, match=r"columns 0, 1, 2, … \(17 in all\)"):
        Gaussian(np.zeros(18), np.diag([0.0] * 17 + [1]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: StudentT().fit(WIDE, sample_weight=np.full(40, 2.0)), "columns 0, 1, 2, … .60 in all., or a comb"),
        (
            lambda: StudentT().fit(WIDE[:, :1] * [1, 1, 0]),
            "^columns? .* not vary, so that there is no density: drop one",
        ),
        (lambda: StudentT().fit(WIDE[:, :1] * 0 + 7), r"^all samples \(of weight 40\) are 7, so .*: drop the column$"),
        (lambda: GaussianMixture().fit(WIDE), r"columns 0, 1, 2, … \(60 in all\), or a combination of them, do not"),
        (lambda: GaussianMixture().fit(WIDE * (np.arange(60) < 9)), r"columns 9, 10, 11, … \(51 in all\)"),
        (lambda: GaussianMixture().fit(WIDE * 0 + 3), r"columns 0, 1, 2, … \(60 in all\) do not vary in these 40"),
        (lambda: NaiveBayes([Exponential()]).fit(WIDE, Y), r"X has 60 columns: 0, 1, 2, … \(60 in all\)"),
        (lambda: NaiveBayes({3: Exponential()}).fit(WIDE, Y), r"columns 0, 1, 2, … \(60 in all\), but has none for"),
    ],
)
def test_so_do_the_others(call, message):
    with pytest.raises((ValueError, DegenerateSampleError), match=message):
        call()


def test_warnings_too():
    with pytest.warns(UserWarning, match=r"left out, since they never vary: columns 5, 6, 7, … \(55 in all\)"):
        NearestMean().fit(WIDE * (np.arange(60) < 5), Y)
    rule = NaiveBayes(Exponential()).fit(np.abs(WIDE), Y)
    text = r"at \[-1.0, -1.0, -1.0, … \(60 in all\)\], where column 0 is -1, column 1 is -1, column 2 is -1, … \(60 "
    with pytest.warns(UserWarning, match=text):
        rule.predict(-np.ones((1, 60)))
