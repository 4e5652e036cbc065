"""Boards with jokers as rollouts read them, row by row from a table (native/tests/joker_boards.hpp)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.solve.native_programs import build_checks
from triptych.rulesets.compile import to_kernel_ints
from triptych.rulesets.load import resolve

RULES: list[dict[str, object]] = [
    {},
    {"rows.five_of_a_kind": True},
    {"rows.wheel": "second", "rows.order": "gt"},
    {"rows.middle": "deuce_to_seven", "fantasyland.kind": "none"},
    {"rows.joker_value": "best_total"},
    {"rows.joker_value": "best_row", "rows.five_of_a_kind": True},
    {"rows.joker_domain": "not_on_own_board"},
    {"rows.order": "gt", "fantasyland.kind": "none"},
]


@pytest.fixture(scope="module")
def program() -> Path:
    return build_checks()


@pytest.mark.parametrize("question", ["FINISHED", "SLOTS", "DRAWS"])
def test_boards_with_jokers_are_what_the_scorer_makes_of_each(program: Path, question: str) -> None:
    """Rules §3: what the scorer makes of them is held by the oracle (tests/score).

    All in one process, so that no rules read the table of others.
    """
    tables = [to_kernel_ints(resolve({"preset": "pineapple_joker", **overrides})) for overrides in RULES]
    input_text = "".join(f"RULES {' '.join(map(str, table))}\n{question}\n" for table in tables)
    lines = subprocess.run(
        [program, "joker_boards"], input=input_text, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    compared = [tuple(map(int, line.split())) for line in lines]
    assert len(compared) == len(RULES)
    assert min(boards for boards, _ in compared) >= 1000
    assert [differ for _, differ in compared] == [0] * len(RULES)
