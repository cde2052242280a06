"""All explorers in one table, for Node and for browsers: how each is made, and what can be done to it."""

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bayeslab.explore._content import MOST_POINTS_GIVEN

SETUP = """
import json
import numpy as np
from bayeslab import Gaussian, load_iris, make_gaussian_pair, make_three_classes
from bayeslab.explore import *

shelf = make_gaussian_pair("P1a", 20, np.random.default_rng(3))
flowers = load_iris().select("petal length", "petal width")
three = make_three_classes(20, np.random.default_rng(0))
"""
NAMES = {}
exec(SETUP, NAMES)

I3 = [np.eye(2)] * 3
LABELS = ["b'c", "</script><b>", "é 中 😀, #&=%"]


@dataclass(frozen=True)
class Explorer:
    """One of them.

    Parameters
    ----------
    code : str
        Makes it, with the names of `SETUP`.
    sense, nonsense : list
        Changes that go together with the rest, and (change, words of the refusal) that do not.
    python_alone : list
        As nonsense, which only Python may be given: the browser has it from Python or from a link.
    wrong_links : str
        Links to what no state of the browser's can be.
    limit : str
        The name of its limits in constants.js, where it has a greatest number of points.
    handles : str
        Some of its handles; the first moves `traits` and nothing else. Empty in rows that are not for a browser.
    fields : dict
        What can be typed into it.
    """

    code: str
    sense: list = field(default_factory=list)
    nonsense: list = field(default_factory=list)
    python_alone: list = field(default_factory=list)
    wrong_links: str = ""
    limit: str = ""
    handles: str = ""
    traits: set = field(default_factory=set)
    fields: dict = field(default_factory=dict)

    def make(self):
        return eval(self.code, NAMES)

    @cached_property
    def kind(self):
        """Its class in Python; the one in JavaScript has the same name."""
        return NAMES[re.match(r"\w+", self.code)[0]]

    @property
    def module(self):
        """The module of its page."""
        name = self.kind.__name__.removesuffix("Explorer").lower()
        return "boundary_page.js" if name == "boundary" else f"{name}_explorer.js"


