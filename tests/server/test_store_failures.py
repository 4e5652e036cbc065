"""The store fails for a while: nothing untrue is told, and the table goes on (issue 10, part 3)."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import msgspec
import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, Person, newer, run_server, simple
from tests.stores import CutWhen, FailingStore, Wire
from triptych.store.interface import EventStore
from triptych.store.postgres.store import postgres_store
from triptych.store.sqlite.store import PRAGMAS, sqlite_store
from triptych.store.types import IdempotencyKey

pytestmark = pytest.mark.anyio

FEW, MANY = 6, 100
SIT = {"do": "sit", "seat": 0, "buy_in": 100}


def fragile(behind: EventStore) -> tuple[FailingStore, EventStore]:
    """Return a fragile store, and the same as what the server takes it for."""
    store = FailingStore(behind)
    return store, cast("EventStore", store)


async def test_while_the_store_is_away_nothing_is_sent() -> None:
    """The answer comes when the store can be asked: here the command is done after all."""
    store, served = fragile(MemoryStore())
    async with run_server(served) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table()
        await ann.watch(table)
        version = (await bob.watch(table))["v"]
        store.before = store.reads = True
        await ann.send({"t": "do", "cmd_id": "sit", "table": table, "seen": 0, "action": SIT})
        problem = await bob.received("problem")
        assert problem["error"]["code"] == "server.waiting"
        assert not [message for message in ann.said if message["t"] in ("ack", "refused")]
        assert bob.views[table]["v"] == version
        store.before = store.reads = False
        answer = await ann.until(lambda: ann.last("ack") or ann.last("refused"))
        assert answer == {"t": "ack", "cmd_id": "sit", "table": table, "v": version + 1}
        await bob.until(newer(bob, table, version))
        assert await store.behind.balance(f"table:{table}:{ann.player}") == 100


async def test_a_command_is_refused_when_the_store_refuses_the_write() -> None:
    """A full disk can be read, and says that nothing has changed."""
    store, served = fragile(MemoryStore())
    async with run_server(served) as server, server.person("Ann") as ann:
        table = await ann.open_table()
        version = (await ann.watch(table))["v"]
        store.before = True
        answer = await ann.do(table, SIT, "sit")
        assert (answer["t"], answer["error"]["code"]) == ("refused", "server.failed")
        assert (await ann.watch(table))["v"] == version
        store.before = False
        assert (await ann.do(table, SIT, "sit"))["t"] == "ack"
        assert await store.behind.balance(f"table:{table}:{ann.player}") == 100


async def test_a_player_who_leaves_while_the_store_is_away_is_marked_gone_afterwards() -> None:
    store, served = fragile(MemoryStore())
    async with run_server(served) as server, server.person("Ann") as ann:
        table = await ann.open_table()
        await ann.watch(table)
        async with server.person("Bob") as bob:
            await bob.watch(table)
            await bob.do(table, SIT)
            await ann.until(lambda: bool(ann.views[table]["seats"][0]["connected"]))
            store.before = True
        async with asyncio.timeout(PATIENCE):
            while store.failures < 3:  # noqa: ASYNC110 - the store counts
                await asyncio.sleep(0.01)
        store.before = False
        await ann.until(lambda: not ann.views[table]["seats"][0]["connected"])


async def test_a_table_is_open_though_the_reply_of_its_opening_was_lost() -> None:
    store, served = fragile(MemoryStore())
    async with run_server(served) as server, server.person("Ann") as ann:
        store.after = True
        table = await ann.open_table()
        store.after = False
        assert (await ann.watch(table))["v"] == 1


@pytest.mark.parametrize("times", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres", "before the answer", "with the commit"])
async def test_the_reply_of_a_commit_is_lost(
    kind: str, times: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Every answer is true, every command is done once: by a wrapper, and by a cut line to a real PostgreSQL."""
    async with (
        losing(kind, request, tmp_path) as (store, lose, cuts),
        run_server(store) as server,
        server.person("Ann") as ann,
        server.person("Bob") as bob,
    ):
        table = await seated(ann, bob)
        answers = await play_losing(table, ann, bob, lose, times)
        assert cuts() == times
        placed = sum(msgspec.json.decode(event.payload)["e"] == "placed" for event in await store.load(table))
        replies = {key: await store.reply(table, IdempotencyKey(*key)) for key in answers}
    false = [key for key, answer in answers.items() if (answer["t"] == "ack") != (replies[key] is not None)]
    untrue = [
        key for key, answer in answers.items() if replies[key] and msgspec.json.decode(replies[key] or b"") != answer
    ]
    refused = [key for key, answer in answers.items() if answer["t"] != "ack"]
    assert (false, untrue) == ([], [])
    # None lost, none doubled: every acknowledged command placed the cards of one street.
    assert placed == len(answers) - len(refused)


Answers = dict[tuple[str, str], dict[str, Any]]


