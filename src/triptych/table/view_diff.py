"""What changed between two views of a table, part by part: a view is a tree, and a part is named by its path in it.

Parts come from the very views that they lead between, so nothing is in a part that is not in the view after it. They
are as they are sent: docs/reference/protocol.md, *Parts*.
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


_PROMPT: Final = numbered("prompt")
_YOURS: Final = numbered("yours")
_MAY: Final = numbered("may.~")
_RARE: Final = PersonalFields._fields.index("ahead")
_BOARDS: Final = [numbered(f"deal.boards.{hand}.") for hand in range(MAX_BOARDS)]
_FACE: Final = [numbered(path) for path in FACE_PATHS]
# Lists that go on, and the paths of what comes behind.
_GROWN: Final = {numbered(path): numbered(f"{path}.+") for path in GROWING}


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

    def for_player(self, player: str) -> tuple[Parts, Parts]:
        """Return the parts that are new to everybody, always the very same list, and those besides for one player."""
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
        # A prompt is new to somebody after nearly every action; most of the others are the very same things.
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
        """Return the deal as a seat sees it, when that is something else than before."""
        deal = self._packed_deal(self.after, seat)
        return [] if deal == self._packed_deal(self.before, old_seat) else [numbered("deal"), deal]

    def _packed_deal(self, views: TableViews, seat: int | None) -> list[Any] | None:
        deal = views.deal
        if deal is None:
            return None
        boards: list[Any] = []
        for index, hand in enumerate(deal.state.hands):
            rows, others = face_rows(deal.faces(index)[views.reveals_all or hand.seat == seat])
            boards.append([index, hand.seat, *rows, *others])
        return [*_DEAL.of(deal.bare)[:-1], boards, packed("deal.tasks", deal.tasks(seat), self._now)[1]]


def _board_parts(before: DealViews, after: DealViews, hand: int) -> _BoardParts:
    (old_public, old_own), (public, own) = before.faces(hand), after.faces(hand)
    path = _BOARDS[hand]
    return _BoardParts(
        after.state.hands[hand].seat, _face_parts(path, old_own, own), _face_parts(path, old_public, public)
    )


def _face_parts(board: int | str, old: Face, new: Face) -> Parts:
    """Return the fields of a face that differ; of a list that goes on, what has come behind the others."""
    result: Parts = []
    for path, was, now in compress(zip(_FACE, old, new, strict=True), map(ne, old, new)):
        if was and path in _GROWN and now[: len(was)] == was:
            result += (_GROWN[path], now[len(was) :])
        else:
            result += (path, now)
    return [board, result] if result else result


def _splice(old: tuple[str, ...], new: tuple[str, ...]) -> Parts:
    """Return where two lists begin to differ, how many are gone from there on, and what comes in their stead."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    return [start, len(old) - end - start, *new[start : len(new) - end]]
