"""What notebook 16 prints about Austen's chapters, computed in another way: by scikit-learn and plain NumPy."""

import re
from functools import cache, partial

import numpy as np
import pytest
from scipy.special import log_softmax, logsumexp
from scipy.stats import binom
from sklearn import naive_bayes
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from stored import printed_by

from bayeslab import k_fold, load_austen

printed = partial(printed_by, "16")
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
RULES = {"multinomial": naive_bayes.MultinomialNB(), "Bernoulli": naive_bayes.BernoulliNB()}
RULES["Gaussian"] = naive_bayes.GaussianNB()


def numbers(phrase, pattern=NUMBER):
    return [float(x) for x in re.findall(pattern.replace("#", f"({NUMBER})"), printed(phrase))]


def rows(phrase, name):
    """Numbers at the end of each line of a table in which the name stands."""
    lines = [line for line in printed(phrase).splitlines() if re.search(rf"(^|\s){re.escape(name)}\s", line)]
    return [[float(x) for x in line.split(name, 1)[1].split()] for line in lines]


@cache
def chapters(names=False):
    data = load_austen(names=names)
    return data.X, np.unique(data.y, return_inverse=True)[1], np.array(data.feature_names)


def ten_folds(n_repeats=1):
    return k_fold(chapters()[1], 10, np.random.default_rng(16), stratify=True, n_repeats=n_repeats)


@cache
def joint(words=1000, alpha=1.0):
    """Log joint of the ten folds, by scikit-learn."""
    X, k, _ = chapters()
    result = np.empty((len(k), 6))
    for train, test in ten_folds():
        rule = naive_bayes.MultinomialNB(alpha=alpha).fit(X[train, :words], k[train])
        result[test] = rule.predict_joint_log_proba(X[test, :words])
    return result


def accuracies(rule, X, n_repeats=10):
    k, folds, shares = chapters()[1], ten_folds(n_repeats), []
    for repeat in range(n_repeats):
        predicted = cross_val_predict(rule, X, k, cv=folds[10 * repeat : 10 * repeat + 10])
        shares.append(np.mean(predicted == k))
    return np.array(shares)


def in_brief(z):
    k, log_p = chapters()[1], log_softmax(z, axis=1)
    return [np.mean(z.argmax(axis=1) == k), np.exp(log_p.max(axis=1)).mean(), -log_p[np.arange(len(k)), k].mean()]


def test_first_chapters_and_lost_words():
    X, k, words = chapters(names=True)
    kept = [words.tolist().index(w) for w in ("the", "very", "she", "emma", "fanny", "elizabeth")]
    table = [[int(x) for x in re.findall(r"\d+", line)] for line in printed("first = ").splitlines()[1:]]
    assert table == [X[np.flatnonzero(k == i)[0], kept].astype(int).tolist() for i in range(6)]
    assert sorted(re.findall("'(.*?)'", printed("not counted"))) == ["possession", "single", "universally"]


def test_zeros_that_kill():
    """Chapter by chapter, with sets of words."""
    X, k, _ = chapters()
    mine = np.zeros(3, dtype=int)
    for train, test in ten_folds():
        bags = [X[train][k[train] == i].sum(axis=0) for i in range(6)]
        known = [set(np.flatnonzero(bag)) for bag in bags]
        for row in test:
            words = np.flatnonzero(X[row])
            possible = [i for i in range(6) if known[i].issuperset(words)]
            log = {i: X[row, words] @ np.log(bags[i][words] / bags[i].sum()) for i in possible}
            best = max(log, key=lambda i: log[i] + np.log(np.mean(k[train] == i)), default=-1)
            mine += [k[row] not in possible, not possible, best == k[row]]
    assert numbers("the true novel is impossible", ": #")[:3] == mine.tolist()


def test_five_lines():
    for names, phrase in [(True, "names in"), (False, "names out")]:
        X, k, _ = chapters(names)
        share = np.mean(cross_val_predict(naive_bayes.MultinomialNB(), X, k, cv=ten_folds()) == k)
        assert numbers("placed = {}", f"{phrase}: #") == [pytest.approx(share, abs=5e-4)]
    assert numbers("placed = {}", "for all: # of") == [np.bincount(k).max()]
    assert numbers("placed = {}", ", #") == [pytest.approx(np.bincount(k).max() / 269, abs=5e-4)]
    assert (share > 0.85) & (share < 0.92)


