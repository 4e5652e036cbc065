"""Time in which nobody could play is no part of a tournament's levels (DESIGN 5: downtime is never charged)."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from tests.cup.whole import START, config, filled
from tests.stores import Fragile
from triptych.cup.commands import Command, Tick
from triptych.cup.cup import wakeup
from triptych.server.cups.live import CupOutside, LiveCup
from triptych.server.cups.record import appended
from triptych.server.tables.registry import Tables
from triptych.store.memory import MemoryStore

pytestmark = pytest.mark.anyio
MINUTE = 60_000


@pytest.mark.parametrize("stored", [False, True])
async def test_what_was_lost_is_made_up_though_the_first_try_fails(*, stored: bool) -> None:
    """Also when it was stored all the same, and the answer was lost: then once."""
    whole = filled(config(most=6, level_kind="minutes", level_length=30))
    store = Fragile(MemoryStore())
    await store.open()
    await store.append(appended("cup1", 0, whole.log))
    now = START + 10 * MINUTE
    cup = LiveCup(whole.state, CupOutside(store, lambda: now, whole.draw, cast("Tables", None)))
    cup.finished = True  # its tables are left alone
    store.after, store.before = stored, not stored
    failures = store.failures
    cup.start(START + MINUTE)
    async with asyncio.timeout(60):
        while cup.makes_up and store.failures == failures:  # noqa: ASYNC110 - its own task tries
            await asyncio.sleep(0)
    assert cup.makes_up is not stored
    store.before = store.after = False
    await cup.ask(Command("", Tick()))
    assert not cup.makes_up
    assert wakeup(cup.state) == START + 39 * MINUTE
    await cup.stop()
    await store.close()
