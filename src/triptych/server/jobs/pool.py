"""Worker processes: for clients' requests, searches, bots and strategies.

Each process gets one job at a time. A process that takes too long, allocates too much memory or dies is replaced, and
its job gets an error.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import msgspec
import structlog

from triptych.async_tasks import cancel_tasks
from triptych.bots.subprocess import PipedProcess, spawn
from triptych.errors import error_location
from triptych.i18n.messages import Message
from triptych.server.jobs.protocol import FRAME_HEADER_BYTES, JobRequest, JobResult, encode_frame
from triptych.server.wire.errors import COMMAND_FAILED, ApiError
from triptych.server.wire.localization import REQUEST_LANGUAGE
from triptych.server.wire.messages import WireError

log = structlog.get_logger()


def worker_command(kind: str) -> tuple[str, ...]:
    """Return the command of a process for a kind of jobs (worker.py)."""
    return (sys.executable, "-m", "triptych.server.jobs.worker", kind)


COMMAND: Final = worker_command("requests")
PROCESSES: Final = 2
SEARCH_SECONDS: Final = 60.0
SECONDS: Final = 20.0  # of wall time: on a busy machine the processes run last
START_SECONDS: Final = 30.0
MAX_PER_GUEST: Final = 4
MAX_PER_ADDRESS: Final = 16
MAX_QUEUED: Final = 64
_RESULT: Final = msgspec.msgpack.Decoder(JobResult)
_SHUTTING_DOWN: Final = JobResult(error=WireError("server.busy", Message("error.server.shutting_down")), status=429)
_TOO_COSTLY: Final = JobResult(error=WireError("request.too_costly", Message("error.request.too_costly")), status=400)


class Requester(NamedTuple):
    """The sender of a request: the guest's id (empty without the cookie) and address."""

    guest: str
    address: str


class JobRunner(Protocol):
    """Runs the jobs of clients' requests."""

    async def run(self, job: str, body: bytes, requester: Requester) -> bytes:
        """Return the result's body. Raises ApiError."""

    def verify_capacity(self, requester: Requester) -> None:
        """Raise ApiError when the requester has too many jobs under way; called before a large body is prepared."""

    async def close(self) -> None:
        """Stop the jobs."""


class WorkerError(Exception):
    """A process gave no result."""


class WorkerStartError(Exception):
    """A process could not be started."""


class WorkerProcess:
    """One process, started when first needed and again after it ended. It runs one job at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._process: PipedProcess | None = None

    @property
    def is_running(self) -> bool:
        """Return whether the process runs, so that a job need not wait for its start."""
        return self._process is not None and self._process.process.returncode is None

    async def run(self, request: JobRequest, seconds: float | None) -> JobResult:
        """Return the result of a job within so many seconds (None: without a limit).

        Raises WorkerStartError, WorkerError or TimeoutError, after which the process has ended.
        """
        try:
            try:
                process = await self._start()
            except (WorkerError, TimeoutError, OSError) as error:
                raise WorkerStartError from error
            async with asyncio.timeout(seconds):
                process.stdin.write(encode_frame(request))
                with suppress(ConnectionError):  # the result may have been written; otherwise reading it fails
                    await process.stdin.drain()
                return await _read_result(process)
        except BaseException:
            await self.close()
            raise

    async def _start(self) -> PipedProcess:
        if self._process is not None and self.is_running:
            return self._process
        await self.close()
        # Its error output could contain cards, so it is dropped.
        self._process = process = await spawn(self._command, asyncio.subprocess.DEVNULL)
        # Its first result says that it is ready: the start does not count against a job's time.
        async with asyncio.timeout(START_SECONDS):
            await _read_result(process)
        return process

    async def close(self) -> None:
        """End the process; has to be called again after a cancellation."""
        if self._process is not None:
            await self._process.end()
            self._process = None


async def _read_result(process: PipedProcess) -> JobResult:
    try:
        length = int.from_bytes(await process.stdout.readexactly(FRAME_HEADER_BYTES), "big")
        return _RESULT.decode(await process.stdout.readexactly(length))
    except (EOFError, msgspec.DecodeError) as error:
        raise WorkerError from error


class _QueuedJob(NamedTuple):
    """A job and the future of its result; `address`: empty for the server's own."""

    request: JobRequest
    seconds: float | None
    address: str
    result: asyncio.Future[JobResult]

    def resolve(self, result: JobResult) -> None:
        if not self.result.done():
            self.result.set_result(result)


