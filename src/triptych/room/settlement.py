"""Pays a finished deal: stakes, table stakes, pair by pair in position order; fills the sheet's stacks and caps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from triptych.deal.result import result
from triptych.room.events import DealSettled, NextFantasyland, Payment, SeatPoints
from triptych.room.sheet import sheet_of
from triptych.room.state import stake_of
from triptych.score.settle import Due, settle
from triptych.score.sheet import Cell, SheetPair, SheetStack

if TYPE_CHECKING:
    from triptych.deal.state import DealState
    from triptych.room.state import TableState
    from triptych.score.deal import DealScore


def settled(state: TableState, deal: DealState, now: int) -> DealSettled:
    """Return what a finished deal pays. Rule: RULEBOOK 6 (table stakes); seed 002 L7, L53."""
    score = result(deal)
    sheet = sheet_of(state, deal, score)
    owners = tuple(hand.seat for hand in deal.hands)
    seats = tuple(dict.fromkeys(owners))
    pairs = [_staked(state, owners, pair) for pair in sheet.pairs]
    dues = [Due(seats.index(owners[pair.a]), seats.index(owners[pair.b]), pair.points * pair.stake) for pair in pairs]
    before = tuple(state.seats[seat].stack for seat in seats)
    paid = settle(dues, before, state.config.rules.settlement)
    stacks = tuple(
        SheetStack(seat, state.seats[seat].name, old, int(new or 0) - old, int(new or 0))
        for seat, old, new in zip(seats, before, paid.stacks, strict=True)
    )
    moved = tuple(_moved(pair, int(amount)) for pair, amount in zip(pairs, paid.moved, strict=True))
    return DealSettled(
        at=now,
        table=state.config.table,
        sheet=replace(sheet, pairs=moved, stacks=stacks),
        payments=_payments(state, owners, moved),
        points=_points(score, owners),
        fantasylands=tuple(
            NextFantasyland(hand.seat, own.fantasyland, hand.in_row + 1)
            for hand, own in zip(deal.hands, score.hands, strict=True)
            if own.fantasyland
        ),
    )


def _staked(state: TableState, owners: tuple[int, ...], pair: SheetPair) -> SheetPair:
    return replace(pair, stake=stake_of(state, owners[pair.a], owners[pair.b]))


def _moved(pair: SheetPair, amount: int) -> SheetPair:
    """Return the pair with what changed hands, and why it is not simply its points."""
    due = pair.points * pair.stake
    why = "" if pair.stake == 1 else f"{pair.points} points at a stake of {pair.stake}"
    if amount != due:
        capped = f"{abs(due)} points were due; table stakes let {abs(amount)} move"
        why = f"{why}: {capped}" if why else capped
    return replace(pair, moved=Cell(amount, why))


def _payments(state: TableState, owners: tuple[int, ...], pairs: tuple[SheetPair, ...]) -> tuple[Payment, ...]:
    players = [state.seats[seat].player for seat in owners]
    return tuple(
        Payment(players[pair.b], players[pair.a], pair.moved.points)
        if pair.moved.points > 0
        else Payment(players[pair.a], players[pair.b], -pair.moved.points)
        for pair in pairs
        if pair.moved.points
    )


def _points(score: DealScore, owners: tuple[int, ...]) -> tuple[SeatPoints, ...]:
    """Return what each seat scored towards a match of `points:n`."""
    totals = dict.fromkeys(owners, 0)
    for seat, points in zip(owners, score.totals(), strict=True):
        totals[seat] += points
    return tuple(SeatPoints(seat, points) for seat, points in totals.items())
