"""Servers for tests: the real one over a store, on a free port of loopback, and clients that speak its protocol."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar
from unittest.mock import patch

import httpx
import msgspec
import uvicorn
from msgspec import Raw
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.application import Application
from tests.memory_store.store import MemoryStore
from tests.patched_view import apply_patch, expand_paths, proof
from triptych.bots.levels import get_level as level_named
from triptych.bots.untrained.typical_boards import typical_boards
from triptych.cards import Card
from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, is_closed
from triptych.server.bootstrap import ServerHandle, ServerSettings, bootstrap
from triptych.server.bots.advice import LEVEL as ADVISER
from triptych.server.bots.driver import BotEngine
from triptych.server.clock import now_ms, shuffled_deck
from triptych.server.jobs.pool import Requester
from triptych.server.jobs.protocol import JobRequest
from triptych.server.jobs.worker import Jobs, request_jobs, run_job, search_jobs
from triptych.server.runner import bind_socket, build_uvicorn
from triptych.server.static.client_files import load_client_files
from triptych.server.wire.errors import ApiError
from triptych.store.interface import EventStore

QUICK = ServerSettings(pause=0, bot_delay=0, grace=0, rate=10_000)
PATIENCE = 120.0  # seconds, only for what hangs: a machine may be busy
THOUGHT_MS = 2
TICK_SECONDS = 0.1  # as uvicorn
T = TypeVar("T")


class InProcessEngine:
    """Bots that think in this process, and not for long.

    Who sits at a table plays at random, whatever their level; advice is thought out.
    """

    def __init__(self) -> None:
        self.asked: list[DealView] = []

    async def choose(self, level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        self.asked.append(view)
        bot_level = level_named(level)  # a level that does not exist fails the test
        bot = (bot_level if level == ADVISER else level_named("random")).factory(7)
        return bot.choose(msgspec.json.decode(bytes(rules), type=Ruleset), view, task, min(budget_ms, THOUGHT_MS))

    async def prepare(self, rules: Raw) -> None:
        pass

    async def close(self) -> None:
        pass


class InProcessWorkers:
    """Works things out in this process, which may take its time."""

    def __init__(self, jobs: Jobs | None = None) -> None:
        self.jobs = request_jobs() if jobs is None else jobs

    def verify_capacity(self, asker: Requester) -> None:
        pass

    async def run(self, job: str, body: bytes, _asker: Requester) -> bytes:
        done = run_job(JobRequest(job, body), self.jobs)
        if done.error is not None:
            raise ApiError(done.error.code, done.error.message, done.error.path, done.status)
        return done.body

    async def close(self) -> None:
        pass


# Nothing is encrypted on loopback: all clients share what none of them needs.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def http_client(**more: Any) -> httpx.AsyncClient:
    """Return an HTTP client that waits long, and goes through no proxy."""
    return httpx.AsyncClient(**{"timeout": PATIENCE, "verify": _NO_TLS, "trust_env": False, **more})


_FREE: list[Application] = []
_page = cache(load_client_files)


@contextlib.contextmanager
def bootstrapped(store: EventStore, settings: ServerSettings, **more: Any) -> Iterator[ServerHandle]:
    """Lend a server as `bootstrap` makes it, over an application that no other server uses meanwhile.

    To build an application takes a sixth of a second of the processor: longer than most tests.
    """
    application = _FREE.pop() if _FREE else Application()
    with (
        patch("triptych.server.bootstrap.web_app", application.serve),
        patch("triptych.server.bootstrap.load_client_files", _page),
    ):
        server = bootstrap(store, settings, **more)
    yield server
    _FREE.append(application)  # not after a failure: something may still use it


@dataclass
class RunningServer:
    """A running server; `url` without a slash at the end."""

    url: str
    store: EventStore
    stop: Callable[[], None] = lambda: None

    def guest(self) -> httpx.AsyncClient:
        return http_client(base_url=self.url)

    @contextlib.asynccontextmanager
    async def person(self, name: str = "") -> AsyncIterator[Person]:
        """Let a new guest in, with one connection."""
        async with self.guest() as http:
            me = (await http.get("/api/me")).json()
            if name:
                me = (await http.put("/api/me", json={"name": name})).json()
            async with self.socket(http) as person:
                person.player, person.name = me["player"], me["name"]
                yield person

    @contextlib.asynccontextmanager
    async def socket(self, http: httpx.AsyncClient, **headers: str) -> AsyncIterator[Person]:
        """Open a connection for a guest."""
        cookie = "; ".join(f"{key}={value}" for key, value in http.cookies.items())
        async with connect(
            self.url.replace("http", "ws") + "/ws",
            additional_headers={"Cookie": cookie, **headers},
            max_size=None,
            proxy=None,
            compression=None,
        ) as line:
            person = Person(http, line)
            reading = asyncio.create_task(person.read())
            try:
                yield person
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)


@dataclass
class Person:
    """A client: keeps every message, and the newest view of each table."""

    http: httpx.AsyncClient
    line: ClientConnection
    player: str = ""
    name: str = ""
    said: list[dict[str, Any]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    views: dict[str, dict[str, Any]] = field(default_factory=dict)
    paths: list[Any] = field(default_factory=list)
    closed: tuple[int, str] | None = None
    proofs: int = 0
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    async def read(self) -> None:
        try:
            async for text in self.line:
                assert isinstance(text, str)
                message = msgspec.json.decode(text)
                async with self._news:
                    self.raw.append(text)
                    self.said.append(message)
                    if message["t"] == "update":
                        self.views[message["table"]] = message["view"]
                        self.paths = message.get("paths", self.paths)
                    elif message["t"] == "parts":
                        self._put(message)
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        async with self._news:
            self.closed = (self.line.close_code or 0, self.line.close_reason or "")
            self._news.notify_all()

    def _put(self, message: dict[str, Any]) -> None:
        """Put parts where they belong, and prove it when asked."""
        view = self.views[message["table"]]
        assert view["v"] == message["after"]
        message["parts"] = expand_paths(message, self.paths)
        self.views[message["table"]] = view = apply_patch(view, message["parts"])
        assert view["v"] == message["v"]
        if "proof" in message:
            self.proofs += 1
            assert proof(view) == message["proof"]

    async def send(self, message: object) -> None:
        await self.line.send(message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode())

    async def until(self, find: Callable[[], T | None]) -> T:
        """Wait until there is something to return: neither nothing nor empty."""
        async with asyncio.timeout(PATIENCE), self._news:
            while True:
                value = find()
                if value:
                    return value
                if self.closed is not None:
                    raise ConnectionError(self.closed)
                await self._news.wait()

    async def ended(self) -> tuple[int, str]:
        """Wait until the server closes the connection; its code and reason."""
        async with asyncio.timeout(PATIENCE), self._news:
            while self.closed is None:
                await self._news.wait()
        return self.closed

    def last(self, kind: str) -> dict[str, Any] | None:
        return next((message for message in reversed(self.said) if message["t"] == kind), None)

    async def received(self, kind: str) -> dict[str, Any]:
        return await self.until(lambda: self.last(kind))

    async def watch(self, table: str, since: int | None = None, **more: object) -> dict[str, Any]:
        """Follow a table and return the update that comes at once."""
        count = len(self.said)
        await self.send({"t": "watch", "table": table, "since": since, **more})
        return await self.until(
            lambda: next((m for m in self.said[count:] if m["t"] == "update" and m["table"] == table), None)
        )

    async def do(self, table: str, action: dict[str, Any], cmd_id: str = "") -> dict[str, Any]:
        """Ask something of a table and return the answer (ack or refused)."""
        cmd_id = cmd_id or f"c{next(self._numbers)}"
        count = len(self.said)
        await self.send({"t": "do", "cmd_id": cmd_id, "table": table, "seen": 0, "action": action})
        return await self.until(lambda: next((m for m in self.said[count:] if m.get("cmd_id") == cmd_id), None))

    async def open_table(self, rules: object = "pineapple", **more: object) -> str:
        body = {"name": "Test table", "rules": rules, "pause": 0, "start": "full", **more}
        answer = await self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]
        return table


class _Hasty:
    """`asyncio` as uvicorn sees it while it stops: the connections are left less than its tenth of a second."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 50)


