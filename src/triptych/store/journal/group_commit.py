"""Group commit: the appends of all tables that wait at the same moment share one transaction.

While one batch is being written the next one gathers, and in a busy server it gathers for a moment longer: a
transaction, with the ways to its thread and back, costs as much as a third of an action. An idle server writes at
once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from triptych.store.errors import StoreClosedError
from triptych.store.journal.batch import Outcome, validate_append
from triptych.store.journal.commits import Commits
from triptych.store.types import Append

MAX_BATCH = 256
# From the beginning of one transaction to that of the next one, at least.
MIN_INTERVAL_SECONDS = 0.005


class GroupCommit:
    """Hands batches of appends to `commit` and gives each caller its own outcome."""

    def __init__(self, commit: Callable[[Sequence[Append]], Awaitable[Sequence[Outcome]]]) -> None:
        self._commit = commit
        self._waiting: asyncio.Queue[tuple[Append, asyncio.Future[int]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.commits = Commits()

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="group-commit")

    async def close(self) -> None:
        """Write what waits, then stop."""
        task, self._task = self._task, None
        if task is not None:
            await self._waiting.join()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def append(self, append: Append) -> int:
        """Wait until the append is durable and return the table's version. Raises what its outcome says.

        Of a caller who is cancelled before its batch is begun nothing is written: by then a server that was found
        dead may own the table anew, and what it decided before would come before the lost time is made up.
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

    async def _write(self, gathered: list[tuple[Append, asyncio.Future[int]]]) -> None:
        batch = [one for one in gathered if not one[1].cancelled()]
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
