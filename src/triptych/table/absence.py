"""Absent players: the table does not wait a second time for a player who is away.

Rule: Rules §6 (timeout.scope).
"""

from __future__ import annotations

from triptych.rulesets.model import Ruleset
from triptych.table.state import Seat


def is_gone(seat: Seat) -> bool:
    """Return whether the table no longer waits for a seat: its player has left, or the host has freed it.

    Its cards are placed at once, also while its clock runs.
    """
    return seat.person and (seat.unseated or seat.gone)


def is_away(seat: Seat) -> bool:
    """Return whether a seat's cards are placed automatically as soon as it is to act.

    A player who is not connected, or leaves, is away from a time-out on until they act again. Bots are never away:
    they act again as soon as their process does.
    """
    return is_gone(seat) or (seat.person and (seat.absent or (seat.late and (seat.leaving or not seat.connected))))


def makes_absent(rules: Ruleset, seat: Seat) -> bool:
    """Return whether a seat's time-out makes its player absent beyond this street.

    `seat`: before the time-out.

    Under `timeout.scope = deal` it always does [000 L94]; otherwise only if the player sits out, leaves, is not
    connected [002 L31], or has not acted since an earlier time-out.
    """
    if not seat.person:
        return False
    is_inactive = seat.sitting_out or seat.leaving or not seat.connected
    return seat.late or is_inactive or rules.timeout.scope == "deal"
