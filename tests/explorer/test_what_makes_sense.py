"""What is refused: by Python with a sentence and without a change, and by the JavaScript as well."""

import numpy as np
import pytest
from javascript import call, needs_node
from traitlets import TraitError

from bayeslab import Gaussian, load_iris, make_gaussian_pair
from bayeslab.explore import (
    BoundaryExplorer,
    CovarianceExplorer,
    EMExplorer,
    LikelihoodExplorer,
    NeighboursExplorer,
    RegularisedExplorer,
    ThresholdExplorer,
)
from bayeslab.explore._bundle import constants

PETALS = load_iris().select("petal length", "petal width")
SHELF = make_gaussian_pair("P1a", 100, np.random.default_rng(11))
MAKE = {
    "boundary": lambda **traits: BoundaryExplorer(PETALS, **traits),
    "covariance": CovarianceExplorer,
    "em": lambda **traits: EMExplorer(SHELF.X, SHELF.X[[1, 0]], **traits),
    "likelihood": lambda **traits: LikelihoodExplorer([1, 2, 4], **traits),
    "neighbours": lambda **traits: NeighboursExplorer(SHELF, **traits),
    "regularised": lambda **traits: RegularisedExplorer((PETALS.X[::8], PETALS.y[::8]), **traits),
    "threshold": lambda **traits: ThresholdExplorer([Gaussian(0, 1), Gaussian(2, 4)], **traits),
}
I3 = [np.eye(2)] * 3

# Of each explorer, what does not go together with the rest, and what Python says of it.
NONSENSE = {
    "boundary": [
        ({"means": [[0, 0], [np.nan, 1], [1, 1]]}, r"means\[1, 0\] is nan"),
        ({"means": [[0, 0], [1, 1]]}, r"shape \(3, 2\), for 3 classes, not \(2, 2\)"),
        ({"covariances": np.tile([[1, 2], [2, 1]], (3, 1, 1))}, "class 'setosa' must be positive definite"),
        ({"covariances": np.ones((3, 2, 2))}, "its rank is 1 of 2"),
        ({"covariances": np.tile([[1, 0.5], [0, 1]], (3, 1, 1))}, "symmetric"),
        ({"priors": [0.5, 0.5, 0.5]}, "sums to 1.5"),
        ({"priors": [1.5, -0.5, 0]}, "non-negative"),
        ({"points": [[0, 0, 3]]}, "0 to 2, last, but one has 3"),
        ({"class_names": ["a", "a", "b"]}, "different labels"),
        ({"rule": "SVM"}, "SVM"),
        ({"mode": "true"}, "true"),
        ({"k": 0}, "k"),
        ({"shared": 1.5}, "shared"),
        ({"cut": [[0, 1]]}, "cut must be two places"),
        (
            {"class_names": ["x", "y", "z"], "means": np.zeros((3, 2)), "covariances": I3, "priors": [1]},
            "priors must have",
        ),
    ],
    "covariance": [
        ({"covariance": [[1, 2], [2, 1]]}, "positive definite"),
        ({"covariance": [[1, 1], [1, 1]]}, "positive definite"),
        ({"covariance": [[1, 0.5], [0.5 + 1e-6, 1]]}, "symmetric"),
        ({"covariance": [[1e200, 0], [0, 1]]}, r"below 1e\+100"),
        ({"covariance": [[1, np.nan], [0, 1]]}, r"covariance\[0, 1\] is nan"),
        ({"cut": np.inf}, "finite"),
        ({"cut": 1e200}, "finite"),
    ],
    "em": [
        ({"points": SHELF.X[:2]}, r"from 3 to 1000, not \(2, 2\)"),
        ({"points": [[0, 0], [1, 1], [2, 2]]}, "vary in all directions"),
        ({"points": [[0, 0], [1, np.nan], [2, 2]]}, "finite"),
        ({"starts": [[0, 0]] * 6, "sizes": [1] * 6}, r"K from 1 to 5, not \(6, 2\)"),
        ({"starts": [[0, 0]]}, r"one size for each start is needed, not \(2,\) for 1"),
        ({"sizes": [1, 0]}, r"from 0.02 to 2, not \[1.0, 0.0\]"),
        ({"starts": [[0, 0], [0, 1e9]]}, r"within 1e\+06 standard deviations of the points"),
        ({"step": -1}, "-1"),
    ],
    "likelihood": [
        ({"points": []}, r"of shape \(n,\), n from 1 to 1000, not \(0,\)"),
        ({"points": [1, np.inf]}, "finite"),
        ({"mean": np.nan}, r"mean must be a finite number below 1e\+100, not nan"),
        ({"mean": -1e100}, r"not -1e\+100"),
        ({"deviation": 0}, "deviation must be positive, not 0"),
        ({"deviation": -1}, "deviation must be positive, not -1"),
    ],
    "neighbours": [
        ({"points": [[0, 0, 0]]}, "must be 2 points, not 1"),
        ({"points": [[0, 0, 0], [1, 1, 2]]}, "0 to 1, last, but one has 2"),
        ({"points": [[0, 0, 0], [1e100, 0, 1]]}, r"below 1e\+100"),
        ({"query": [1, 2, 3]}, r"shape \(2,\), not \(3,\)"),
        ({"query": [1, np.inf]}, "finite"),
        ({"k": 0}, "0"),
        ({"means": [[0, 0]]}, r"shape \(2, 2\), for 2 classes"),
        ({"covariances": [np.eye(2), np.ones((2, 2))]}, "class 1 must be positive definite"),
        ({"priors": [0.5, 0.6]}, "sum to 1"),
        ({"class_names": ["a"]}, "2 to 5 different labels"),
    ],
    "regularised": [
        ({"shared": 1.1}, "1.1"),
        ({"shrinkage": -0.1}, "-0.1"),
        ({"shrinkage": np.nan}, "finite"),
        ({"error": "training"}, "training"),
        ({"error": "true"}, "a Dataset with a truth"),
        ({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 5, 1], [6, 6, 1], [5, 6, 2]]}, r"not \[3, 2, 1\]"),
    ],
    "threshold": [
        ({"deviations": [1, 0]}, r"deviations must be positive, not \[1.0, 0.0\]"),
        ({"deviations": [1, 2, 3]}, r"deviations must have shape \(2,\), for 2 classes, not \(3,\)"),
        ({"means": [0, np.nan]}, "means must be an array of finite numbers"),
        ({"priors": [0.5, 0.6]}, "sums to 1.1"),
        ({"priors": [1.5, -0.5]}, "non-negative"),
        ({"costs": [1, -2]}, r"costs must be non-negative, not \[1.0, -2.0\]"),
        ({"thresholds": [1, 2]}, "thresholds must be 1 in ascending order"),
        ({"class_names": ["A", "A"]}, "2 or 3 different labels"),
        ({"class_names": ["A"]}, "2 or 3 different labels"),
        ({"mode": "both"}, "mode"),
    ],
}

