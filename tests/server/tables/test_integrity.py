"""A table at which something does not add up stops before that is stored; the others go on. Issue 12, part 3."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import run_server
from triptych.server.tables import integrity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.table.events import TableEvent
    from triptych.table.state import TableState

pytestmark = pytest.mark.anyio


async def test_a_table_stops_before_something_wrong_is_stored() -> None:
    """Its players are told, and those who come later; nothing is stored; another table goes on."""
    store = MemoryStore()
    async with run_server(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table, other = await ann.open_table(), await ann.open_table()
        for name in (table, other):
            await ann.watch(name)
            assert (await ann.do(name, {"do": "sit", "seat": 0, "buy_in": 100}))["t"] == "ack"
        stored = await store.load(table)

        def violated(before: TableState, _after: TableState, _events: Sequence[TableEvent]) -> str:
            return "points are lost" if before.config.table == table else ""

        with patch.object(integrity, "find_violation", violated):
            refused = await ann.do(table, {"do": "say", "text": "hello"})
            assert refused["error"]["code"] == "table.wrong"
            assert (await ann.received("problem"))["error"]["code"] == "table.wrong"
            assert (await ann.do(other, {"do": "say", "text": "hello"}))["t"] == "ack"
        assert (await ann.do(table, {"do": "say", "text": "hello"}))["error"]["code"] == "table.wrong"
        assert await store.load(table) == stored
        await bob.watch(table)
        assert (await bob.received("problem"))["error"]["code"] == "table.wrong"
        assert [line["table"] for line in (await bob.http.get("/api/tables")).json()] == [other]
