"""What waits to be received on a connection: beside asyncio's own queue, whatever is put and taken."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from triptych.server.light_asyncio import LightQueue

# Put a message, take one that has come, begin to wait, give the waiting up.
Steps = list[str]


async def _played(queue: asyncio.Queue[int], steps: Steps) -> list[object]:
    outcomes: list[object] = []
    waiting: asyncio.Task[int] | None = None
    for number, step in enumerate(steps):
        match step:
            case "put":
                queue.put_nowait(number)
            case "wait" if waiting is None:
                waiting = asyncio.create_task(queue.get())
            case "leave" if waiting is not None:
                waiting.cancel()
                with suppress(asyncio.CancelledError):
                    outcomes.append(await waiting)
                waiting = None
        for _ in range(2):
            await asyncio.sleep(0)
        if waiting is not None and waiting.done():
            outcomes.append(waiting.result())
            waiting = None
        outcomes.append((queue.empty(), queue.qsize()))
    if waiting is not None:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    while not queue.empty():
        outcomes.append(await queue.get())
    return outcomes


@given(st.lists(st.sampled_from(["put", "put", "wait", "leave"]), max_size=30))
def test_it_is_asyncios_queue_to_one_receiver(steps: Steps) -> None:
    assert asyncio.run(_played(LightQueue(), steps)) == asyncio.run(_played(asyncio.Queue(), steps))