# What only Python may be given: the browser has it from Python or from a link, which reads no other kinds.
PYTHON_ALONE = {
    "boundary": [
        ({"means": "abc"}, "means must be an array of finite numbers"),
        ({"covariances": np.eye(2)}, r"shape \(3, 2, 2\)"),
        ({"points": [[0, 0]]}, r"shape \(n, 3\)"),
    ],
    "covariance": [({"covariance": np.eye(3)}, r"shape \(2, 2\), not \(3, 3\)"), ({"cut": "a"}, "cut")],
    "em": [({"points": SHELF.X[:, :1]}, r"\(200, 1\)")],
    "likelihood": [({"points": [[1, 2]]}, r"not \(1, 2\)"), ({"style": 10}, "style")],
    "neighbours": [({"k": 66}, "66")],
    "regularised": [({"points": [[x, k, k] for k in range(3) for x in (1, 2, 4)]}, "'x₂' does not vary")],
}

SENSE = {
    "boundary": [{}, {"shared": 1}, {"priors": [0, 0, 1]}, {"points": []}, {"cut": [[0, 1], [2, 3]]}],
    "covariance": [{}, {"covariance": [[1e-200, 0], [0, 1e-200]]}, {"covariance": [[1, 0.5], [0.5 + 1e-12, 1]]}],
    "em": [{}, {"starts": [[0, 0], [1e6, 1e6]]}, {"starts": [[0, 0]] * 5, "sizes": [0.02] * 5}],
    "likelihood": [{}, {"points": [2]}, {"points": [2, 2]}],
    "neighbours": [{}, {"k": 65}, {"means": [], "covariances": [], "priors": []}],
    "regularised": [{}, {"shared": 0, "shrinkage": 1}],
    "threshold": [{}, {"priors": [0, 1]}, {"costs": [0, 0]}],
}


def changed(explorer, changes):
    with explorer.hold_trait_notifications():
        for name, value in changes.items():
            setattr(explorer, name, value)


def accepted(name, changes):
    """Return what the JavaScript says of states with these changes."""
    Explorer = type(MAKE[name]()).__name__
    plain = lambda value: np.asarray(value).tolist() if isinstance(value, np.ndarray | list) else value  # noqa: E731
    states = [MAKE[name]().get_state() | {trait: plain(value) for trait, value in each.items()} for each in changes]
    module = "boundary_page.js" if name == "boundary" else f"{name}_explorer.js"
    return call(module, f"(state) => {Explorer}.prototype.accepts(state)", [[state] for state in states])


@pytest.mark.parametrize("name", MAKE)
def test_nonsense_is_refused_with_a_sentence_and_changes_nothing(name):
    for changes, message in NONSENSE[name] + PYTHON_ALONE.get(name, []):
        explorer = MAKE[name]()
        before = explorer.get_state()
        with pytest.raises(TraitError, match=message):
            changed(explorer, changes)
        assert explorer.get_state() == before


@needs_node
@pytest.mark.parametrize("name", MAKE)
def test_the_browser_refuses_the_same(name):
    assert accepted(name, [changes for changes, _ in NONSENSE[name]]) == [False] * len(NONSENSE[name])


@needs_node
@pytest.mark.parametrize("name", MAKE)
def test_both_take_what_makes_sense(name):
    for changes in SENSE[name]:
        changed(MAKE[name](), changes)
    assert accepted(name, SENSE[name]) == [True] * len(SENSE[name])


@needs_node
@pytest.mark.parametrize("name", ["em", "likelihood", "neighbours", "regularised"])
def test_both_take_as_many_points_as_are_written_in_the_constants(name):
    most = constants("constants.js")["LIMITS"]["EM" if name == "em" else name]["points"]
    width = {"em": 2, "likelihood": 1}.get(name, 3)
    points = np.random.default_rng(0).normal(size=(most + 1, width))
    if width == 3:
        points[:, 2] = np.arange(most + 1) % len(MAKE[name]().class_names)
    points = points[:, 0] if width == 1 else points
    some, more = {"points": points[:-1]}, {"points": points}
    changed(MAKE[name](), some)
    with pytest.raises(TraitError, match=rf"\b{most}\b"):
        changed(MAKE[name](), more)
    assert accepted(name, [some, more]) == [True, False]
