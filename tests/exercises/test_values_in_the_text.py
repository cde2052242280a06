"""The value that the text of an exercise promises is what the right answer gives."""

import nbformat
import numpy as np
import pytest
from every import RIGHT, ROOT


@pytest.fixture(scope="module")
def texts():
    """Return the last text before the first check of each exercise."""
    found, text = {}, ""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            text = cell.source if cell.cell_type == "markdown" else text
            for number in RIGHT:
                if f'check("{number}"' in cell.source:
                    found.setdefault(number, text)
    return found


@pytest.mark.parametrize(
    ("number", "arguments", "value"),
    [
        ("1.1", (5.0, 5.5, 0.5), "−0.7258"),
        ("1.3", (5.2, 4.3, 5.5, 0.5), "0.8085"),
        ("2.2", (np.array([60, -60]), np.zeros(2), np.ones(2), 0.5), "−7201.694"),
        ("2.3", (0.5,), "1.1774"),
        ("3.2", (3.046, 5 / 6), "0.958"),
        ("4.2", (4, 3, False, False), "44"),
        ("4.3", (0.6, 2), "0.692"),
        ("6.2", (-706.807, 2, 200, 2), "1471.9"),
        ("7.4", (100, 0.12), "6"),
        ("8.2", (0.02, 0.08), "80"),
        ("9.1", ([[0, 20], [1, 5]],), "0.0625"),
        ("9.2", (0.6, 0.4, 0.02), "0.0439"),
        ("9.3", (np.array([0.2, 0.6, 0.7, 0.9]), np.array([0, 1, 0, 1]) == 1, 1, 1, [0.5, 0.65, 0.8]), "0.5"),
        ("10.1", (0.99, 2), "0.9087"),
        ("10.2", (np.repeat([True, False], [8, 2]), np.repeat([False, True], [8, 2])), "0.109"),
        ("11.1", (np.array([[0.9, 0.1, 0], [0.5, 0.3, 0.2]]),), "0.40"),
        ("11.2", (np.array([[0.0], [1], [3], [7]]), np.array([0, 0, 1, 1])), "0.25"),
        ("11.3", (np.array([9, 9, 7, 5]), np.array([1, 1, 1, 0]) == 1, 0.1, 2, 9), "6"),
        ("12.1", (2, 10, 0.2), "13"),
        ("15.1", (0.25, 1, -2), "2.667"),
        ("15.2", (0.25, 1, 10, 0), "6"),
        ("15.3", (np.array([1, np.e**2]), np.array([np.e])), "−1.919"),
        ("17.3", (np.array([[0.8, 0.9], [0.9, 0.9]]), np.array([10, 100]), 1, 1, 1000), "10"),
        ("18.1", (2, 8, 4), "2.896"),
        ("18.2", (np.array([[0, 0], [2, 0], [0, 2], [2, 2]]), np.array([3, 3])), "0.385"),
        ("19.1", (np.eye(2), 9 * np.eye(2)), "0.1"),
    ],
)
def test_is_that_of_the_right_answer(texts, number, arguments, value):
    digits = len(value.partition(".")[2])
    assert f"{RIGHT[number](*arguments):.{digits}f}".replace("-", "−") == value
    assert value in texts[number]