def stopping_at_once(web: uvicorn.Server) -> Callable[[], None]:
    """Return what stops a server; of itself it looks ten times a second whether it is to stop."""
    stop_requested = asyncio.Event()

    async def main_loop() -> None:
        for tick in itertools.count():
            if await web.on_tick(tick):
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS):
                    await stop_requested.wait()

    def stop() -> None:
        web.should_exit = True
        stop_requested.set()

    web.main_loop = main_loop  # type: ignore[method-assign]
    return stop


@contextlib.asynccontextmanager
async def run_server(
    store: EventStore | None = None,
    settings: ServerSettings = QUICK,
    *,
    bot_engine: BotEngine | None = None,
    now: Callable[[], int] = now_ms,
    shuffle: Callable[[int], tuple[Card, ...]] = shuffled_deck,
) -> AsyncIterator[RunningServer]:
    """Run a server in this process until the block is left."""
    event_store = store or MemoryStore()
    more = {
        "bot_engine": bot_engine or InProcessEngine(),
        "workers": InProcessWorkers(),
        "search_workers": InProcessWorkers(search_jobs()),
    }
    with bootstrapped(event_store, settings, now=now, shuffle=shuffle, **more) as server:
        ready = asyncio.Event()
        bound = bind_socket("127.0.0.1", 0)
        port = bound.getsockname()[1]
        web = build_uvicorn(server, ready.set)
        stop = stopping_at_once(web)
        running = asyncio.create_task(web.serve([bound]))
        try:
            async with asyncio.timeout(PATIENCE):
                await ready.wait()
            yield RunningServer(f"http://127.0.0.1:{port}", event_store, stop)
        finally:
            stop()
            with patch("uvicorn.server.asyncio", _Hasty()):
                await running


