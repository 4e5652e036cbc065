"""The parts that differ between two views of a table: a view is a tree, and a part has a path in it.

Parts are computed from the two views themselves, so a part contains nothing that is not in the later view. Their form
is the one that is sent: docs/reference/protocol.md, *Parts*.
"""

from __future__ import annotations

from itertools import compress
from operator import attrgetter, is_not, ne
from typing import Any, Final, NamedTuple

from triptych.deal.board_projection import FACE_PATHS, Face, face_rows
from triptych.deal.project import DealViews
from triptych.deal.view_types import DealView
from triptych.table.view import MovingFields, PersonalFields, TableViews
from triptych.table.view_paths import GROWING, MAX_BOARDS, numbered, packed
from triptych.table.view_types import ChatLineView, MatchView, SeatView, TableView

# Paths and their new values, alternating. A path is a number or text (view_paths.py); the value of a path that ends
# with a point, such as `deal.boards.0.`, is a list of parts with paths relative to it. `laid.+` has the elements
# appended to a list; `may.~` an index in the list, how many elements are removed from there, and their replacements.
Parts = list[Any]


class _Fields:
    """Some fields of a struct, read at once."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.of: attrgetter[tuple[Any, ...]] = attrgetter(*names)


# The version is not sent as a part: the message has it.
_TABLE: Final = _Fields(
    tuple(
        [name for name in TableView.__struct_fields__ if name not in {*PersonalFields._fields, "v", "deal", "talk"}]
    )
)
_DEAL: Final = _Fields(tuple([name for name in DealView.__struct_fields__ if name not in {"boards", "tasks"}]))
_SEAT: Final = _Fields(SeatView.__struct_fields__)
_MATCH: Final = _Fields(MatchView.__struct_fields__)
# The most new lines of talk that are sent as appended lines.
_MAX_NEW_LINES: Final = 8


_PROMPT: Final = numbered("prompt")
_YOURS: Final = numbered("yours")
_MAY: Final = numbered("may.~")
_RARE: Final = PersonalFields._fields.index("ahead")
_BOARDS: Final = [numbered(f"deal.boards.{hand}.") for hand in range(MAX_BOARDS)]
_FACE: Final = [numbered(path) for path in FACE_PATHS]
# Lists that only grow, and the paths of their appended elements.
_GROWN: Final = {numbered(path): numbered(f"{path}.+") for path in GROWING}


class _BoardParts(NamedTuple):
    """The changed parts of a board, for its own seat and for everybody else."""

    seat: int
    own: Parts
    public: Parts


class ViewDiff:
    """The parts of a table's views that changed since earlier views; shared parts are compared once."""

    def __init__(self, before: TableViews, after: TableViews, now: int) -> None:
        """`now`: the time of the message (ms), to which the times in parts are relative."""
        self.before, self.after, self._now = before, after, now
        self._shared = self._shared_parts()
        # The changed boards of a deal that goes on.
        self._boards: list[_BoardParts] | None = None
        old, new = before.deal, after.deal
        if before.reveals_all or after.reveals_all or old is None or new is None:
            return
        if old.bare.number == new.bare.number:
            if old.bare is not new.bare:
                self._shared += self._changed(_DEAL.names, _DEAL.of(old.bare), _DEAL.of(new.bare), "deal.")
            self._boards = [_board_parts(old, new, hand) for hand in new.changed_since(old)]

    def for_player(self, player: str) -> tuple[Parts, Parts]:
        """Return the changed parts common to all viewers (always the same list), and those of one player."""
        old, new = self.before.own(player), self.after.own(player)
        seat = new.you
        result = self._personal(old, new)
        if self._boards is None or old.you != seat:
            return self._shared, result + self._whole_deal(old.you, seat)
        for board in self._boards:
            result += board.own if board.seat == seat else board.public
        if (new.tasks or old.tasks) and new.tasks != old.tasks:
            result += packed("deal.tasks", new.tasks, self._now)
        return self._shared, result

    def _shared_parts(self) -> Parts:
        """Return the changed parts common to all viewers, except the deal."""
        before, after = self.before, self.after
        if before.stable == after.stable:
            return self._changed(MovingFields._fields, before.moving, after.moving, "")
        old, new = before.shared, after.shared
        return self._changed(_TABLE.names, _TABLE.of(old), _TABLE.of(new), "") + self._talk(old.talk, new.talk)

    def _changed(self, names: tuple[str, ...], old: tuple[Any, ...], new: tuple[Any, ...], path: str) -> Parts:
        """Return the fields that differ, with their new values; `path`: the prefix of their paths."""
        result: Parts = []
        for name, was, now in compress(zip(names, old, new, strict=True), map(is_not, old, new)):
            if name == "seats" and len(was) == len(now):
                # Unchanged seats are the same objects, so identity is compared before fields.
                for place in compress(range(len(now)), map(is_not, was, now)):
                    if parts := self._changed(_SEAT.names, _SEAT.of(was[place]), _SEAT.of(now[place]), ""):
                        result += (numbered(f"seats.{place}."), parts)
            elif type(was) is type(now) is MatchView:
                result += self._changed(_MATCH.names, _MATCH.of(was), _MATCH.of(now), "match.")
            elif was != now:
                result += packed(path + name, now, self._now)
        return result

    def _talk(self, old: tuple[ChatLineView, ...], new: tuple[ChatLineView, ...]) -> Parts:
        """Return the change of the talk: appended lines, and how many of the first lines were removed."""
        if old is new or old == new:
            return []
        for lines in range(1, min(_MAX_NEW_LINES, len(new)) + 1):
            remaining = len(new) - lines
            removed = len(old) - remaining
            if removed >= 0 and old[removed:] == new[:remaining]:
                first = packed("talk.~", (0, removed), self._now) if removed else ()
                return [*first, *packed("talk.+", new[remaining:], self._now)]
        return [*packed("talk", new, self._now)]

    def _personal(self, old: PersonalFields, new: PersonalFields) -> Parts:
        # A prompt changes for somebody after nearly every action; most other fields stay the same objects.
        result: Parts = [] if old.prompt == new.prompt else [_PROMPT, new.prompt]
        if old.yours is not new.yours:
            result += (_YOURS, int(new.yours))
        if old.may is not new.may and old.may != new.may:
            result += (_MAY, _splice(old.may, new.may))
        if old[_RARE:] != new[_RARE:] or old.you != new.you:
            for name, was, now in zip(PersonalFields._fields, old, new, strict=True):
                if was != now and name not in {"tasks", "prompt", "yours", "may"}:
                    result += packed(name, now, self._now)
        return result

    def _whole_deal(self, old_seat: int | None, seat: int | None) -> Parts:
        """Return the whole deal as a seat sees it, if that has changed."""
        deal = self._packed_deal(self.after, seat)
        return [] if deal == self._packed_deal(self.before, old_seat) else [numbered("deal"), deal]

    def _packed_deal(self, views: TableViews, seat: int | None) -> list[Any] | None:
        deal = views.deal
        if deal is None:
            return None
        boards: list[Any] = []
        for index, hand in enumerate(deal.state.hands):
            rows, other_fields = face_rows(deal.faces(index)[views.reveals_all or hand.seat == seat])
            boards.append([index, hand.seat, *rows, *other_fields])
        return [*_DEAL.of(deal.bare)[:-1], boards, packed("deal.tasks", deal.tasks(seat), self._now)[1]]


def _board_parts(before: DealViews, after: DealViews, hand: int) -> _BoardParts:
    (old_public, old_own), (public, own) = before.faces(hand), after.faces(hand)
    path = _BOARDS[hand]
    return _BoardParts(
        after.state.hands[hand].seat, _face_parts(path, old_own, own), _face_parts(path, old_public, public)
    )


def _face_parts(board: int | str, old: Face, new: Face) -> Parts:
    """Return the fields of a face that differ; of a list that only grew, the appended elements."""
    result: Parts = []
    for path, was, now in compress(zip(_FACE, old, new, strict=True), map(ne, old, new)):
        if was and path in _GROWN and now[: len(was)] == was:
            result += (_GROWN[path], now[len(was) :])
        else:
            result += (path, now)
    return [board, result] if result else result


def _splice(old: tuple[str, ...], new: tuple[str, ...]) -> Parts:
    """Return the index at which two lists differ, how many elements to remove there, and those to insert."""
    length = min(len(old), len(new))
    start = next((index for index in range(length) if old[index] != new[index]), length)
    end = next((index for index in range(length - start) if old[-1 - index] != new[-1 - index]), length - start)
    return [start, len(old) - end - start, *new[start : len(new) - end]]
