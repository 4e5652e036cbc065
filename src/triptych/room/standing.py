"""What a table is besides the deal in progress and its clocks: after most actions it is as it was."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from triptych.room.state import Seat, TableState

if TYPE_CHECKING:
    from collections.abc import Callable

# Named are the fields that a move in a deal changes. A new field counts as standing unless it is added here.
_STATE: Final[Callable[[TableState], tuple[Any, ...]]] = attrgetter(
    *[name for name in TableState.__struct_fields__ if name not in {"version", "at", "seats", "clocks", "deal"}]
)
_SEAT: Final[Callable[[Seat], tuple[Any, ...]]] = attrgetter(
    *[name for name in Seat.__struct_fields__ if name not in {"bank_ms", "deal_ms"}]
)


def standing(state: TableState) -> tuple[object, ...]:
    """Return all that is not the deal or a clock; two tables that are alike in it differ only in those."""
    return _STATE(state), state.deal is None, *map(_SEAT, state.seats)
