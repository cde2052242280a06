"""The checks of notebook 14 accept what is right, in whatever form, and name each usual mistake."""

import pytest
from judging import DONE, must_say, unfinished
from scipy import stats

# (number, answer, what is said)
TABLE = [
    ("14.1", lambda X: X.mean(axis=0), DONE),
    ("14.1", lambda X: stats.describe(X).mean.tolist(), DONE),
    ("14.1", lambda X: X.sum(axis=0), "divide by n"),
    ("14.1", lambda X: X.sum(axis=0) / (len(X) - 1), "a mean has n"),
    ("14.2", lambda X: stats.tstd(X, axis=0), DONE),
    ("14.2", lambda X: stats.tvar(X, axis=0), "take the root"),
    ("14.2", lambda X: X.std(axis=0), "n instead of n − 1"),
]
TABLE += unfinished("14.1", "14.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
