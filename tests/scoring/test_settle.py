"""Table stakes in position order. Rules §6; source 002 L7, L53; cases T01, T03."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from triptych.rulesets.model import Settlement
from triptych.scoring.settle import Due, SettlementError, settle

START_STOP = Settlement(cap="min_stack_at_start", after_bust="stop")
START = Settlement(cap="min_stack_at_start", after_bust="continue")


def test_position_order_decides_who_is_paid() -> None:
    """Case T01: he has paid the first player and is out; those who owe him pay nothing."""
    dues = [Due(0, 1, 0), Due(0, 2, 0), Due(0, 3, 12), Due(1, 2, 0), Due(1, 3, -20), Due(2, 3, -20)]
    assert settle(dues, [100, 100, 100, 10], START_STOP).stacks == (110, 100, 100, 0)
    # Who continues still collects, no more than he brought from each.
    assert settle(dues, [100, 100, 100, 10], START).stacks == (110, 90, 90, 20)


def test_the_smaller_stack_caps_a_pair_both_ways() -> None:
    """Case T03; source 002 L7.3: no one wins more than the opponent brought, nor more than he brought himself."""
    assert settle([Due(0, 1, 30)], [2, 100], START).stacks == (4, 98)
    assert settle([Due(0, 1, -30)], [2, 100], START).stacks == (0, 102)


def test_the_cap_by_current_stacks_grows_with_what_was_won() -> None:
    dues = [Due(0, 1, 10), Due(0, 2, 30)]
    at_start = settle(dues, [10, 50, 50], START)
    current = settle(dues, [10, 50, 50], Settlement(cap="min_current"))
    assert at_start.paid == (10, 10)
    assert current.paid == (10, 20)


def test_without_a_cap_a_payer_still_pays_only_what_is_left() -> None:
    result = settle([Due(0, 1, -30), Due(0, 2, -30)], [40, 1, 1], Settlement(cap="none"))
    assert result.paid == (-30, -10)
    assert result.stacks == (0, 31, 11)


def test_the_boards_of_two_players_are_netted_before_they_are_cut() -> None:
    """Rules §4; source 002 L7.3: no player wins or loses more than was brought. Criss-cross: two boards each."""
    # X is owed 8, 8 and 5 and owes 20: one point changes hands, though 20 are more than X has.
    result = settle([Due(0, 1, 8), Due(0, 1, 8), Due(0, 1, -20), Due(0, 1, 5)], [10, 100], START)
    assert (result.paid, result.stacks) == ((8, 8, -20, 5), (11, 99))
    # X loses 4 + 4 - 2 = 6 with 3 brought: those are lost, and nothing is kept. The last losses are cut first.
    result = settle([Due(0, 1, -4), Due(0, 1, 2), Due(0, 1, -4), Due(0, 1, 0)], [3, 100], START)
    assert (result.paid, result.stacks) == ((-4, 2, -1, 0), (0, 103))
    # Nor does Y win more where X is the poorer winner.
    result = settle([Due(0, 1, 4), Due(0, 1, 4), Due(0, 1, -2), Due(0, 1, 0)], [3, 100], START)
    assert (result.paid, result.stacks) == ((4, 1, -2, 0), (6, 97))


def test_naturals_are_paid_first() -> None:
    """Rules §4; source 003 L41. In position order among themselves: the last of them goes short, then the others."""
    dues = [
        Due(0, 1, 6),
        Due(0, 2, 6, natural=True),
        Due(1, 2, 0),
        Due(0, 3, 0),
        Due(1, 3, 9),
        Due(2, 3, -4, natural=True),
    ]
    result = settle(dues, [50, 50, 5, 7], Settlement(cap="none"))
    assert result.paid == (6, 5, 0, 0, 7, 0)
    result = settle(dues, [50, 50, 8, 7], Settlement(cap="none"))
    assert result.paid == (6, 6, 0, 0, 9, -2)


def test_the_loss_limit_leaves_naturals_alone() -> None:
    """Rules §4: what exceeds the limit is cut from the last transfers, and naturals are the first."""
    dues = [Due(0, 1, -6), Due(0, 2, -3, natural=True), Due(1, 2, 0)]
    assert settle(dues, [50, 50, 50], Settlement(cap="none", loss_limit=5)).paid == (-2, -3, 0)


def test_a_seat_without_a_stack_has_no_limit() -> None:
    assert settle([Due(0, 1, 30)], [20, None], START).stacks == (40, None)
    assert settle([Due(0, 1, 30)], [None, None], START).paid == (30,)


def test_bad_settlements_are_refused() -> None:
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
    result = settle(dues, stacks, rule)
    left = [stack for stack in result.stacks if stack is not None]
    assert sum(left) == sum(stacks)
    assert min(left) >= 0
    for due, moved in zip(dues, result.paid, strict=True):
        assert abs(moved) <= abs(due.amount)
        assert moved * due.amount >= 0
        if cap == "min_stack_at_start":
            assert abs(moved) <= min(stacks[due.a], stacks[due.b])


LIMIT = Settlement(cap="none", credit=True, loss_limit=10)


def test_losses_above_the_limit_are_cut_from_the_last_transfers() -> None:
    """Rules §4: nobody loses more than n points in a deal; what exceeds it is cut from the last transfers first."""
    dues = [Due(0, 1, 8), Due(0, 2, -6), Due(1, 2, -9)]
    # Seat 1 owes 8 and 9: seven too many, all cut from what it owes seat 2. Seat 2 loses nothing.
    result = settle(dues, [0, 0, 0], LIMIT)
    assert result.paid == (8, -6, -2)
    assert result.stacks == (2, -10, 8)
    assert result.capped == (False, False, True)


def test_later_income_counts_against_a_loss() -> None:
    """Seat 0 owes 15 and is owed 9: 6 are lost, no more than the limit, so nothing is cut."""
    assert settle([Due(0, 1, -15), Due(0, 2, 9)], [0, 0, 0], LIMIT).paid == (-15, 9)
    # But the debtor of the 9 may lose no more than 4 here: then 0 has 4 + 4 to pay with.
    four = Settlement(cap="none", credit=True, loss_limit=4)
    result = settle([Due(0, 1, -15), Due(0, 2, 9)], [0, 0, 0], four)
    assert (result.paid, result.stacks) == ((-8, 4), (-4, 8, -4))


def test_only_what_the_limit_has_cut_is_called_limited() -> None:
    """Criss-cross: 20 lost and 8 won between two players are 12; two too many are missing from the loss."""
    result = settle([Due(0, 1, 8), Due(0, 1, -20), Due(0, 1, 0)], [0, 0], LIMIT)
    assert (result.paid, result.capped) == ((8, -18, 0), (False, True, False))


@pytest.mark.parametrize(("amount", "stacks"), [(0.5, (10.5, 9.5)), (-0.5, (9.5, 10.5)), (0, (10, 10))])
def test_half_a_point_is_paid(amount: float, stacks: tuple[float, float]) -> None:
    """A stake may be less than one (Rules §4)."""
    result = settle([Due(0, 1, amount)], [10, 10], START)
    assert (result.paid, result.stacks) == ((amount,), stacks)
    broke = settle([Due(0, 1, amount)], [0, 0], START)
    assert (broke.paid, broke.stacks) == ((0,), (0, 0))


@pytest.mark.parametrize("due", [Due(2, 0, 1), Due(0, 2, 1), Due(-1, 0, 1), Due(0, -1, 1), Due(1, 1, 1)])
def test_a_due_is_between_two_seats(due: Due) -> None:
    with pytest.raises(SettlementError, match="no pair of seats"):
        settle([due], [10, 10], START)


def test_two_over_the_limit_are_both_cut() -> None:
    """Seats 0 and 1 both lose too much: 0 pays 3 at first; what 1 gets from it, it may lose on top of its ten."""
    dues = [Due(0, 1, -3), Due(0, 2, -14), Due(1, 2, -30)]
    result = settle(dues, [0, 0, 0], LIMIT)
    assert (result.paid, result.stacks) == ((-3, -7, -13), (-10, -10, 20))


def test_the_loss_limit_and_the_stacks_hold_together() -> None:
    """Seat 1 can lose 4, its stack, and 6 more that seat 0 pays it; 0 was cut by the limit, so 1 pays less too."""
    dues = [Due(0, 1, -12), Due(1, 2, -16)]
    rule = Settlement(cap="none", loss_limit=6)
    result = settle(dues, [50, 4, 50], rule)
    assert (result.paid, result.stacks) == ((-6, -10), (44, 0, 60))


def test_chips_scale_the_limit() -> None:
    """A tournament's level counts chips, the limit points: 10 points at 5 chips are 50."""
    assert settle([Due(0, 1, -80)], [100, 100], Settlement(cap="none", loss_limit=10), point=5).paid == (-50,)


