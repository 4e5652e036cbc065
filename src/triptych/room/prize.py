"""What the winner of a match gets from the others. Rule: RULEBOOK 6 (match.prize); seed 004 L150."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from triptych.room.events import Payment
from triptych.room.settlement import stakes

if TYPE_CHECKING:
    from triptych.room.state import Match, TableState


def prizes(state: TableState, match: Match) -> tuple[Payment, ...]:
    """Return the payments to the winner of a match of `points:n`, in the order of the table; none when nobody won it.

    Each opponent pays `match.prize` points, or as many as they are short of n, at the stake of the two, out of what
    they have left. Winners with equal points share what each loser pays, without the rest.
    """
    rules = state.config.rules
    kind, _, text = rules.match.kind.partition(":")
    best = max(match.points, default=0)
    if kind != "points" or not rules.match.prize or best < int(text):
        return ()
    winners = tuple(seat for seat, points in zip(match.seats, match.points, strict=True) if points == best)
    losers = tuple(
        (seat, points) for seat, points in zip(match.seats, match.points, strict=True) if seat not in winners
    )
    worth = stakes(state, match.seats)
    left = {seat: state.seats[seat].stack for seat in match.seats}
    found = []
    for (loser, points), winner in product(losers, winners):
        prize = max(0, int(text) - points) if rules.match.prize == "short" else rules.match.prize
        due = prize * worth[min(loser, winner), max(loser, winner)] // len(winners)
        paid = due if rules.settlement.credit else min(due, left[loser])
        left[loser] -= paid
        if paid:
            found.append(Payment(state.seats[loser].player, state.seats[winner].player, paid))
    return tuple(found)
