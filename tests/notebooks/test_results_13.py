"""What notebook 13 prints of ranks, thin bells and PCA, computed in another way."""

import re
from functools import partial

import numpy as np
import pytest
from digits_otherwise import (
    DIGITS,
    SIZES,
    X,
    decide,
    halves,
    log_normal,
    nested,
    numbers,
    of_class,
    printed,
    qda_errors,
    rank,
    row,
    singular,
    y,
)
from scipy.stats import multivariate_normal, norm
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis


def test_log_normal():
    z, scale = np.array([[1.0, -2.0, 0.5]]), np.array([2.0, 1.0, 0.1])
    assert log_normal(z, scale) == pytest.approx(norm.logpdf(z, scale=scale).sum(axis=1))


def test_ranks():
    train = halves()[0][0]
    constant = np.array([np.std(of_class(train, k), axis=0) == 0 for k in DIGITS])
    stated = partial(row, 'count["rank"] = ranks')
    assert stated("images") == [np.sum(y[train] == k) for k in DIGITS]
    assert stated("constant pixels") == constant.sum(axis=1).tolist()
    assert stated("64 − constant") == (64 - constant.sum(axis=1)).tolist()
    assert stated("rank") == [rank(of_class(train, k)) for k in DIGITS] == numbers("all_λ =")[:10]
    assert min(stated("rank")) == 47
    assert max(stated("rank")) == 53
    assert f"ranks from all images: {[rank(X[y == k]) for k in DIGITS]}" in printed("ranks from all images")
    always = np.flatnonzero(X.std(axis=0) == 0).tolist()
    assert re.search(r"images: \[(.*)\]", printed('count["rank"] = ranks'))[1] == str(always)[1:-1]


def test_refusal():
    text, train = " ".join(printed("refusal = error").split()), halves()[0][0]
    left_out = np.flatnonzero(X[train].std(axis=0) == 0).tolist()
    assert f"never vary: columns {str(left_out)[1:-1]} Error" in text
    columns = [c for c in np.flatnonzero(of_class(train, 0).std(axis=0) == 0).tolist() if c not in left_out]
    assert f"rank {rank(of_class(train, 0))} of {64 - len(left_out)}, columns {str(columns)[1:-1]}, or" in text


def test_thin_bells():
    for across in (2, 0.2, 0.02, 0.002):
        a, c = (9 + across**2) / 2, (9 - across**2) / 2
        bell = multivariate_normal([8, 8], [[a, c], [c, a]])
        D2 = [8 / 9, (3.2 + 0.8) ** 2 / 2 / 9 + (3.2 - 0.8) ** 2 / 2 / across**2]
        mine = [np.log(9 * across**2), *D2, *bell.logpdf([[10, 10], [11.2, 8.8]])]
        assert row("bells =", f"{across:.3f}") == pytest.approx(mine, abs=0.0051, rel=1e-6)


def test_curve():
    outer, _ = nested(qda_errors)
    stated = partial(row, "trained =")
    assert stated("test")[:-1] == pytest.approx(outer.mean(axis=0), abs=6e-4)
    assert stated("sd")[:-1] == pytest.approx(outer.std(axis=0, ddof=1), abs=6e-4)
    training = np.mean([qda_errors(train, train) for train, _ in halves()], axis=0)
    assert stated("training")[:-1] == pytest.approx(training, abs=6e-4)
    # Figures asked for, over other halves: two standard errors of such a mean are about .01.
    asked = {5: 0.108, 10: 0.035, 20: 0.019, 29: 0.023, 40: 0.031, 50: 0.060}
    assert [dict(zip([*SIZES, 50], stated("test"), strict=True))[s] for s in asked] == pytest.approx(
        list(asked.values()), abs=0.01
    )


def test_beyond_the_wall():
    """At s = 50 by singular values, in pooled standard deviations as the package takes them."""
    errors = []
    for train, test in halves():
        Z = PCA(50, svd_solver="full").fit(X[train]).transform(X)
        within = np.concatenate([Z[train][y[train] == k] - Z[train][y[train] == k].mean(axis=0) for k in DIGITS])
        Z, joint = Z / within.std(axis=0), []
        for k in DIGITS:
            rows = Z[train][y[train] == k]
            s, axes, mean = singular(rows)
            kept = s > 1e-9 * s[0]
            joint.append(np.log(len(rows)) + log_normal((Z[test] - mean) @ axes[kept].T, s[kept]))
        errors.append(decide(joint, test))
    assert row("trained =", "test")[-1] == pytest.approx(np.mean(errors), abs=0.001)
    walls = [min(rank(of_class(train, k)) for k in DIGITS) for train, _ in halves()]
    smallest = min(np.bincount(y[halves()[0][0]]))
    assert numbers("# is accepted")[:11] == [*walls, smallest]


def test_confusion_and_peer():
    train, test = halves()[0]
    wrong = [round(len(rows) * qda_errors(train, rows)[3]) for rows in (train, test)]
    assert numbers("plot_confusion(y[rows]")[:4] == [wrong[0], len(train), wrong[1], len(test)]


def test_peeking():
    """Axes that have seen the test half too: no difference beyond its standard error."""
    change, error = map(float, re.search(r"s = 20: error ([+-][.\d]+) ± ([.\d]+)", printed("peeking =")).groups())
    z, rule = PCA(20, svd_solver="full").fit(X).transform(X), QuadraticDiscriminantAnalysis(tol=1e-12)
    peeked = [1 - rule.fit(z[a], y[a]).score(z[b], y[b]) for a, b in halves()]
    mine = np.array(peeked) - nested(qda_errors)[0][:, SIZES.index(20)]
    assert change == pytest.approx(mine.mean(), abs=6e-4)
    assert error == pytest.approx(np.sqrt(1 / 10 + 898 / 899) * mine.std(ddof=1), abs=6e-4)
    assert abs(change) < error
