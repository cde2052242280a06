"""The fuzzer runs: a few cases of each of its checks, the same every time."""

import fuzz
import pytest


@pytest.mark.parametrize(
    "case", range(3 * len(fuzz.CHECKS)), ids=lambda case: f"{fuzz.CHECKS[case % len(fuzz.CHECKS)].__name__}-{case}"
)
def test_a_drawn_case_is_right_or_refused_for_a_reason(case):
    assert fuzz.run(2026, case) in ("right", "refused")
