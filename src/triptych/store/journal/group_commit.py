"""Group commit: the appends of all tables that wait at the same moment share one transaction.

The next batch is collected while one is written, and on a busy server for MIN_INTERVAL_SECONDS: a transaction and the
two thread switches around it are expensive. An idle server writes at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic

from triptych.async_tasks import cancel_tasks
from triptych.store.errors import StoreClosedError
from triptych.store.journal.batch import Outcome, validate_append
from triptych.store.types import Append

MAX_BATCH = 256
# The minimum time between the beginnings of two transactions.
MIN_INTERVAL_SECONDS = 0.005


class Commits:
    """Figures for the operator: the number of failed commits, and for how long nothing has been stored."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since: float | None = None  # when the first commit began that has not succeeded since
        self.failures = 0

    def begun(self) -> None:
        """Called when a commit begins."""
        if self._since is None:
            self._since = self._clock()

    def done(self) -> None:
        """Called when it has succeeded."""
        self._since = None

    def failed(self) -> None:
        """Called when it has failed."""
        self.failures += 1

    def waiting_seconds(self) -> float:
        """Return for how long commits have been waiting without success, or 0."""
        return 0.0 if self._since is None else self._clock() - self._since


class GroupCommit:
    """Passes batches of appends to `commit` and returns to each caller its own outcome."""

    def __init__(self, commit: Callable[[Sequence[Append]], Awaitable[Sequence[Outcome]]]) -> None:
        self._commit = commit
        self._waiting: asyncio.Queue[tuple[Append, asyncio.Future[int]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.commits = Commits()

    def start(self) -> None:
        """Start the task that writes."""
        self._task = asyncio.create_task(self._run(), name="group-commit")

    async def close(self) -> None:
        """Write the waiting appends, then stop."""
        task, self._task = self._task, None
        if task is not None:
            await self._waiting.join()
            await cancel_tasks(task)

    async def append(self, append: Append) -> int:
        """Wait until the append is durable and return the table's version. Raises the error of its outcome.

        Nothing is written for a caller that is cancelled before its batch begins: by then a server that was fenced
        may own the table again, and an event decided before would come before its downtime is compensated.
        """
        if self._task is None:
            raise StoreClosedError
        validate_append(append)
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((append, future))
        return await future

    async def _run(self) -> None:
        now = asyncio.get_running_loop().time
        earliest = now()
        while True:
            batch = [await self._waiting.get()]
            if now() < earliest:
                await asyncio.sleep(earliest - now())
            earliest = now() + MIN_INTERVAL_SECONDS
            while len(batch) < MAX_BATCH and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            await self._write(batch)
            for _ in batch:
                self._waiting.task_done()

    async def _write(self, waiting: list[tuple[Append, asyncio.Future[int]]]) -> None:
        batch = [(append, future) for append, future in waiting if not future.cancelled()]
        if not batch:
            return
        self.commits.begun()
        try:
            outcomes = await self._commit([append for append, _ in batch])
        except Exception as error:  # noqa: BLE001 - each caller gets it; the writer itself must go on
            self.commits.failed()
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        self.commits.done()
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if future.done():
                continue
            if isinstance(outcome, int):
                future.set_result(outcome)
            else:
                future.set_exception(outcome)
