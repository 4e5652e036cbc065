"""Tournaments: levels that raise what a point is worth, and the places of players without chips. Rule: Rules §6."""

from __future__ import annotations

from triptych.rulesets.model import Ruleset, bankroll_mode, is_tournament
from triptych.table.state import Seat, TableState
from triptych.table.view_types import LevelView

_MINUTE = 60_000


def level_at(rules: Ruleset, deal: int, elapsed: int) -> int:
    """Return the level, from 0, in which a deal begins: the table's `deal`-th, `elapsed` ms after its first."""
    kind, _, number = rules.tournament.levels.partition(":")
    if kind == "off":
        return 0
    passed = (deal - 1) // int(number) if kind == "deals" else elapsed // (int(number) * _MINUTE)
    return min(passed, max(0, len(rules.tournament.chips_per_point) - 1))


def chips_per_point(rules: Ruleset, level: int) -> int:
    """Return what a point is worth in a level; 1 outside tournaments."""
    if rules.tournament.levels == "off" or not rules.tournament.chips_per_point:
        return 1
    return rules.tournament.chips_per_point[level]


def point_value(state: TableState) -> int:
    """Return how many chips a point of the deal in progress is worth; 1 outside tournaments."""
    return state.cup_level.chips if state.cup_level is not None else chips_per_point(state.config.rules, state.level)


def level_view(state: TableState) -> LevelView | None:
    """Return the level of the deal in progress, or of the last one, and what comes next; None outside tournaments."""
    ordered = state.cup_level
    if ordered is not None:
        return LevelView(ordered.number, ordered.chips, ordered.next_chips, next_at=ordered.next_at)
    rules = state.config.rules
    kind, _, number = rules.tournament.levels.partition(":")
    if kind == "off":
        return None
    level = state.level
    last = level + 1 >= len(rules.tournament.chips_per_point)
    ahead = (level + 1) * int(number or 0)
    started = state.started
    return LevelView(
        number=level + 1,
        chips=chips_per_point(rules, level),
        next_chips=None if last else chips_per_point(rules, level + 1),
        next_deal=ahead + 1 if kind == "deals" and not last else None,
        next_at=started + ahead * _MINUTE if kind == "minutes" and started is not None and not last else None,
    )


def is_tournament_started(state: TableState) -> bool:
    """Return whether a tournament is on, or over: nobody joins it any more."""
    return bool(state.config.cup) or (is_tournament(state.config.rules) and state.deals > 0)


def is_placed(state: TableState, player: str) -> bool:
    """Return whether a player is out of the tournament, or has won it."""
    return any(one.player == player for one in state.places)


def remaining_seats(state: TableState) -> tuple[Seat, ...]:
    """Return the seats of those who play for the first place; of one alone when the tournament is won."""
    return tuple(seat for seat in state.seats if seat.player and seat.stack > 0 and not is_placed(state, seat.player))


def new_places(state: TableState) -> tuple[tuple[Seat, int], ...]:
    """Return the places taken now, the worst first: of players without chips, and of the one who is left alone.

    At a table of a tournament over several tables they are places among those who sat there.

    Players who are out at once are placed by the chips with which they began the last deal, then the deal before it,
    if that brought its fantasyland; with equal chips they share the place. Nobody is out before the pending
    fantasylands are played. Rule: Rules §6 (tournament).
    """
    stacks = bankroll_mode(state.config.rules) == "stacks"
    if (
        not stacks
        or not is_tournament_started(state)
        or not state.settled
        or any(seat.fantasyland for seat in state.seats)
    ):
        return ()
    out = [seat for seat in state.seats if seat.player and seat.stack <= 0 and not is_placed(state, seat.player)]
    ahead = remaining_seats(state)
    result = [(seat, len(ahead) + 1 + sum(other.brought > seat.brought for other in out)) for seat in out]
    # Who has won a tournament of several tables its last table alone does not know.
    won = [(seat, 1) for seat in ahead] if len(ahead) == 1 and not state.config.cup else []
    return (*sorted(result, key=lambda one: -one[1]), *won)
