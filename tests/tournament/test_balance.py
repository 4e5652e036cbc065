"""Who sits where between two matches: full tables, evenly filled, and nobody moved out of a match. Issue 11, 5."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triptych.tournament.balancing import SeatingPlan, TableSeating, balance_tables


@st.composite
def rooms(draw: st.DrawFn) -> tuple[list[TableSeating], list[str], int]:
    """Tables with matches that are on or over, players who wait, and the seats of a table."""
    size = draw(st.integers(2, 4))
    tables = []
    names = iter(f"p{number}" for number in range(1000))
    for number in range(1, draw(st.integers(0, 8)) + 1):
        idle = draw(st.booleans())
        filled = draw(st.integers(1 if idle else 2, size))
        taken = draw(st.permutations([True] * filled + [False] * (size - filled)))
        tables.append(TableSeating(number, tuple(next(names) if is_taken else "" for is_taken in taken), idle))
    waiting = [next(names) for _ in range(draw(st.integers(0, 6)))]
    return tables, waiting, size


def _players(balance: SeatingPlan) -> list[str]:
    return [player for seats in balance.seats.values() for player in seats if player] + list(balance.waiting)


def _balanced(tables: list[TableSeating], waiting: list[str], size: int) -> SeatingPlan:
    return balance_tables(tables, waiting, size, {}, len(tables) + 1)


@given(rooms())
def test_everybody_has_one_seat_or_waits_and_no_match_is_split(
    seating: tuple[list[TableSeating], list[str], int],
) -> None:
    tables, waiting, size = seating
    after = _balanced(tables, waiting, size)
    before = [player for table in tables if table.idle for player in table.seats if player] + waiting
    assert sorted(_players(after)) == sorted(before)
    on = {table.number for table in tables if not table.idle}
    assert not on & (set(after.seats) | set(after.broken))
    assert all(len(seats) == size for seats in after.seats.values())


@given(rooms())
def test_no_table_too_many_and_nobody_waits_beside_a_free_seat(
    seating: tuple[list[TableSeating], list[str], int],
) -> None:
    tables, waiting, size = seating
    after = _balanced(tables, waiting, size)
    playing = [table for table in tables if not table.idle]
    total = len(_players(after)) + sum(sum(map(bool, table.seats)) for table in playing)
    needed = max(1, -(-total // size))
    open_now = len(playing) + len(after.seats)
    assert not after.seats or open_now <= needed
    if total > len(playing) * size:
        assert open_now >= needed
    sizes = [sum(map(bool, seats)) for seats in after.seats.values()]
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    if after.waiting and sizes:
        # Who is taken to a table that is too empty waits for the end of its match; nobody else beside a free seat.
        moved = [player for player in after.waiting if player not in waiting]
        assert min(sizes) == size or (len(after.waiting) == 1 and moved)


@given(rooms())
def test_a_player_who_stays_at_a_table_keeps_the_seat(seating: tuple[list[TableSeating], list[str], int]) -> None:
    tables, waiting, size = seating
    after = _balanced(tables, waiting, size)
    for table in tables:
        now = after.seats.get(table.number, ("",) * size)
        for player in set(filter(None, now)) & set(filter(None, table.seats)):
            assert now.index(player) == table.seats.index(player)


def test_the_start_fills_tables_evenly() -> None:
    after = balance_tables([], [f"p{number}" for number in range(10)], 4, {}, 1)
    assert sorted(sum(map(bool, seats)) for seats in after.seats.values()) == [3, 3, 4]
    assert after.waiting == ()


def test_a_table_is_closed_when_the_others_have_seats_and_unseated_players_wait() -> None:
    tables = [TableSeating(1, ("a", "b", ""), idle=True), TableSeating(2, ("c", "", "d"), idle=False)]
    after = balance_tables([*tables, TableSeating(3, ("e", "", ""), idle=True)], [], 3, {}, 4)
    assert (after.broken, after.seats, after.waiting) == ((3,), {1: ("a", "b", "e")}, ())
    alone = balance_tables([tables[1], TableSeating(3, ("e", "", ""), idle=True)], [], 3, {}, 4)
    assert (alone.broken, alone.seats, alone.waiting) == ((3,), {}, ("e",))


def test_the_least_moved_player_fills_a_short_table() -> None:
    tables = [TableSeating(1, ("a", "b", "c", "d"), idle=True), TableSeating(2, ("e", "f", "", ""), idle=False)]
    after = balance_tables(tables, [], 4, {"a": 2, "b": 1, "c": 0, "d": 1}, 3)
    assert (after.seats, after.waiting) == ({1: ("a", "b", "", "d")}, ("c",))
