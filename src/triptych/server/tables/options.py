"""What a host wants of a new table."""

from __future__ import annotations

from typing import NamedTuple

from triptych.rulesets.model import Ruleset
from triptych.table.state import StartedBy, TableState


class TableOptions(NamedTuple):
    """What a host opens a table with; `pause` between deals in seconds.

    `password`: the hash of what who comes has to know, except those `admitted`.
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
    """Return what a closed table is played once more with; who played there, or gave its password, is asked none."""
    config = state.config
    guests = {*state.admitted, config.host, *(one.player for one in state.accounts)}
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
