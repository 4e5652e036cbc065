"""Stored events are read as they were written."""

from __future__ import annotations

import msgspec
import pytest

from tests.table.session import Session
from triptych.deal.events import DealStarted
from triptych.deal.visibility import Private, Public
from triptych.rulesets.load import resolve
from triptych.store.types import NewEvent
from triptych.table.codec import decode, decode_all, encode, encode_all


def test_an_event_comes_back_as_it_was() -> None:
    session = Session()
    session.play()
    for event in session.log:
        visibility, seat, payload = encode(event)
        assert (visibility == "private", visibility == "public") == (
            isinstance(event, Private),
            isinstance(event, Public),
        )
        assert decode(visibility, seat, payload) == event


def test_a_private_event_needs_its_seat() -> None:
    _, _, payload = encode(Session().log[0])
    with pytest.raises(msgspec.ValidationError, match="seat"):
        decode("private", None, payload)


def test_rules_are_written_once_while_deals_are_played_by_them() -> None:
    """Issue 12, 1d: they were a sixth of what was stored."""
    session = Session()
    for _ in range(3):
        session.play()
    stored = [NewEvent(*fields) for fields in encode_all(session.log, None)]
    started = [event.payload for event in stored if b"deal_started" in event.payload]
    assert [b'"rules"' in payload for payload in started] == [True, False, False]
    assert list(decode_all(stored)) == session.log
    # As older versions wrote them they are read all the same.
    whole = [NewEvent(*encode(event)) for event in session.log]
    assert list(decode_all(whole)) == session.log
    assert sum(len(event.payload) for event in stored) < sum(len(event.payload) for event in whole)
    with pytest.raises(msgspec.ValidationError, match="the deal before"):
        list(decode_all(stored[stored.index(NewEvent("public", None, started[1])) :]))


def test_other_rules_are_written_again_and_read_from_any_deal_on() -> None:
    session = Session()
    session.play()
    before = session.state()
    at = len(session.log)
    session.play()
    (deal,) = [emitted for emitted in session.log[at:] if isinstance(emitted.event, DealStarted)]
    other = Public(msgspec.structs.replace(deal.event, rules=resolve("pineapple_progressive")))
    stored = [NewEvent(*fields) for fields in encode_all([deal, other, other], before)]
    assert [b'"rules"' in event.payload for event in stored] == [False, True, False]
    assert list(decode_all(stored, before)) == [deal, other, other]
