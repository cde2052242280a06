"""Austen's chapters and the e-mails: complete, consistent with themselves, and as hard as they are known to be."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB

from bayeslab import load_austen, load_spambase

AUSTEN, PLAIN, SPAM = load_austen(), load_austen(names=False), load_spambase()
CHAPTERS = {
    "Emma": 55,
    "Mansfield Park": 48,
    "Northanger Abbey": 31,
    "Persuasion": 24,
    "Pride and Prejudice": 61,
    "Sense and Sensibility": 50,
}


def accuracies(data):
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    rules = BernoulliNB(), MultinomialNB(), GaussianNB()
    return [cross_val_score(rule, data.X, data.y, cv=folds).mean() for rule in rules]


@pytest.mark.parametrize("data", [AUSTEN, PLAIN], ids=["names in", "names out"])
def test_every_chapter_of_every_novel_is_there(data):
    assert data.X.shape == (269, 1000)
    assert dict(zip(*map(np.ndarray.tolist, np.unique(data.y, return_counts=True)), strict=True)) == CHAPTERS
    assert (np.rint(data.X) == data.X).all()
    assert data.X.min() == 0
    assert (data.X.sum(axis=1) > 500).all()


@pytest.mark.parametrize("data", [AUSTEN, PLAIN], ids=["names in", "names out"])
def test_words_are_different_and_the_commonest_first(data):
    assert len(set(data.feature_names)) == 1000
    totals = data.X.sum(axis=0)
    assert (np.diff(totals) <= 0).all()
    ties = [data.feature_names[j : j + 2] for j in np.flatnonzero(np.diff(totals) == 0)]
    assert all(first < second for first, second in ties)


def test_names_are_left_out_and_commoner_words_fill_up():
    names = [word for word in AUSTEN.feature_names if word not in PLAIN.feature_names]
    assert len(names) == 82
    assert {"i", "mr", "emma", "darcy", "kellynch", "london"} <= set(names)
    assert {"frank", "bath", "miss", "lady"} <= set(PLAIN.feature_names)  # these are words as well
    common = [word for word in AUSTEN.feature_names if word not in names]
    assert PLAIN.feature_names[:918] == common
    np.testing.assert_array_equal(PLAIN.X[:, :918], AUSTEN.select(*common).X)


def test_a_heroine_is_in_her_own_novel():
    for novel, heroine in (("Emma", "emma"), ("Mansfield Park", "fanny"), ("Persuasion", "anne")):
        counts = AUSTEN.select(heroine).X[:, 0]
        assert counts[novel == AUSTEN.y].sum() > 0.8 * counts.sum(), heroine


def test_names_give_the_novels_away():
    bernoulli, multinomial, _ = accuracies(AUSTEN)
    assert (round(bernoulli, 3), multinomial) == (0.959, 1)
    assert accuracies(PLAIN) == pytest.approx([0.739, 0.884, 0.829], abs=5e-4)


def test_the_e_mails_are_those_of_the_repository():
    """Its documentation gives the means of the features and the numbers of the classes."""
    assert SPAM.X.shape == (4601, 57)
    assert np.unique(SPAM.y, return_counts=True)[1].tolist() == [2788, 1813]
    known = {"make": 0.10455, "george": 0.7673, "!": 0.26907, "(": 0.13903, "mean run of capitals": 5.1915}
    for feature, mean in {**known, "longest run of capitals": 52.173, "capitals": 283.29}.items():
        assert SPAM.select(feature).X.mean() == pytest.approx(mean, rel=1e-4), feature
    words = SPAM.select(*SPAM.feature_names[:48])
    assert (words.X.max(), SPAM.X.min()) == (42.81, 0)
    assert accuracies(words) == pytest.approx([0.877, 0.870, 0.807], abs=5e-4)
