"""What changed between two views of a table, part by part: a view is a tree, and a part is named by its path in it.

Parts come from the very views that they lead between, so nothing is in a part that is not in the view after it.
"""

from __future__ import annotations

from itertools import compress
from operator import attrgetter, is_not, ne
from typing import Any, Final

from msgspec import Struct

from triptych.deal.board_projection import FIELD_PATHS, ROW_PATHS
from triptych.deal.project import DealViews
from triptych.deal.view_types import BoardView, DealView, RowView
from triptych.table.view import VOLATILE_FIELDS, PersonalFields, TableViews
from triptych.table.view_types import ChatLineView, SeatView, TableView


class _Fields:
    """Some fields of a struct, read at once."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.indexes = range(len(names))
        self.of: attrgetter[tuple[Any, ...]] = attrgetter(*names)


_DEAL: Final = _Fields(("deal",))
_ALIKE: Final = _Fields(
    tuple([name for name in TableView.__struct_fields__ if name not in {*PersonalFields._fields, "deal", "talk"}])
)
_MOVING: Final = _Fields(VOLATILE_FIELDS)
_BARE: Final = _Fields(tuple([name for name in DealView.__struct_fields__ if name not in {"boards", "tasks"}]))
# These are looked into; of all other things a part is the whole.
_INSIDE: Final[dict[type, _Fields]] = {
    kind: _Fields(kind.__struct_fields__) for kind in (DealView, BoardView, RowView, SeatView)
}
# Members of these keep their places, so that a place is a name.
_PLACED: Final = frozenset({BoardView, SeatView})


# A part that is new: its path, such as `deal.tasks`, and its value. A path that ends with a point leads to several
# parts, by their paths from there; `talk.+` to how many lines are gone, and to the new ones.
# A plain tuple, since several are made for every viewer of every action.
Patch = tuple[str, Any]
# The most lines of talk that one action can bring and that are sent without those before them.
_MAX_NEW_LINES: Final = 8


class ViewDiff:
    """What is new in a table's views since earlier ones; what several viewers see alike is compared once."""

    def __init__(self, before: TableViews, after: TableViews) -> None:
        self.before, self.after = before, after
        fields = _MOVING if before.stable == after.stable else _ALIKE
        self.common = self._compared(fields.of(before.shared), fields.of(after.shared), "", fields)
        if fields is _ALIKE:
            self.common += _talk(before.shared.talk, after.shared.talk)
        # Of a deal that goes on: what is new in it for everybody, and the hands whose boards have changed.
        self._bare: list[Patch] | None = None
        self._hands: list[int] = []
        self._boards: list[tuple[int, list[Patch], list[Patch]]] | None = None
        if before.reveals_all or after.reveals_all or before.deal is None or after.deal is None:
            return
        was, now = before.deal.bare, after.deal.bare
        if was.number == now.number:
            self._bare = [] if was is now else self._compared(_BARE.of(was), _BARE.of(now), "deal.", _BARE)
            self._hands = after.deal.changed_since(before.deal)

    def for_player(self, player: str) -> list[Patch]:
        """Return the parts that are new to one player, besides those that are new to everybody."""
        was, now = self.before.own(player), self.after.own(player)
        result = _different(PersonalFields._fields, was, now)
        if self._bare is not None and was.you == now.you:
            return result + self._bare + self._deal(now.you)
        old, new = self.before.deal_of(was.you), self.after.deal_of(now.you)
        return result + self._compared((old,), (new,), "", _DEAL)

    def _deal(self, seat: int | None) -> list[Patch]:
        """Return what is new to a seat in a deal that goes on."""
        was, now = self.before.deal, self.after.deal
        assert was is not None  # noqa: S101 - there is a deal that goes on
        assert now is not None  # noqa: S101 - as above
        if self._boards is None:
            self._boards = [_board(was, now, hand) for hand in self._hands]
        result: list[Patch] = []
        for owner, public, own in self._boards:
            result += own if owner == seat else public
        tasks = now.tasks(seat)
        if was.tasks(seat) != tasks:
            result.append(("deal.tasks", tasks))
        return result

    def _compared(self, old: tuple[Any, ...], new: tuple[Any, ...], path: str, fields: _Fields) -> list[Patch]:
        """Return the parts of a struct that differ, by the values of its fields."""
        result: list[Patch] = []
        for index in compress(fields.indexes, map(is_not, old, new)):
            field, was, now = fields.names[index], old[index], new[index]
            kind = type(now)
            # What is looked into is not compared as a whole before: most of it is the very same thing.
            if kind in _INSIDE and _is_same(was, now):
                result += self._inside(was, now, path + field)
            elif kind is tuple and now and type(now[0]) in _PLACED and len(was) == len(now):
                for place, (one, other) in enumerate(zip(was, now, strict=True)):
                    if one is not other:
                        result += self._inside(one, other, f"{path}{field}.{place}")
            elif was != now:
                result.append((path + field, now))
        return result

    def _inside(self, old: Struct, new: Struct, name: str) -> list[Patch]:
        """Return the parts inside two things that are not the same."""
        fields = _INSIDE[type(new)]
        return self._compared(fields.of(old), fields.of(new), f"{name}.", fields)


def _board(before: DealViews, after: DealViews, hand: int) -> tuple[int, list[Patch], list[Patch]]:
    """Return a board's seat, what is new in it to everybody else, and to its owner."""
    (rows, fields), (own_rows, own_fields) = before.faces(hand)
    (new_rows, new_fields), (new_own_rows, new_own_fields) = after.faces(hand)
    in_rows = _different(ROW_PATHS, rows, new_rows)
    alike = rows is own_rows and new_rows is new_own_rows
    public = in_rows + _different(FIELD_PATHS, fields, new_fields)
    own = in_rows if alike else _different(ROW_PATHS, own_rows, new_own_rows)
    own = own + _different(FIELD_PATHS, own_fields, new_own_fields)
    return after.state.hands[hand].seat, _group(hand, public), _group(hand, own)


def _group(hand: int, patches: list[Patch]) -> list[Patch]:
    return [(f"deal.boards.{hand}.", dict(patches))] if patches else []


def _talk(old: tuple[ChatLineView, ...], new: tuple[ChatLineView, ...]) -> list[Patch]:
    """Return what is new in the talk: lines that come behind the others, of which the first ones may be gone."""
    if old is new or old == new:
        return []
    for lines in range(1, min(_MAX_NEW_LINES, len(new)) + 1):
        remaining = len(new) - lines
        gone = len(old) - remaining
        if gone >= 0 and old[gone:] == new[:remaining]:
            return [("talk.+", (gone, new[remaining:]))]
    return [("talk", new)]


def _different(paths: tuple[str, ...], old: tuple[Any, ...], new: tuple[Any, ...]) -> list[Patch]:
    """Return the values that are new, with their paths."""
    return [] if new is old else list(compress(zip(paths, new, strict=True), map(ne, old, new)))


def _is_same(old: Any, new: Any) -> bool:  # noqa: ANN401 - whatever a view holds
    """Return whether they are worth comparing inside: of another deal everything is new."""
    return type(old) is type(new) and not (isinstance(new, DealView) and old.number != new.number)
