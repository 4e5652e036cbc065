"""Pays a finished deal: the scorer's sheet with the table's stakes and stacks, and the payments it brings."""

from __future__ import annotations

from itertools import combinations

from triptych.deal.result import scored_hands
from triptych.deal.state import DealState
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.sheet.types import ScoreSheet
from triptych.scoring.showdown import DealScore, score_deal
from triptych.table.events import DealSettled, NextFantasyland, Payment, SeatPoints
from triptych.table.levels import point_value
from triptych.table.state import TableState


def settle_deal(state: TableState, deal: DealState, now: int) -> DealSettled:
    """Return what a finished deal pays. Rule: Rules §6 (table stakes); source 002 L7, L53."""
    hands = scored_hands(deal)
    score = score_deal(deal.rules, hands)
    owners = tuple(hand.seat for hand in deal.hands)
    sheet = build_sheet(
        deal.rules,
        hands,
        score,
        tuple(SheetPlayer(seat, state.seats[seat].name) for seat in owners),
        deal=deal.number,
        stakes=stakes(state, owners),
        stacks={seat: state.seats[seat].stack for seat in owners},
        point=point_value(state),
    )
    return DealSettled(
        at=now,
        table=state.config.table,
        sheet=sheet,
        payments=_payments(state, owners, sheet),
        points=_points(score, owners),
        fantasylands=tuple(
            NextFantasyland(hand.seat, own.fantasyland, hand.in_row + 1)
            for hand, own in zip(deal.hands, score.hands, strict=True)
            if own.fantasyland
        ),
    )


def stakes(state: TableState, owners: tuple[int, ...]) -> dict[tuple[int, int], int]:
    """Return what a point of each pair is worth: their stake when the deal began, times the chips of the level.

    Rule: Rules §4 (per-pair stakes); source 003 L17.
    """
    chips = point_value(state)
    agreed = {(one.a, one.b): one.stake for one in state.deal_stakes}
    return {pair: chips * agreed.get(pair, 1) for pair in combinations(sorted(set(owners)), 2)}


def _payments(state: TableState, owners: tuple[int, ...], sheet: ScoreSheet) -> tuple[Payment, ...]:
    players = [state.seats[seat].player for seat in owners]
    moves = ((pair.a, pair.b, int(pair.moved.points)) for pair in sheet.pairs if pair.moved.points)
    return tuple(
        Payment(players[b], players[a], points) if points > 0 else Payment(players[a], players[b], -points)
        for a, b, points in moves
    )


def _points(score: DealScore, owners: tuple[int, ...]) -> tuple[SeatPoints, ...]:
    """Return what each seat scored towards a match of `points:n`, before stakes and caps."""
    totals = dict.fromkeys(owners, 0)
    for seat, points in zip(owners, score.totals(), strict=True):
        totals[seat] += points
    return tuple(SeatPoints(seat, points) for seat, points in totals.items())
