"""The store fails for a while: nothing is told that is not kept, and the table goes on (DESIGN 5, step 6)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.server.room import newer, room
from triptych.store.memory import MemoryStore
from triptych.store.protocol import Append, Stored

pytestmark = pytest.mark.anyio


class Fragile(MemoryStore):
    """A store that can be told to fail: before it writes, after it has written, and when it reads."""

    before = after = reads = False

    async def append(self, append: Append) -> int:
        if self.before:
            raise OSError
        version = await super().append(append)
        if self.after:
            raise OSError
        return version

    async def load(self, table: str, after: int = 0) -> Sequence[Stored]:
        if self.reads:
            raise OSError
        return await super().load(table, after)


async def test_what_cannot_be_stored_is_not_done() -> None:
    store = Fragile()
    async with room(store) as server, server.person("Ann") as ann:
        table = await ann.open_table()
        version = (await ann.watch(table))["v"]
        store.before = store.reads = True
        answer = await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100}, "sit")
        assert (answer["t"], answer["error"]["code"]) == ("refused", "server.failed")
        assert (await ann.watch(table))["v"] == version
        store.before = store.reads = False
        assert (await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100}, "sit"))["t"] == "ack"
        assert await store.balance(f"table:{table}:{ann.player}") == 100


async def test_what_was_stored_without_being_told_is_found_again() -> None:
    store = Fragile()
    async with room(store) as server, server.person("Ann") as ann:
        table = await ann.open_table()
        version = (await ann.watch(table))["v"]
        store.after = True
        answer = await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100}, "sit")
        assert answer["t"] == "refused"
        store.after = False
        await ann.until(newer(ann, table, version))
        assert ann.views[table]["you"] == 0
        # The client asks again, because it does not know better: it was done already, and once.
        assert (await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100}, "sit"))["t"] == "ack"
        assert await store.balance(f"table:{table}:{ann.player}") == 100
