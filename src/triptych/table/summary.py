"""What a table is besides the deal in progress and its clocks: after most actions it is as it was."""

from __future__ import annotations

from msgspec.structs import replace

from triptych.table.state import TableState


def stable_part(state: TableState) -> tuple[object, ...]:
    """Return all that is not the deal or a clock; two tables that are alike in it differ only in those.

    Named are the fields that a move in a deal changes. A new field counts as standing unless it is added here.
    """
    bare = replace(state, version=0, at=0, seats=(), clocks=(), turns=(), deal=None)
    return bare, state.deal is None, *[replace(seat, bank_ms=0, deal_ms=0) for seat in state.seats]
