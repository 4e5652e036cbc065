"""A real server under attack: two people play on while a stranger sends what a stranger may send."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.browser.servers import serve
from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, Person, RunningServer, newer, simple

AT_ONCE = 8
LONGEST_WAIT = 0.6  # seconds that somebody else's action may take: issue 10, part 3, Shown by 5
TRIES = 3
SMALLEST = 40 * 1024  # KB that a server has at least
MOST_MEMORY = 300  # MB more than before: as above
RULES = {"preset": "pineapple", "seats.buy_in_max": 100_000, "settlement.cap": "none"}
Attack = Callable[[httpx.AsyncClient], Awaitable[int]]


@dataclass
class ServerUnderAttack:
    """A server in a process of its own with two people at a table, and what they felt."""

    running: RunningServer
    process: int
    table: str
    waits: list[float] = field(default_factory=list)
    most: int = 0

    async def play(self, person: Person, table: str) -> None:
        """Answer every task at once, and note how long each took."""
        while True:
            view = person.views[table]
            deal, version = view["deal"], view["v"]
            if deal and deal["tasks"]:
                began = time.perf_counter()
                answer = await person.do(table, simple(deal, deal["tasks"][0]))
                self.waits.append(time.perf_counter() - began)
                assert answer["t"] == "ack", answer
                version = answer["v"] - 1
                await asyncio.sleep(0.01)
            await person.until(newer(person, table, version))

    async def played(self, moves: int) -> None:
        """Wait until so many more moves are made."""
        until = len(self.waits) + moves
        async with asyncio.timeout(PATIENCE):
            while len(self.waits) < until:  # noqa: ASYNC110 - the players fill a plain list
                await asyncio.sleep(0.01)

    async def watch_memory(self) -> None:
        while True:
            self.most = max(self.most, memory(self.process))
            await asyncio.sleep(0.02)

    async def strike(self, attack: Attack, at_once: int = AT_ONCE) -> list[int]:
        """Let so many strangers attack at once while the others play; return the statuses of their answers.

        Fails when a player waited too long or the server took too much memory. A busy machine may make one wait by
        itself, an attack that stops the server stops it every time: the best of some tries counts.
        """
        for tries in range(TRIES, 0, -1):
            statuses, longest, more = await self._strike(attack, at_once)
            if longest <= LONGEST_WAIT or tries == 1:
                break
        assert longest <= LONGEST_WAIT
        assert more <= MOST_MEMORY
        return statuses

    async def _strike(self, attack: Attack, at_once: int) -> tuple[list[int], float, float]:
        async with contextlib.AsyncExitStack() as stack:
            strangers = [await stack.enter_async_context(self.running.guest()) for _ in range(at_once)]
            await self.played(2)  # what was under way before is done
            before = self.most = memory(self.process)
            assert before > SMALLEST  # it is the server that is measured
            measuring = asyncio.create_task(self.watch_memory())
            played = len(self.waits)
            began = time.perf_counter()
            try:
                statuses = await asyncio.gather(*(attack(stranger) for stranger in strangers))
                # Nothing that was begun goes on unseen: some more moves are made after the last answer.
                await self.played(5)
            finally:
                measuring.cancel()
            took = time.perf_counter() - began
        longest, more = max(self.waits[played:]), (self.most - before) / 1024
        distinct = sorted(set(statuses))
        felt = f"longest wait {longest * 1000:.0f} ms, {more:.0f} MB more than {before / 1024:.0f}"
        print(f"{took:.1f} s, answers {distinct}, {felt}")  # noqa: T201 - the figures, for a report
        return statuses, longest, more


def memory(process: int) -> int:
    """Return the resident memory of a process and its children in KB."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0
    own = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)
    return own + sum(memory(int(child)) for child in children)


@contextlib.asynccontextmanager
async def server_under_attack(folder: Path, *options: str) -> AsyncIterator[ServerUnderAttack]:
    """Run a server with two people who play without end, until the block is left."""
    with serve(folder, "--pause", "0", *options) as server:
        running = RunningServer(server.url, MemoryStore())
        async with running.person("Ann") as ann, running.person("Bob") as bob:
            table = await ann.open_table(RULES)
            besieged = ServerUnderAttack(running, server.process.pid, table)
            for seat, person in enumerate((ann, bob)):
                await person.watch(table)
                answer = await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100_000})
                assert answer["t"] == "ack", answer
            playing = [asyncio.create_task(besieged.play(person, table)) for person in (ann, bob)]
            try:
                yield besieged
                log = server.log.read_text()
                assert not any(value in log for person in (ann, bob) for value in person.http.cookies.values())
                for task in playing:
                    if task.done():
                        task.result()
            finally:
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
