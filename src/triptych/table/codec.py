"""Encodes table events for the store, and decodes them: decode(*encode(event, rules), rules) == event.

The visibility is not part of the bytes, so that a store can filter events without decoding them. The start of a deal
under the same rules as the deal before does not repeat them: `rules` are that deal's, None if unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

import msgspec

from triptych.deal.events import DealStarted
from triptych.deal.state import HandStart
from triptych.deal.visibility import Private, Public, Sealed
from triptych.i18n.stored import stored_text
from triptych.redacted import RedactedStruct
from triptych.rulesets.migrate import migrate_rules
from triptych.rulesets.model import Ruleset
from triptych.table.events import Payload, TableEvent
from triptych.table.state import TableState

Visibility = Literal["public", "private", "sealed"]


class _DealStartedSameRules(RedactedStruct, frozen=True, tag_field="e", tag="deal_started_again"):
    """`DealStarted` under the rules of the deal before; only ever stored."""

    number: int
    hands: tuple[HandStart, ...]


class EncodedEvent(Protocol):
    """An event as it is stored."""

    @property
    def visibility(self) -> Visibility:
        """Its visibility."""

    @property
    def seat(self) -> int | None:
        """The seat of a private event."""

    @property
    def payload(self) -> bytes:
        """The encoded event."""


_ENCODER = msgspec.json.Encoder(enc_hook=stored_text)
_DECODER: msgspec.json.Decoder[Payload | _DealStartedSameRules] = msgspec.json.Decoder(
    Payload | _DealStartedSameRules
)


def deal_rules(state: TableState | None) -> Ruleset | None:
    """Return the rules of a table's last deal, which the start of the next deal need not repeat."""
    return None if state is None or state.deal is None else state.deal.rules


def encode_all(
    events: Iterable[TableEvent], before: TableState | None
) -> Iterator[tuple[Visibility, int | None, bytes]]:
    """Encode consecutive events; `before`: the table before them."""
    rules = deal_rules(before)
    for event in events:
        yield encode(event, rules)
        if isinstance(event.event, DealStarted):
            rules = event.event.rules


class EventReader:
    """Decodes consecutive stored events; `rules`: those of the last deal before them."""

    def __init__(self, rules: Ruleset | None = None) -> None:
        self.rules = rules

    def read(self, stored: Iterable[EncodedEvent]) -> Iterator[TableEvent]:
        """Decode the next events; raises as `decode`."""
        for encoded in stored:
            event = decode(encoded.visibility, encoded.seat, encoded.payload, self.rules)
            if isinstance(event.event, DealStarted):
                self.rules = event.event.rules
            yield event


def decode_all(stored: Iterable[EncodedEvent], before: TableState | None = None) -> Iterator[TableEvent]:
    """Decode consecutive stored events; `before`: the table before them. Raises as `decode`."""
    return EventReader(deal_rules(before)).read(stored)


def encode(event: TableEvent, rules: Ruleset | None = None) -> tuple[Visibility, int | None, bytes]:
    """Return an event's visibility, the seat of a private event, and its JSON."""
    content = event.event
    if rules is not None and isinstance(content, DealStarted) and (content.rules is rules or content.rules == rules):
        payload = _ENCODER.encode(_DealStartedSameRules(content.number, content.hands))
    else:
        payload = _ENCODER.encode(content)
    if isinstance(event, Private):
        return "private", event.seat, payload
    return ("public" if isinstance(event, Public) else "sealed"), None, payload


def decode(visibility: Visibility, seat: int | None, payload: bytes, rules: Ruleset | None = None) -> TableEvent:
    """Decode an event encoded by `encode`. Raises msgspec.ValidationError when it is not valid."""
    event = _read(payload, rules)
    if visibility == "public":
        return Public(event)
    if visibility == "sealed":
        return Sealed(event)
    if seat is None:
        message = "a private event needs its seat"
        raise msgspec.ValidationError(message)
    return Private(seat, event)


def _read(payload: bytes, rules: Ruleset | None) -> Payload:
    try:
        result = _DECODER.decode(payload)
    except msgspec.ValidationError:
        migrated = msgspec.json.encode(_upcast_rules(msgspec.json.decode(payload)))
        result = _DECODER.decode(migrated)
    if not isinstance(result, _DealStartedSameRules):
        return result
    if rules is None:
        message = "a deal that repeats no rules needs those of the deal before"
        raise msgspec.ValidationError(message)
    return DealStarted(result.number, rules, result.hands)


def _upcast_rules(stored: object) -> object:
    """Return a stored event whose rules, its own or its config's, have the current form."""
    if not isinstance(stored, dict):
        return stored
    changed = {name: _upcast_rules(value) for name, value in stored.items() if name == "config"}
    if isinstance(rules := stored.get("rules"), dict):
        changed["rules"] = migrate_rules(rules)
    return {**stored, **changed}
