"""Encodes a tournament's events for the store, and decodes them: decode(encode(event)) == event."""

from __future__ import annotations

import msgspec

from triptych.tournament.events import TournamentEvent

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[TournamentEvent] = msgspec.json.Decoder(TournamentEvent)


def encode(event: TournamentEvent) -> bytes:
    """Return an event as JSON."""
    return _ENCODER.encode(event)


def decode(payload: bytes) -> TournamentEvent:
    """Decode an event encoded by `encode`. Raises msgspec.ValidationError when it is not valid."""
    return _DECODER.decode(payload)
