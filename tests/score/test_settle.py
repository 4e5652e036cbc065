"""Table stakes in position order. RULEBOOK 6; seed 002 L7, L53; cases T01, T03."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.rules.model import Settlement
from triptych.score.settle import Due, SettlementError, settle

START_STOP = Settlement(cap="min_stack_at_start", after_bust="stop")
START = Settlement(cap="min_stack_at_start", after_bust="continue")


def test_position_order_decides_who_is_paid() -> None:
    """Case T01: he has paid the first player and is out; those who owe him pay nothing."""
    dues = [Due(0, 1, 0), Due(0, 2, 0), Due(0, 3, 12), Due(1, 2, 0), Due(1, 3, -20), Due(2, 3, -20)]
    assert settle(dues, [100, 100, 100, 10], START_STOP).stacks == (110, 100, 100, 0)
    # Who continues still collects, no more than he brought from each.
    assert settle(dues, [100, 100, 100, 10], START).stacks == (110, 90, 90, 20)


def test_the_smaller_stack_caps_a_pair_both_ways() -> None:
    """Case T03; seed 002 L7: no one wins more than the opponent brought, nor more than he brought himself."""
    assert settle([Due(0, 1, 30)], [2, 100], START).stacks == (4, 98)
    assert settle([Due(0, 1, -30)], [2, 100], START).stacks == (0, 102)


def test_the_cap_by_current_stacks_grows_with_what_was_won() -> None:
    dues = [Due(0, 1, 10), Due(0, 2, 30)]
    at_start = settle(dues, [10, 50, 50], START)
    current = settle(dues, [10, 50, 50], Settlement(cap="min_current"))
    assert at_start.moved == (10, 10)
    assert current.moved == (10, 20)


def test_without_a_cap_a_payer_still_pays_only_what_is_left() -> None:
    found = settle([Due(0, 1, -30), Due(0, 2, -30)], [40, 1, 1], Settlement(cap="none"))
    assert found.moved == (-30, -10)
    assert found.stacks == (0, 31, 11)


def test_a_cap_holds_for_all_pairs_of_two_seats_together() -> None:
    """Criss-cross settles two hands each: the four pairs of two owners are one opponent."""
    dues = [Due(0, 1, 8), Due(0, 1, 8), Due(0, 1, -20), Due(0, 1, 5)]
    assert settle(dues, [10, 100], START).moved == (8, 2, -20, 5)


def test_a_seat_without_a_stack_has_no_limit() -> None:
    assert settle([Due(0, 1, 30)], [20, None], START).stacks == (40, None)
    assert settle([Due(0, 1, 30)], [None, None], START).moved == (30,)


def test_what_cannot_be_settled_is_refused() -> None:
    with pytest.raises(SettlementError, match="zero or more"):
        settle([], [-1, 2], START)
    with pytest.raises(SettlementError, match="no pair"):
        settle([Due(0, 2, 1)], [1, 2], START)
    with pytest.raises(SettlementError, match="no pair"):
        settle([Due(1, 1, 1)], [1, 2], START)


SEATS = 4
PAIRS = [(a, b) for a in range(SEATS) for b in range(a + 1, SEATS)]


@given(
    stacks=st.lists(st.integers(0, 60), min_size=SEATS, max_size=SEATS),
    amounts=st.lists(st.integers(-40, 40), min_size=len(PAIRS), max_size=len(PAIRS)),
    cap=st.sampled_from(["none", "min_stack_at_start", "min_current"]),
    after=st.sampled_from(["continue", "stop"]),
)
def test_points_are_neither_made_nor_lost(stacks: list[int], amounts: list[int], cap: str, after: str) -> None:
    rule = Settlement(cap=cap, after_bust=after)  # type: ignore[arg-type]
    dues = [Due(a, b, amount) for (a, b), amount in zip(PAIRS, amounts, strict=True)]
    found = settle(dues, stacks, rule)
    left = [stack for stack in found.stacks if stack is not None]
    assert sum(left) == sum(stacks)
    assert min(left) >= 0
    for due, moved in zip(dues, found.moved, strict=True):
        assert abs(moved) <= abs(due.amount)
        assert moved * due.amount >= 0
        if cap == "min_stack_at_start":
            assert abs(moved) <= min(stacks[due.a], stacks[due.b])
