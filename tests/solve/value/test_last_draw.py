"""What rollouts take for granted of last draws (native/tests/last_draw.hpp)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.solve.native_programs import build_checks
from triptych.rulesets.compile import to_kernel_ints
from triptych.rulesets.load import resolve


@pytest.fixture(scope="module")
def program() -> Path:
    return build_checks()


def _ask(program: Path, preset: str, question: str) -> tuple[float, float]:
    rules = " ".join(map(str, to_kernel_ints(resolve(preset))))
    completed = subprocess.run(
        [program, "last_draw"], input=f"RULES {rules}\n{question}", capture_output=True, text=True, check=True
    )
    first, second = map(float, completed.stdout.split())
    return first, second


@pytest.mark.parametrize("preset", ["pineapple", "pineapple_joker"])
@pytest.mark.parametrize("slots", [1, 2])
@pytest.mark.parametrize("jokers", [0, 2])
def test_the_luck_of_all_last_draws_comes_to_nothing(program: Path, preset: str, slots: int, jokers: int) -> None:
    """So it may be taken out of what is shown, which then stays the same on average."""
    mean, most = _ask(program, preset, f"LUCK {slots} {jokers}")
    assert most > 1
    assert mean < 1e-5 * most