@pytest.mark.parametrize("alpha", ["1e-10", "0.001", "0.01", "0.1", "1", "10", "100"])
def test_smoothing(alpha):
    shares = accuracies(naive_bayes.MultinomialNB(alpha=float(alpha)), chapters()[0], 5)
    (line,) = re.findall(rf"^{alpha}\s+({NUMBER})\s+({NUMBER})", printed("by_alpha.rename"), re.MULTILINE)
    assert [float(x) for x in line] == pytest.approx([shares.mean(), shares.std(ddof=1)], abs=6e-4)


def test_nested_smoothing():
    X, k, _ = chapters()
    search = GridSearchCV(
        naive_bayes.MultinomialNB(),
        {"alpha": [1e-10, 0.001, 0.01, 0.1, 1, 10, 100]},
        cv=StratifiedKFold(5, shuffle=True, random_state=16),
    )
    chosen, right = [], 0
    for train, test in ten_folds():
        chosen.append(search.fit(X[train], k[train]).best_params_["alpha"])
        right += np.sum(search.predict(X[test]) == k[test])
    *stated, accuracy, _, usual = numbers("GridSearchCV(", rf"(?<![\w.])({NUMBER})")
    assert stated == chosen
    assert [accuracy, usual] == pytest.approx([right / len(k), in_brief(joint())[0]], abs=5e-4)


@pytest.mark.parametrize("name", RULES)
def test_three_rules(name):
    out = next(i for i, line in enumerate(printed("in_out = ").splitlines()) if "names out" in line)
    halves = printed("in_out = ").splitlines()[:out], printed("in_out = ").splitlines()[out:]
    for names, half in zip((True, False), halves, strict=True):
        shares = accuracies(RULES[name], chapters(names)[0])
        mine = [shares.mean(), shares.std(ddof=1), shares.min(), shares.max()]
        line = next(line for line in half if re.search(rf"\b{name}\s", line))
        assert [float(x) for x in line.split()[-4:]] == pytest.approx(mine, abs=6e-4)


def test_three_rules_with_other_cuttings():
    """About what others measured with scikit-learn's folds: .905, .736 and .834."""
    X, k, _ = chapters()
    for name, stated in zip(RULES, (0.905, 0.736, 0.834), strict=True):
        cuts = [StratifiedKFold(10, shuffle=True, random_state=seed) for seed in range(10)]
        shares = [np.mean(cross_val_predict(RULES[name], X, k, cv=cut) == k) for cut in cuts]
        assert np.mean(shares) == pytest.approx(stated, abs=6e-4)
        assert abs(np.mean(shares) - accuracies(RULES[name], X).mean()) < 4 * np.std(shares) / np.sqrt(5)


def test_gaussian_on_rates_and_multinomial_on_presence():
    X = chapters()[0]
    rates, seen = 1000 * X / X.sum(axis=1)[:, None], np.sign(X)
    for name, data in [("Gaussian, rates", rates), ("multinomial, presence", seen)]:
        shares = accuracies(RULES[name.split(",")[0]], data)
        (stated,) = rows("in_out = ", name)
        assert stated == pytest.approx([shares.mean(), shares.std(ddof=1), shares.min(), shares.max()], abs=6e-4)
    usual = accuracies(RULES["multinomial"], X)
    assert abs(shares.mean() - usual.mean()) < 0.02  # a standard error of the paired difference, over chapters


def test_coins_hear_the_length():
    X, k, _ = chapters()
    order = sorted(range(len(k)), key=lambda i: X[i].sum())
    lines = printed("by_length = ").splitlines()[-6:]
    found = np.array([[int(x) for x in re.findall(r"\d+", line)] for line in lines])
    guesses = [k] + [cross_val_predict(RULES[name], X, k, cv=ten_folds()) for name in ("multinomial", "Bernoulli")]
    ends = [np.bincount(guess[end], minlength=6) for end in (order[:50], order[-50:]) for guess in guesses]
    assert (found == np.transpose(ends)).all()
    assert ends[2][4] > 40
    assert ends[5][1] > 25


