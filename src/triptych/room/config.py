"""What a table is opened with."""

from __future__ import annotations

from msgspec import Struct

from triptych.rules.model import Ruleset


class TableConfig(Struct, frozen=True):
    """A table's id and name, its host (a player id), its rules and the pause between deals in seconds.

    `levels`: the bot levels that the house has; empty means that the server has looked at the level already.
    """

    table: str
    name: str
    host: str
    rules: Ruleset
    bots_allowed: bool = True
    pause: int = 8
    levels: tuple[str, ...] = ()
