"""What changed between two views of a table, part by part: a view is a tree, and a part is named by its path in it.

Parts come from the very views that they lead between, so nothing is in a part that is not in the view after it. They
are as they are sent: docs/reference/protocol.md, *Parts*.
"""

from __future__ import annotations

from itertools import compress
from operator import attrgetter, is_not, ne
from typing import Any, Final, NamedTuple

from triptych.deal.board_projection import FIELD_PATHS, ROW_FIELD_COUNT, ROW_PATHS
from triptych.deal.project import DealViews
from triptych.deal.view_types import DealView
from triptych.table.view import MovingFields, PersonalFields, TableViews
from triptych.table.view_paths import numbered, packed
from triptych.table.view_types import ChatLineView, MatchView, SeatView, TableView

# Paths and what now stands there, by turns. A path is a number or text (view_paths.py); at one that ends with a
# point, such as `deal.boards.0.`, stand parts by their paths from there. Of a list that goes on, `laid.+` has what
# comes behind the others; `may.~` a place in the list, how many are gone from there on, and what comes instead.
Parts = list[Any]


class _Fields:
    """Some fields of a struct, read at once."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.of: attrgetter[tuple[Any, ...]] = attrgetter(*names)


# The version is in no part: the message has it.
_TABLE: Final = _Fields(
    tuple(
        [name for name in TableView.__struct_fields__ if name not in {*PersonalFields._fields, "v", "deal", "talk"}]
    )
)
_DEAL: Final = _Fields(tuple([name for name in DealView.__struct_fields__ if name not in {"boards", "tasks"}]))
_SEAT: Final = _Fields(SeatView.__struct_fields__)
_MATCH: Final = _Fields(MatchView.__struct_fields__)
# The most lines of talk that one action can bring and that are sent without those before them.
_MAX_NEW_LINES: Final = 8


class _FaceField(NamedTuple):
    """The path of a field of a board's face, and the one for what comes behind it; 0 where nothing can."""

    path: int | str
    grown: int | str


def _face_fields(paths: tuple[str, ...]) -> tuple[_FaceField, ...]:
    lists = ("cards", "pending", "discards", "laid")
    return tuple([_FaceField(numbered(path), numbered(f"{path}.+") if path.endswith(lists) else 0) for path in paths])


_PROMPT: Final = numbered("prompt")
_MAY: Final = numbered("may.~")
_ROWS: Final = _face_fields(ROW_PATHS)
_FACE: Final = _face_fields(FIELD_PATHS)


class _BoardParts(NamedTuple):
    """What is new in a board to its own seat, and to everybody else."""

    seat: int
    own: Parts
    public: Parts


