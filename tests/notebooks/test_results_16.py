"""What notebook 16 prints about Austen's chapters, computed in another way: by scikit-learn and plain NumPy."""

import re

import numpy as np
import pytest
from chapters_otherwise import NUMBER, RULES, accuracies, chapters, in_brief, joint, numbers, printed, rows, ten_folds
from sklearn import naive_bayes
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict


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
