"""Time of `import bayeslab` beside the imports it replaces: scikit-learn's classifiers, pandas and pyplot.

Run with `python tests/benchmarks/import_time.py`. Each import runs in an interpreter of its own, the two in turn.
"""

import subprocess
import sys
import time
from statistics import median

PROGRAMS = {
    "bayeslab": "import bayeslab",
    "sklearn, pandas, pyplot": "import sklearn.discriminant_analysis, pandas, matplotlib.pyplot",
}


def seconds(program: str) -> float:
    """Wall time of one run."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - start


def main() -> None:
    """Print both medians and their ratio."""
    for program in PROGRAMS.values():  # once unmeasured, to fill the caches
        seconds(program)
    runs = [[seconds(program) for program in PROGRAMS.values()] for _ in range(11)]
    ours, theirs = (median(column) for column in zip(*runs, strict=True))
    for name, value in zip(PROGRAMS, (ours, theirs), strict=True):
        print(f"{name:24s} {value:6.3f} s")
    print(f"{'ratio':24s} {ours / theirs:6.2f}")


if __name__ == "__main__":
    main()
