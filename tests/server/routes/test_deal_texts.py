"""All of a guest's deals as texts, read page by page: each event once, whatever the pages are (issue 27.6)."""

from __future__ import annotations

from functools import cache

import pytest

from tests.table.session import Session, fair_session
from triptych.server.jobs.replay import deal_query, deal_text, history_texts
from triptych.server.schemas.replay import DealsQuery, TableSoFar
from triptych.server.tables.event_log import decode_events, encode_events
from triptych.store.types import StoredEvent
from triptych.table import commands as c
from triptych.table.history import played_deal

DEALS = 8


@cache
def session() -> tuple[Session, tuple[StoredEvent, ...]]:
    """Return a session in which somebody leaves and somebody else comes, with committed decks, and its events."""
    played = fair_session({"preset": "pineapple", "settlement.cap": "none", "match.kind": "deals:2"}, people=3)
    for number in range(DEALS):
        played.play()
        if number == 2:
            played.ask("cid", c.Leave())
        if number == 4:
            played.ask("dan", c.Sit(2, 100))
    new_events = encode_events(played.log)
    return played, tuple(
        StoredEvent(event.visibility, event.seat, event.payload, version=v) for v, event in enumerate(new_events, 1)
    )


def paged(player: str, size: int) -> tuple[dict[int, str], int]:
    """Return the texts of a player's deals out of pages of so many events, and how many events were sent."""
    _, events = session()
    before: TableSoFar | None = None
    texts: dict[int, str] = {}
    waiting: list[StoredEvent] = []
    sent = 0
    for first in range(0, len(events), size):
        waiting += events[first : first + size]
        sent += len(waiting)
        result = history_texts(DealsQuery(before, tuple(waiting), player, last=first + size >= len(events)))
        assert not texts.keys() & result.texts.keys()
        texts |= result.texts
        before = result.after
        reached = 0 if before is None else before.state.version
        waiting = [event for event in waiting if event.version > reached]
    return texts, sent


@pytest.mark.parametrize("player", ["ann", "cid", "dan", "eve"])
def test_pages_of_any_size_give_the_same_texts(player: str) -> None:
    played, events = session()
    whole, sent = paged(player, len(events))
    assert sent == len(events)
    singles = {}
    for number in range(1, played.state().deals + 1):
        deal = played_deal(decode_events(events), number)
        if deal is not None and deal.sheet is not None and player in deal.players:
            singles[number] = deal_text(deal_query(played.state(), events, number, player))
    assert whole.keys() == singles.keys()
    assert bool(whole) == (player != "eve")
    if player in ("cid", "dan"):
        assert len(whole) < DEALS
    for size in (7, 31, 100, 250):
        assert paged(player, size)[0] == whole
    # No more than the deal that goes on is sent again with each page.
    assert paged(player, 250)[1] < 2 * len(events)
