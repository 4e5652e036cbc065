"""Chips as places: Malmuth-Harville by hand, and what holds for it whatever the chips (issue 13, part 4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.solve.errors import SolveError
from triptych.solve.exact.places import icm_value

CHIPS = st.lists(st.integers(1, 5_000), min_size=2, max_size=6)
PRIZES = st.lists(st.integers(0, 100), min_size=1, max_size=6).map(lambda all_: sorted(all_, reverse=True))


def _by_orders(chips: list[int], prizes: list[int]) -> list[float]:
    """Harville (1973): the chance of an order is a product of shares of what is left; every order is tried."""
    worth = [Fraction(0)] * len(chips)
    for order in permutations(range(len(chips))):
        chance, rest = Fraction(1), sum(chips)
        for player in order:
            chance *= Fraction(chips[player], rest)
            rest -= chips[player]
        for place, player in enumerate(order[: len(prizes)]):
            worth[player] += chance * prizes[place]
    return [float(share) for share in worth]


def test_three_players_two_prizes_by_hand() -> None:
    """Stacks 50, 30, 20 and prizes 70, 30, worked by hand.

    First: 1/2, 3/10, 1/5. Second of the first player: 3/10 · 50/70 + 1/5 · 50/80 = 3/14 + 1/8 = 19/56; of the second:
    1/2 · 30/50 + 1/5 · 30/80 = 3/10 + 3/40 = 3/8; of the third: 1/2 · 20/50 + 3/10 · 20/70 = 1/5 + 3/35 = 2/7.
    """
    assert icm_value([50, 30, 20], [70, 30]) == pytest.approx((35 + 30 * 19 / 56, 21 + 30 * 3 / 8, 14 + 30 * 2 / 7))


@given(CHIPS, PRIZES)
def test_it_is_the_sum_over_all_orders(chips: list[int], prizes: list[int]) -> None:
    assert icm_value(chips, prizes) == pytest.approx(_by_orders(chips, prizes), abs=1e-9)


@given(CHIPS, PRIZES)
def test_all_prizes_that_there_are_players_for_are_shared_out(chips: list[int], prizes: list[int]) -> None:
    assert sum(icm_value(chips, prizes)) == pytest.approx(sum(prizes[: len(chips)]))


@given(CHIPS, PRIZES, st.integers(1, 500))
def test_more_chips_are_never_worth_less_and_equal_chips_are_worth_the_same(
    chips: list[int], prizes: list[int], more: int
) -> None:
    worth = icm_value(chips, prizes)
    for first, second in permutations(range(len(chips)), 2):
        if chips[first] >= chips[second]:
            assert worth[first] >= worth[second] - 1e-9
    grown = icm_value([chips[0] + more, *chips[1:]], prizes)
    assert grown[0] >= worth[0] - 1e-9


@given(CHIPS, st.integers(1, 100))
def test_where_the_winner_takes_all_chips_are_worth_their_share(chips: list[int], prize: int) -> None:
    assert icm_value(chips, [prize]) == pytest.approx([prize * own / sum(chips) for own in chips])


def test_an_eliminated_player_is_placed_by_the_chips_before_the_deal() -> None:
    """Rules §6: two out in one deal are placed by the chips with which they began it; with equal ones they share."""
    assert icm_value([100, 0, 0], [5, 3, 1], [50, 30, 20]) == pytest.approx((5, 3, 1))
    assert icm_value([100, 0, 0], [5, 3, 1], [50, 20, 30]) == pytest.approx((5, 1, 3))
    assert icm_value([100, 0, 0], [5, 3, 1], [50, 25, 25]) == pytest.approx((5, 2, 2))


@pytest.mark.parametrize(
    ("chips", "prizes", "code"),
    [
        ([], [1], "stacks.count"),
        ([1] * 13, [1], "stacks.count"),
        ([1, -1], [1], "value.range"),
        ([1, 1], [-1], "value.range"),
        ([1, float("nan")], [1], "value.range"),
        ([1, float("inf")], [1], "value.range"),
    ],
)
def test_bad_chips_and_prizes_are_refused(chips: list[float], prizes: list[float], code: str) -> None:
    with pytest.raises(SolveError) as refused:
        icm_value(chips, prizes)
    assert refused.value.code == code
