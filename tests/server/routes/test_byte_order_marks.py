"""Bodies and the texts in them are read with a byte-order mark (issue 28.13)."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Any

import msgspec

from tests.solve.analysis.played import played_history
from tests.test_byte_order_marks import DEAL, RULES
from triptych.notation.history.text import history_text

if TYPE_CHECKING:
    from litestar.testing import TestClient


def test_the_server_reads_them(client: TestClient[Any]) -> None:
    history = history_text(played_history(("fast", "random"), "all", seed=1))
    for text in (RULES, RULES.replace("\n", "\r\n")):
        answer = client.post("/api/rules/read", json={"toml": f"\ufeff{text}"})
        assert answer.status_code == 200, answer.text
    answer = client.post("/api/history/replay", json={"text": f"\ufeff{history}"})
    assert answer.status_code == 200, answer.text
    body = codecs.BOM_UTF8 + msgspec.json.encode({"deal": DEAL, "number": 1})
    answer = client.post("/api/score/deal", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
