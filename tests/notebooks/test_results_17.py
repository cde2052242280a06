"""What notebook 17 prints, computed in another way: by fractions, by sums of bytes, and by scikit-learn."""

import math
import pickle
import re
from fractions import Fraction
from functools import cache, partial
from statistics import mean, median, pvariance

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from stored import printed_by

from bayeslab.moments import Moments

printed = partial(printed_by, "17")
NUMBER = r"\d[\d,]*(?:\.\d+)?"


def numbers(phrase, pattern=NUMBER):
    return [float(x.replace(",", "")) for x in re.findall(pattern, printed(phrase))]


@cache
def seconds(i, n=50_000):
    """The invented seconds of a file, and the parameters they are drawn with."""
    rng = np.random.default_rng(i)
    y = rng.integers(3, size=n)
    z = rng.standard_normal((n, 10)) * np.array([1.2, 1.0, 0.7])[y][:, None]
    for j in range(9, 0, -1):  # from the last column, so that each adds half of what its neighbour was
        z[:, j] += 0.5 * z[:, j - 1]
    means = np.array([[125, 90, *8 * [0]], [150, 135, *8 * [1.2]], [105, 110, *8 * [0.4]]], dtype=float)
    return means[y] + z * np.array([15, 18, *8 * [3]]), y


def test_clerks():
    lines = re.findall(r"(mean|median)s of Anna, Ben, all: (\S+) (\S+) (\S+)", printed("ben ="))
    assert len(lines) == 4
    asked = [(f, anna) for anna in ([1, 2, 9], [0, 2, 3]) for f in (mean, median)]
    for (name, *stated), (f, anna) in zip(lines, asked, strict=True):
        assert name == f.__name__
        assert list(map(float, stated)) == [round(f(x), 2) for x in (anna, [4, 5, 6], [*anna, 4, 5, 6])]
    assert lines[1][1:3] == lines[3][1:3]
    assert lines[1][3] != lines[3][3]


def test_merged_by_hand():
    rows = [Fraction(x) for x in (1, 2, 6, 7, 8, 9, 10, 11)]
    assert numbers("def merge") == [8, mean(rows), 8 * pvariance(rows)]


def test_squares_of_large_numbers():
    """By fractions the older formula is right; in floats, rounded in the order of the code, nothing is left."""
    times = [10**8, 10**8 + 1, 10**8 + 2]
    exact = sum(Fraction(t) ** 2 for t in times) - 3 * Fraction(sum(times), 3) ** 2
    stated = re.search(rf"m is right: True; by squares (-?{NUMBER}), merged ({NUMBER})", printed("times ="))
    assert float(stated[2]) == exact == 2
    # An integer is rounded to the nearest float when it becomes one; the sums, too, are rounded one by one.
    total = 0.0
    for t in times:
        total = float(int(total) + int(float(t**2)))
    assert float(stated[1]) == total - float(int(float(3 * times[1])) * times[1]) == 0


def test_a_negative_scatter():
    """The exact scatter is 2; squares, sums and products are rounded to the nearest float, one by one."""
    times = [7 * 10**9, 7 * 10**9 + 1, 7 * 10**9 + 2]
    assert 3 * pvariance([Fraction(t) for t in times]) == 2
    total = 0.0
    for t in times:
        total = float(int(total) + int(float(t**2)))
    (stated,) = re.findall(rf"near 7e9, by squares: (-?{NUMBER})", printed("late ="))
    assert float(stated) == total - float(int(float(3 * times[1])) * times[1])
    assert float(stated) < 0


def test_fits_agree():
    """That the lines say True is what they assert; here, that the pieces of ten files give their moments."""
    assert printed("def difference").count("True") == 2
    assert "within 1e-12 of one fit: True" in printed("for _ in range(100)")
    assert printed("deepcopy(loop).remove").count("True") == 2
    parts = [seconds(i) for i in range(10)]
    X = np.vstack([X for X, _ in parts])
    merged = sum((Moments.of(X) for X, _ in parts), Moments.none(10))
    np.testing.assert_allclose(merged.covariance(), np.cov(X.T), rtol=1e-11, atol=1e-11)


def test_peaks():
    """A loop holds one file while the next is loaded; two copies of all files are in memory, or one, and a little."""
    rows = re.findall(r"^(\d+) +about (\d+) files +about (\d+) files", printed("in_files ="), re.M)
    assert [int(row[0]) for row in rows] == [8, 32, 128]
    for size, loop, memory in (map(int, row) for row in rows):
        assert loop <= 3
        assert size / 4 <= memory <= 2.5 * size / 4


@cache
def held_out():
    return seconds(1000, 100_000)


