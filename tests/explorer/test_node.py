"""The tests of the explorers' JavaScript that are written in it."""

import subprocess
from pathlib import Path

import pytest
from javascript import NODE

TESTS = sorted(Path(__file__).parent.glob("*.test.mjs"))


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_the_javascript_passes_its_own_tests(path):
    done = subprocess.run([NODE, "--test", path], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout
