"""Settles a finished deal: the score sheet with the table's stakes and stacks, and the payments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec.structs import replace

from triptych.deal.result import scored_hands
from triptych.deal.state import DealState
from triptych.deal.view_types import Stacks
from triptych.rulesets.model import bankroll_mode
from triptych.scoring.match_prize import MatchTarget, prizes
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.sheet.types import ScoreSheet
from triptych.scoring.showdown import DealScore, score_deal
from triptych.table.accounts import net
from triptych.table.events import DealSettled, NextFantasyland, Payment, SeatPoints
from triptych.table.levels import point_value
from triptych.table.state import Match, Seat, TableState


def settle_deal(state: TableState, deal: DealState, now: int) -> DealSettled:
    """Return the settlement of a finished deal. Rule: Rules §6 (table stakes); source 002 L7, L53."""
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
    """Return the price of a point of each pair: their stake when the deal began, times the chips of the level.

    Rule: Rules §4 (per-pair stakes); source 003 L17.
    """
    chips = point_value(state)
    agreed = {(stake.a, stake.b): stake.stake for stake in state.deal_stakes}
    return {pair: chips * agreed.get(pair, 1) for pair in combinations(sorted(set(owners)), 2)}


def _payments(state: TableState, owners: tuple[int, ...], sheet: ScoreSheet) -> tuple[Payment, ...]:
    players = [state.seats[seat].player for seat in owners]
    moves = ((pair.a, pair.b, int(pair.moved.points)) for pair in sheet.pairs if pair.moved.points)
    return tuple(
        Payment(players[b], players[a], points) if points > 0 else Payment(players[a], players[b], -points)
        for a, b, points in moves
    )


def _points(score: DealScore, owners: tuple[int, ...]) -> tuple[SeatPoints, ...]:
    """Return the points of each seat towards a match of `points:n`, before stakes and caps."""
    totals = dict.fromkeys(owners, 0)
    for seat, points in zip(owners, score.totals(), strict=True):
        totals[seat] += points
    return tuple(SeatPoints(seat, points) for seat, points in totals.items())


def deal_stacks(state: TableState, deal: DealState) -> Stacks:
    """Return the stacks and stakes of the deal in progress, by hand."""
    owners = tuple([hand.seat for hand in deal.hands])
    agreed = stakes(state, owners)
    return Stacks(
        chips=tuple([state.seats[seat].stack for seat in owners])
        if bankroll_mode(state.config.rules) == "stacks"
        else (),
        point=point_value(state),
        stakes=tuple([agreed[min(pair), max(pair)] if pair[0] != pair[1] else 1 for pair in combinations(owners, 2)]),
    )


def with_prizes(sheet: ScoreSheet, payments: Iterable[Payment], seats: Sequence[Seat]) -> ScoreSheet:
    """Return the sheet of a match's last deal with the stacks after the match's prizes."""
    received = net(payments)
    prize = {seat.seat: received.get(seat.player, 0) for seat in seats}
    stacks = tuple(
        replace(stack, after=stack.after + prize[stack.seat], prize=prize[stack.seat]) for stack in sheet.stacks
    )
    return replace(sheet, stacks=stacks)


def prize_payments(state: TableState, match: Match) -> tuple[Payment, ...]:
    """Return the payments to the winner of a match, in the order of the table; empty when nobody has won it.

    A prize is multiplied by the pair's stake, as points are. A loser pays at most their stack; with a ledger, all.
    """
    rules = state.config.rules
    points = dict(zip(match.seats, match.points, strict=True))
    prices = stakes(state, match.seats)
    stacks = {seat: state.seats[seat].stack for seat in match.seats}
    result = []
    for loser, winner, prize in prizes(MatchTarget.from_rules(rules), points):
        due = prize * prices[min(loser, winner), max(loser, winner)]
        paid = due if rules.settlement.credit else min(due, stacks[loser])
        stacks[loser] -= paid
        if paid:
            result.append(Payment(state.seats[loser].player, state.seats[winner].player, paid))
    return tuple(result)
