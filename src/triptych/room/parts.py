"""What changed between two views of a table, part by part: a view is a tree, and a part is named by its path in it.

Parts come from the very views that they lead between, so nothing is in a part that is not in the view after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from triptych.deal.views import BoardView, DealView, RowView
from triptych.room.views import SeatView, TableView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triptych.room.view import TableViews

# What differs from viewer to viewer; all else is the same for everybody.
OWN: Final = ("you", "may", "deal", "prompt", "yours", "ahead", "dropped", "guided")
_ALIKE: Final = tuple([name for name in TableView.__struct_fields__ if name not in OWN])
# These are looked into; of all other things a part is the whole.
_BRANCHES: Final = (DealView, BoardView, RowView, SeatView)
# Members of these keep their places, so that a place is a name.
_PLACED: Final = (BoardView, SeatView)


class Part(NamedTuple):
    """A part that is new: its path, such as `deal.boards.1.back.cards`; `of` is the struct whose `field` it is."""

    name: str
    of: type
    field: str
    value: Any


class Changes:
    """What is new in a table's views since earlier ones; what everybody sees alike is compared once."""

    def __init__(self, before: TableViews, after: TableViews) -> None:
        self.before, self.after = before, after
        self.alike: list[Part] = []
        _compare_fields(before.alike, after.alike, "", _ALIKE, self.alike)

    def of(self, player: str) -> list[Part]:
        """Return the parts that are new to one player, besides those that are new to everybody."""
        found: list[Part] = []
        _compare_fields(self.before.of(player), self.after.of(player), "", OWN, found)
        return found


def _compare_fields(before: Struct, after: Struct, path: str, fields: Iterable[str], found: list[Part]) -> None:
    of = type(after)
    for field in fields:
        old, new = getattr(before, field), getattr(after, field)
        if old is not new and old != new:
            _compare(old, new, Part(path + field, of, field, new), found)


def _compare(old: Any, new: Any, part: Part, found: list[Part]) -> None:  # noqa: ANN401 - whatever a view holds
    """Add the parts of two things that are not the same: the whole, or what differs inside."""
    if isinstance(new, _BRANCHES) and type(old) is type(new) and _same_deal(old, new):
        _compare_fields(old, new, f"{part.name}.", new.__struct_fields__, found)
    elif isinstance(new, tuple) and new and isinstance(new[0], _PLACED) and len(old) == len(new):
        for place, (was, now) in enumerate(zip(old, new, strict=True)):
            if was is not now and was != now:
                _compare(was, now, Part(f"{part.name}.{place}", part.of, part.field, now), found)
    else:
        found.append(part)


def _same_deal(old: Struct, new: Struct) -> bool:
    """Tell whether they are worth comparing: of another deal everything is new."""
    return not (isinstance(old, DealView) and isinstance(new, DealView) and old.number != new.number)
