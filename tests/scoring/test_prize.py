"""The prize of a match. Rule: Rules §6 (match.prize)."""

from __future__ import annotations

import pytest

from triptych.scoring.match_prize import MatchTarget, prizes


@pytest.mark.parametrize(
    ("prize", "points", "paid"),
    [
        ("short", {"A": 16, "B": 12, "C": 4}, {("B", "A"): 0, ("C", "A"): 7}),
        ("short", {"A": 11, "B": 0, "C": -2}, {("B", "A"): 11, ("C", "A"): 13}),
        (6, {"A": 12, "B": 12, "C": 4}, {("C", "A"): 3, ("C", "B"): 3}),
        (5, {"A": 10, "B": 9}, {}),
        (0, {"A": 11, "B": 9}, {}),
    ],
)
def test_the_payers_and_payees_of_a_prize(
    prize: object, points: dict[str, int], paid: dict[tuple[str, str], int]
) -> None:
    """Those who have not the most pay each winner their part; nobody is short of less than nothing."""
    payments = prizes(MatchTarget(11, prize), points)  # type: ignore[arg-type]
    assert {(loser, winner): amount for loser, winner, amount in payments} == paid


def test_a_match_that_is_no_race_is_never_won() -> None:
    """Rules §6 (`match.kind`): only `points:n` is won by points; nor has anybody won who has not played."""
    assert not MatchTarget().is_reached({"A": 3, "B": 0})
    assert not MatchTarget(1).is_reached({})
    assert [MatchTarget(11).is_reached({"A": points, "B": 4}) for points in (10, 11, 12)] == [False, True, True]
