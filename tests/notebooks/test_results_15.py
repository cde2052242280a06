"""What notebook 15 prints, computed in another way: by SciPy, scikit-learn, closed forms and draws of our own."""

import re
from functools import cache, partial

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq, minimize_scalar
from sklearn.neighbors import KernelDensity
from stored import printed_by

from bayeslab import k_fold

printed = partial(printed_by, "15")
NUMBER = r"[+-]?\d+(?:\.\d+)?"
LEVEL = np.log(3e-4 / (1 - 3e-4)) - np.log(0.02 / 0.98)  # of the log odds, above which the guard searches


def numbers(phrase):
    return [float(x) for x in re.findall(NUMBER, printed(phrase))]


def table(phrase):
    """Rows of a printed table: their names, and their numbers."""
    rows = re.findall(rf"^(\S.*?)((?: +{NUMBER})+)$", printed(phrase), re.M)
    return {name: [float(x) for x in values.split()] for name, values in rows}


@cache
def gate():
    """The 150 + 150 lorries, column by column: draws of the laws that the text states, in its order."""
    rng, columns = np.random.default_rng(15), []
    for k in (0, 1):
        drawn = [rng.exponential([4, 1][k], 150), rng.poisson([2.5, 10][k], 150)]
        drawn += [rng.laplace([0, 40][k], [40, 60][k], 150), rng.rayleigh([1.2, 0.8][k], 150)]
        drawn += [rng.binomial(8, [0.1, 0.3][k], 150)]
        drawn += [rng.choice(3, 150, p=[[0.1, 0.6, 0.3], [0.4, 0.2, 0.4]][k])]
        columns.append(dict(zip(["wait", "clicks", "weight", "spots", "badges", "origin"], drawn, strict=True)))
    return columns


def waits():
    return [np.asarray(columns["wait"]) for columns in gate()]


def odds(laws):
    return lambda x: laws[1].logpdf(x) - laws[0].logpdf(x)


def gaussians():
    return [stats.norm(*stats.norm.fit(x)) for x in waits()]


def exponentials():
    return [stats.expon(*stats.expon.fit(x, floc=0)) for x in waits()]


def test_share_below_zero():
    """A pandas-free sd; the notebook's divides by n as well."""
    mine = [100 * law.cdf(0) for law in gaussians()]
    assert [float(x) for x in re.findall(r"(\d+)%", printed("of the bell below 0"))] == pytest.approx(mine, abs=0.5)


def test_rates_maximise_the_likelihood():
    for stated, x in zip(numbers("clicks per second"), waits(), strict=True):
        top = minimize_scalar(lambda rate, x=x: -stats.expon(scale=1 / rate).logpdf(x).sum(), bounds=(0.01, 9)).x
        assert stated == pytest.approx(top, abs=1e-3)


def test_thresholds_and_costs():
    exponential, upper, lower = numbers("bell_threshold(0, -5, 0)")[:3]
    assert exponential == pytest.approx(brentq(odds(exponentials()), 0.1, 30), abs=0.005)
    assert upper == pytest.approx(brentq(odds(gaussians()), 0.5, 30), abs=0.005)
    assert lower == pytest.approx(brentq(odds(gaussians()), -9, 0), abs=0.005)
    rows = re.findall(rf"below ({NUMBER}) s, (\d+) €", printed("def cost_of_threshold"))
    for (t, cost), laws in zip(rows, [exponentials(), gaussians()], strict=True):
        mine = brentq(lambda x, laws=laws: odds(laws)(x) - LEVEL, 1, 30)
        assert float(t) == pytest.approx(mine, abs=0.005)
        clean, source = stats.expon(scale=4), stats.expon(scale=1)
        searched, missed = 0.98 * clean.cdf(mine) + 0.02 * source.cdf(mine), 0.02 * source.sf(mine)
        assert float(cost) == pytest.approx(300 * searched + 1e6 * missed, abs=0.5)
    assert "search all: 300 €" in printed("def cost_of_threshold")


