"""Buy-ins, and when players may add points. Rule: Rules §6 (buy-in, on the book, tournament)."""

from __future__ import annotations

from triptych.i18n.messages import Message
from triptych.rulesets.model import Ruleset, bankroll_mode, is_tournament
from triptych.table.errors import TableError
from triptych.table.state import Seat, TableState, in_match


def has_chips(state: TableState, seat: Seat) -> bool:
    """Return whether a seat may be dealt in: it has points, or its table has no stacks."""
    return seat.stack > 0 or bankroll_mode(state.config.rules) != "stacks"


def is_bust(state: TableState, seat: Seat) -> bool:
    """Return whether a seated player has no points left to play with."""
    return bool(seat.player) and not has_chips(state, seat)


def usual_buy_in(rules: Ruleset) -> int:
    """Return the default buy-in: the maximum, or 0 at a table without stacks."""
    return rules.seats.buy_in_max if bankroll_mode(rules) == "stacks" else 0


def verify_buy_in(rules: Ruleset, points: int) -> None:
    """Raise TableError `points.buy_in` unless a player may sit down with so many points."""
    if bankroll_mode(rules) != "stacks":
        if points:
            raise TableError("points.buy_in", Message("error.points.no_buy_in"), "$.buy_in")
        return
    low, high = rules.seats.buy_in_min, rules.seats.buy_in_max
    if not low <= points <= high:
        bounds = str(low) if low == high else f"{low} to {high}"
        raise TableError("points.buy_in", Message("error.points.buy_in", wanted=bounds, points=points), "$.buy_in")


def top_up_bounds(state: TableState, seat: Seat) -> tuple[int, int]:
    """Return the minimum and maximum points that a seat may add now.

    Raises TableError (`points.…`) if it may not.

    A player who is bust has to add at least the table's minimum buy-in; during a match it counts when that is over
    (`counts_after_match`). Between a deal and its fantasyland nobody adds points: they are one hand (source 002 L31).
    """
    rules = state.config.rules
    if bankroll_mode(rules) != "stacks":
        raise TableError("points.not_kept", Message("error.points.not_kept"))
    if is_tournament(rules) or state.config.cup:
        raise TableError("points.tournament", Message("error.points.tournament"))
    match = state.match
    playing = match is not None and seat.seat in match.last
    if playing and not state.settled:
        raise TableError("points.not_now", Message("error.points.after_deal"))
    pending = playing and any(state.seats[number].fantasyland for number in match.seats)  # type: ignore[union-attr]
    if pending and not is_bust(state, seat):
        raise TableError("points.not_now", Message("error.points.after_fantasyland"))
    minimum = rules.seats.buy_in_min if is_bust(state, seat) else 1
    return minimum, rules.seats.buy_in_max - seat.stack


def counts_after_match(state: TableState, seat: Seat) -> bool:
    """Return whether points added now count only after the match: the seat is bust in it."""
    return is_bust(state, seat) and in_match(state, seat.seat)


def may_top_up(state: TableState, seat: Seat) -> bool:
    """Return whether a seat may add points now."""
    try:
        minimum, maximum = top_up_bounds(state, seat)
    except TableError:
        return False
    return minimum <= maximum
