"""The functions of the package that one call of `fit` and `predict` passes through: what somebody reads to follow it.

They are counted for QDA and LDA on a plain array. Comprehensions are no functions to a reader, lambdas are.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bayeslab

PACKAGE = Path(bayeslab.__file__).parent


def functions_entered(call) -> list[str]:
    """File and name of each function of the package that a call enters, in the order in which it enters them."""
    entered: dict[str, None] = {}

    def note(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE) and not frame.f_code.co_name.endswith(("comp>", "expr>")):
            entered[f"{path.relative_to(PACKAGE)}: {frame.f_code.co_qualname}"] = None

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return list(entered)


if __name__ == "__main__":
    iris = bayeslab.load_iris()
    for Rule in (bayeslab.QuadraticDiscriminantAnalysis, bayeslab.LinearDiscriminantAnalysis):
        rule = Rule()
        for name, call in (
            ("fit", lambda rule=rule: rule.fit(iris.X, iris.y)),
            ("predict", lambda rule=rule: rule.predict(iris.X)),
        ):
            passed = functions_entered(call)
            files = {each.split(":")[0] for each in passed}
            print(f"{Rule.__name__}.{name}: {len(passed)} functions in {len(files)} files")
            print("".join(f"    {each}\n" for each in passed), end="")