def test_hiccup():
    clean, source = (law.pdf(-0.5) for law in gaussians())
    gaussian, exponential = map(float, re.findall(r"p = (0\.\d+)", printed("catch_warnings")))
    assert gaussian == pytest.approx(0.02 * source / (0.02 * source + 0.98 * clean), abs=5e-4)
    assert exponential == 0.02
    assert "where column 'wait' is -0.5" in printed("catch_warnings")


def test_typing_error():
    x = np.array(gate()[0]["weight"])
    for line in printed("typo =").splitlines():
        mean, sd, median, deviation = map(float, re.findall(NUMBER, line.split(":")[1]))
        m, b = stats.laplace.fit(x)
        assert [mean, sd, median, deviation] == pytest.approx([*stats.norm.fit(x), m, b], abs=0.051)
        x = np.append(x[1:], 4000)


def test_families_maximise_the_likelihood():
    """The closed forms derived in the text against SciPy's numerical search."""
    for columns in gate():
        λ = minimize_scalar(lambda r, x=columns["clicks"]: -stats.poisson(r).logpmf(x).sum(), bounds=(0.1, 50)).x
        assert np.mean(columns["clicks"]) == pytest.approx(λ, rel=1e-4)
        p = minimize_scalar(lambda p, x=columns["badges"]: -stats.binom(8, p).logpmf(x).sum(), bounds=(0.01, 0.9)).x
        assert np.mean(columns["badges"]) / 8 == pytest.approx(p, rel=1e-3)
        x = columns["spots"]
        assert stats.rayleigh.fit(x, floc=0)[1] ** 2 == pytest.approx(np.mean(x**2) / 2)
        m, b = stats.laplace.fit(columns["weight"])
        near = [
            stats.laplace(m + d, b * f).logpdf(columns["weight"]).sum() for d in (-3, 0, 3) for f in (0.95, 1, 1.05)
        ]
        assert np.argmax(near) == 4


COLUMNS = ("wait", "clicks", "weight", "spots", "badges", "origin")


def draw(k, n, rng):
    """As in the notebook, by quantiles of SciPy's laws."""
    u = rng.random((6, n))
    laws = [stats.expon(scale=[4, 1][k]), stats.poisson([2.5, 10][k]), stats.laplace([0, 40][k], [40, 60][k])]
    laws += [stats.rayleigh(scale=[1.2, 0.8][k]), stats.binom(8, [0.1, 0.3][k])]
    columns = [law.ppf(v) for law, v in zip(laws, u, strict=False)]
    return [*columns, np.digitize(u[5], np.cumsum([[0.1, 0.6], [0.4, 0.2]][k]))]


def learned(x, families):
    """Log densities of SciPy, fitted to the columns x."""
    laws = []
    for name, values in zip(COLUMNS, x, strict=True):
        if not families:
            laws.append(stats.norm(*stats.norm.fit(values)).logpdf)
        elif name == "clicks":
            laws.append(stats.poisson(values.mean()).logpmf)
        elif name == "badges":
            laws.append(stats.binom(8, values.mean() / 8).logpmf)
        elif name == "origin":
            laws.append(np.log(np.bincount(values, minlength=3) / len(values)).__getitem__)
        else:
            law = {"wait": stats.expon, "weight": stats.laplace, "spots": stats.rayleigh}[name]
            fixed = {} if name == "weight" else {"floc": 0}
            laws.append(law(*law.fit(values, **fixed)).logpdf)
    return laws


