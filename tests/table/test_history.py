"""A deal is found again among a table's events, with its times. Issue 3, part 7."""

from __future__ import annotations

from tests.table.session import Session
from triptych.notation.history.model import record
from triptych.notation.history.replay import check_history
from triptych.table import commands as c
from triptych.table.history import played_deal


def test_each_action_has_the_time_at_which_it_was_made() -> None:
    session = Session()
    session.begin()
    for seconds in (3, 4, 5):
        session.now += seconds * 1000
        session.act()
    played = played_deal(session.log, 1)
    assert played is not None
    placed = [at for at, event in played.events if type(event.event).__name__ == "Placed"]
    assert placed == [3000, 7000, 12_000]


def test_every_deal_of_a_match_is_a_history_that_passes_its_check() -> None:
    session = Session(boards=[{0: "QhQd2c/KsKd3c4c5h/AsAdAh7h8h", 1: "5s6s7d/9h9dJc4h3h/ThTdJhJd8c"}])
    session.play()
    session.play()
    for number in (1, 2):
        played = played_deal(session.log, number)
        assert played is not None
        assert sorted(played.names) == ["Ann", "Bob"]
        history = record(played.events, "all", played.names)
        assert history.number == number
        check_history(history)
    assert history.hands[0].fantasyland + history.hands[1].fantasyland == 14
    assert played_deal(session.log, 3) is None


def test_a_deal_is_found_after_another_has_taken_a_seat_of_it() -> None:
    session = Session({"preset": "pineapple", "match.kind": "deals:1", "fantasyland.kind": "none"})
    session.play()
    session.ask("ann", c.Leave())
    session.ask("cem", c.Sit(0, 100))
    played = played_deal(session.log, 1)
    assert played is not None
    assert "Cem" not in played.names
    assert played.sheet is not None


def test_an_event_without_a_time_has_that_of_the_event_before() -> None:
    """A log may end inside a decision; its last events are no earlier than those before them."""
    session = Session()
    session.begin()
    began = session.kinds().index("DealBegan")
    for _ in range(3):
        session.now += 3000
        session.act()
    moments = set()
    for end in range(began + 1, len(session.log) + 1):
        played = played_deal(session.log[:end], 1)
        if played is not None:
            times = [at for at, _ in played.events]
            assert times == sorted(times)
            moments |= set(times)
    assert moments == {0, 3000, 6000, 9000}
