"""A table that has stopped for good, the others go on: why, and what its players are told."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.server.wire.errors import CORRUPT_ERROR, INVARIANT_ERROR
from triptych.server.wire.messages import WireError
from triptych.store.errors import CorruptRecordError
from triptych.table.events import TableEvent
from triptych.table.invariants import find_violation
from triptych.table.state import TableState


class InvariantError(CorruptRecordError):
    """Something that must hold at a table would not after a command. Nothing of it was stored."""

    def __init__(self, table: str, what: str) -> None:
        super().__init__(table, what)
        self.args = (f"a command at table {table} was not stored: {what}",)


def stop_notice(why: CorruptRecordError) -> WireError:
    """Return what the players of a table that has stopped are told."""
    return INVARIANT_ERROR if isinstance(why, InvariantError) else CORRUPT_ERROR


def verify_invariants(before: TableState, after: TableState, events: Sequence[TableEvent]) -> None:
    """Raise Wrong when something that must hold does not after these events, which are not stored yet."""
    wrong = find_violation(before, after, events)
    if wrong:
        raise InvariantError(after.config.table, wrong)
