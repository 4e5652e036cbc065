"""Each person's results at a table, computed from its events: by deal, and for the session so far."""

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

    `prize`: points from the end of the match that this deal ended. `scored`: by the sheet, before stakes. `worth`:
    the price of a point in `unit`, 0 if points have no price. `fantasyland`: cards of the fantasyland that it earned
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
    """All of a session's deals under the same rules.

    `points` as in DealResult, with the prizes of matches.
    """

    preset: str
    title: str
    worth: float
    unit: str
    deals: int = 0
    points: int = 0
    fantasylands: int = 0
    fouls: int = 0


class SessionResult(Struct, frozen=True, gc=False):
    """A person's session at a table: its name, the time (ms), the other players and the totals by rules.

    `closed`: the table is closed.
    """

    name: str
    began: int
    ended: int
    company: tuple[str, ...] = ()
    parts: tuple[RulesetTotal, ...] = ()
    closed: bool = False


class Results(Struct):
    """The results of a table's events: deals with their player, and the session of each player."""

    deals: list[tuple[str, DealResult]]
    sessions: dict[str, SessionResult]


# A set, since a union of types would be built for every event.
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
    """Return the results of events after the version `after`, added to `sessions` as of that version.

    `state`: the table before the first of the events, None before `TableOpened`.
    """
    result = Results([], dict(sessions))
    for event in events:
        if state is not None and state.version >= after and is_result(event):
            _add_event(result, state, event.event)
        state = evolve(state, event)
    return result


def _add_event(results: Results, state: TableState, event: object) -> None:
    if state.config.cup:  # a tournament's chips are not points
        return
    if isinstance(event, e.DealSettled):
        _add_deal(results, state, event)
    elif isinstance(event, e.MatchEnded):
        prizes = net(event.payments)
        for player, points in prizes.items():
            if player in results.sessions:
                results.sessions[player] = _with_prize(results.sessions[player], state.config.rules, points, event.at)
        # A prize belongs to the last deal of its match, and is stored together with it.
        last_deal = state.deals
        results.deals = [
            (player, replace(deal, prize=prizes.get(player, 0)) if deal.deal == last_deal else deal)
            for player, deal in results.deals
        ]
    else:
        results.sessions = {player: replace(session, closed=True) for player, session in results.sessions.items()}


def _add_deal(results: Results, state: TableState, event: e.DealSettled) -> None:
    paid = net(event.payments)
    scored = {result.seat: result.points for result in event.points}
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
            points=paid.get(seat.player, 0),
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
    """Return the price of a point, 0 if points have no price."""
    price = PointPrice.from_rules(rules)
    return 0.0 if price.is_plain else price.point


def _with_deal(session: SessionResult, result: DealResult, dealt: Sequence[Seat], own: Seat) -> SessionResult:
    other_names = [seat.name for seat in dealt if seat.seat != own.seat]
    old = _ruleset_total(session, result.preset, result.title, result.worth, result.unit)
    new = replace(
        old,
        deals=old.deals + 1,
        points=old.points + result.points,
        fantasylands=old.fantasylands + bool(result.fantasyland),
        fouls=old.fouls + result.fouls,
    )
    company = tuple(dict.fromkeys((*session.company, *other_names)))
    return replace(_with_total(session, old, new), ended=result.at, company=company)


def _with_prize(session: SessionResult, rules: Ruleset, points: int, at: int) -> SessionResult:
    old = _ruleset_total(session, rules.name, rules.title or rules.name, _worth(rules), rules.stake.unit)
    return replace(_with_total(session, old, replace(old, points=old.points + points)), ended=at)


def _key(total: RulesetTotal) -> tuple[str, str, float, str]:
    return total.preset, total.title, total.worth, total.unit


def _ruleset_total(session: SessionResult, preset: str, title: str, worth: float, unit: str) -> RulesetTotal:
    matches = (total for total in session.parts if _key(total) == (preset, title, worth, unit))
    return next(matches, RulesetTotal(preset, title, worth, unit))


def _with_total(session: SessionResult, old: RulesetTotal, new: RulesetTotal) -> SessionResult:
    parts = tuple(new if total == old else total for total in session.parts)
    return replace(session, parts=parts if old in session.parts else (*session.parts, new))


def totals(sessions: Iterable[SessionResult]) -> tuple[RulesetTotal, ...]:
    """Return the totals of all sessions by rules, the most played first."""
    result: dict[tuple[str, str, float, str], RulesetTotal] = {}
    for total in (total for session in sessions for total in session.parts):
        key = _key(total)
        result[key] = _sum(result.get(key, RulesetTotal(*key)), total)
    return tuple(sorted(result.values(), key=lambda total: (-total.deals, total.title)))


def _sum(first: RulesetTotal, second: RulesetTotal) -> RulesetTotal:
    return replace(
        first,
        deals=first.deals + second.deals,
        points=first.points + second.points,
        fantasylands=first.fantasylands + second.fantasylands,
        fouls=first.fouls + second.fouls,
    )
