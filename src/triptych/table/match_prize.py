"""Pays the prize of a match out of the winner's opponents' stacks. Rule: Rules §6 (match.prize)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from triptych.scoring.match_prize import MatchTarget, prizes
from triptych.scoring.sheet.types import ScoreSheet
from triptych.table.accounts import net
from triptych.table.events import Payment
from triptych.table.settlement import stakes
from triptych.table.state import Match, Seat, TableState


def with_prizes(sheet: ScoreSheet, payments: Iterable[Payment], seats: Sequence[Seat]) -> ScoreSheet:
    """Return the sheet of a match's last deal with its stacks as they are after the match's prizes."""
    received = net(payments)
    brought = {seat.seat: received.get(seat.player, 0) for seat in seats}
    stacks = tuple(replace(one, after=one.after + brought[one.seat], prize=brought[one.seat]) for one in sheet.stacks)
    return replace(sheet, stacks=stacks)


def prize_payments(state: TableState, match: Match) -> tuple[Payment, ...]:
    """Return what a match that ends pays its winner, in the order of the table; nothing when nobody has won it.

    A prize counts at the stake of the two, as points do. A payer pays what is left; on the book, everything.
    """
    rules = state.config.rules
    points = dict(zip(match.seats, match.points, strict=True))
    worth = stakes(state, match.seats)
    left = {seat: state.seats[seat].stack for seat in match.seats}
    result = []
    for loser, winner, prize in prizes(MatchTarget.from_rules(rules), points):
        due = prize * worth[min(loser, winner), max(loser, winner)]
        paid = due if rules.settlement.credit else min(due, left[loser])
        left[loser] -= paid
        if paid:
            result.append(Payment(state.seats[loser].player, state.seats[winner].player, paid))
    return tuple(result)
