"""Nobody fills a table's history by asking for the same over and over (issue 2, part 10)."""

from __future__ import annotations

import pytest

from tests.table.session import Session
from triptych.table import commands as c
from triptych.table.aggregate import decide
from triptych.table.errors import TableError
from triptych.table.rate_limit import MAX_REQUESTS, WINDOW_MS

TURNS = ((c.SitOut(), c.SitIn()), (c.OfferStake(1, 2), c.OfferStake(1, 3)))


@pytest.mark.parametrize("turns", TURNS)
def test_endless_requests_are_limited(turns: tuple[c.PlayerRequest, c.PlayerRequest]) -> None:
    session = Session()
    session.now += WINDOW_MS
    for count in range(MAX_REQUESTS):
        session.ask("ann", turns[count % 2])
    before = session.state()
    with pytest.raises(TableError) as refused:
        session.ask("ann", turns[0])
    assert refused.value.code == "request.too_fast"
    assert session.state() is before
    session.ask("bob", c.SitOut())  # others may
    session.now += WINDOW_MS
    session.ask("ann", turns[0])


def test_a_seat_is_not_taken_and_left_without_end() -> None:
    session = Session()
    for _ in range(MAX_REQUESTS // 2):
        session.ask("cid", c.Sit(2, 100))
        session.ask("cid", c.Leave())
    with pytest.raises(TableError) as refused:
        session.ask("cid", c.Sit(2, 100))
    assert refused.value.code == "request.too_fast"


def test_play_and_talk_are_never_held_up() -> None:
    session = Session()
    for count in range(MAX_REQUESTS - 1):  # sitting down was the first
        session.ask("ann", c.SitIn() if count % 2 else c.SitOut())
    session.ask("ann", c.Say("oh"))
    session.ask("bob", c.SitOut())
    session.ask("bob", c.SitIn())
    session.now += WINDOW_MS
    session.ask("ann", c.SitIn())
    session.play()
    assert session.state().settled
    assert session.state().deals == 1


def test_names_do_not_change_without_end() -> None:
    session = Session()
    for count in range(2 * MAX_REQUESTS):
        command = c.Command("ann", c.Connected(), f"Ann {count}")
        for event in decide(session.state(), command, session.now, session._shuffle).events:
            session._fold((event,))
    assert session.kinds().count("PlayerConnected") < MAX_REQUESTS


def test_the_host_does_not_stop_and_start_a_table_without_end() -> None:
    session = Session()
    session.now += WINDOW_MS
    for count in range(MAX_REQUESTS):
        session.ask("ann", c.LockSeats(locked=count % 2 == 0))
    with pytest.raises(TableError) as refused:
        session.ask("ann", c.LockSeats(locked=True))
    assert refused.value.code == "request.too_fast"
    session.ask("bob", c.SitOut())  # others may
