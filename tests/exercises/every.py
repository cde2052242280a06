"""All exercises of the course, by number."""

from importlib import import_module
from pathlib import Path

from bayeslab import checks

ROOT = Path(__file__).resolve().parents[2]
for path in sorted((ROOT / "bayeslab" / "checks").glob("_ch*.py")):
    import_module(f"bayeslab.checks.{path.stem}")
NUMBERS = sorted(checks._EXERCISES, key=lambda number: [int(part) for part in number.split(".")])
# Those that are compared with a right answer; the others judge an answer by themselves.
COMPARED = {number: each for number in NUMBERS if isinstance(each := checks._EXERCISES[number], checks.Exercise)}
RIGHT = {number: each.right.answer for number, each in COMPARED.items()}
FUNCTIONS = [number for number in RIGHT if callable(RIGHT[number])]
