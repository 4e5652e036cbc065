"""The options with which a host opens a table."""

from __future__ import annotations

from typing import NamedTuple

from triptych.rulesets.model import Ruleset
from triptych.table.state import StartedBy, TableState


class TableOptions(NamedTuple):
    """The options of a new table; `pause` between deals in seconds.

    `password`: the hash of the password that guests have to give, except the `admitted` ones.
    """

    name: str
    rules: Ruleset
    pause: int
    bots_allowed: bool
    start: StartedBy
    private: bool
    again: str = ""
    arranging: bool = False
    hints: bool = False
    password: str = ""
    admitted: tuple[str, ...] = ()


def rematch_options(state: TableState, name: str) -> TableOptions:
    """Return the options of a closed table's rematch; its players and admitted guests need no password."""
    config = state.config
    guests = {*state.admitted, config.host, *(account.player for account in state.accounts)}
    return TableOptions(
        name,
        config.rules,
        config.pause,
        config.bots_allowed,
        "host",
        config.private,
        config.table,
        state.arranging,
        state.hints,
        state.password,
        tuple(sorted(guests)) if state.password else (),
    )
