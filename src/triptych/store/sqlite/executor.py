"""A thread of its own in which one piece of work is done after the other, and the loop hears of each.

What an executor does besides, a future of its own for each piece and another one for the loop, costs as much as a
small transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

from triptych.store.errors import StoreClosedError

_Answer = TypeVar("_Answer")


class _Piece(NamedTuple, Generic[_Answer]):
    work: Callable[[], _Answer]
    done: asyncio.Future[_Answer]
    loop: asyncio.AbstractEventLoop


class SingleThreadExecutor:
    """Begins with the first piece of work, and ends when it is closed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pieces: SimpleQueue[_Piece[Any] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._closed = False

    async def run(self, work: Callable[[], _Answer]) -> _Answer:
        """Do a piece of work behind those that wait; whoever gives up before its turn has not asked for it.

        Raises StoreClosedError when it is closed.
        """
        if self._closed:
            raise StoreClosedError
        if self._thread is None:
            self._thread = Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_Answer] = loop.create_future()
        self._pieces.put(_Piece(work, done, loop))
        return await done

    async def close(self) -> None:
        """End when all that waits is done."""
        self._closed = True
        thread, self._thread = self._thread, None
        if thread is not None:
            self._pieces.put(None)
            await asyncio.to_thread(thread.join)

    def _run(self) -> None:
        while (piece := self._pieces.get()) is not None:
            if not piece.done.cancelled():
                _do(piece)


def _do(piece: _Piece[Any]) -> None:
    answer, error = None, None
    try:
        answer = piece.work()
    except BaseException as raised:  # noqa: BLE001 - whoever asked is told
        error = raised
    with suppress(RuntimeError):  # nobody listens any more: the loop is closed
        piece.loop.call_soon_threadsafe(_resolve, piece.done, answer, error)


def _resolve(done: asyncio.Future[Any], answer: object, error: BaseException | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(answer)
    else:
        done.set_exception(error)
