"""Wrong arguments for everything that is public: what comes out is right, or a sentence that we wrote."""

from __future__ import annotations

import copy
import inspect
import linecache
import reprlib
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import traitlets
from every_family import FAMILIES, draw
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone

import bayeslab
from bayeslab import Gaussian, GaussianMixture, Moments, QuadraticDiscriminantAnalysis, explore, plotting
from bayeslab.checks import check
from bayeslab.families import Family

IRIS = bayeslab.load_iris().select("petal length", "petal width")
X, Y = IRIS.X[::6], IRIS.y[::6]
COUNTS = np.random.default_rng(0).poisson(5, X.shape)
PAIR = [Gaussian([0, 0], np.eye(2)), Gaussian([2, 1], [2, 1])]
LINE = [Gaussian(0, 1), Gaussian(2, 3)]
QDA = QuadraticDiscriminantAnalysis
FITTED = QDA().fit(X, Y)
FRAME = pd.DataFrame({"long": X[:, 0], "wide": X[:, 1], "kind": Y})

# Right arguments, by the name of the parameter; `OF_ONE` has those of single functions. Those that are "as in
# Matplotlib", such as colours, are left out: so are their errors.
RIGHT: dict[str, Any] = {
    "X": X, "y": Y, "x": COUNTS[:, 0], "sample_weight": np.ones(25), "weights": None, "classes": None,
    "priors": "equal", "ddof": 1, "costs": 1 - np.eye(3), "reject": 0.1, "other": FITTED, "data": (X, Y),
    "covariance": [[2, 1], [1, 2]], "mean": [0, 0], "singular": "raise", "scale": None, "n": 3, "n_sigma": 1,
    "columns": [1], "moments": Moments.of(X), "n_per_class": 4, "n_splits": 2, "n_folds": 3, "n_repeats": 1,
    "train_size": 0.5, "stratify": True, "within_class": True, "splits": bayeslab.k_fold(Y, 3, stratify=True),
    "classifier": QDA(), "classifiers": QDA(), "train_sizes": [12, 15], "a": PAIR[0], "b": PAIR[1], "first": PAIR[0],
    "second": PAIR[1], "densities": LINE, "gaussians": PAIR, "labels": ["a", "b"], "window": [[-3, 3], [-3, 3]],
    "W": np.eye(2), "w": [0, 0], "w0": -4, "frame": FRAME, "label": "kind", "features": ["long", "wide"],
    "number": "0.1", "answer": 200, "kind": "full", "shared": False, "shrinkage": 0.1, "diagonal": False,
    "responsibilities": np.full((25, 2), 0.5), "y_true": Y, "y_pred": Y, "text": "note",
    "surface": bayeslab.QuadraticSurface.between(*PAIR), "gaussian": LINE[0], "n_grid": 20, "between": (0, 1),
    "weight": 1.0, "feature_names": ["a", "b"],
    "problem": "P1a", "names": True, "starts": X[[0, 20]], "sizes": 1.0, "points": X[:, 0], "cut": 1.0, "k": 3,
    "query": X[0], "error": "left out", "rule": "LDA", "data_or_classifier": (X, Y), "rules": ["LDA", "QDA"],
    "source": (X[1:17], Y[1:17]), "seed": 0, "drawn": 1, "challenge": "all", "n_features": 2, "ax": None,
}  # fmt: skip
OF_ONE: dict[str, dict[str, Any]] = {
    "accuracy_summary": {"table": bayeslab.cross_validate(QDA(), X, Y, bayeslab.k_fold(Y, 3, stratify=True))},
    "class_covariances": {"moments": [Moments.of(X[:12]), Moments.of(X[12:])]},
    "e_step": {"weights": [0.5, 0.5]},
    "error_of": {"rule": QDA().fit(X[:, :1], Y == "setosa")},
    "log_determinant_rule": {"x": X},
    "m_step": {"covariance": "full"},
    "make_mixture_pair": {"problem": "P3a"},
    "plot_ellipses": {"n_sigma": [1, 2]},
    "plot_regions": {"classifier": FITTED, "classes": None},
    "plot_points": {"classes": None},
    "two_class": {"first": "setosa", "second": "virginica"},
    "ThresholdExplorer": {"gaussians": LINE, "priors": [0.5, 0.5]},
    "VarianceExplorer": {"n": 8},
    "TrueClassifier": {"weights": None},
    "AccuracySummary": {"mean": 0.5, "standard_error": 0.1, "assumes": "nothing"},
    "Dataset": {"feature_names": ["a", "b"], "description": "", "truth": None},
    "DensityClassifier": {"density": GaussianMixture(1)},
    "Moments": {"mean": np.zeros(2), "scatter": np.eye(2), "remainder": 0.0},
    "Moments.of_columns": {"columns": np.array([True, False])},
    "Moments.pooled": {"moments": [Moments.of(X)]},
    "NaiveBayes": {"families": bayeslab.Normal()},
    "QuadraticSurface.between": {"priors": [0.5, 0.5]},
    "TrueClassifier.decide": {"costs": 1 - np.eye(2)},
    "Gaussian.mean_from": {"origin": np.zeros(2)},
    "of_moments": {"moments": [Moments.of(X[:12]), Moments.of(X[12:])], "classes": ["a", "b"]},
}