Policy = Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]


def simple(_deal: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
    """Answer a task without looking at the cards: the back first, then the middle, then the front."""
    cards = list(task["cards"])[: task["place"]]
    layout: dict[str, Sequence[str]] = {}
    for row in ("back", "middle", "front"):
        free = task["open"][row]
        layout[row], cards = cards[:free], cards[free:]
    return {"do": "place", "hand": task["hand"], "layout": layout}


def thoughtful(rules: Ruleset) -> Policy:
    """Return a way to answer tasks that makes legal boards and reaches fantasyland now and then."""
    bot = level_named("steady").factory(7)
    # That of the preset is packaged; that of changed rules takes seconds to measure, and no more is won by it here.
    typical = None if is_closed(rules) else typical_boards(resolve(rules.name))

    def answer(deal: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
        deal_view, deal_task = msgspec.convert(deal, DealView), msgspec.convert(task, Task)
        with patch("triptych.bots.untrained.steady.typical_boards", lambda _: typical):
            action: dict[str, Any] = msgspec.to_builtins(bot.choose(rules, deal_view, deal_task, THOUGHT_MS))
        return action

    return answer


async def play(person: Person, table: str, deals: int, policy: Policy = simple) -> None:
    """Play a person's seat until so many deals are over."""
    while True:
        view = person.views[table]
        sheet, deal, version = view["sheet"], view["deal"], view["v"]
        if sheet and sheet["deal"] >= deals:
            return
        if deal and deal["tasks"]:
            answer = await person.do(table, policy(deal, deal["tasks"][0]))
            assert answer["t"] == "ack", answer
            version = answer["v"] - 1
        await person.until(newer(person, table, version))


async def play_until_closed(person: Person, table: str, policy: Policy = simple) -> None:
    """Play a person's seat at a table that closes: a deal that has begun is played first."""
    while (view := person.views[table])["phase"] != "closed":
        if view["deal"] and view["deal"]["tasks"]:
            assert (await person.do(table, policy(view["deal"], view["deal"]["tasks"][0])))["t"] == "ack"
        await person.until(newer(person, table, view["v"]))


async def seat_two(ann: Person, bob: Person, rules: object) -> str:
    """Let two people sit down at a new table, and see their first deal."""
    table = await ann.open_table(rules)
    for seat, person in enumerate((ann, bob)):
        await person.watch(table)
        await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
    for person in (ann, bob):
        await person.until(lambda p=person: bool(p.views[table]["deal"]))  # type: ignore[misc]
    return table


def newer(person: Person, table: str, version: int) -> Callable[[], bool]:
    """Return a question: does the person see the table at a later version?"""
    return lambda: bool(person.views[table]["v"] > version)


async def until_alike(first: Person, other: Person, table: str) -> None:
    """Wait until both see the same version of a table, of which either may hear first."""
    while (difference := first.views[table]["v"] - other.views[table]["v"]) != 0:
        behind = first if difference < 0 else other
        await behind.until(newer(behind, table, behind.views[table]["v"]))
