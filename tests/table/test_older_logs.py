"""A table that an older version has stored still loads: what it did not write has its default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tests.table.session import LAND, LOW, PLAIN, Session
from triptych.table import commands as c
from triptych.table.aggregate import evolve
from triptych.table.codec import decode, encode

if TYPE_CHECKING:
    from triptych.table.state import TableState

# What the rules, and the events, of an earlier version do not have.
NEWER_RULES = {
    "deal": ("first_cards",),
    "settlement": ("credit", "loss_limit"),
    "match": ("prize",),
    "clock": ("bank_reset",),
    "timeout": ("scope",),
}
NEWER_FIELDS = {"match_ended": ("table", "payments")}


def as_before(body: dict[str, Any]) -> dict[str, Any]:
    """Return an event as an earlier version wrote it."""
    for holder in (body, body.get("config", {})):
        rules: dict[str, Any] = holder.get("rules", {})
        for group, keys in NEWER_RULES.items():
            for key in keys:
                rules.get(group, {}).pop(key, None)
    for key in NEWER_FIELDS.get(body["e"], ()):
        body.pop(key, None)
    return body


def test_an_older_log_gives_the_same_table() -> None:
    session = Session("pineapple", boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.play()
    session.ask("ann", c.OfferStake(1, 3))
    session.ask("bob", c.OfferStake(0, 3))
    session.play()
    session.begin()
    session.strike()
    state: TableState | None = None
    for event in session.log:
        visibility, seat, payload = encode(event)
        older = msgspec.json.encode(as_before(msgspec.json.decode(payload)))
        state = evolve(state, decode(visibility, seat, older))
    assert state == session.state()
