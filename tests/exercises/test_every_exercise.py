"""What holds for the check of every exercise: wrong answers get their sentence, right ones pass, nothing escapes."""

import ast
import re
from copy import deepcopy

import hostile
import nbformat
import numpy as np
import pytest
from every import COMPARED, FUNCTIONS, NUMBERS, RIGHT, ROOT
from parts import solution_of

from bayeslab.checks import check


@pytest.mark.parametrize("number", COMPARED)
def test_a_wrong_answer_gets_its_own_sentence(number):
    mistakes = COMPARED[number].mistakes
    assert [check(number, each.answer).message for each in mistakes] == [each.sentence for each in mistakes]


def spoiling(function):
    """Return a function with the same result that also overwrites every array and every list it is given."""

    def spoil(*args):
        result = function(*deepcopy(args))
        for values in args:
            if isinstance(values, np.ndarray | list):
                values[:] = values[:1]
        return result

    return spoil


@pytest.mark.parametrize("number", RIGHT)
def test_the_right_answer_is_accepted_twice_and_may_spoil_what_it_is_given(number):
    """But for exercise 4.1, which forbids it."""
    assert check(number, RIGHT[number])
    if number in FUNCTIONS:
        assert check(number, spoiling(RIGHT[number])).solved is (number != "4.1")
    assert check(number, RIGHT[number])


def solutions():
    """Yield the solution of every exercise, up to its check, with what its notebook imports and defines before."""
    kept = ast.Import | ast.ImportFrom | ast.FunctionDef
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        before = []
        for cell in nbformat.read(path, as_version=4).cells:
            is_solution = "solution" in cell.metadata.get("tags", [])
            if cell.cell_type != "code" and not is_solution:
                continue
            source = solution_of(cell).source if is_solution else cell.source
            body = ast.parse(source).body
            if is_solution and "check(" in source:
                last = next(i for i, node in enumerate(body) if ast.unparse(node).startswith("check("))
                yield ast.Module(before + body[: last + 1], []), body[last].value.args[0].value
            before += [node for node in body if isinstance(node, kept)]


SOLUTIONS = list(solutions())


@pytest.mark.parametrize(("module", "number"), SOLUTIONS, ids=[number for _, number in SOLUTIONS])
def test_the_solution_in_the_notebook_is_right(capsys, module, number):
    exec(compile(module, "solution", "exec"), {})
    assert capsys.readouterr().out == f"{number} done.\n"


def test_each_exercise_has_one_solution():
    assert sorted(number for _, number in SOLUTIONS) == sorted(NUMBERS)


@pytest.mark.parametrize(
    ("answer", "phrase"),
    [
        (..., "replace the ... with your answer."),
        (lambda *args: ..., "replace the ... in "),
        (lambda *args: None, " None. Does it end with return?"),
        (1.5, "this exercise asks for a function, def "),
    ],
)
def test_what_is_unfinished_is_said(answer, phrase):
    assert [number for number in FUNCTIONS if phrase not in check(number, answer).message] == []


def is_a_sentence(refusal):
    return not refusal.solved and 10 < len(refusal.message) < 400 and "\n" not in refusal.message


@pytest.mark.parametrize("number", NUMBERS)
def test_a_hostile_value_is_refused_in_a_sentence(number):
    """As an answer, and as what a function returns, which is not to blame for raising then."""
    refusals = {name: check(number, make()) for name, make in hostile.VALUES.items()}
    returned = {name: check(number, lambda *args, make=make: make()) for name, make in hostile.VALUES.items()}
    assert [name for name in refusals if not is_a_sentence(refusals[name])] == []
    assert [name for name in returned if not is_a_sentence(returned[name])] == []
    assert [name for name in returned if re.search("raised|this answer cannot", returned[name].message)] == []


@pytest.mark.parametrize("name", hostile.FUNCTIONS)
def test_a_hostile_function_is_said_to_have_raised(name):
    refusals = {number: check(number, hostile.FUNCTIONS[name]) for number in FUNCTIONS}
    assert [number for number in refusals if not is_a_sentence(refusals[number])] == []
    says = {number: f"{RIGHT[number].__name__} raised " for number in FUNCTIONS}
    assert [number for number in refusals if not refusals[number].message.startswith(says[number])] == []


def test_a_student_can_still_stop_a_cell():
    for number in FUNCTIONS:
        try:
            check(number, hostile.raising(KeyboardInterrupt()))
        except KeyboardInterrupt:
            continue
        pytest.fail(f"{number} swallowed the interrupt")