class ViewDiff:
    """What is new in a table's views since earlier ones; what several viewers see alike is compared once."""

    def __init__(self, before: TableViews, after: TableViews, now: int) -> None:
        """`now`: the time of the message (ms), from which the times in parts count."""
        self.before, self.after, self._now = before, after, now
        self._shared = self._in_table()
        # What is new in the boards of a deal that goes on.
        self._boards: list[_BoardParts] | None = None
        old, new = before.deal, after.deal
        if before.reveals_all or after.reveals_all or old is None or new is None:
            return
        if old.bare.number == new.bare.number:
            if old.bare is not new.bare:
                self._shared += self._changed(_DEAL.names, _DEAL.of(old.bare), _DEAL.of(new.bare), "deal.")
            self._boards = [_board_parts(old, new, hand) for hand in new.changed_since(old)]

    def for_player(self, player: str) -> Parts:
        """Return the parts that are new to one player."""
        old, new = self.before.own(player), self.after.own(player)
        seat = new.you
        result = self._shared + self._personal(old, new)
        if self._boards is None or old.you != seat:
            return result + self._whole_deal(old.you, seat)
        for board in self._boards:
            result += board.own if board.seat == seat else board.public
        if (tasks := self.after.tasks(seat)) != self.before.tasks(seat):
            result += packed("deal.tasks", tasks, self._now)
        return result

    def _in_table(self) -> Parts:
        """Return what is new to everybody, besides the deal."""
        before, after = self.before, self.after
        if before.stable == after.stable:
            return self._changed(MovingFields._fields, before.moving, after.moving, "")
        old, new = before.shared, after.shared
        return self._changed(_TABLE.names, _TABLE.of(old), _TABLE.of(new), "") + self._talk(old.talk, new.talk)

    def _changed(self, names: tuple[str, ...], old: tuple[Any, ...], new: tuple[Any, ...], path: str) -> Parts:
        """Return the fields that differ, by their values; `path` leads to them."""
        result: Parts = []
        for name, was, now in compress(zip(names, old, new, strict=True), map(is_not, old, new)):
            if name == "seats" and len(was) == len(now):
                # What is looked into is not compared as a whole before: most of it is the very same thing.
                for place in compress(range(len(now)), map(is_not, was, now)):
                    if parts := self._changed(_SEAT.names, _SEAT.of(was[place]), _SEAT.of(now[place]), ""):
                        result += (numbered(f"seats.{place}."), parts)
            elif type(was) is type(now) is MatchView:
                result += self._changed(_MATCH.names, _MATCH.of(was), _MATCH.of(now), "match.")
            elif was != now:
                result += packed(path + name, now, self._now)
        return result

    def _talk(self, old: tuple[ChatLineView, ...], new: tuple[ChatLineView, ...]) -> Parts:
        """Return what is new in the talk: lines that come behind the others, of which the first ones may be gone."""
        if old is new or old == new:
            return []
        for lines in range(1, min(_MAX_NEW_LINES, len(new)) + 1):
            remaining = len(new) - lines
            gone = len(old) - remaining
            if gone >= 0 and old[gone:] == new[:remaining]:
                first = packed("talk.~", (0, gone), self._now) if gone else ()
                return [*first, *packed("talk.+", new[remaining:], self._now)]
        return [*packed("talk", new, self._now)]

    def _personal(self, old: PersonalFields, new: PersonalFields) -> Parts:
        result: Parts = []
        for name, now in compress(zip(PersonalFields._fields, new, strict=True), map(ne, old, new)):
            # A prompt is new to somebody after nearly every action, and written as it is.
            if name == "prompt":
                result += (_PROMPT, now)
            elif name == "may":
                result += (_MAY, _splice(old.may, new.may))
            else:
                result += packed(name, now, self._now)
        return result

    def _whole_deal(self, old_seat: int | None, seat: int | None) -> Parts:
        """Return the deal as a seat sees it, when that is something else than before."""
        deal = self._packed_deal(self.after, seat)
        return [] if deal == self._packed_deal(self.before, old_seat) else [numbered("deal"), deal]

    def _packed_deal(self, views: TableViews, seat: int | None) -> list[Any] | None:
        deal = views.deal
        if deal is None:
            return None
        boards: list[Any] = []
        for index, hand in enumerate(deal.state.hands):
            rows, fields = deal.faces(index)[views.reveals_all or hand.seat == seat]
            firsts = range(0, len(rows), ROW_FIELD_COUNT)
            boards.append([index, hand.seat, *[rows[first : first + ROW_FIELD_COUNT] for first in firsts], *fields])
        return [*_DEAL.of(deal.bare)[:-1], boards, packed("deal.tasks", views.tasks(seat), self._now)[1]]


def _board_parts(before: DealViews, after: DealViews, hand: int) -> _BoardParts:
    (old_rows, old_fields), (old_own_rows, old_own_fields) = before.faces(hand)
    (rows, fields), (own_rows, own_fields) = after.faces(hand)
    public = own = _face_parts(_ROWS, old_rows, rows)
    if rows is not own_rows or old_rows is not old_own_rows:
        own = _face_parts(_ROWS, old_own_rows, own_rows)
    own = own + _face_parts(_FACE, old_own_fields, own_fields)
    public = public + _face_parts(_FACE, old_fields, fields)
    path = numbered(f"deal.boards.{hand}.")
    return _BoardParts(
        after.state.hands[hand].seat, [path, own] if own else own, [path, public] if public else public
    )


def _face_parts(names: tuple[_FaceField, ...], old: tuple[Any, ...], new: tuple[Any, ...]) -> Parts:
    """Return the fields of a face that differ; of a list that goes on, what has come behind the others."""
    result: Parts = []
    if new is not old:
        for (path, grown), was, now in compress(zip(names, old, new, strict=True), map(ne, old, new)):
            if grown and was and now[: len(was)] == was:
                result += (grown, now[len(was) :])
            else:
                result += (path, now)
    return result


def _splice(old: tuple[str, ...], new: tuple[str, ...]) -> Parts:
    """Return where two lists begin to differ, how many are gone from there on, and what comes in their stead."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    return [start, len(old) - end - start, *new[start : len(new) - end]]
