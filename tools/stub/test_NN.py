"""The checks of notebook <nn> accept what is right, in whatever form, and name each usual mistake."""

import pytest
from judging import DONE, must_say, unfinished
from scipy import stats

# (number, answer, what is said)
TABLE = [
    ("<n>.1", lambda X: X.mean(axis=0), DONE),
    ("<n>.1", lambda X: stats.describe(X).mean.tolist(), DONE),
    ("<n>.1", lambda X: X.sum(axis=0), "divide by n"),
    ("<n>.1", lambda X: X.sum(axis=0) / (len(X) - 1), "a mean has n"),
    ("<n>.2", lambda X: stats.tstd(X, axis=0), DONE),
    ("<n>.2", lambda X: stats.tvar(X, axis=0), "take the root"),
    ("<n>.2", lambda X: X.std(axis=0), "n instead of n − 1"),
]
TABLE += unfinished("<n>.1", "<n>.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
