"""A table that has stopped for good, the others go on: why, and what its players are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.server.wire.errors import DAMAGED, WRONG
from triptych.server.wire.messages import WireError
from triptych.store.interface import Damaged
from triptych.table.invariants import violated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.table.events import TableEvent
    from triptych.table.state import TableState


class Wrong(Damaged):
    """Something that must hold at a table would not after a command. Nothing of it was stored."""

    def __init__(self, table: str, what: str) -> None:
        super().__init__(table, what)
        self.args = (f"a command at table {table} was not stored: {what}",)


def notice(why: Damaged) -> WireError:
    """Return what the players of a table that has stopped are told."""
    return WRONG if isinstance(why, Wrong) else DAMAGED


def verify(before: TableState, after: TableState, events: Sequence[TableEvent]) -> None:
    """Raise Wrong when something that must hold does not after these events, which are not stored yet."""
    wrong = violated(before, after, events)
    if wrong:
        raise Wrong(after.config.table, wrong)
