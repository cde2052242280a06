"""What the check of an exercise must say to an answer, whatever form it has: shared by the tests of all exercises."""

from copy import deepcopy

import numpy as np

from bayeslab.checks import check

DONE = "done."


def _spoiling(function):
    """Return a function with the same result that also overwrites every array and every list it is given."""

    def spoil(*args):
        result = function(*deepcopy(args))
        for values in args:
            if isinstance(values, np.ndarray | list):
                values[:] = values[:1]
        return result

    return spoil


def must_say(capsys, number, answer, phrase):
    """Check an answer twice, and before that a version that spoils what it is given, which must do no harm."""
    for attempt in ([_spoiling(answer)] if callable(answer) else []) + [answer, answer]:
        check(number, attempt)
        reply = capsys.readouterr().out.strip()
        assert reply.startswith(f"{number} done." if phrase is DONE else f"{number} not yet: ")
        assert phrase in reply


def unfinished(*numbers):
    """Return rows (number, answer, phrase) of exercises that ask for a function and get none, or an unfinished one."""
    forms = [(..., "replace the ..."), (lambda *args: ..., "replace the ..."), (lambda *args: None, "return?")]
    return [(number, *form) for number in numbers for form in [*forms, (1.5, "function")]]
