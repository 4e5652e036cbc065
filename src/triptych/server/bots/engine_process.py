"""The process in which bots think: started when first needed, started again when it dies or hangs.

One JSON line out, one JSON line back (bots/engine.py). The event loop only waits for pipes, never for a thought.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
import structlog
from msgspec import Raw, Struct

from triptych.bots.subprocess import spawn
from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.server.log import error_location

log = structlog.get_logger()

COMMAND: Final = (sys.executable, "-m", "triptych.bots.engine")
REPLY_GRACE_SECONDS: Final = 10.0
ATTEMPTS: Final = 3
MAX_LINE: Final = 1024 * 1024


class BotEngineError(Exception):
    """The process gave no answer that can be used."""


class BotRequest(Struct, frozen=True):
    """What a bot is asked: its level, the rules, and what its seat may see."""

    id: int
    level: str
    rules: Raw
    view: DealView
    task: Task
    budget_ms: int


class Prepare(Struct, frozen=True):
    """Rules about which the bots will soon be asked."""

    prepare: Raw


class BotReply(Struct, frozen=True):
    """What comes back: an action, or nothing that helps."""

    id: int | None = None
    action: Action | None = None


_WRITE: Final = msgspec.json.Encoder()
_READ: Final = msgspec.json.Decoder(BotReply)


class EngineProcess:
    """A worker process and the questions that it has not answered yet.

    `slack`: seconds that it may be late with an answer before it counts as hanging.
    """

    def __init__(self, command: Sequence[str] = COMMAND, slack: float = REPLY_GRACE_SECONDS) -> None:
        self._command = tuple(command)
        self._slack = slack
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[Action]] = {}
        self._life: _RunningProcess | None = None

    async def choose(self, level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        """Return the action of a level for a task. Raises BotEngineError after three processes could not answer."""
        for _ in range(ATTEMPTS):
            number = next(self._numbers)
            line = _WRITE.encode(BotRequest(number, level, rules, view, task, budget_ms)) + b"\n"
            life = self._running()
            try:
                async with asyncio.timeout(budget_ms / 1000 + self._slack):
                    return await self._ask(life, number, line)
            except (BotEngineError, OSError) as error:
                log.warning("bot process failed", level=level, error=error_location(error))
                await self._end(life)
        raise BotEngineError

    async def prepare(self, rules: Raw) -> None:
        """Let the process read now what its bots need under these rules; a failure is that of the first question."""
        with suppress(OSError):
            await self._send(self._running(), _WRITE.encode(Prepare(rules)) + b"\n")

    async def _ask(self, life: _RunningProcess, number: int, line: bytes) -> Action:
        answer: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            await self._send(life, line)
            return await answer
        finally:
            self._asked.pop(number, None)

    async def _send(self, life: _RunningProcess, line: bytes) -> None:
        stdin = await asyncio.shield(life.stdin)
        stdin.write(line)
        await stdin.drain()

    def _running(self) -> _RunningProcess:
        if self._life is None or self._life.task.done():
            stdin: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
            self._life = _RunningProcess(asyncio.create_task(self._live(stdin), name="bot process"), stdin)
        return self._life

    async def _live(self, stdin: asyncio.Future[asyncio.StreamWriter]) -> None:
        """Run one process from its start to its end, and see it off whatever happens."""
        try:
            # Its error output could name hidden cards, so it goes nowhere.
            process, writer, lines = await spawn(self._command, MAX_LINE, asyncio.subprocess.DEVNULL)
        except OSError as error:
            stdin.set_exception(error)
            return
        stdin.set_result(writer)
        try:
            with suppress(ValueError):  # a line longer than any answer: the process is of no use any more
                while line := await lines.readline():
                    self._hear(line)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()
            for answer in self._asked.values():
                if not answer.done():
                    answer.set_exception(BotEngineError())

    def _hear(self, line: bytes) -> None:
        try:
            reply = _READ.decode(line)
        except msgspec.DecodeError:
            return
        answer = self._asked.get(reply.id or 0)
        if answer is None or answer.done():
            return
        if reply.action is None:
            answer.set_exception(BotEngineError())
        else:
            answer.set_result(reply.action)

    async def _end(self, life: _RunningProcess) -> None:
        # Only once, and without passing a cancellation on: it is seeing its process off.
        if not life.task.cancelling():
            life.task.cancel()
        await asyncio.wait([life.task])

    async def close(self) -> None:
        """End the process."""
        if self._life is not None:
            await self._end(self._life)


class EnginePool:
    """Several processes, each asked one question at a time: no bot is charged for another one's thoughts."""

    def __init__(self, processes: Sequence[EngineProcess]) -> None:
        self._processes = tuple(processes)
        # The last one that became free is asked first, so that a quiet house starts only one.
        self._free: asyncio.LifoQueue[EngineProcess] = asyncio.LifoQueue()
        for process in reversed(self._processes):
            self._free.put_nowait(process)

    async def choose(self, level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        """Return the action of a level for a task. Raises BotEngineError."""
        process = await self._free.get()
        try:
            return await process.choose(level, rules, view, task, budget_ms)
        finally:
            self._free.put_nowait(process)

    async def prepare(self, rules: Raw) -> None:
        """Let the process that is asked first on a quiet server read what its bots need under these rules."""
        await self._processes[0].prepare(rules)

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(*(process.close() for process in self._processes))


def default_engine_pool() -> EnginePool:
    """Return a pool that leaves half of the machine to the tables."""
    return EnginePool([EngineProcess() for _ in range(max(1, (os.cpu_count() or 1) // 2))])


class _RunningProcess(NamedTuple):
    """One process: the task that owns it, and where to write to it once it runs."""

    task: asyncio.Task[None]
    stdin: asyncio.Future[asyncio.StreamWriter]
