"""A session with real cards: deals of the scoring contract (Rules §8) with their sheets, and the ledger over all.

A deal is given by its boards, or by its points alone: of each pair, or of each player.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Final

from msgspec import Struct

from triptych.json_input import Json
from triptych.scoring.errors import RequestError
from triptych.scoring.jsonl.answer import score_request
from triptych.scoring.jsonl.request import Request, parse_request
from triptych.scoring.match_prize import MatchTarget, prizes
from triptych.scoring.money import MoneyPayment, PointPrice, money_payments
from triptych.scoring.settle import Amount, Due, plain_amount, settle
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.sheet.types import ScoreSheet

_PAIR: Final = 2


class SessionDeal(Struct, frozen=True):
    """One scored deal: its sheet, who owns each hand by name, the price of a point, and the match it belongs to."""

    sheet: ScoreSheet
    owners: tuple[str, ...]
    price: PointPrice
    goal: MatchTarget = MatchTarget()


class PairPoints(Struct, frozen=True):
    """The payment of `b` to `a` in a deal: `points` before stakes, the stake, and `moved` after stake and caps."""

    a: str
    b: str
    points: Amount
    stake: Amount
    moved: Amount


class PointsSheet(Struct, frozen=True):
    """A deal given by points only, by player before stakes; `pairs` is empty where they are not known."""

    deal: int
    players: tuple[str, ...]
    points: tuple[Amount, ...]
    pairs: tuple[PairPoints, ...]


class PointsDeal(Struct, frozen=True):
    """A deal given by points only, the price of a point, and the match it belongs to.

    `is_paid`: the points are paid, and do not only count towards a match.
    """

    sheet: PointsSheet
    price: PointPrice
    goal: MatchTarget
    is_paid: bool


class PlayerBalance(Struct, frozen=True):
    """A player's total over the session: points before stakes, and money after them."""

    player: str
    deals: int
    points: Amount
    money: float


class PairBalance(Struct, frozen=True):
    """The total that `a` has won from `b` over the session."""

    a: str
    b: str
    points: Amount
    money: float


class Ledger(Struct, frozen=True):
    """The ledger of all deals whose stakes are counted in one unit, and the fewest payments that settle it."""

    unit: str
    players: tuple[PlayerBalance, ...]
    pairs: tuple[PairBalance, ...]
    payments: tuple[MoneyPayment, ...]


def session_deal(document: Json, number: int = 1) -> SessionDeal:
    """Return one line of the scoring contract with its sheet, as deal `number`. Raises JsonInputError."""
    return session_deal_from_request(parse_request(document), number)


def session_deal_from_request(request: Request, number: int = 1) -> SessionDeal:
    """Return a request with its sheet, as deal `number`. Raises RequestError."""
    if not request.hands:
        raise RequestError("line.missing", "a session counts deals; give every player's board", "$.players")
    parties = [SheetPlayer(owner, name) for owner, name in zip(request.owners, request.names, strict=True)]
    sheet = build_sheet(
        request.rules,
        request.hands,
        score_request(request),
        parties,
        deal=number,
        stakes=_stakes(request),
        stacks=_stacks(request),
    )
    owners = tuple(request.owner_names[owner] for owner in request.owners)
    return SessionDeal(sheet, owners, PointPrice.from_rules(request.rules), MatchTarget.from_rules(request.rules))


def session_entry(document: Json, number: int = 1) -> SessionDeal | PointsDeal:
    """Return one line of a session as deal `number`, by boards or by points alone. Raises JsonInputError."""
    request = parse_request(document)
    return session_deal_from_request(request, number) if request.hands else _points_deal(request, number)


def _points_deal(request: Request, number: int) -> PointsDeal:
    rules, points = request.rules, request.points
    is_paid = rules.scoring.rows != "first_to_11"
    pairs: tuple[PairPoints, ...] = ()
    if points is None:
        pairs = _pair_points(request)
        points = tuple([_won(pairs, name) for name in request.owner_names])
    elif len(request.names) == _PAIR and is_paid:
        # One player's win is the other's loss.
        pairs = (PairPoints(*request.names, points[0], 1, points[0]),)
    sheet = PointsSheet(number, request.owner_names, points, pairs)
    return PointsDeal(sheet, PointPrice.from_rules(rules), MatchTarget.from_rules(rules), is_paid)


def _won(pairs: Iterable[PairPoints], player: str) -> Amount:
    return plain_amount(sum((pair.a == player) * pair.points - (pair.b == player) * pair.points for pair in pairs))


def _pair_points(request: Request) -> tuple[PairPoints, ...]:
    """Return the pairs of a deal with their payments. Raises RequestError `line.missing`."""
    names, owners, last = request.names, request.owners, len(request.names) - 1
    with_all = request.rules.scoring.pairs == "all"
    playing = [
        (a, b) for a, b in combinations(range(len(names)), 2) if owners[a] != owners[b] and (with_all or b == last)
    ]
    for a, b in playing:
        if (a, b) not in request.pairs:
            message = f"give the points of {names[a]} and {names[b]} too, 0 where nobody won"
            raise RequestError("line.missing", message, f"$.pairs.{names[a]}-{names[b]}")
    stakes = [request.stakes.get(pair, request.default_stake) for pair in playing]
    dues = [
        Due(owners[a], owners[b], request.pairs[a, b] * stake) for (a, b), stake in zip(playing, stakes, strict=True)
    ]
    stacks = request.stacks or tuple([None] * len(request.owner_names))
    paid = settle(dues, stacks, request.rules.settlement).paid
    return tuple(
        PairPoints(
            request.owner_names[owners[a]],
            request.owner_names[owners[b]],
            plain_amount(request.pairs[a, b]),
            stake,
            plain_amount(moved),
        )
        for (a, b), stake, moved in zip(playing, stakes, paid, strict=True)
    )


