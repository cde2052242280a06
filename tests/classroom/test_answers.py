"""Which cells hold an answer, which have to run for it, and who wrote the same."""

import pytest
from classroom.answers import code_of_answer, needed, normal

SETUP = "import numpy as np\nfrom bayeslab.checks import check"
CELLS = [
    SETUP,
    "rng = np.random.default_rng(1)\nX = rng.normal(size=9)",
    "slow = [rng.normal() for _ in range(10**9)]",
    "def rule(x):\n    return scale * x",
    "scale = 3",
    "%matplotlib inline",
    "fig = plot(X)",
    "X[0] = 7",
    "check('0.1', rule)",
    "check('0.2', ...)",
]


@pytest.mark.parametrize(
    ("changed", "runs"),
    [
        ({}, [1, 4, 5, 6, 9, 10]),
        ({10: "check('0.2', X.mean())"}, [1, 2, 4, 5, 6, 8, 9, 10]),  # X is changed, but not by a draw after it
        ({10: "check('0.2', rng.normal())"}, [1, 2, 3, 4, 5, 6, 9, 10]),  # each draw changes the next
        ({7: "rule = 5"}, [1, 6, 7, 9, 10]),
        # what a loop binds before it uses it comes from nowhere else
        ({10: "for k in [1]:\n    scale = k\n    with open(k) as X:\n        check('0.2', X)"}, [1, 4, 5, 6, 9, 10]),
        ({10: "for X in X:\n    check('0.2', X)"}, [1, 2, 4, 5, 6, 8, 9, 10]),
        ({10: "try:\n    fig\nexcept ValueError as X:\n    check('0.2', X)"}, [1, 2, 4, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_only_what_an_answer_needs_runs(changed, runs):
    cells = [(number, changed.get(number, source)) for number, source in enumerate(CELLS, 1)]
    found = needed(cells, set(CELLS))
    assert sorted(found) == runs
    assert [number for number, (ours, _) in found.items() if not ours] == list(changed)


def test_of_a_cell_of_the_course_only_the_statements_run_that_an_answer_needs():
    cells = [(1, "import a\nimport b\nslow = a.run()"), (2, "b.go()\nx = 1\ncheck('0.1', b.f)\nprint(x)"), (3, "x")]
    found = needed(cells, {source for _, source in cells[:2]})
    assert found == {1: (True, "import b"), 2: (True, "x = 1\ncheck('0.1', b.f)"), 3: (False, "x")}
    cells = [(1, "x = [1]\ny = x\ny.append(2)\nz = 3"), (2, "check('0.1', x)")]
    assert needed(cells, {cells[0][1]})[1] == (True, "x = [1]\ny = x\ny.append(2)")  # which changes x


def test_the_code_of_an_answer_may_stand_in_two_cells():
    cells = list(enumerate(CELLS, 1))
    assert code_of_answer(cells, "0.1", 9) == f"{CELLS[3]}\n\n{CELLS[8]}"
    assert code_of_answer([(1, "x = 1"), (2, "check('0.1', lambda x: x")], "0.1", 2).startswith("check")  # no Python


def test_spaces_comments_and_docstrings_are_no_part_of_an_answer():
    first = "def f(x):\n    return x+1  # mine"
    second = 'def f(x):\n\n    """Add one."""\n    # yours\n    return (x + 1)\n'
    assert normal(first) == normal(second)
    assert normal(first) != normal(first.replace("1", "2"))
    assert normal("%run  x") == normal("%run x")
    assert normal("-" * 10**5 + "1")  # a tree that is too deep
