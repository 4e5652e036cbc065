"""Deal events as compact JSON and back: decode(encode(event)) == event."""

from __future__ import annotations

import msgspec

from triptych.deal.events import DealEvent

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[DealEvent] = msgspec.json.Decoder(DealEvent)


def encode(event: DealEvent) -> bytes:
    """Return an event with its visibility as JSON, for the store."""
    return _ENCODER.encode(event)


def decode(payload: bytes) -> DealEvent:
    """Read an event written by `encode`. Raises msgspec.ValidationError when it is none."""
    return _DECODER.decode(payload)
