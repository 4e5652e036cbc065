"""What came of each person's deals at a table, read out of its events: one deal, and the session so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from triptych.rulesets.model import Ruleset
from triptych.scoring.money import PointPrice
from triptych.table import events as e
from triptych.table.accounts import net
from triptych.table.events import TableEvent
from triptych.table.evolve.core import evolve
from triptych.table.state import Seat, TableState


class DealResult(Struct, frozen=True, gc=False):
    """A person's result in one deal. `points`: what they received (negative: paid), with stakes and caps.

    `prize`: what the match that ended with the deal brought besides. `scored`: by the sheet, before stakes. `worth`:
    what a point was worth in `unit`, 0 where points are only points. `fantasyland`: cards of the one that it brought
    (0: none); `fouls`: own boards that fouled.
    """

    deal: int
    match: int
    at: int
    preset: str
    title: str
    points: int
    scored: int
    worth: float
    unit: str
    fantasyland: int
    fouls: int
    prize: int = 0


class RulesetTotal(Struct, frozen=True, gc=False):
    """All of a session's deals under the same rules; `points` as in DealResult, with the prizes of matches."""

    preset: str
    title: str
    worth: float
    unit: str
    deals: int = 0
    points: int = 0
    fantasylands: int = 0
    fouls: int = 0


class SessionResult(Struct, frozen=True, gc=False):
    """A person's session at a table: its name, from when to when (ms), with whom, and what came of it.

    `closed`: the table is over.
    """

    name: str
    began: int
    ended: int
    company: tuple[str, ...] = ()
    parts: tuple[RulesetTotal, ...] = ()
    closed: bool = False


class Results(Struct):
    """What a table's events come to: deals by player, the session of each player."""

    deals: list[tuple[str, DealResult]]
    sessions: dict[str, SessionResult]


# A union would be made anew for every event that is asked about.
_RESULTS: Final = frozenset({e.DealSettled, e.MatchEnded, e.TableClosed})


def is_result(event: TableEvent) -> bool:
    """Return whether an event changes anybody's results."""
    return type(event.event) in _RESULTS


def collect_results(
    events: Iterable[TableEvent],
    sessions: dict[str, SessionResult],
    *,
    state: TableState | None = None,
    after: int = 0,
) -> Results:
    """Return what events bring beyond `sessions`, which count those up to the version `after`.

    `state` is the table before the first of the events, None before `TableOpened`.
    """
    result = Results([], dict(sessions))
    for event in events:
        if state is not None and state.version >= after and is_result(event):
            _count(result, state, event.event)
        state = evolve(state, event)
    return result


def _count(results: Results, state: TableState, event: object) -> None:
    if state.config.cup:  # the chips of a tournament are no points
        return
    if isinstance(event, e.DealSettled):
        _count_deal(results, state, event)
    elif isinstance(event, e.MatchEnded):
        prizes = net(event.payments)
        for player, points in prizes.items():
            if player in results.sessions:
                results.sessions[player] = _with_prize(results.sessions[player], state.config.rules, points, event.at)
        # A prize is won by the last deal of its match, and stored together with it.
        last = state.deals
        results.deals = [
            (player, replace(deal, prize=prizes.get(player, 0)) if deal.deal == last else deal)
            for player, deal in results.deals
        ]
    else:
        results.sessions = {player: replace(one, closed=True) for player, one in results.sessions.items()}


def _count_deal(results: Results, state: TableState, event: e.DealSettled) -> None:
    moved = net(event.payments)
    scored = {one.seat: one.points for one in event.points}
    dealt = [state.seats[number] for number in sorted({hand.seat for hand in event.sheet.hands})]
    match = 0 if state.match is None else state.match.number
    rules = state.config.rules
    for seat in dealt:
        if not seat.person:
            continue
        own = [hand for hand in event.sheet.hands if hand.seat == seat.seat]
        result = DealResult(
            deal=event.sheet.deal,
            match=match,
            at=event.at,
            preset=rules.name,
            title=rules.title or rules.name,
            points=moved.get(seat.player, 0),
            scored=scored.get(seat.seat, 0),
            worth=_worth(rules),
            unit=rules.stake.unit,
            fantasyland=max(hand.fantasyland for hand in own),
            fouls=sum(hand.status == "foul" for hand in own),
        )
        results.deals.append((seat.player, result))
        before = results.sessions.get(seat.player) or SessionResult(state.config.name, event.at, event.at)
        results.sessions[seat.player] = _with_deal(before, result, dealt, seat)


def _worth(rules: Ruleset) -> float:
    """Return what a point is worth, 0 where it is only a point."""
    price = PointPrice.from_rules(rules)
    return 0.0 if price.is_plain else price.point


def _with_deal(session: SessionResult, result: DealResult, dealt: Sequence[Seat], own: Seat) -> SessionResult:
    others = [seat.name for seat in dealt if seat.seat != own.seat]
    part = _part(session, result.preset, result.title, result.worth, result.unit)
    grown = replace(
        part,
        deals=part.deals + 1,
        points=part.points + result.points,
        fantasylands=part.fantasylands + bool(result.fantasyland),
        fouls=part.fouls + result.fouls,
    )
    company = tuple(dict.fromkeys((*session.company, *others)))
    return replace(_with_part(session, part, grown), ended=result.at, company=company)


def _with_prize(session: SessionResult, rules: Ruleset, points: int, at: int) -> SessionResult:
    part = _part(session, rules.name, rules.title or rules.name, _worth(rules), rules.stake.unit)
    return replace(_with_part(session, part, replace(part, points=part.points + points)), ended=at)


def _part(session: SessionResult, preset: str, title: str, worth: float, unit: str) -> RulesetTotal:
    fresh = RulesetTotal(preset, title, worth, unit)
    same = (
        one for one in session.parts if (one.preset, one.title, one.worth, one.unit) == (preset, title, worth, unit)
    )
    return next(same, fresh)


def _with_part(session: SessionResult, part: RulesetTotal, grown: RulesetTotal) -> SessionResult:
    parts = tuple(grown if one == part else one for one in session.parts)
    return replace(session, parts=parts if part in session.parts else (*session.parts, grown))


def totals(sessions: Iterable[SessionResult]) -> tuple[RulesetTotal, ...]:
    """Return what all sessions come to, by rules, the most played first."""
    result: dict[tuple[str, str, float, str], RulesetTotal] = {}
    for part in (part for session in sessions for part in session.parts):
        key = (part.preset, part.title, part.worth, part.unit)
        result[key] = _added(result.get(key, RulesetTotal(*key)), part)
    return tuple(sorted(result.values(), key=lambda one: (-one.deals, one.title)))


def _added(one: RulesetTotal, other: RulesetTotal) -> RulesetTotal:
    return replace(
        one,
        deals=one.deals + other.deals,
        points=one.points + other.points,
        fantasylands=one.fantasylands + other.fantasylands,
        fouls=one.fouls + other.fouls,
    )
