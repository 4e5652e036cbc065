"""An event loop in which one seed says everything: time is virtual, and whoever is ready may be the next one.

A process of the simulation is a mark in the context of its tasks, timers and callbacks. When it crashes, none of
them ever runs again, at whichever `await` they were: nothing is cancelled, no `finally` is reached.
"""

from __future__ import annotations

import asyncio
import heapq
import warnings
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from random import Random

_T = TypeVar("_T")


class Process:
    """Something that can crash, or be stopped for a while: whatever was begun in its context."""

    def __init__(self) -> None:
        self.alive = True
        self.held: list[asyncio.Handle] | None = None  # what waits while the process is stopped
        self.context = copy_context()
        self.context.run(PROCESS.set, self)


PROCESS: Final[ContextVar[Process | None]] = ContextVar("process", default=None)


class SeededLoop(asyncio.BaseEventLoop):
    """Runs one ready callback at a time, chosen by `rng`; when none is ready, time goes on to the next timer."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng
        self._now = 0.0
        self._begun: list[asyncio.Task[Any]] = []
        self.steps = 0
        self.crash_at: dict[int, Callable[[], None]] = {}  # what happens before a step
        self.errors: list[dict[str, Any]] = []
        self.set_exception_handler(lambda _loop, context: self.errors.append(context))
        self.set_task_factory(self._task)  # type: ignore[arg-type] # as narrow as it is called

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def stand_still(self, seconds: float) -> None:
        """Let time pass in which nothing runs, as when the computer sleeps."""
        self._now += seconds

    def _task(
        self, loop: asyncio.AbstractEventLoop, coro: Coroutine[Any, Any, _T], context: Context | None = None
    ) -> asyncio.Task[_T]:
        task = asyncio.Task(coro, loop=loop, context=context)
        self._begun.append(task)
        return task

    def run_in_executor(self, _executor: object, func: Callable[..., _T], *args: Any) -> asyncio.Future[_T]:  # type: ignore[override]
        """Do the work at some later step: there are no threads."""
        future: asyncio.Future[_T] = self.create_future()

        def work() -> None:
            try:
                future.set_result(func(*args))
            except Exception as error:  # noqa: BLE001 - whoever waits gets it
                future.set_exception(error)

        self.call_soon(work)
        return future

    def _run_once(self) -> None:
        ready: Any = self._ready  # type: ignore[attr-defined]
        self._due(ready)
        if not ready:
            return
        if len(ready) > 1:
            other = int(self._rng.random() * len(ready))
            ready[0], ready[other] = ready[other], ready[0]
        handle = ready.popleft()
        process = handle._context.get(PROCESS)
        if handle._cancelled or (process is not None and not process.alive):
            return
        if process is not None and process.held is not None:
            process.held.append(handle)
            return
        self.steps += 1
        if self.steps in self.crash_at:
            self.crash_at.pop(self.steps)()
            if process is not None and not process.alive:
                return
        handle._run()

    def go_on(self, process: Process) -> None:
        """Let a process run again that was stopped."""
        held, process.held = process.held or [], None
        self._ready.extend(held)  # type: ignore[attr-defined]

    def _due(self, ready: Any) -> None:
        """Make ready what is due; when nothing is, go on to what is due next."""
        scheduled: Any = self._scheduled  # type: ignore[attr-defined]
        if not ready and scheduled:
            self._now = max(self._now, scheduled[0]._when)
        while scheduled and scheduled[0]._when <= self._now:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False
            if not handle._cancelled:
                ready.append(handle)
        if not ready and not scheduled and not self._stopping:  # type: ignore[attr-defined]
            message = "nobody will ever do anything any more"
            raise RuntimeError(message)

    def bury(self) -> None:
        """Give back what those who crashed had begun, and close."""
        for task in self._begun:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                # One that would wait once more says so; nothing of it runs again.
                with suppress(RuntimeError, asyncio.CancelledError):
                    task.get_coro().close()
        with warnings.catch_warnings():
            # What somebody who crashed was given to begin, and had not.
            warnings.filterwarnings("ignore", message="coroutine .* was never awaited")
            self._begun.clear()
        self._ready.clear()  # type: ignore[attr-defined]
        self._scheduled.clear()  # type: ignore[attr-defined]
        self.close()