def test_on_the_book_points_run_below_zero() -> None:
    """Rules §6, `settlement.credit`: no stacks bound what is paid."""
    book = Settlement(cap="none", credit=True)
    assert settle([Due(0, 1, -30), Due(0, 2, -30)], [-5, 0, 7], book).stacks == (-65, 30, 37)
    with pytest.raises(SettlementError, match="zero or more"):
        settle([], [-1, 2], Settlement(cap="none"))


@st.composite
def settlements(draw: st.DrawFn) -> Settlement:
    return Settlement(
        cap=draw(st.sampled_from(["none", "min_stack_at_start", "min_current"])),
        after_bust=draw(st.sampled_from(["continue", "stop"])),
        credit=draw(st.booleans()),
        loss_limit=draw(st.integers(1, 50)),
    )


@given(
    stacks=st.lists(st.integers(0, 60), min_size=SEATS, max_size=SEATS),
    amounts=st.lists(st.integers(-40, 40), min_size=len(PAIRS), max_size=len(PAIRS)),
    order=st.permutations(PAIRS),
    rule=settlements(),
)
def test_nobody_loses_more_than_the_limit(
    stacks: list[int], amounts: list[int], order: list[tuple[int, int]], rule: Settlement
) -> None:
    dues = [Due(a, b, amount) for (a, b), amount in zip(order, amounts, strict=True)]
    plain, limited = settle(dues, stacks, replace(rule, loss_limit=0)), settle(dues, stacks, rule)
    left = [stack for stack in limited.stacks if stack is not None]
    assert sum(left) == sum(stacks)
    assert all(before - after <= rule.loss_limit for before, after in zip(stacks, left, strict=True))
    assert rule.credit or min(left) >= 0
    for before, moved in zip(plain.paid, limited.paid, strict=True):
        assert abs(moved) <= abs(before)
        assert moved * before >= 0
    for due, moved in zip(dues, limited.paid, strict=True):
        if rule.cap == "min_stack_at_start" and not rule.credit:
            assert abs(moved) <= min(stacks[due.a], stacks[due.b])
    losses = [before - (after or 0) for before, after in zip(stacks, plain.stacks, strict=True)]
    if max(losses) <= rule.loss_limit:
        assert limited == plain


@given(
    amounts=st.lists(st.integers(-3, 3), min_size=len(PAIRS), max_size=len(PAIRS)),
    order=st.permutations(PAIRS),
    limit=st.integers(1, 4),
)
def test_the_last_transfers_are_cut_first(amounts: list[int], order: list[tuple[int, int]], limit: int) -> None:
    """Of all ways to pay in which nobody loses too much: the most of the first, then of the second, and so on."""
    dues = [Due(a, b, amount) for (a, b), amount in zip(order, amounts, strict=True)]
    result = settle(dues, [0] * SEATS, Settlement(cap="none", credit=True, loss_limit=limit))

    def bearable(paid: tuple[int, ...]) -> bool:
        lost = [0] * SEATS
        for due, amount in zip(dues, paid, strict=True):
            lost[due.a] -= amount if due.amount > 0 else -amount
            lost[due.b] += amount if due.amount > 0 else -amount
        return max(lost) <= limit

    ways = product(*(range(abs(amount), -1, -1) for amount in amounts))
    assert tuple(map(abs, result.paid)) == next(filter(bearable, ways))
