"""Processes that work out what strangers send, so that no table waits for it and no memory is lost to it.

Each process is given one thing at a time. One that takes too long, asks for too much memory or dies is replaced, and
whoever asked is told so.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import msgspec
import structlog
from msgspec import Struct

from triptych.i18n.translator import Language
from triptych.server.log import error_location
from triptych.server.wire.errors import COMMAND_FAILED, ApiError
from triptych.server.wire.localization import REQUEST_LANGUAGE
from triptych.server.wire.messages import WireError

log = structlog.get_logger()

COMMAND: Final = (sys.executable, "-m", "triptych.server.routes.job_worker")
SEARCH_COMMAND: Final = (sys.executable, "-m", "triptych.server.routes.search_worker")
PROCESSES: Final = 2
CPU_SECONDS: Final = 5  # of a processor, for one thing; what people ask for takes some hundredths
SEARCH_SECONDS: Final = 60.0
SECONDS: Final = 20.0  # by the clock: the processes come last on a busy machine
START_SECONDS: Final = 30.0
MAX_MEGABYTES: Final = 96  # more than a fresh process has
MAX_PER_GUEST: Final = 4
MAX_PER_ADDRESS: Final = 16
MAX_QUEUED: Final = 64
FRAME_HEADER_BYTES: Final = 4  # bytes that say how long a frame is

_WRITE: Final = msgspec.msgpack.Encoder()


class JobRequest(Struct, frozen=True, array_like=True):
    """What a process is asked: the job's name, what was sent for it, and the language of the answer's words."""

    job: str
    body: bytes
    language: Language = "en"


class JobResult(Struct, frozen=True, array_like=True):
    """What a process answers: a body, or an error with its HTTP status; `fault` is for the log."""

    body: bytes = b""
    error: WireError | None = None
    status: int = 200
    fault: str = ""


_DONE: Final = msgspec.msgpack.Decoder(JobResult)
_SHUTTING_DOWN: Final = JobResult(error=WireError("server.busy", "the server is going away"), status=429)


class Requester(NamedTuple):
    """Who asks: a guest's id (empty without the cookie), and the address that the request came from."""

    guest: str
    address: str


class JobRunner(Protocol):
    """What works out strangers' requests."""

    async def run(self, job: str, body: bytes, asker: Requester) -> bytes:
        """Return the answer's body. Raises Refusal."""

    def verify_capacity(self, asker: Requester) -> None:
        """Raise Refusal when whoever asks has enough under way: to be asked before a large body is made ready."""

    async def close(self) -> None:
        """Stop working."""


class WorkerError(Exception):
    """A process gave no answer."""


class WorkerStartError(Exception):
    """A process could not be started."""


def encode_frame(message: JobRequest | JobResult) -> bytes:
    """Return a message as it goes through a pipe."""
    encoded = _WRITE.encode(message)
    return len(encoded).to_bytes(FRAME_HEADER_BYTES, "big") + encoded


class WorkerProcess:
    """One process, started when first needed and again after it was ended. Asked one thing at a time.

    `seconds`: how long it may take for an answer.
    """

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self._command = tuple(command)
        self._seconds = seconds
        self._process: asyncio.subprocess.Process | None = None

    async def run(self, order: JobRequest) -> JobResult:
        """Return the answer. Raises WorkerStartError, WorkerError or TimeoutError; the process is gone then."""
        try:
            try:
                process = await self._running()
            except (WorkerError, TimeoutError, OSError) as error:
                raise WorkerStartError from error
            async with asyncio.timeout(self._seconds):
                return await self._ask(process, encode_frame(order))
        except BaseException:
            await self.close()
            raise

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        await self.close()
        # What it says on its error output could name cards, so that goes nowhere.
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=os.name == "posix",  # Ctrl-C in the terminal is for the server
        )
        # It says when it is ready: its start is charged to nobody's request.
        async with asyncio.timeout(START_SECONDS):
            await self._heard(process)
        return process

    async def _ask(self, process: asyncio.subprocess.Process, sent: bytes) -> JobResult:
        assert process.stdin is not None  # noqa: S101 - started with pipes; this is for the type checker
        process.stdin.write(sent)
        with suppress(ConnectionError):  # it may have answered all the same; else the pipe's end says it
            await process.stdin.drain()
        return await self._heard(process)

    async def _heard(self, process: asyncio.subprocess.Process) -> JobResult:
        assert process.stdout is not None  # noqa: S101 - as above
        try:
            length = int.from_bytes(await process.stdout.readexactly(FRAME_HEADER_BYTES), "big")
            return _DONE.decode(await process.stdout.readexactly(length))
        except (EOFError, msgspec.DecodeError) as error:
            raise WorkerError from error

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()


