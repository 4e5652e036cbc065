"""Who sits where between two matches: as few tables as hold everybody, all about equally full.

A table whose match is on is never touched, so nobody is taken out of a match or away from a fantasyland that is still
to be played. A player for whom there is a seat only where a match is on waits until one of the tables has ended its
match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Seats = list[str]


class TableSeating(NamedTuple):
    """A table: its players by seat, empty for a free one; `idle`: between two matches."""

    number: int
    seats: tuple[str, ...]
    idle: bool


class SeatingPlan(NamedTuple):
    """The seats of all tables that are idle, of new ones too, and the tables that are broken up; who waits on."""

    seats: dict[int, tuple[str, ...]]
    broken: tuple[int, ...]
    waiting: tuple[str, ...]


def balance_tables(
    tables: Sequence[TableSeating], waiting: Sequence[str], size: int, moves: Mapping[str, int], fresh: int = 1
) -> SeatingPlan:
    """Return the seating between two matches.

    `waiting`: who has no seat, the longest first; `size`: seats at a table; `moves`: how often each was moved, for
    who was moved least is moved first; `fresh`: the number of the next new table.
    """
    room: dict[int, Seats] = {table.number: list(table.seats) for table in tables if table.idle}
    playing = [_count(table.seats) for table in tables if not table.idle]
    queue = list(waiting)
    calm = not queue
    needed = -(-(sum(playing) + sum(map(_count, room.values())) + len(queue)) // size)
    broken = []
    while room and len(room) + len(playing) > max(1, needed):
        number = min(room, key=lambda one: (_count(room[one]), -one))
        queue += filter(None, room.pop(number))
        broken.append(number)
    while queue and len(room) + len(playing) < needed:
        room[fresh] = [""] * size
        fresh += 1
    while queue and (free := [number for number, seats in room.items() if "" in seats]):
        _sit(room[min(free, key=lambda one: (_count(room[one]), one))], queue.pop(0))
    while room and (pair := _imbalanced_pair(room)) is not None:
        most, least = pair
        _sit(room[least], _taken(room[most], moves))
    if calm and not queue and room and playing:
        most = max(room, key=lambda one: _count(room[one]))
        if _count(room[most]) - min(playing) > 1:
            queue.append(_taken(room[most], moves))
    return SeatingPlan({number: tuple(seats) for number, seats in room.items()}, tuple(broken), tuple(queue))


def _imbalanced_pair(room: dict[int, Seats]) -> tuple[int, int] | None:
    """Return the fullest and the emptiest table when they differ by more than one player."""
    most = max(room, key=lambda one: _count(room[one]))
    least = min(room, key=lambda one: _count(room[one]))
    return (most, least) if _count(room[most]) - _count(room[least]) > 1 else None


def _count(seats: Sequence[str]) -> int:
    return sum(map(bool, seats))


def _sit(seats: Seats, player: str) -> None:
    seats[seats.index("")] = player


def _taken(seats: Seats, moves: Mapping[str, int]) -> str:
    """Take the player who was moved least from a table."""
    player = min(filter(None, seats), key=lambda one: moves.get(one, 0))
    seats[seats.index(player)] = ""
    return player