@pytest.mark.parametrize("n", [100, 1000, 10_000, 50_000, 800_000])
def test_accuracy_against_rows(n):
    """By scikit-learn; drawn anew, hence four standard errors of the mean."""
    label = rf"^{n:,} +(\d\.\d+) +(\d\.\d+|NaN)"
    stated, error = map(float, re.search(label, printed("scores ="), re.M).groups())
    if n < 50_000:
        X, y = seconds(15)
        rng = np.random.default_rng(5)
        drawn = [rng.choice(50_000, n, replace=False) for _ in range(10)]
        scores = [peer().fit(X[rows], y[rows]).score(*held_out()) for rows in drawn]
        assert stated == pytest.approx(np.mean(scores), abs=4 * max(error, np.std(scores) / 3) * np.sqrt(2))
        assert error == pytest.approx(np.std(scores, ddof=1) / np.sqrt(10), rel=0.8)
    else:
        assert stated == pytest.approx(peers()[n].score(*held_out()), abs=2e-4)


def peer():
    return QuadraticDiscriminantAnalysis(tol=1e-12)


@cache
def peers():
    files = [seconds(i) for i in range(16)]
    X, y = (np.concatenate(each) for each in zip(*files, strict=True))
    return {50_000: peer().fit(*files[15]), 800_000: peer().fit(X, y)}


def test_decided_differently():
    one, all_files = (rule.predict(held_out()[0]) for rule in peers().values())
    assert numbers("changed =", r"differently: (\S+)%") == pytest.approx([100 * np.mean(one != all_files)], abs=0.11)


def test_more_rows_would_not_help():
    """The true densities are hardly better than what all rows teach: the curve is flat because it has arrived."""
    X, y = held_out()
    mix = np.eye(10) + 0.5 * np.eye(10, k=-1)
    joint = []
    for k, scale in enumerate((1.2, 1.0, 0.7)):
        A = np.diag([15, 18, *8 * [3]]) @ mix * scale
        centre = [(125, 90), (150, 135), (105, 110)][k] + 8 * ((0, 1.2, 0.4)[k],)
        joint.append(multivariate_normal(centre, A @ A.T).logpdf(X))
    assert np.mean(np.argmax(joint, axis=0) == y) == pytest.approx(peers()[800_000].score(X, y), abs=5e-4)


def test_rounds():
    rounds = re.findall(r"(\d+): (\d+)", printed("parents ="))
    for n, stated in (map(int, pair) for pair in rounds):
        count = 0
        while n > 1:
            n, count = -(-n // 2), count + 1
        assert stated == count
    assert len(rounds) == 3


def test_a_dead_worker_and_a_missing_number():
    assert "died: True, workers left: 1" in printed("survived =")
    assert "same bits: True" in printed("survived =")
    assert "part 2 of X and y: X[41234, 3] is nan" in printed("spoiled,")


def test_passes_of_a_mixture():
    """One for each iteration, which gives the parameters of a fit in memory."""
    assert "as in memory: True" in printed("reads.count(0)")
    reads, iterations = numbers("reads.count(0)", r"(\d+) (?:times|iterations)")
    assert reads == iterations == 8


def test_refusals():
    """Each of four rules gives its own reason."""
    lines = [line for line in printed("for rule in (NaiveBayes").splitlines() if line.strip()]
    for line, reason in zip(lines, ("sufficient", "needs all data", "partial_fit", "no method merge"), strict=True):
        assert "cannot be fitted to parts of the data" in line
        assert reason in line


def test_message():
    """The bytes of a pickle, less those of a pickle of nothing, are those of the numbers, and some for their names."""
    small, K, d, large = numbers("def message", NUMBER)
    rng = np.random.default_rng(0)
    assert (K, d) == (10, 1000)
    assert small == sum(8 * len(np.ravel(x)) for _ in range(3) for x in (0, *3 * [np.zeros(10)], np.zeros((10, 9))))
    sent = len(pickle.dumps([Moments.of(rng.normal(size=(50, 10))) for _ in range(3)]))
    assert small < sent < small + 1500
    assert large == 8 * (10 + 10 * 1000 + 10 * 1000 + 10 * 1000**2)


def test_costs_on_paper():
    """Reading at 0.4 GB/s each, 7 rounds of a millisecond, two minutes to get ready, 0.40 € an hour each."""
    rows = re.findall(rf"^([\d]+ [GT]B) +({NUMBER}) +({NUMBER}) +({NUMBER})$", printed("break even"), re.M)
    assert len(rows) == 3
    for (name, *stated), gigabytes in zip(rows, (5, 100, 10_000), strict=True):
        assert name in ("5 GB", "100 GB", "10 TB")
        hundred = 120 + gigabytes / 40 + 0.007
        expected = [gigabytes / 0.4, hundred, hundred * 100 * 0.40 / 3600]
        assert [float(x.replace(",", "")) for x in stated] == pytest.approx(expected, abs=0.051)
    even, year = numbers("break even", rf"(?:even|year): ({NUMBER})")
    assert even == math.floor(120 / (1 / 0.4 - 1 / 40) + 0.5)
    assert year == 100 * 8760 * 0.4