class WorkerPool:
    """Several processes and a queue of jobs.

    One address never has all the processes, so that a request from elsewhere is served at once. `seconds`: how long a
    request may take. With `single_use` a process ends after each job, which frees its memory.
    """

    def __init__(
        self,
        processes: int = PROCESSES,
        seconds: float = SECONDS,
        command: Sequence[str] = COMMAND,
        *,
        single_use: bool = False,
    ) -> None:
        self._processes = tuple(WorkerProcess(command) for _ in range(processes))
        # The most recently used one gets the next job, so that a quiet server starts only one.
        self._idle = list(self._processes)
        self._seconds = seconds
        self._single_use = single_use
        self._max_per_address = max(1, processes - 1)
        self._queue: list[_QueuedJob] = []
        self._working: dict[asyncio.Task[None], _QueuedJob] = {}
        self._running: Counter[str] = Counter()  # by address
        self._guests: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._is_closed = False

    async def run(self, job: str, body: bytes, requester: Requester) -> bytes:
        """Return the result of a request. Raises ApiError: the worker's own, busy, or too costly."""
        self.verify_capacity(requester)
        self._count(requester, 1)
        try:
            request = JobRequest(job, body, REQUEST_LANGUAGE.get())
            result = await self.work(request, self._seconds, requester.address)
        finally:
            self._count(requester, -1)
        if result.error is not None:
            raise ApiError(result.error.code, result.error.message, result.error.path, result.status)
        return result.body

    async def work(self, request: JobRequest, seconds: float | None, address: str = "") -> JobResult:
        """Return the result of a job; without an address it is the server's own, which has no limits."""
        if self._is_closed:
            return _SHUTTING_DOWN
        job = _QueuedJob(request, seconds, address, asyncio.get_running_loop().create_future())
        self._queue.append(job)
        self._dispatch()
        try:
            result = await job.result
        finally:
            with suppress(ValueError):  # it is in the queue only when the caller was cancelled
                self._queue.remove(job)
        if result.fault:
            log.error("request failed", job=request.job, error=result.fault)
        return result

    def verify_capacity(self, requester: Requester) -> None:
        """Raise ApiError `server.busy` when the guest, the address or the pool has too many jobs under way."""
        if (
            self._guests[requester.guest] >= MAX_PER_GUEST
            or self._addresses[requester.address] >= MAX_PER_ADDRESS
            or len(self._queue) >= MAX_QUEUED
        ):
            raise ApiError("server.busy", Message("error.server.busy"), status=429)

    def _count(self, requester: Requester, change: int) -> None:
        _add(self._addresses, requester.address, change)
        if requester.guest:
            _add(self._guests, requester.guest, change)

    def _dispatch(self) -> None:
        """Give waiting jobs to idle processes: the first ones whose address has not too many running."""
        for job in list(self._queue):
            if not self._idle:
                return
            if not job.address or self._running[job.address] < self._max_per_address:
                self._queue.remove(job)
                _add(self._running, job.address, 1)
                task = asyncio.create_task(self._work(self._idle.pop(), job), name="worker")
                self._working[task] = job
                task.add_done_callback(self._working.pop)

    async def _work(self, process: WorkerProcess, job: _QueuedJob) -> None:
        try:
            job.resolve(await _run(process, job))
            if self._single_use:
                await process.close()
        finally:
            _add(self._running, job.address, -1)
            self._idle.insert(len(self._idle) if process.is_running else 0, process)
        self._dispatch()

    async def close(self) -> None:
        """End the processes; waiting jobs get an error."""
        self._is_closed = True
        jobs = [*self._working.values(), *self._queue]
        await cancel_tasks(*self._working)
        for job in jobs:
            job.resolve(_SHUTTING_DOWN)
        await asyncio.gather(*(process.close() for process in self._processes))


def _add(counts: Counter[str], key: str, change: int) -> None:
    counts[key] += change
    if not counts[key]:
        del counts[key]


async def _run(process: WorkerProcess, job: _QueuedJob) -> JobResult:
    try:
        return await process.run(job.request, job.seconds)
    except TimeoutError:
        log.warning("a request took too long", job=job.request.job)
    except WorkerError:
        log.warning("a request ended its process", job=job.request.job)
    except Exception as error:  # noqa: BLE001 - one job must not end the pool
        return JobResult(error=COMMAND_FAILED, status=500, fault=error_location(error.__cause__ or error))
    return _TOO_COSTLY