def test_printers():
    X, k, words = chapters()
    for i, line in enumerate(printed("rate[words]").splitlines()[1:]):
        own = X[k == i].sum(axis=0)
        rates = [
            1000 * own[words == w].item() / own.sum()
            for w in ["everything", "every", "thing", "anybody", "any", "body"]
        ]
        assert [float(x) for x in line.split()[-6:]] == pytest.approx(rates, abs=0.006)


def test_without_names_and_printers():
    X, _, words = chapters()
    names = ["frank", "bath", "grant", "price", "clay", "park", "abbey", "hall"]
    printers = ["everything", "every", "thing", "anybody", "any", "body", "anything", "nobody", "everybody"]
    left_out = {"nothing": [], "hidden names": names, "printed apart": printers, "both": names + printers}
    for name, those in left_out.items():
        kept = [j for j, word in enumerate(words) if word not in those]
        shares = accuracies(RULES["multinomial"], X[:, kept])
        ((n, mean, spread),) = rows("without = ", name)
        assert n == len(kept) == 1000 - len(those)
        assert [mean, spread] == pytest.approx([shares.mean(), shares.std(ddof=1)], abs=6e-4)
    n = np.array([X[chapters()[1] == i].sum(axis=0) for i in range(6)])
    share, rest = [(m + 1) / (m.sum(axis=1) + 1000)[:, None] for m in (n, n.sum(axis=0) - n)]
    best = [words[j] for j in np.argsort(-np.max(share * np.log(share / rest), axis=0))]
    others = [w for w in best if w not in names + printers][:17]
    assert {"captain", "very"} < set(others)
    shares = accuracies(RULES["multinomial"], X[:, ~np.isin(words, others)])
    assert rows("without = ", "17 others")[0] == pytest.approx([983, shares.mean(), shares.std(ddof=1)], abs=6e-4)


def test_overconfidence():
    k, z = chapters()[1], joint()
    accuracy, top, loss = in_brief(z)
    assert numbers("log loss {loss", "accuracy #") == [pytest.approx(accuracy, abs=5e-4)]
    assert numbers("log loss {loss", "posterior #") == [pytest.approx(top, abs=5e-4)]
    assert numbers("log loss {loss", "loss #; one sixth for each: (?:.*)") == [pytest.approx(loss, abs=0.005)]
    assert numbers("log loss {loss", "each: #") == [pytest.approx(-np.log(1 / 6), abs=0.005)]
    sure = log_softmax(z, axis=1).max(axis=1) > np.log(0.99)
    mine = [100 * sure.mean(), 100 * np.mean(z.argmax(axis=1) == k, where=sure)]
    assert numbers("above 0.99", "#%") == pytest.approx(mine, abs=0.5)


def test_fewer_words():
    lines = printed("explore(100, 1)").splitlines()
    stated = {line.split("  ")[0]: [float(x) for x in line.split()[-5:]] for line in lines[1:]}
    mine = np.array([in_brief(joint(d))[:2] for d in (10, 30, 100, 300, 1000)])
    assert stated["accuracy"] == pytest.approx(mine[:, 0], abs=6e-4)
    assert stated["mean top"] == pytest.approx(mine[:, 1], abs=6e-4)
    assert in_brief(joint(1000, 100.0))[0] < 0.35
    assert in_brief(joint(1000, 100.0))[1] > 0.9


def test_drawn_chapters_are_easy_and_real_ones_vary():
    """The same draws, judged by scikit-learn; how much a word's count varies in real chapters."""
    X, k, words = chapters()
    stated = numbers("worlds.append", r"(\d\.\d+)")
    rng, lengths, worlds = np.random.default_rng(16), X.sum(axis=1).astype(int), []
    p = np.array([X[k == i].sum(axis=0) + 1 for i in range(6)])
    for _ in range(10):
        drawn = np.array([rng.multinomial(m, p[i] / p[i].sum()) for m, i in zip(lengths, k, strict=True)])
        proba = cross_val_predict(RULES["multinomial"], drawn, k, cv=ten_folds(), method="predict_proba")
        worlds.append([np.mean(proba.argmax(axis=1) == k), proba.max(axis=1).mean()])
    assert stated == pytest.approx(np.mean(worlds, axis=0), abs=6e-5)
    emma, you = k == 0, (words == "you").argmax()
    share = X[emma, you].sum() / lengths[emma].sum()
    deviation = (X[emma, you] - share * lengths[emma]) / binom(lengths[emma], share).std()
    assert np.mean(deviation**2) > 5


