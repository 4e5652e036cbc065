"""Time in which nobody could play is no part of a tournament's levels (downtime is never charged)."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from tests.memory_store.leases import MemoryLeases, MemoryRegistry
from tests.memory_store.store import MemoryStore
from tests.stores import FailingStore
from tests.tournament.simulated import START, SimulatedTournament, config, filled
from triptych.server.tables.actor import TableActor
from triptych.server.tables.service import TableService
from triptych.server.tournaments.actor import TournamentActor, TournamentDeps
from triptych.server.tournaments.event_log import build_append
from triptych.server.tournaments.service import TournamentService
from triptych.store.leases.interface import ServerInfo
from triptych.tournament.aggregate import next_wakeup
from triptych.tournament.commands import Command, Tick

pytestmark = pytest.mark.anyio
MINUTE = 60_000


class SharedStore(MemoryStore):
    """A store of a cluster of several servers, in which everything is ours."""

    def __init__(self) -> None:
        super().__init__()
        self.leases = MemoryLeases(MemoryRegistry())


async def test_the_owner_of_a_tournaments_table_owns_the_tournament() -> None:
    """A player was back at a table before anybody asked for the tournament: then nobody else may look after it."""
    whole = SimulatedTournament(config(cup="cup1cup1"))
    store = SharedStore()
    await store.open()
    await store.leases.register(ServerInfo(0, 0))
    tournaments = TournamentService(store, lambda: START, cast("TableService", SimpleNamespace(since=0)))
    table = SimpleNamespace(state=SimpleNamespace(config=SimpleNamespace(cup="cup1cup1"), begun=True, closed=False))
    tournaments.on_table_changed(cast("TableActor", table))  # a server that opens brings them back itself
    await tournaments.open()
    assert not tournaments.local_summaries()
    await store.append(build_append("cup1cup1", 0, whole.log))
    for _ in range(2):
        tournaments.on_table_changed(cast("TableActor", table))
    async with asyncio.timeout(60):
        while not tournaments.local_summaries():  # noqa: ASYNC110 - a task of its own does it
            await asyncio.sleep(0)
    assert [summary.cup for summary in tournaments.local_summaries()] == ["cup1cup1"]
    await tournaments.close()
    await store.close()


@pytest.mark.parametrize("stored", [False, True])
async def test_downtime_is_compensated_though_the_first_try_fails(*, stored: bool) -> None:
    """Also when it was stored all the same, and the answer was lost: then once."""
    whole = filled(config(most=6, level_kind="minutes", level_length=30))
    store = FailingStore(MemoryStore())
    await store.open()
    await store.append(build_append("cup1", 0, whole.log))
    now = START + 10 * MINUTE
    tournament = TournamentActor(
        whole.state, TournamentDeps(store, lambda: now, whole.draw, cast("TableService", None))
    )
    tournament.finished = True  # its tables are left alone
    store.after, store.before = stored, not stored
    failures = store.failures
    tournament.start(START + MINUTE)
    async with asyncio.timeout(60):
        while tournament.has_pending_downtime and store.failures == failures:  # noqa: ASYNC110 - its own task tries
            await asyncio.sleep(0)
    assert tournament.has_pending_downtime is not stored
    store.before = store.after = False
    await tournament.execute(Command("", Tick()))
    assert not tournament.has_pending_downtime
    assert next_wakeup(tournament.state) == START + 39 * MINUTE
    await tournament.stop()
    await store.close()