OBJECTS = [
    FITTED,
    QDA(),
    bayeslab.LinearDiscriminantAnalysis(n_components=1).fit(X, Y),
    bayeslab.NaiveBayes(bayeslab.Normal()).fit(X, Y),
    bayeslab.DensityClassifier(GaussianMixture(1)).fit(X, Y),
    bayeslab.MultinomialNB().fit(COUNTS, Y),
    GaussianMixture(2, random_state=0).fit(X),
    GaussianMixture(2),
    bayeslab.TrueClassifier(PAIR, ["a", "b"]),
    PAIR[0],
    Moments.of(X),
    IRIS,
    RIGHT["surface"],
    bayeslab.StudentT().fit(X),
    *(clone(each).fit(draw(each)) for each in FAMILIES),
]


class Call(NamedTuple):
    """Something public, how to get it afresh, and arguments with which it works."""

    name: str
    get: Callable[[], Callable]
    right: dict[str, Any]


def call_of(name: str, get: Callable[[], Callable], thing: Any = None) -> Call:
    known = (
        {"rng": np.random.default_rng(0)}
        | RIGHT
        | right_for(thing)
        | OF_ONE.get(name.split(".")[-1], {})
        | OF_ONE.get(name, {})
    )
    taken = [each.name for each in inspect.signature(get()).parameters.values() if each.kind != each.VAR_POSITIONAL]
    return Call(name, get, {each: known[each] for each in taken if each in known})


def right_for(thing: Any) -> dict[str, Any]:
    """Arguments that depend on the object whose method is called."""
    if isinstance(thing, Family):
        return {"x": draw(thing), "summary": thing.summarise(draw(thing)) if hasattr(thing, "summarise") else None}
    if isinstance(thing, bayeslab.StudentT):
        return {"x": X}
    if isinstance(thing, bayeslab.BayesClassifier):
        return {"other": thing, "X": X[::2], "y": Y[::2], "sample_weight": None}
    return {}


def methods_of(thing: Any) -> Iterator[Call]:
    """All that a user calls of an object or a class; each call gets a copy."""
    owner = thing if inspect.isclass(thing) else type(thing)
    for name in dir(owner):
        found = inspect.getattr_static(owner, name)
        ours = any(name in vars(each) and each.__module__.startswith("bayeslab") for each in owner.__mro__)
        if name.startswith("_") or not ours or inspect.isclass(found):
            continue
        if isinstance(found, classmethod) if inspect.isclass(thing) else callable(found) or hasattr(found, "fn"):
            yield call_of(f"{owner.__name__}.{name}", lambda name=name: getattr(copy.deepcopy(thing), name), thing)


def every_call() -> Iterator[Call]:
    for module in (bayeslab, plotting, explore):
        for name in module.__all__:
            public = getattr(module, name)
            if inspect.isfunction(public) or (inspect.isclass(public) and not issubclass(public, Exception)):
                yield call_of(name, lambda public=public: public)
                yield from methods_of(public) if inspect.isclass(public) else ()
    for thing in OBJECTS:
        yield from methods_of(thing)
    yield call_of("check", lambda: check)
    yield Call("Dataset.select", lambda: lambda feature: IRIS.select(feature), {"feature": "petal length"})


CALLS = list(every_call())
AXES = plt.figure().subplots(1, 2)
WRONG: list[Any] = [
    None, True, 0, -1, 3, 2.5, -0.5, np.nan, np.inf, 10**400, 1j, "", "a", "equal", b"a", ..., object(), int, len, [],
    [[]], [1], [None], ["a", 2], [[1, 2], [3]], [[1, "b"]], [True, False], (1, 2, 3), {}, {"a": 1}, {1, 2}, range(3),
    np.array([]), np.zeros((0, 2)), np.zeros((2, 0)), np.zeros((2, 2, 2)), np.array(3), np.array(["a", "b"]), X[:, 0],
    X[:3], Y[:3], Y[:, None], np.where(X > 6, np.nan, X), np.where(X > 6, np.inf, X), X * 1e200, X + 1j,
    X.astype(str), X.astype(object), np.full((25, 2), None), np.full(25, "a"), np.arange(25), np.arange(25) / 7,
    [np.nan] * 25, pd.Series(Y), pd.Series([1.0, None]), FRAME, pd.DataFrame(), csr_array(COUNTS),
    np.ma.masked_less(X, 2), IRIS, np.datetime64("2020"), pd.Categorical(Y), QDA, QDA(), FITTED, PAIR, PAIR[0], LINE,
    LINE[0], Moments.of(X), (X, Y), [("a", "b")], [([0, 1], [2, 3])], plotting, np.random.default_rng,
    np.random.default_rng(0), slice(3), iter([1]), AXES,
]  # fmt: skip


