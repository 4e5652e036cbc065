"""A table that stops for good while the others go on: why it stops, and the error that its players get."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.server.wire.errors import CORRUPT_ERROR, INVARIANT_ERROR
from triptych.server.wire.messages import WireError
from triptych.store.errors import CorruptRecordError
from triptych.table.events import TableEvent
from triptych.table.invariants import find_violation
from triptych.table.state import TableState


class InvariantError(CorruptRecordError):
    """A command would break an invariant of a table. Nothing of it was stored."""

    def __init__(self, table: str, violation: str) -> None:
        super().__init__(table, violation)
        self.args = (f"a command at table {table} was not stored: {violation}",)


def stop_notice(cause: CorruptRecordError) -> WireError:
    """Return the error that the players of a stopped table get."""
    return INVARIANT_ERROR if isinstance(cause, InvariantError) else CORRUPT_ERROR


def verify_invariants(before: TableState, after: TableState, events: Sequence[TableEvent]) -> None:
    """Raise InvariantError when these events, which are not stored yet, break an invariant of the table."""
    violation = find_violation(before, after, events)
    if violation:
        raise InvariantError(after.config.table, violation)