class _Waiting(NamedTuple):
    order: JobRequest
    asker: Requester
    done: asyncio.Future[JobResult]


class WorkerPool:
    """Several processes and those who wait for them.

    One address never has all the processes, so whoever comes from elsewhere is served at once.
    """

    def __init__(
        self, processes: int = PROCESSES, seconds: float = SECONDS, command: Sequence[str] = COMMAND
    ) -> None:
        self._processes = tuple(WorkerProcess(command, seconds) for _ in range(processes))
        self._most_running = max(1, processes - 1)
        self._tasks: list[asyncio.Task[None]] = []
        self._waiting: list[_Waiting] = []
        self._news = asyncio.Condition()
        self._running: Counter[str] = Counter()  # by address
        self._guests: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    async def run(self, job: str, body: bytes, asker: Requester) -> bytes:
        """Return the answer's body. Raises Refusal: the worker's own, busy, or too costly."""
        self.verify_capacity(asker)
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._serve(each), name="worker") for each in self._processes]
        self._count(asker, 1)
        done: asyncio.Future[JobResult] = asyncio.get_running_loop().create_future()
        mine = _Waiting(JobRequest(job, body, REQUEST_LANGUAGE.get()), asker, done)
        try:
            async with self._news:
                self._waiting.append(mine)
                self._news.notify_all()
            answer = await done
        finally:
            self._count(asker, -1)
            with suppress(ValueError):  # it was taken up, unless whoever asked went away
                self._waiting.remove(mine)
        if answer.fault:
            log.error("request failed", job=job, error=answer.fault)
        if answer.error is not None:
            raise ApiError(answer.error.code, answer.error.message, answer.error.path, answer.status)
        return answer.body

    def verify_capacity(self, asker: Requester) -> None:
        """Raise Refusal `server.busy` when the guest, the address or everybody has enough under way."""
        if (
            self._guests[asker.guest] >= MAX_PER_GUEST
            or self._addresses[asker.address] >= MAX_PER_ADDRESS
            or len(self._waiting) >= MAX_QUEUED
        ):
            raise ApiError(
                "server.busy", "the server is busy with what it was asked before; wait a moment", status=429
            )

    def _count(self, asker: Requester, change: int) -> None:
        _add(self._addresses, asker.address, change)
        if asker.guest:
            _add(self._guests, asker.guest, change)

    async def _serve(self, process: WorkerProcess) -> None:
        try:
            while True:
                one = await self._next()
                answer = _SHUTTING_DOWN
                try:
                    answer = await _answered(process, one.order)
                finally:
                    _tell(one, answer)
                async with self._news:
                    _add(self._running, one.asker.address, -1)
                    self._news.notify_all()
        finally:
            await process.close()

    async def _next(self) -> _Waiting:
        """Wait for the first whose address has not enough running, and count it as running."""
        async with self._news:
            while True:
                for one in self._waiting:
                    if self._running[one.asker.address] < self._most_running:
                        self._waiting.remove(one)
                        _add(self._running, one.asker.address, 1)
                        return one
                await self._news.wait()

    async def close(self) -> None:
        """End the processes; who still waits is told that the server goes away."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for one in self._waiting:
            _tell(one, _SHUTTING_DOWN)


def _tell(one: _Waiting, answer: JobResult) -> None:
    if not one.done.done():
        one.done.set_result(answer)


def _add(counts: Counter[str], key: str, change: int) -> None:
    counts[key] += change
    if not counts[key]:
        del counts[key]


async def _answered(process: WorkerProcess, order: JobRequest) -> JobResult:
    try:
        return await process.run(order)
    except TimeoutError:
        log.warning("a request took too long", job=order.job)
    except WorkerError:
        log.warning("a request ended its process", job=order.job)
    except Exception as error:  # noqa: BLE001 - one order must not end the pool
        return JobResult(error=COMMAND_FAILED, status=500, fault=error_location(error.__cause__ or error))
    return JobResult(
        error=WireError("request.too_costly", "this takes more time or memory than a request may take"), status=400
    )
