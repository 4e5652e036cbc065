"""Tournaments: levels that raise the price of a point, and the places of players without chips.

Rule: Rules §6.
"""

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
    """Return the chips that a point is worth in a level; 1 outside tournaments."""
    if rules.tournament.levels == "off" or not rules.tournament.chips_per_point:
        return 1
    return rules.tournament.chips_per_point[level]


def point_value(state: TableState) -> int:
    """Return the chips that a point of the deal in progress is worth; 1 outside tournaments."""
    return state.cup_level.chips if state.cup_level is not None else chips_per_point(state.config.rules, state.level)


def level_view(state: TableState) -> LevelView | None:
    """Return the level of the current or last deal, with the next level; None outside tournaments."""
    cup_level = state.cup_level
    if cup_level is not None:
        return LevelView(cup_level.number, cup_level.chips, cup_level.next_chips, next_at=cup_level.next_at)
    rules = state.config.rules
    kind, _, number = rules.tournament.levels.partition(":")
    if kind == "off":
        return None
    level = state.level
    is_last = level + 1 >= len(rules.tournament.chips_per_point)
    ends_after = (level + 1) * int(number or 0)  # deals or minutes
    started = state.started
    return LevelView(
        number=level + 1,
        chips=chips_per_point(rules, level),
        next_chips=None if is_last else chips_per_point(rules, level + 1),
        next_deal=ends_after + 1 if kind == "deals" and not is_last else None,
        next_at=started + ends_after * _MINUTE if kind == "minutes" and started is not None and not is_last else None,
    )


def is_tournament_started(state: TableState) -> bool:
    """Return whether a tournament is running or over, so that nobody can join it."""
    return bool(state.config.cup) or (is_tournament(state.config.rules) and state.deals > 0)


def is_placed(state: TableState, player: str) -> bool:
    """Return whether a player is out of the tournament, or has won it."""
    return any(place.player == player for place in state.places)


def remaining_seats(state: TableState) -> tuple[Seat, ...]:
    """Return the seats of the players still in the tournament; only one when it is won."""
    return tuple(seat for seat in state.seats if seat.player and seat.stack > 0 and not is_placed(state, seat.player))


def new_places(state: TableState) -> tuple[tuple[Seat, int], ...]:
    """Return the new places, the worst first: of players without chips, and of the only player left.

    At a table of a tournament over several tables they are places among the table's players.

    Players who are eliminated together are placed by the chips with which they began the last deal, then the deal
    before it, if that brought its fantasyland; with equal chips they share the place. Nobody is eliminated before the
    pending fantasylands are played. Rule: Rules §6 (tournament).
    """
    has_stacks = bankroll_mode(state.config.rules) == "stacks"
    if (
        not has_stacks
        or not is_tournament_started(state)
        or not state.settled
        or any(seat.fantasyland for seat in state.seats)
    ):
        return ()
    out = [seat for seat in state.seats if seat.player and seat.stack <= 0 and not is_placed(state, seat.player)]
    remaining = remaining_seats(state)
    result = [(seat, len(remaining) + 1 + sum(other.brought > seat.brought for other in out)) for seat in out]
    # A single table does not know the winner of a tournament over several tables.
    winner = [(seat, 1) for seat in remaining] if len(remaining) == 1 and not state.config.cup else []
    return (*sorted(result, key=lambda placing: -placing[1]), *winner)