@cache
def tempered():
    """The log loss is convex in 1/T; bisection of its derivative finds the least."""
    X, k, _ = chapters()
    result, temperatures = np.empty((len(k), 6)), []
    for train, test in ten_folds():
        inner = k_fold(k[train], 5, np.random.default_rng(16), stratify=True)
        z = np.empty((len(train), 6))
        for inner_train, inner_test in inner:
            rule = naive_bayes.MultinomialNB().fit(X[train][inner_train], k[train][inner_train])
            z[inner_test] = rule.predict_joint_log_proba(X[train][inner_test])
        low, high, truth = 1e-3, 1.0, z[np.arange(len(z)), k[train]]
        for _ in range(50):
            β = (low + high) / 2
            share = np.exp(β * z - logsumexp(β * z, axis=1, keepdims=True))
            slope = np.mean((share * z).sum(axis=1) - truth)
            low, high = (β, high) if slope < 0 else (low, β)
        temperatures.append(1 / β)
        result[test] = joint()[test] * β
    return result, temperatures


def test_temperature():
    z, temperatures = tempered()
    stated = [np.mean(temperatures), min(temperatures), max(temperatures)]
    assert numbers("tempered, all_T", r"(\d+\.\d) ?(?:on|to|\n)") == pytest.approx(stated, abs=0.06)
    assert rows("tempered, all_T", "as it is") == [pytest.approx(in_brief(joint()), abs=6e-4)]
    assert rows("tempered, all_T", "tempered") == [pytest.approx(in_brief(z), abs=2e-3)]


def test_binder():
    k = chapters()[1]
    for name, z in [("as it is", joint()), ("tempered", tempered()[0])]:
        doubt, wrong = 1 - np.exp(log_softmax(z, axis=1).max(axis=1)), z.argmax(axis=1) != k
        read = doubt > 1 / 20
        hours = read + 20 * (wrong & ~read)
        mine = [read.sum(), np.sum(wrong & ~read), hours.mean(), hours.std(ddof=1) / np.sqrt(269)]
        line = next(line for line in printed("def binder").splitlines() if line.startswith(name))
        assert [float(x) for x in re.findall(NUMBER, line)] == pytest.approx(mine, abs=0.006)
    assert hours.mean() + 3 * hours.std() / np.sqrt(269) < 1


def test_nobody():
    X, k, _ = chapters()
    rule = naive_bayes.MultinomialNB().fit(X, k)
    z = rule.predict_joint_log_proba(np.full((1, 1000), 2.0))[0]
    T = np.mean(tempered()[1])
    tops = [np.exp(log_softmax(z / t).max()) for t in (1, T)]
    assert numbers("nobody = ", "posterior #") == pytest.approx(tops, abs=2e-3)
    per_word = rule.predict_joint_log_proba(X).max(axis=1) / X.sum(axis=1)
    assert numbers("nobody = ", "word: #") == [pytest.approx(z.max() / 2000, abs=0.006)]
    real, forged = re.findall(rf": ({NUMBER}) to ({NUMBER})", printed("nobody = "))
    assert [float(x) for x in real] == pytest.approx([per_word.min(), per_word.max()], abs=0.006)
    poured = np.random.default_rng(16).multinomial(2000, X.sum(axis=0) / X.sum(), 100)
    per_word = rule.predict_joint_log_proba(poured).max(axis=1) / 2000
    assert [float(x) for x in forged] == pytest.approx([per_word.min(), per_word.max()], abs=0.006)
    assert float(real[0]) < float(forged[0]) < float(forged[1]) < float(real[1])


def test_covariance_of_frequencies():
    sampled, formula = numbers("covariance = np.cov", ": #")[0], numbers("covariance = np.cov", "formula: #")[0]
    assert formula == -100 * 0.5 * 0.3
    # The standard error of a covariance of 20,000 pairs is √((σ₁²σ₂² + cov²) / 20,000).
    assert abs(sampled - formula) < 4 * np.sqrt((25 * 21 + 15**2) / 20_000) + 0.05
