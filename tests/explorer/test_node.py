"""The tests of the explorers' JavaScript that are written in it."""

import subprocess
from pathlib import Path

import pytest
from javascript import needs_node

TESTS = sorted(Path(__file__).parent.glob("*.test.mjs"))


@needs_node
@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_the_javascript_passes_its_own_tests(path):
    done = subprocess.run(["node", "--test", path], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout
