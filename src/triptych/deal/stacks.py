"""The stacks before a deal, and the value of a point: known to the whole table."""

from __future__ import annotations

from msgspec import Struct


class Stacks(Struct, frozen=True):
    """The stacks of a deal, by hand, in chips (outside tournaments a chip is a point).

    `chips`: before the deal, empty in ledger mode, where payments have no bounds. `point`: chips that a point is
    worth; `stakes`: the same of each pair, in deal order (0-1, 0-2, …, 1-2, …), empty: `point` for all. In a
    tournament: `prizes` by place, the first one first, of the places that are still open, and `elsewhere` the chips
    of players who are still in and sit at other tables.
    """

    chips: tuple[int, ...] = ()
    point: int = 1
    stakes: tuple[int, ...] = ()
    prizes: tuple[float, ...] = ()
    elsewhere: tuple[int, ...] = ()