EXPLORERS = {
    "boundary": Explorer(
        "BoundaryExplorer(three)",
        handles="mean-1 axis1-0",
        traits={"means", "points"},
        fields={"prior-number-1": 0.25},
        sense=[
            {"shared": 1, "rule": "RDA", "mode": "truth", "show_regions": False},
            {"priors": [0, 0, 1], "class_names": LABELS, "feature_names": ["x\n", "'y'"]},
            {"points": [], "class_names": ["1", 7, True]},
            {"cut": [[0, 1], [2, 3]], "points": [[1, 2, 2], [-1e-9, 1e25, 0]]},
        ],
        nonsense=[
            ({"means": [[0, 0], [np.nan, 1], [1, 1]]}, r"means\[1, 0\] is nan"),
            ({"means": [[0, 0], [1e150, 1], [1, 1]]}, r"below 1e\+100"),
            ({"means": [[0, 0], [1, 1]]}, r"shape \(3, 2\), for 3 classes, not \(2, 2\)"),
            ({"covariances": np.tile([[1, 2], [2, 1]], (3, 1, 1))}, "class 0 must be positive definite"),
            ({"covariances": np.ones((3, 2, 2))}, "its rank is 1 of 2"),
            ({"covariances": np.tile([[1, 0.5], [0, 1]], (3, 1, 1))}, "symmetric"),
            ({"priors": [0.5, 0.5, 0.5]}, "sums to 1.5"),
            ({"priors": [1.5, -0.5, 0]}, "non-negative"),
            ({"points": [[0, 0, 3]]}, "0 to 2, last, but one has 3"),
            ({"class_names": ["a", "a", "b"]}, "different labels"),
            ({"feature_names": ["x"]}, "feature_names"),
            ({"feature_names": ["x", "y", "z"]}, "feature_names"),
            ({"rule": "SVM"}, "SVM"),
            ({"mode": "true"}, "true"),
            ({"k": 0}, "k"),
            ({"shared": 1.5}, "shared"),
            ({"shared": np.nan}, "shared"),
            ({"cut": [[0, 1]]}, "cut must be two places"),
            ({"means": np.zeros((3, 2)), "covariances": I3, "priors": [1]}, "priors must have"),
        ],
        python_alone=[
            ({"means": "abc"}, "means must be an array of finite numbers"),
            ({"covariances": np.eye(2)}, r"shape \(3, 2, 2\)"),
            ({"points": [[0, 0]]}, r"shape \(n, 3\)"),
            (
                {"points": np.zeros((MOST_POINTS_GIVEN + 1, 3))},
                f"{MOST_POINTS_GIVEN} points, not .*: take some",
            ),
        ],
    ),
    "challenges": Explorer(
        "ChallengeExplorer(current='ellipse')",  # in the first one, nothing can be dragged
        handles="mean-1 axis2-0",
        traits={"means", "points"},
        fields={"prior-number-0": 0.4},
        sense=[{"done": ["coin"]}, {"current": "line"}],
        nonsense=[({"priors": [0.5, 0.6]}, "sums to 1.1"), ({"rule": "SVM"}, "SVM")],
        python_alone=[({"current": name}, f"one of line, ellipse.*, not '{name}'") for name in ("nonsense", "all")]
        + [({"done": ["nonsense"]}, "done")],
    ),
    "covariance": Explorer(
        "CovarianceExplorer()",
        handles="axis-1",
        traits={"covariance"},
        fields={"cut-number": 2.5},
        sense=[
            {"covariance": [[1e-200, 0], [0, 1e-200]]},
            {"covariance": [[1, 0.5], [0.5 + 1e-12, 1]]},
            {"covariance": [[4, 0], [0, 1]], "cut": 2},
        ],
        nonsense=[
            ({"covariance": [[1, 2], [2, 1]]}, "positive definite"),
            ({"covariance": [[1, 1], [1, 1]]}, "positive definite"),
            ({"covariance": [[1, 0.5], [0.5 + 1e-6, 1]]}, "symmetric"),
            ({"covariance": [[1e200, 0], [0, 1]]}, r"below 1e\+100"),
            ({"covariance": [[1, np.nan], [0, 1]]}, r"covariance\[0, 1\] is nan"),
            ({"cut": np.inf}, "finite"),
            ({"cut": 1e200}, "finite"),
        ],
        python_alone=[({"covariance": np.eye(3)}, r"shape \(2, 2\), not \(3, 3\)"), ({"cut": "a"}, "cut")],
    ),
    "em": Explorer(
        'EMExplorer(shelf.X, [[0, 0], [1, 1]], feature_names=["x", "é 中"])',
        handles="start-1 size-0",
        traits={"starts"},
        fields={"step-number": 5},
        wrong_links="step=801 starts=0,0",
        sense=[
            {"starts": [[0, 0], [1e6, 1e6]]},
            {"starts": [[0, 0]] * 5, "sizes": [0.02] * 5},
            {"step": 3, "feature_names": ["x", "é $"]},
        ],
        nonsense=[
            ({"points": NAMES["shelf"].X[:2]}, r"from 3 to 1000, not \(2, 2\)"),
            ({"points": [[0, 0], [1, 1], [2, 2]]}, "vary in all directions"),
            ({"points": [[0, 0], [1, np.nan], [2, 2]]}, "finite"),
            ({"starts": [[0, 0]] * 6, "sizes": [1] * 6}, r"K from 1 to 5, not \(6, 2\)"),
            ({"starts": [[0, 0]]}, r"one size for each start is needed, not \(2,\) for 1"),
            ({"sizes": [1, 0]}, r"from 0.02 to 2, not \[1.0, 0.0\]"),
            ({"starts": [[0, 0], [0, 1e9]]}, r"within 1e\+06 standard deviations of the points"),
            ({"step": -1}, "-1"),
        ],
        python_alone=[({"points": NAMES["shelf"].X[:, :1]}, r"\(40, 1\)")],
        limit="EM",
    ),
    "likelihood": Explorer(
        'LikelihoodExplorer([1, 2, 4], feature_name="width, in µm & more", style_index=2)',
        handles="mean point-2 both",
        traits={"mean"},
        fields={"mean-number": 2.5},
        wrong_links="points=1,NaN style_index=10 feature_name=%E0%A4%A",
        sense=[{"points": [2], "style": 2}, {"points": [2, 2], "mean": -1e-9}, {"feature_name": "width, in µm & more"}],
        nonsense=[
            ({"points": []}, r"of shape \(n,\), n from 1 to 1000, not \(0,\)"),
            ({"points": [1, np.inf]}, "finite"),
            ({"mean": np.nan}, r"mean must be a finite number below 1e\+100, not nan"),
            ({"mean": -1e100}, r"not -1e\+100"),
            ({"deviation": 0}, "deviation must be positive, not 0"),
            ({"deviation": -1}, "deviation must be positive, not -1"),
        ],
        python_alone=[({"points": [[1, 2]]}, r"not \(1, 2\)"), ({"style_index": 10}, "style_index")],
        limit="likelihood",
    ),
    "neighbours": Explorer(
        "NeighboursExplorer(shelf, k=9, query=[0.5, 0.2])",
        handles="query neighbour",
        traits={"query"},
        fields={"k-number": 4},
        wrong_links="k=66 points=drawn,1,500,500",
        sense=[
            {"k": 65, "query": [0.5, 0.2], "class_names": LABELS[:2]},
            {
                "means": [],
                "covariances": [],
                "priors": [],
                "class_names": ["cost ($)", "$^$"],
                "feature_names": ["a_$ b^$", "$"],
            },
        ],
        nonsense=[
            ({"points": [[0, 0, 0]]}, "must be 2 points, not 1"),
            ({"points": [[0, 0, 0], [1, 1, 2]]}, "0 to 1, last, but one has 2"),
            ({"points": [[0, 0, 0], [1e100, 0, 1]]}, r"below 1e\+100"),
            ({"query": [1, 2, 3]}, r"shape \(2,\), not \(3,\)"),
            ({"query": [1, np.inf]}, "finite"),
            ({"k": 0}, "0"),
            ({"means": [[0, 0]]}, r"shape \(2, 2\), for 2 classes"),
            ({"covariances": [np.eye(2), np.ones((2, 2))]}, "class 1 must be positive definite"),
            ({"priors": [0.5, 0.6]}, "sum to 1"),
            ({"priors": [1.5, -0.5]}, "non-negative"),
            ({"class_names": ["a"]}, "2 to 5 different labels"),
            ({"class_names": list("abcdef"), "points": [[i, i**2, i] for i in range(6)]}, "2 to 5 different labels"),
        ],
        python_alone=[({"k": 66}, "66"), ({"points": [[0, 0]] * 3}, r"shape \(n, 3\)")],
        limit="neighbours",
    ),
    "regularised": Explorer(
        "RegularisedExplorer(shared=0.4, shrinkage=0.4)",
        handles="pair mean-1",
        traits={"shared", "shrinkage"},
        fields={"shared-number": 0.35},
        wrong_links="error=nothing points=drawn,1,2,9,9 points=drawn,1,99,99,99",
        sense=[{"shared": 0, "shrinkage": 1}, {"shared": 0.3, "class_names": LABELS}],
        nonsense=[
            ({"shared": 1.1}, "1.1"),
            ({"shrinkage": -0.1}, "-0.1"),
            ({"shrinkage": np.nan}, "finite"),
            ({"error": "training"}, "training"),
            ({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 5, 1], [6, 6, 1], [5, 6, 2]]}, r"not \[3, 2, 1\]"),
        ],
        python_alone=[({"points": [[x, k, k] for k in range(3) for x in (1, 2, 4)]}, "'x₂' does not vary")],
        limit="regularised",
    ),
    "regularised without truth": Explorer(
        "RegularisedExplorer((shelf.X, shelf.y))",
        sense=[{"shrinkage": 0.1}],
        nonsense=[({"error": "true"}, "a Dataset with a truth")],
    ),
    "threshold": Explorer(
        "ThresholdExplorer([Gaussian(mean, 1) for mean in (0, 3, 6)], "
        'class_names=["a,b and a rather long name", 1, "wordwithoutanyspaceinit"])',
        handles="threshold-0 mean-0 deviation-2",
        traits={"thresholds"},
        fields={"prior-1-number": 0.25, "cost-2-number": 7},
        wrong_links="mode=<b> mode=both",
        sense=[
            {"priors": [0, 1, 0], "class_names": ["a,b", 1, "1"]},
            {"costs": [0, 0, 7], "thresholds": [1, 1], "mode": "posterior"},
        ],
        nonsense=[
            ({"deviations": [1, 0, 1]}, r"deviations must be positive, not \[1.0, 0.0, 1.0\]"),
            ({"deviations": [1, 2]}, r"deviations must have shape \(3,\), for 3 classes, not \(2,\)"),
            ({"means": [0, np.nan, 1]}, "means must be an array of finite numbers"),
            ({"priors": [0.5, 0.6, 0]}, "sums to 1.1"),
            ({"priors": [1.5, -0.5, 0]}, "non-negative"),
            ({"costs": [1, -2, 1]}, r"costs must be non-negative, not \[1.0, -2.0, 1.0\]"),
            ({"thresholds": [3, 1]}, r"thresholds must be 2 in ascending order.*, not \[3.0, 1.0\]"),
            ({"thresholds": [1]}, "thresholds must be 2 in ascending order"),
            ({"class_names": ["A", "A", "B"]}, "2 or 3 different labels"),
            ({"class_names": ["A"]}, "2 or 3 different labels"),
            ({"mode": "both"}, "mode"),
        ],
    ),
    "threshold of two": Explorer(
        "ThresholdExplorer([Gaussian(0, 1), Gaussian(2, 4)])",
        sense=[{"priors": [0, 1]}, {"costs": [0, 0]}],
        nonsense=[({"thresholds": [1, 2]}, "thresholds must be 1 in ascending order")],
    ),
    "tour": Explorer(
        "TourExplorer(step=3)",
        handles="mean-0 mean-1",
        traits={"means"},
        fields={"blue-number": 80},
        wrong_links="step=0 step=8 step=1.5 star=1 star=1,2,3 drawn=0 n=2 priors=1",
        sense=[
            {"step": 1, "star": [0, -3]},
            {"step": 7, "n": 80, "drawn": 200, "priors": [0, 1]},
            {"step": 5, "means": [[0, 0], [0, 0]], "covariances": [np.eye(2), [[1e-6, 0], [0, 1e6]]]},
        ],
        nonsense=[
            ({"step": 0}, "0"),
            ({"step": 8}, "8"),
            ({"means": [[0, 0]]}, r"means must have shape \(2, 2\)"),
            ({"means": [[0, 1e100], [0, 0]]}, r"below 1e\+100"),
            ({"covariances": [np.eye(2), np.ones((2, 2))]}, "class 'orange' must be positive definite"),
            ({"priors": [0.5, 0.6]}, "sums to 1.1"),
            ({"star": [1, 2, 3]}, "star must be a place"),
            ({"star": [1, np.nan]}, "finite"),
            ({"n": 2}, "2"),
            ({"drawn": 201}, "201"),
        ],
        python_alone=[({"drawn": 2.5}, "drawn")],
    ),
    "variance": Explorer(
        'VarianceExplorer(rules=("naive", "QDA"), n=5, drawn=30)',
        handles="mean-1",
        traits={"means"},
        fields={"n-number": 9},
        wrong_links="n=2 n=3.5 drawn=0 drawn=201 seed=-1",
        sense=[
            {"rules": ["RDA"], "shared": 0.3, "n": 3, "drawn": 200},
            {"means": [[0, 0], [0, 0]], "covariances": [np.eye(2), [[1e-6, 0], [0, 1e6]]], "seed": 1_000_000},
            {"class_names": LABELS[:2], "classes": LABELS[::-1], "feature_names": ["x, é", "$"], "n": 200, "drawn": 3},
        ],
        nonsense=[
            ({"means": [[0, 0]]}, r"means must have shape \(2, 2\)"),
            ({"covariances": [np.eye(2), np.ones((2, 2))]}, "class 'B' must be positive definite"),
            ({"means": [[0, 1e100], [0, 0]]}, r"below 1e\+100"),
            ({"class_names": ["A", "A"]}, "2 different labels"),
            ({"class_names": ["A"]}, "2 different labels"),
            ({"rules": []}, "rules"),
            ({"rules": ["LDA", "LDA"]}, "different"),
            ({"rules": ["LDA", "QDA", "RDA"]}, "rules"),
            ({"rules": ["kNN"]}, "kNN"),
            ({"shared": 1.1}, "1.1"),
            ({"n": 2}, "2"),
            ({"n": 201}, "201"),
            ({"drawn": 0}, "0"),
            ({"drawn": 201}, "201"),
            ({"seed": -1}, "-1"),
        ],
        python_alone=[({"n": 2.5}, "n")],
    ),
}
IN_BROWSER = [name for name, row in EXPLORERS.items() if row.handles]