def complaint_of(call: Call, wrong: dict[str, Any]) -> str | None:
    """Return an error that these arguments give, unless it is a sentence of ours."""
    try:
        call.get()(**call.right | wrong)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        raised = linecache.getline(last.filename, last.lineno).strip().startswith("raise")
        ours = "/bayeslab/" in last.filename or last.filename.endswith("sklearn/utils/validation.py")
        documented = isinstance(error, ValueError | TypeError | AttributeError) and ours
        # What traitlets says of a wrong value of a trait is a sentence, too.
        if raised and (documented or isinstance(error, traitlets.TraitError)):
            return None
        said = " ".join(f"{name}={reprlib.repr(value)}" for name, value in wrong.items())
        return (
            f"{call.name} with {said}: {type(error).__name__}: {str(error)[:90]} [{last.filename[-30:]}:{last.lineno}]"
        )
    finally:
        plt.close("all")
    return None


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: bayeslab.random_split(X, Y, np.random.default_rng(0), train_size=None), "train_size must be a number"),
        (lambda: bayeslab.make_xor(2.5, np.random.default_rng(0)), "n_per_class must be a whole number, .* not 2.5"),
        (lambda: bayeslab.cross_validate([QDA()], X, Y, RIGHT["splits"]), "or a dict of classifiers by name is needed"),
        (lambda: bayeslab.cross_validate(QDA, X, Y, RIGHT["splits"]), r"without the \(\) that make an object"),
        (lambda: bayeslab.cross_validate(QDA(), X, Y, RIGHT["splits"][0]), r"of one pair, make a list: \[pair\]"),
        (lambda: bayeslab.cross_validate(QDA(), X, Y, "k_fold"), r"splits must be a list of pairs \(train, test\)"),
        (lambda: plotting.plot_points(X, Y[:5]), r"a label for each row of X, shape \(25,\), but has shape \(5,\)"),
        (lambda: plotting.plot_points(X, Y[:, None]), r"has shape \(25, 1\)"),
        (lambda: plotting.plot_points(X, Y, AXES), "plot_points: ax must be an Axes or None, not array"),
        (lambda: plotting.plot_ellipses(np.array(3)), r"a Gaussian, a list of Gaussians, or .*, not array\(3\)"),
        (lambda: plotting.plot_ellipses(FITTED, n_sigma=2), "n_sigma must be a list of numbers, not 2"),
        (lambda: plotting.plot_regions(FITTED, X * np.nan), "no row of X is finite"),
        (lambda: RIGHT["surface"].between(*PAIR, "equal"), "priors must be an array of numbers, not 'equal'"),
        (lambda: Moments.none(-1), "n_features must be a whole number, 1 or more, not -1"),
        (lambda: QDA().means_, "this QuadraticDiscriminantAnalysis is not fitted yet, so it has no means_; call fit"),
        (lambda: FITTED.coef_, "only a covariance shared by all classes gives linear scores"),
        (lambda: explore.EMExplorer(X, 3), r"starts must have shape \(K, 2\)"),
        (lambda: QDA().fit(FRAME[["long", "kind"]], Y), "X must be an array of numbers.*'setosa'"),
        (
            lambda: bayeslab.MultinomialNB().fit(COUNTS, Y, {1, 2}),
            "MultinomialNB.fit: sample_weight must be one number",
        ),
    ],
)
def test_what_people_have_tried(call, says):
    with pytest.raises((ValueError, TypeError, AttributeError, traitlets.TraitError), match=says):
        call()


def test_an_error_of_a_density_of_ones_own_stays_what_it_is():
    class Broken:
        def fit(self, X):
            return self

        def score_samples(self, X):
            return {}["scale"]

    with pytest.raises(KeyError, match="scale"):
        bayeslab.DensityClassifier(Broken()).fit(X, Y).predict(X)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
@pytest.mark.filterwarnings("ignore")
def test_the_right_arguments_are_right(call):
    assert complaint_of(call, {}) is None


@settings(deadline=None, max_examples=1000)
@given(st.data())
@pytest.mark.filterwarnings("ignore")
def test_wrong_arguments_give_sentences(data):
    call = data.draw(st.sampled_from([each for each in CALLS if each.right]), "call")
    names = data.draw(st.lists(st.sampled_from(sorted(call.right)), min_size=1, max_size=2, unique=True), "spoilt")
    wrong = {name: WRONG[data.draw(st.integers(0, len(WRONG) - 1), name)] for name in names}
    assert complaint_of(call, wrong) is None