def test_cost_of_rules():
    """Twelve draws of our own: means within four standard errors of their difference, of theirs and ours."""
    rng, rows, stated = np.random.default_rng(99), [], table("more = cost")
    recipes = {"wait": ([0], True), "wait, Gaussian": ([0], False), "wait and clicks": ([0, 1], True)}
    recipes |= {"all six": (range(6), True), "all six, Gaussian": (range(6), False)}
    for _ in range(12):
        train, test = ([draw(k, n, rng) for k in (0, 1)] for n in (150, 5000))
        laws = {families: [learned(x, families) for x in train] for families in (True, False)}
        row = []
        for used, families in recipes.values():
            z = [sum(laws[families][1][j](test[k][j]) - laws[families][0][j](test[k][j]) for j in used) for k in (0, 1)]
            searched = [np.mean(odds > LEVEL) for odds in z]
            right = (np.mean(z[0] <= 0) + np.mean(z[1] > 0)) / 2
            row.append([right, 294 * searched[0] + 0.02 * (300 * searched[1] + 1e6 * (1 - searched[1]))])
        rows.append(row)
    rows = np.array(rows)
    error = rows.std(axis=0, ddof=1) / np.sqrt(12)
    for (name, values), mine, deviation in zip(stated.items(), rows.mean(axis=0), error, strict=True):
        assert name in recipes
        assert values[:2] == pytest.approx(mine, abs=max(4 * np.sqrt(2) * deviation[1], 3)), name
        assert values[0] == pytest.approx(mine[0], abs=0.015)
    more = rows[:, :, 1] - rows[:, [3], 1]
    assert stated["all six, Gaussian"][2] == pytest.approx(
        more[:, 4].mean(), abs=4 * np.sqrt(2) * stats.sem(more[:, 4])
    )


def test_held_out_likelihood():
    """By SciPy's laws and scikit-learn's kernels, in the same folds."""
    x, stated = waits()[0], table("mean_log_density(family, wait[0], folds)")
    laws = {"exponential": stats.expon, "Gaussian": stats.norm, "Laplace": stats.laplace, "Rayleigh": stats.rayleigh}
    outside = {}
    for name, law in laws.items():
        fit = partial(law.fit, floc=0) if name in ("exponential", "Rayleigh") else law.fit
        assert stated[name][0] == pytest.approx(law(*fit(x)).logpdf(x).mean(), abs=0.0051)
        outside[name] = held_out(x, partial(_log_density, law, fit))
        behind = outside["exponential"] - outside[name]
        mine = [outside[name].mean(), behind.mean(), stats.sem(behind)]
        assert stated[name][1:4] == pytest.approx(mine, abs=0.0051)
    for h in (0.01, 0.3, 1):
        inside = KernelDensity(bandwidth=h).fit(x[:, None]).score_samples(x[:, None]).mean()
        assert stated[f"kernels, {h} s"][0] == pytest.approx(inside, abs=0.0051)
        kernels = KernelDensity(bandwidth=h)
        mine = held_out(x, lambda a, b, law=kernels: law.fit(a[:, None]).score_samples(b[:, None])).mean()
        assert stated[f"kernels, {h} s"][1] == pytest.approx(mine, abs=0.0051)


def _log_density(law, fit, train, test):
    return law(*fit(train)).logpdf(test)


def held_out(x, log_density):
    """Log density of each value, by a fit that has not seen it: in the notebook's folds."""
    found = np.empty(len(x))
    for train, test in k_fold(np.zeros(len(x)), 10, np.random.default_rng(15)):
        found[test] = log_density(x[train], x[test])
    return found


def test_what_the_exercises_print():
    assert "\n0.25" in printed("# Solution 15.1")
    quiet = brentq(lambda t: stats.expon.logsf(t) - stats.expon(scale=4).logsf(t) + 2, 0, 99)
    seconds, saved = re.findall(rf"({NUMBER}) s", printed("# Solution 15.2"))
    assert float(seconds) == pytest.approx(quiet, abs=6e-4)
    rates = [1 / x.mean() for x in waits()]
    assert float(saved) == pytest.approx(np.log(rates[1] / rates[0]) / (rates[1] - rates[0]), abs=0.006)
