"""For whom the others wait: nobody waits twice for a player who is away. Rule: Rules §6 (timeout.scope)."""

from __future__ import annotations

from triptych.rulesets.model import Ruleset
from triptych.table.state import Seat


def is_gone(seat: Seat) -> bool:
    """Return whether nobody waits for a seat any more: its player has left for good, or the host has freed it.

    Its cards are placed at once, also while its clock runs.
    """
    return seat.person and (seat.unseated or seat.gone)


def is_away(seat: Seat) -> bool:
    """Return whether a seat's cards are laid out the moment it is its turn.

    A player who is not there, or leaves, is away from a time-out on until they do something again. Bots are never
    away: they answer again as soon as their process does.
    """
    return is_gone(seat) or (seat.person and (seat.absent or (seat.late and (seat.leaving or not seat.connected))))


def makes_absent(rules: Ruleset, seat: Seat) -> bool:
    """Return whether a time-out of a seat, as it is before, lays out more than this street.

    Under `timeout.scope = deal` it always does [000 L94]; else only for a player who sits out, leaves, is not
    connected [002 L31], or has let the clock run out once already and done nothing since.
    """
    if not seat.person:
        return False
    gone = seat.sitting_out or seat.leaving or not seat.connected
    return seat.late or gone or rules.timeout.scope == "deal"
