"""Rules that the version of 2026-11-21 (commit de12854) stored are the rules of today's presets."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.case_notes import case
from triptych.deal.events import DealStarted
from triptych.rulesets.load import resolve
from triptych.rulesets.migrate import migrate_rules
from triptych.rulesets.model import Ruleset
from triptych.table.codec import decode
from triptych.table.events import TableOpened

STORED = [
    json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "stored_rules.jsonl").read_text().splitlines()
]


def test_a_stored_fantasyland_is_the_presets() -> None:
    for stored in STORED:
        with case(stored["name"]):
            rules = msgspec.convert(migrate_rules(stored), Ruleset)
            preset = resolve(stored["name"])
            assert (rules.fantasyland, rules.royalties, rules.scoring) == (
                preset.fantasyland,
                preset.royalties,
                preset.scoring,
            )


def test_custom_rules_with_their_own_numbers() -> None:
    """Aces alone bring a fantasyland, trips of nines and higher a longer one; nothing repeats it."""
    fantasyland = {"pair": [0] * 12 + [13], "trips": [13] * 7 + [15] * 6, "repeat_front": "trips", "repeat_cards": 0}
    fantasyland = migrate_rules({"fantasyland": {"kind": "custom", **fantasyland}})["fantasyland"]
    assert fantasyland == {
        "kind": "custom",
        "entry": [
            {"row": "front", "least": "AA", "cards": 13},
            {"row": "front", "least": "999", "cards": 15},
        ],
        "repeat": [],
    }


def test_a_stored_deal_is_read() -> None:
    for stored in STORED:
        with case(stored["name"]):
            opened = {"table": "k3fq9xwm", "name": "Friday", "host": "p1", "rules": stored}
            table = decode(
                "public", None, json.dumps({"e": "table_opened", "at": 0, "config": opened}).encode()
            ).event
            hands = [{"seat": seat, "fantasyland": 0, "in_row": 0} for seat in (0, 1)]
            started = {"e": "deal_started", "number": 1, "rules": stored, "hands": hands}
            deal = decode("public", None, json.dumps(started).encode()).event
            assert isinstance(table, TableOpened)
            assert isinstance(deal, DealStarted)
            assert table.config.rules == deal.rules == msgspec.convert(migrate_rules(stored), Ruleset)


def test_a_payload_that_is_no_event_is_refused() -> None:
    for payload in (b"[]", b'{"e":"deal_started"}', b'{"e":"table_opened","at":0,"config":[]}'):
        with pytest.raises(msgspec.ValidationError):
            decode("public", None, payload)
