"""The filter of commands (store/journal/writer.py): none is forgotten, few others pass, it stays small."""

from __future__ import annotations

import sys

from triptych.store.journal.writer import CommandFilter


def key(number: int) -> tuple[str, str, str]:
    return ("t", f"player {number % 3}", f"c{number}")


def test_no_command_is_forgotten_and_few_others_pass() -> None:
    """From the first command to many fields of them."""
    command_filter, noted = CommandFilter(), 0
    assert key(0) not in command_filter
    for upto in (1, 128, 129, 1_000, 30_000):
        for number in range(noted, upto):
            command_filter.add(key(number))
        noted = upto
        assert all(key(number) in command_filter for number in range(upto))
        others = sum(key(number) in command_filter for number in range(100_000, 102_000))
        assert others < 2_000 * 0.06, upto
    size = sum(sys.getsizeof(field) for field in command_filter._fields)
    assert size < 30_000 * 5


def test_it_holds_for_more_than_its_largest_field() -> None:
    """Fields stop growing, and become more."""
    command_filter = CommandFilter()
    for number in range(200_000):
        command_filter.add(key(number))
    assert max(len(field) for field in command_filter._fields) == (1 << 20) // 8
    assert all(key(number) in command_filter for number in range(0, 200_000, 37))
