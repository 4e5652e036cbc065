"""Stored events are read as they were written."""

from __future__ import annotations

import msgspec
import pytest

from tests.room.evening import Evening
from triptych.deal.visibility import Private, Public
from triptych.room.codec import decode, encode


def test_an_event_comes_back_as_it_was() -> None:
    evening = Evening()
    evening.play()
    for event in evening.log:
        visibility, seat, payload = encode(event)
        assert (visibility == "private", visibility == "public") == (
            isinstance(event, Private),
            isinstance(event, Public),
        )
        assert decode(visibility, seat, payload) == event


def test_a_private_event_needs_its_seat() -> None:
    _, _, payload = encode(Evening().log[0])
    with pytest.raises(msgspec.ValidationError, match="seat"):
        decode("private", None, payload)
