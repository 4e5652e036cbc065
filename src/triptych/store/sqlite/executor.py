"""A single thread that runs one job after another for the event loop.

It is cheaper than an executor of the standard library, whose two futures per job cost as much as a small transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

from triptych.store.errors import StoreClosedError

_Result = TypeVar("_Result")


class _Job(NamedTuple, Generic[_Result]):
    work: Callable[[], _Result]
    future: asyncio.Future[_Result]
    loop: asyncio.AbstractEventLoop


class SingleThreadExecutor:
    """A thread that starts with the first job and ends when it is closed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._closed = False

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Run a job after those that wait, and return its result; a job that is cancelled before is not run.

        Raises StoreClosedError when it is closed.
        """
        if self._closed:
            raise StoreClosedError
        if self._thread is None:
            self._thread = Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_Result] = loop.create_future()
        self._jobs.put(_Job(work, future, loop))
        return await future

    async def close(self) -> None:
        """Stop after the waiting jobs."""
        self._closed = True
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(thread.join)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if not job.future.cancelled():
                _run_job(job)


def _run_job(job: _Job[Any]) -> None:
    result, error = None, None
    try:
        result = job.work()
    except BaseException as raised:  # noqa: BLE001 - the caller gets it
        error = raised
    with suppress(RuntimeError):  # the loop is closed
        job.loop.call_soon_threadsafe(_resolve, job.future, result, error)


def _resolve(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
