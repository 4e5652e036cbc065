"""Nobody fills a table's history by asking for the same over and over (issue 2, part 10)."""

from __future__ import annotations

import pytest

from tests.table.evening import Evening
from triptych.table import commands as c
from triptych.table.aggregate import decide
from triptych.table.errors import TableError
from triptych.table.rate_limit import MAX_REQUESTS, WINDOW_MS

TURNS = ((c.SitOut(), c.SitIn()), (c.OfferStake(1, 2), c.OfferStake(1, 3)))


@pytest.mark.parametrize("turns", TURNS)
def test_who_asks_without_end_has_to_wait(turns: tuple[c.PlayerRequest, c.PlayerRequest]) -> None:
    evening = Evening()
    evening.now += WINDOW_MS
    for count in range(MAX_REQUESTS):
        evening.ask("ann", turns[count % 2])
    before = evening.state()
    with pytest.raises(TableError) as refused:
        evening.ask("ann", turns[0])
    assert refused.value.code == "request.too_fast"
    assert evening.state() is before
    evening.ask("bob", c.SitOut())  # others are heard
    evening.now += WINDOW_MS
    evening.ask("ann", turns[0])


def test_a_seat_is_not_taken_and_left_without_end() -> None:
    evening = Evening()
    for _ in range(MAX_REQUESTS // 2):
        evening.ask("cid", c.Sit(2, 100))
        evening.ask("cid", c.Leave())
    with pytest.raises(TableError) as refused:
        evening.ask("cid", c.Sit(2, 100))
    assert refused.value.code == "request.too_fast"


def test_play_and_talk_are_never_held_up() -> None:
    evening = Evening()
    for count in range(MAX_REQUESTS - 1):  # sitting down was the first
        evening.ask("ann", c.SitIn() if count % 2 else c.SitOut())
    evening.ask("ann", c.Say("oh"))
    evening.ask("bob", c.SitOut())
    evening.ask("bob", c.SitIn())
    evening.now += WINDOW_MS
    evening.ask("ann", c.SitIn())
    evening.play()
    assert evening.state().settled
    assert evening.state().deals == 1


def test_names_do_not_change_without_end() -> None:
    evening = Evening()
    for count in range(2 * MAX_REQUESTS):
        command = c.Command("ann", c.Connected(), f"Ann {count}")
        for event in decide(evening.state(), command, evening.now, evening._shuffle):
            evening._fold((event,))
    assert evening.kinds().count("PlayerConnected") < MAX_REQUESTS


def test_the_host_does_not_stop_and_start_a_table_without_end() -> None:
    evening = Evening()
    evening.now += WINDOW_MS
    for count in range(MAX_REQUESTS):
        evening.ask("ann", c.LockSeats(locked=count % 2 == 0))
    with pytest.raises(TableError) as refused:
        evening.ask("ann", c.LockSeats(locked=True))
    assert refused.value.code == "request.too_fast"
    evening.ask("bob", c.SitOut())  # others are heard