async def play_losing(table: str, ann: Person, bob: Person, lose: Callable[[str], None], times: int) -> Answers:
    """Play until the word of so many commits was lost; the answers by player and command."""
    answers: Answers = {}
    while len(answers) < times:
        actor = next((p for p in (ann, bob) if p.views[table]["deal"] and p.views[table]["deal"]["tasks"]), None)
        if actor is None:
            await asyncio.sleep(0.005)  # either may hear of the next deal first
            continue
        deal = actor.views[table]["deal"]
        cmd_id = f"lost-{len(answers):04}"
        lose(cmd_id)
        answer = await actor.do(table, simple(deal, deal["tasks"][0]), cmd_id)
        answers[actor.player, cmd_id] = answer
        for person in (ann, bob):
            await person.until(newer(person, table, answer.get("v", 0) - 1))
    return answers


async def seated(ann: Person, bob: Person) -> str:
    table = await ann.open_table({"preset": "pineapple", "clock.kind": "none", "settlement.cap": "none"})
    for seat, person in enumerate((ann, bob)):
        await person.watch(table)
        await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
    for person in (ann, bob):
        await person.until(lambda p=person: bool(p.views[table]["deal"]))  # type: ignore[misc]
    return table


Losing = tuple[EventStore, Callable[[str], None], Callable[[], int]]


@contextlib.asynccontextmanager
async def losing(kind: str, request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Losing]:
    """A store, a way to lose the word of a command's commit, and how many were lost."""
    if kind in ("before the answer", "with the commit"):
        when = cast("CutWhen", kind)
        async with Wire(request.getfixturevalue("migrated")(f"t{uuid4().hex}")).open() as wire:
            yield postgres_store(wire.url), lambda cmd_id: wire.cut(cmd_id, when), lambda: wire.cuts
        return
    behind: EventStore = MemoryStore()
    if kind == "sqlite":
        behind = sqlite_store(folder / "room.db")
    elif kind == "postgres":
        behind = postgres_store(request.getfixturevalue("migrated")(f"t{uuid4().hex}"))
    store, served = fragile(behind)
    lost = 0

    def lose(cmd_id: str) -> None:
        nonlocal lost
        lost += 1
        assert not store.lost, "the last command was never lost"
        store.lost.add(cmd_id)

    yield served, lose, lambda: lost - len(store.lost)


async def test_a_postgresql_that_is_away_for_a_moment(request: pytest.FixtureRequest) -> None:
    """Every line to it is cut, and none can be made: the command waits, then it is done, once."""
    async with Wire(request.getfixturevalue("migrated")(f"t{uuid4().hex}")).open() as wire:
        store = postgres_store(wire.url)
        async with run_server(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
            table = await ann.open_table()
            await ann.watch(table)
            version = (await bob.watch(table))["v"]
            wire.shut()
            await ann.send({"t": "do", "cmd_id": "sit", "table": table, "seen": 0, "action": SIT})
            assert (await bob.received("problem"))["error"]["code"] == "server.waiting"
            assert not [message for message in ann.said if message["t"] in ("ack", "refused")]
            wire.reopen()
            answer = await ann.until(lambda: ann.last("ack") or ann.last("refused"))
            assert (answer["t"], answer["v"]) == ("ack", version + 1)
            assert len(await store.load(table)) == version + 1


async def test_a_sqlite_that_another_program_keeps_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than SQLite itself waits: the command waits on, then it is done, once."""
    brief = tuple(pragma.replace("busy_timeout=5000", "busy_timeout=100") for pragma in PRAGMAS)
    assert brief != PRAGMAS
    monkeypatch.setattr("triptych.store.sqlite.store.PRAGMAS", brief)
    store = sqlite_store(tmp_path / "room.db")
    async with run_server(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table()
        await ann.watch(table)
        version = (await bob.watch(table))["v"]
        with contextlib.closing(sqlite3.connect(tmp_path / "room.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await ann.send({"t": "do", "cmd_id": "sit", "table": table, "seen": 0, "action": SIT})
            assert (await bob.received("problem"))["error"]["code"] == "server.waiting"
            assert not [message for message in ann.said if message["t"] in ("ack", "refused")]
            other.execute("ROLLBACK")
        answer = await ann.until(lambda: ann.last("ack") or ann.last("refused"))
        assert (answer["t"], answer["v"]) == ("ack", version + 1)
        assert len(await store.load(table)) == version + 1


async def test_a_fenced_server_reports_it_and_has_not_failed() -> None:
    """Its leases were lost on a busy machine; half a second later it is another server (issue 12, part 2)."""
    store, served = fragile(MemoryStore())
    async with run_server(served) as server, server.guest() as http:
        store.over = True
        answer = await http.get("/api/tables/abcd2345")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "server.elsewhere")
        store.over = False
        assert (await http.get("/api/tables/abcd2345")).status_code == 404
