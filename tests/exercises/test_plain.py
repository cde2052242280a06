"""A judge in another process says what `check` says in the same one."""

import json
import threading
from queue import SimpleQueue

import hostile
import pytest
from classroom.judge import Judge, Run
from classroom.plain import Ended, Student
from every import COMPARED, NUMBERS, RIGHT
from test_folds_and_scenes import scene

from bayeslab.checks import verdict_on


@pytest.fixture(scope="module")
def judged():
    """Return a function that hands an answer to a judge, in a thread, and returns the verdict."""
    there, back = SimpleQueue(), SimpleQueue()
    student = Student(back.get, there.put, {})
    judge = Judge(there.get, back.put, {"check": lambda number, answer: Run().judge(number, answer)})

    def serve():
        for line in iter(there.get, b"end"):
            judge.answer(json.loads(line))

    thread = threading.Thread(target=serve)
    thread.start()
    yield lambda number, answer: student.call("check", number, answer)
    there.put(b"end")
    thread.join()


def test_the_right_answer_passes_and_a_wrong_one_gets_its_sentence(judged):
    for number, right in RIGHT.items():
        assert judged(number, right) == (True, ""), number
        for mistake in COMPARED[number].mistakes[-1:]:
            assert judged(number, mistake.answer) == (False, mistake.sentence), number


@pytest.mark.parametrize("number", ["0.1", "4.1", "7.1", "19.2"])
def test_strange_answers_are_as_wrong_as_here(judged, number):
    for make in hostile.VALUES.values():
        for answer in (make(), lambda *args, make=make: make()):
            assert judged(number, answer)[0] is verdict_on(number, answer).solved
    for function in hostile.FUNCTIONS.values():
        assert judged(number, function)[0] is verdict_on(number, function).solved


@pytest.mark.parametrize("answer", [scene(), scene(rule="QDA"), scene(priors=(0.5, 0.5), means=[[0, 0], [1, 1]])])
def test_an_explorer_is_looked_at_from_afar(judged, answer):
    near = verdict_on("19.2", answer)
    assert judged("19.2", answer) == (near.solved, near.message)


def test_every_other_exercise_is_here():
    assert set(NUMBERS) - set(RIGHT) == {"19.2"}


@pytest.mark.parametrize(
    "line",
    [
        {"call": "get", "args": [0, "__globals__"]},
        {"call": "check", "args": ["0.1", {"estimator": ["os", "system", {}]}]},
        {"call": "check", "args": ["0.1", {"array": ["|O", [1], "AAAAAAAAAAA="]}]},
        {"call": "check", "args": ["0.1", {"array": ["<f8", [10**15], ""]}]},
        {"call": 0, "args": []},
        {"call": "__class__", "args": []},
        {"call": "check", "args": [["0.1"], 1]},
        {"call": "check", "args": "no list"},
    ],
)
def test_a_student_gets_nothing_from_the_judge_but_verdicts(line):
    said = []
    Judge(None, said.append, {"check": Run().judge}).answer(line)
    assert json.loads(said[0])["raised"]


def test_the_judge_hands_out_no_objects():
    with pytest.raises(TypeError, match="not to be handed out"):
        Judge(None, None, {}).encode(object())


def test_what_is_no_answer_ends_it():
    run = Run(records=[None] * 500)
    with pytest.raises(Ended):
        run.judge("0.1", 1)
