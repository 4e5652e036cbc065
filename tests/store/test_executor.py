"""The store's own thread: one piece of work after the other, as an executor of one thread does them."""

from __future__ import annotations

import asyncio
from functools import partial
from threading import Event, get_ident

import pytest

from triptych.store.errors import StoreClosedError
from triptych.store.sqlite.executor import SingleThreadExecutor

pytestmark = pytest.mark.anyio


async def test_work_is_done_in_its_order_in_one_other_thread() -> None:
    thread, done, idents = SingleThreadExecutor("mine"), list[int](), set[int]()

    def work(number: int) -> int:
        done.append(number)
        idents.add(get_ident())
        return number * number

    jobs = [thread.run(partial(work, number)) for number in range(20)]
    assert await asyncio.gather(*jobs) == [number * number for number in range(20)]
    assert done == list(range(20))
    assert len(idents) == 1
    assert get_ident() not in idents
    await thread.close()


async def test_an_error_reaches_its_caller_and_the_next_call_is_done() -> None:
    thread = SingleThreadExecutor("mine")
    with pytest.raises(ZeroDivisionError):
        await thread.run(lambda: 1 // 0)
    assert await thread.run(lambda: 1) == 1
    await thread.close()


async def test_work_cancelled_before_its_turn_is_not_done() -> None:
    thread, go_on, done = SingleThreadExecutor("mine"), Event(), list[str]()
    first = asyncio.create_task(thread.run(go_on.wait))
    second = asyncio.create_task(thread.run(partial(done.append, "second")))
    third = asyncio.create_task(thread.run(partial(done.append, "third")))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(first, third)
    assert done == ["third"]
    await thread.close()


async def test_queued_work_is_done_before_the_thread_ends_and_none_afterwards() -> None:
    thread, done = SingleThreadExecutor("mine"), list[int]()
    tasks = [asyncio.create_task(thread.run(partial(done.append, number))) for number in range(5)]
    await asyncio.sleep(0)
    await thread.close()
    assert done == [0, 1, 2, 3, 4]
    await asyncio.gather(*tasks)
    with pytest.raises(StoreClosedError):
        await thread.run(lambda: None)
