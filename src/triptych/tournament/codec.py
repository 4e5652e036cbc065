"""A tournament's events as bytes and back, for the store: decode(encode(event)) == event."""

from __future__ import annotations

import msgspec

from triptych.tournament.events import CupEvent

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[CupEvent] = msgspec.json.Decoder(CupEvent)


def encode(event: CupEvent) -> bytes:
    """Return an event as JSON."""
    return _ENCODER.encode(event)


def decode(payload: bytes) -> CupEvent:
    """Read an event written by `encode`. Raises msgspec.ValidationError when it is none."""
    return _DECODER.decode(payload)
