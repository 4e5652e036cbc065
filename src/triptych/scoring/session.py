"""A session with real cards: deals of the scoring contract (Rules §8) with their sheets, and the ledger over all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal

from msgspec import Struct

from triptych.json_input import Json
from triptych.scoring.errors import RequestError
from triptych.scoring.jsonl.answer import score_request
from triptych.scoring.jsonl.request import Request, parse_request
from triptych.scoring.match_prize import MatchTarget, prizes
from triptych.scoring.money import MoneyPayment, PointPrice, money_payments
from triptych.scoring.settle import Amount, plain_amount
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.sheet.types import ScoreSheet


class SessionDeal(Struct, frozen=True):
    """One scored deal: its sheet, who owns each hand by name, the price of a point, and the match it belongs to."""

    sheet: ScoreSheet
    owners: tuple[str, ...]
    price: PointPrice
    goal: MatchTarget = MatchTarget()


class PlayerBalance(Struct, frozen=True):
    """What a player has won over the session: points before stakes, and money after them."""

    player: str
    deals: int
    points: int
    money: float


class PairBalance(Struct, frozen=True):
    """What `a` has won from `b` over the session."""

    a: str
    b: str
    points: int
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


def ledgers(deals: Iterable[SessionDeal]) -> tuple[Ledger, ...]:
    """Return the ledger of a session, one tally for each unit that its stakes are counted in."""
    by_unit: defaultdict[str, list[SessionDeal]] = defaultdict(list)
    for deal in deals:
        by_unit[deal.price.unit].append(deal)
    return tuple(_ledger(unit, result) for unit, result in by_unit.items())


def _ledger(unit: str, deals: Sequence[SessionDeal]) -> Ledger:
    played: defaultdict[str, int] = defaultdict(int)
    points: defaultdict[str, int] = defaultdict(int)
    pair_points: defaultdict[tuple[str, str], int] = defaultdict(int)
    pair_money: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)

    def paid(a: str, b: str, won: int, moved: Amount, price: PointPrice) -> None:
        key, sign = ((a, b), 1) if (b, a) not in pair_points else ((b, a), -1)
        pair_points[key] += sign * won
        pair_money[key] += price.money(sign * moved)

    race = _MatchProgress()
    for deal in deals:
        for owner in dict.fromkeys(deal.owners):
            played[owner] += 1
        for hand, owner in zip(deal.sheet.hands, deal.owners, strict=True):
            points[owner] += hand.points
        for pair in deal.sheet.pairs:
            paid(deal.owners[pair.a], deal.owners[pair.b], pair.points, pair.moved.points, deal.price)
        for loser, winner, prize, stake in race.count_deal(deal):
            paid(winner, loser, prize, plain_amount(prize * stake), deal.price)
    money: defaultdict[str, Decimal] = defaultdict(Decimal)
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
    """The points of a match that goes on over the deals of a session, as long as its company and its goal stay."""

    def __init__(self) -> None:
        self.goal = MatchTarget()
        self.points: dict[str, int] = {}

    def count_deal(self, deal: SessionDeal) -> list[tuple[str, str, int, Amount]]:
        """Count a deal; returns who pays whom which prize at which stake when it wins the match."""
        if deal.goal != self.goal or set(deal.owners) != set(self.points):
            self.goal, self.points = deal.goal, dict.fromkeys(deal.owners, 0)
        for hand, owner in zip(deal.sheet.hands, deal.owners, strict=True):
            self.points[owner] += hand.points
        stakes = {frozenset((deal.owners[pair.a], deal.owners[pair.b])): pair.stake for pair in deal.sheet.pairs}
        won = [(*one, stakes[frozenset(one[:2])]) for one in prizes(self.goal, self.points)]
        if self.goal.is_reached(self.points):
            self.points = dict.fromkeys(self.points, 0)
        return won


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
