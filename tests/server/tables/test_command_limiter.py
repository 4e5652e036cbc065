"""What one guest has waiting at a table is bounded (issue 10, part 3, point 6)."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import QUICK, Person, run_server
from triptych.server.tables.command_limiter import ARRANGE_BURST, ARRANGEMENTS_A_SECOND, MAX_WAITING, CommandLimiter
from triptych.store.types import Append

pytestmark = pytest.mark.anyio


class SlowStore(MemoryStore):
    """A store that keeps everybody waiting while `gate` is shut."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()

    async def append(self, append: Append) -> int:
        await self.gate.wait()
        return await super().append(append)


def test_only_so_many_of_one_guest_wait() -> None:
    limiter = CommandLimiter()
    assert all(limiter.acquire("ann") for _ in range(MAX_WAITING))
    assert not limiter.acquire("ann")
    assert limiter.acquire("bob")
    limiter.release("ann")
    assert limiter.acquire("ann")


def test_cards_are_shifted_as_fast_as_a_hand_can_but_not_for_ever() -> None:
    limiter = CommandLimiter()
    assert all(limiter.allow_arrange("ann", 5.0) for _ in range(ARRANGE_BURST))
    assert not limiter.allow_arrange("ann", 5.0)
    assert limiter.allow_arrange("bob", 5.0)
    assert limiter.allow_arrange("ann", 5.0 + 1 / ARRANGEMENTS_A_SECOND)
    for second in range(100, 700):
        assert all(limiter.allow_arrange("ann", second + part / ARRANGEMENTS_A_SECOND) for part in range(6))


async def seated(person: Person, other: Person) -> str:
    table = await person.open_table()
    for seat, each in enumerate((person, other)):
        await each.watch(table)
        assert (await each.do(table, {"do": "sit", "seat": seat, "buy_in": 100}))["t"] == "ack"
    return table


async def test_a_guest_who_keeps_sending_during_a_stall_is_disconnected_and_others_are_not() -> None:
    """A table that waits for its store holds no more of one guest than the bound."""
    store = SlowStore()
    async with run_server(store, QUICK) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seated(ann, bob)
        store.gate.clear()
        message = {"t": "do", "table": table, "seen": 0, "action": {"do": "say", "text": "hello"}}
        for number in range(MAX_WAITING + 10):
            with contextlib.suppress(ConnectionError):
                await ann.send({**message, "cmd_id": f"flood{number}"})
        assert (await ann.ended())[0] == 4429
        waiting = asyncio.create_task(bob.do(table, {"do": "say", "text": "me too"}))
        store.gate.set()
        assert (await waiting)["t"] == "ack"


async def test_arrangements_without_end_are_refused() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seated(ann, bob)
        await ann.until(lambda: bool(ann.views[table]["deal"]))
        answers = []
        for _ in range(ARRANGE_BURST + 60):
            answers.append(await ann.do(table, {"do": "arrange", "hand": 0, "layout": {}}))
            if answers[-1]["t"] == "refused" and answers[-1]["error"]["code"] == "request.too_fast":
                break
        assert answers[-1]["error"]["code"] == "request.too_fast"
        assert len(answers) > ARRANGE_BURST