class _DealAmounts(Struct, frozen=True):
    """A deal's part of the ledger: points by player, payments of pairs, and points of no pair."""

    points: dict[str, Amount]
    pairs: tuple[PairPoints, ...]
    unpaired: dict[str, Amount]
    price: PointPrice
    goal: MatchTarget


def _amounts(deal: SessionDeal | PointsDeal) -> _DealAmounts:
    if isinstance(deal, PointsDeal):
        points = dict(zip(deal.sheet.players, deal.sheet.points, strict=True))
        unpaired = points if deal.is_paid and not deal.sheet.pairs else {}
        return _DealAmounts(points, deal.sheet.pairs, unpaired, deal.price, deal.goal)
    won: defaultdict[str, Amount] = defaultdict(int)
    for hand, owner in zip(deal.sheet.hands, deal.owners, strict=True):
        won[owner] += hand.points
    pairs = tuple(
        PairPoints(deal.owners[pair.a], deal.owners[pair.b], pair.points, pair.stake, pair.moved.points)
        for pair in deal.sheet.pairs
    )
    return _DealAmounts(dict(won), pairs, {}, deal.price, deal.goal)


def ledgers(deals: Iterable[SessionDeal | PointsDeal]) -> tuple[Ledger, ...]:
    """Return the ledger of a session, one tally for each unit that its stakes are counted in."""
    by_unit: defaultdict[str, list[SessionDeal | PointsDeal]] = defaultdict(list)
    for deal in deals:
        by_unit[deal.price.unit].append(deal)
    return tuple(_ledger(unit, result) for unit, result in by_unit.items())


def _ledger(unit: str, deals: Sequence[SessionDeal | PointsDeal]) -> Ledger:
    played: defaultdict[str, int] = defaultdict(int)
    points: defaultdict[str, Amount] = defaultdict(int)
    money: defaultdict[str, Decimal] = defaultdict(Decimal)
    pair_points: defaultdict[tuple[str, str], Amount] = defaultdict(int)
    pair_money: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)

    def add_payment(a: str, b: str, amount: Amount, moved: Amount, price: PointPrice) -> None:
        key, sign = ((a, b), 1) if (b, a) not in pair_points else ((b, a), -1)
        pair_points[key] += sign * amount
        pair_money[key] += price.money(sign * moved)

    progress = _MatchProgress()
    for deal in map(_amounts, deals):
        for player, player_points in deal.points.items():
            played[player] += 1
            points[player] = plain_amount(points[player] + player_points)
        for pair in deal.pairs:
            add_payment(pair.a, pair.b, pair.points, pair.moved, deal.price)
        for player, player_points in deal.unpaired.items():
            money[player] += deal.price.money(player_points)
        for loser, winner, prize, stake in progress.count_deal(deal):
            add_payment(winner, loser, prize, plain_amount(prize * stake), deal.price)
    for (a, b), amount in pair_money.items():
        money[a] += amount
        money[b] -= amount
    return Ledger(
        unit,
        tuple(PlayerBalance(player, count, points[player], float(money[player])) for player, count in played.items()),
        tuple(PairBalance(a, b, amount, float(pair_money[a, b])) for (a, b), amount in pair_points.items()),
        money_payments({player: money[player] for player in played}),
    )


class _MatchProgress:
    """The points of a match over the deals of a session, while its players and its target stay the same."""

    def __init__(self) -> None:
        self.goal = MatchTarget()
        self.points: dict[str, int] = {}

    def count_deal(self, deal: _DealAmounts) -> list[tuple[str, str, int, Amount]]:
        """Count a deal; returns the prizes that it decides as (loser, winner, points, stake)."""
        if deal.goal != self.goal or set(deal.points) != set(self.points):
            self.goal, self.points = deal.goal, dict.fromkeys(deal.points, 0)
        for player, points in deal.points.items():
            self.points[player] += int(points)  # a match is won by whole points
        stakes = {frozenset((pair.a, pair.b)): pair.stake for pair in deal.pairs}
        due = [(*prize, stakes.get(frozenset(prize[:2]), 1)) for prize in prizes(self.goal, self.points)]
        if self.goal.is_reached(self.points):
            self.points = dict.fromkeys(self.points, 0)
        return due


def _stakes(request: Request) -> dict[tuple[int, int], Amount]:
    """Return the stake of every two owners, the lower first."""
    stakes: dict[tuple[int, int], Amount] = {}
    hands = range(len(request.names))
    for a, b in ((a, b) for a in hands for b in hands if a < b and request.owners[a] != request.owners[b]):
        stake = request.stakes.get((a, b), request.default_stake)
        low, high = sorted((request.owners[a], request.owners[b]))
        if stakes.setdefault((low, high), stake) != stake:
            path = f"$.stakes.{request.names[a]}-{request.names[b]}"
            raise RequestError("value.range", "two players have one stake between all their boards", path)
    return stakes


def _stacks(request: Request) -> dict[int, Amount] | None:
    if request.stacks is None:
        return None
    return {seat: stack for seat, stack in enumerate(request.stacks) if stack is not None}
