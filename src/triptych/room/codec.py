"""Table events as bytes and back, for the store: decode(*encode(event)) == event.

The visibility stays outside the bytes, so that a store can filter what it cannot read.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from triptych.deal.visibility import Private, Public, Sealed
from triptych.room.events import Payload, TableEvent
from triptych.rules.earlier import in_todays_form

Visibility = Literal["public", "private", "sealed"]

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Payload] = msgspec.json.Decoder(Payload)


def encode(event: TableEvent) -> tuple[Visibility, int | None, bytes]:
    """Return who may see an event, the seat of a private one, and the event itself as JSON."""
    payload = _ENCODER.encode(event.event)
    if isinstance(event, Private):
        return "private", event.seat, payload
    return ("public" if isinstance(event, Public) else "sealed"), None, payload


def decode(visibility: Visibility, seat: int | None, payload: bytes) -> TableEvent:
    """Read an event written by `encode`. Raises msgspec.ValidationError when it is none."""
    event = _read(payload)
    if visibility == "public":
        return Public(event)
    if visibility == "sealed":
        return Sealed(event)
    if seat is None:
        message = "a private event needs its seat"
        raise msgspec.ValidationError(message)
    return Private(seat, event)


def _read(payload: bytes) -> Payload:
    try:
        return _DECODER.decode(payload)
    except msgspec.ValidationError:
        today = msgspec.json.encode(_with_todays_rules(msgspec.json.decode(payload)))
        return _DECODER.decode(today)


def _with_todays_rules(stored: object) -> object:
    """Return a stored event whose rules, its own or its config's, have today's form."""
    if not isinstance(stored, dict):
        return stored
    changed = {name: _with_todays_rules(value) for name, value in stored.items() if name == "config"}
    if isinstance(rules := stored.get("rules"), dict):
        changed["rules"] = in_todays_form(rules)
    return {**stored, **changed}
