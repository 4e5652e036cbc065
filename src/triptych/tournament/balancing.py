"""Seats players between two matches: at as few tables as possible, all about equally full.

A table with a match in progress is never changed, so nobody is moved out of a match or before a pending fantasyland.
A player for whom only such tables have a free seat waits until one of their matches has ended.
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
    """The seats of all idle tables, also new ones, the tables to break up, and the players still waiting."""

    seats: dict[int, tuple[str, ...]]
    broken: tuple[int, ...]
    waiting: tuple[str, ...]


def balance_tables(
    tables: Sequence[TableSeating], waiting: Sequence[str], size: int, moves: Mapping[str, int], next_number: int = 1
) -> SeatingPlan:
    """Return the seating between two matches.

    `waiting`: players without a seat, the longest waiting first; `size`: seats at a table; `moves`: how often each
    player was moved (those moved least are moved first); `next_number`: the number of the next new table.
    """
    idle: dict[int, Seats] = {table.number: list(table.seats) for table in tables if table.idle}
    playing = [_count(table.seats) for table in tables if not table.idle]
    queue = list(waiting)
    nobody_waited = not queue
    needed = -(-(sum(playing) + sum(map(_count, idle.values())) + len(queue)) // size)
    broken = []
    while idle and len(idle) + len(playing) > max(1, needed):
        number = min(idle, key=lambda table: (_count(idle[table]), -table))
        queue += filter(None, idle.pop(number))
        broken.append(number)
    while queue and len(idle) + len(playing) < needed:
        idle[next_number] = [""] * size
        next_number += 1
    while queue and (free := [number for number, seats in idle.items() if "" in seats]):
        _sit(idle[min(free, key=lambda table: (_count(idle[table]), table))], queue.pop(0))
    while idle and (pair := _imbalanced_pair(idle)) is not None:
        fullest, emptiest = pair
        _sit(idle[emptiest], _remove_least_moved(idle[fullest], moves))
    if nobody_waited and not queue and idle and playing:
        fullest = max(idle, key=lambda table: _count(idle[table]))
        if _count(idle[fullest]) - min(playing) > 1:
            queue.append(_remove_least_moved(idle[fullest], moves))
    return SeatingPlan({number: tuple(seats) for number, seats in idle.items()}, tuple(broken), tuple(queue))


def _imbalanced_pair(idle: dict[int, Seats]) -> tuple[int, int] | None:
    """Return the fullest and the emptiest table if they differ by more than one player."""
    fullest = max(idle, key=lambda table: _count(idle[table]))
    emptiest = min(idle, key=lambda table: _count(idle[table]))
    return (fullest, emptiest) if _count(idle[fullest]) - _count(idle[emptiest]) > 1 else None


def _count(seats: Sequence[str]) -> int:
    return sum(map(bool, seats))


def _sit(seats: Seats, player: str) -> None:
    seats[seats.index("")] = player


def _remove_least_moved(seats: Seats, moves: Mapping[str, int]) -> str:
    """Remove the player who was moved least from a table, and return them."""
    player = min(filter(None, seats), key=lambda name: moves.get(name, 0))
    seats[seats.index(player)] = ""
    return player
