"""What every store promises about guests who are known again, and about what came of their deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.conformance.databases import STORES, in_every_run
from tests.conformance.test_store import maker
from triptych.store.interface import EventStore
from triptych.store.types import (
    Append,
    Credential,
    DailyResult,
    NewEvent,
    OpenStream,
    Player,
    ResultsUpdate,
    Revoked,
    Session,
    Snapshot,
    StoredDealResult,
    StoredReview,
    StoredSessionResult,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[EventStore]:
    event_store = maker(request.param, request, tmp_path)()
    await event_store.open()
    yield event_store
    await event_store.close()


async def test_a_credential_is_its_first_owners(store: EventStore) -> None:
    mine = Credential("name:ann", "p1", b"hash")
    assert await store.credentials.put(mine)
    assert not await store.credentials.put(Credential("name:ann", "p2", b"other"))
    assert await store.credentials.credential("name:ann") == mine
    changed = Credential("name:ann", "p1", b"new hash")
    assert await store.credentials.put(changed)
    assert await store.credentials.put(Credential("key:1", "p1", b"key"))
    assert list(await store.credentials.credentials("p1")) == [Credential("key:1", "p1", b"key"), changed]
    assert await store.credentials.credentials("p2") == ()
    assert not await store.credentials.delete(Credential("name:ann", "p2", b""))
    assert await store.credentials.delete(changed)
    assert not await store.credentials.delete(changed)
    assert await store.credentials.credential("name:ann") is None


async def test_the_newest_reviews_of_a_player_are_kept(store: EventStore) -> None:
    for deal in (1, 2, 3, 2):
        await store.reviews.save(StoredReview("p1", "t", deal, 10 * deal, b"%d" % deal), 2)
    await store.reviews.save(StoredReview("p2", "t", 1, 5, b"other"), 2)
    assert await store.reviews.get("p1", "t", 1) is None
    assert await store.reviews.get("p1", "t", 3) == StoredReview("p1", "t", 3, 30, b"3")
    await store.reviews.save(StoredReview("p1", "t", 3, 40, b"again"), 2)
    review = await store.reviews.get("p1", "t", 3)
    assert review is not None
    assert review.payload == b"again"
    assert "again" not in repr(review)
    other = await store.reviews.get("p2", "t", 1)
    assert other is not None
    assert other.payload == b"other"
    assert await store.reviews.get("p2", "u", 1) is None


async def test_the_first_result_of_a_day_stays_until_its_player_takes_all_back(store: EventStore) -> None:
    shared = [DailyResult(player, f"2026-11-{day}", 10 * day, day) for player in ("p2", "p1") for day in (27, 28, 30)]
    for result in (*shared, DailyResult("p1", "2026-11-28", 999, 99)):
        await store.daily.save(result)
    assert await store.daily.between("2026-11-28", "2026-11-29") == (shared[4], shared[1])
    assert await store.daily.days_of("p1") == ("2026-11-30", "2026-11-28", "2026-11-27")
    assert await store.daily.days_of("p3") == ()
    await store.daily.delete("p1")
    assert await store.daily.between("2026-11-01", "2026-11-30") == tuple(shared[:3])


@in_every_run("store", "memory", "sqlite", "postgres")
async def test_a_deleted_guest_leaves_nothing_but_the_id(store: EventStore) -> None:
    await store.save_player(Player("p1", "Ann"))
    await store.credentials.put(Credential("name:ann", "p1", b"hash"))
    both = [StoredDealResult(player, "t", 1, 10, b"line") for player in ("p1", "p2")]
    all_of = [StoredSessionResult(player, "t", 10, b"all") for player in ("p1", "p2")]
    await store.results.save([ResultsUpdate("t", 3, both, all_of)])
    for player in ("p1", "p2"):
        await store.reviews.save(StoredReview(player, "t", 1, 10, b"review"), 9)
        await store.daily.save(DailyResult(player, "2026-11-28", 5, 10))
    for _ in range(2):
        await store.credentials.delete_guest("p1")
    assert await store.reviews.get("p1", "t", 1) is None
    assert await store.reviews.get("p2", "t", 1) is not None
    assert [result.player for result in await store.daily.between("2026-11-28", "2026-11-28")] == ["p2"]
    assert list(await store.credentials.deleted_guests()) == ["p1"]
    assert await store.player("p1") is None
    assert await store.credentials.credential("name:ann") is None
    assert await store.results.deals_of("p1", "t", 9) == ()
    assert [session.player for session in await store.results.sessions_at("t")] == ["p2"]


async def test_sessions_are_kept_and_ended(store: EventStore) -> None:
    """Issue 27.16: what has ended stays ended, also one that was never kept."""
    people = store.credentials
    phone, laptop = Session("p1", "a", "Firefox", "Android", 10, 10), Session("p1", "b", "Safari", "macOS", 20, 20)
    for session in (laptop, phone, Session("p2", "a", "", "", 5, 5)):
        await people.keep_session(session)
    assert await people.sessions("p1") == (phone, laptop)
    await people.keep_session(replace(phone, browser="Chrome", made=30, seen=30))
    assert await people.sessions("p1") == (replace(phone, browser="Chrome", seen=30), laptop)
    assert await people.revoked() == Revoked(frozenset(), {})
    await people.end_session("p1", "a")
    await people.end_session("p1", "never kept")
    await people.keep_session(phone)
    assert await people.sessions("p1") == (laptop,)
    assert [session.session for session in await people.sessions("p2")] == ["a"]
    assert await people.revoked() == Revoked(frozenset({("p1", "a"), ("p1", "never kept")}), {})
    assert await people.epoch("p1") == 0
    assert [await people.end_sessions("p1") for _ in range(2)] == [1, 2]
    assert [await people.epoch(player) for player in ("p1", "p2")] == [2, 0]
    assert await people.sessions("p1") == ()
    assert await people.revoked() == Revoked(frozenset(), {"p1": 2})
    await people.end_session("p2", "a")
    for player in ("p1", "p2"):
        await people.delete_guest(player)
    assert await people.revoked() == Revoked(frozenset(), {})


def test_a_repr_hides_what_a_credential_is_checked_with() -> None:
    assert "hash" not in repr(Credential("name:ann", "p1", b"hash"))


@in_every_run("store", "memory", "sqlite", "postgres")
async def test_results_are_replaced_and_paged(store: EventStore) -> None:
    records = store.results
    for at, table in ((10, "a"), (30, "b"), (30, "c"), (20, "d")):
        line, session = StoredDealResult("p1", table, 1, at, b"x"), StoredSessionResult("p1", table, at, b"old")
        await records.save([ResultsUpdate(table, 5, [line], [session])])
    lines = [StoredDealResult("p1", "a", deal, 40, b"y") for deal in (1, 2, 3)]
    await records.save([ResultsUpdate("a", 9, lines, [StoredSessionResult("p1", "a", 40, b"new")])])
    assert await records.projected_version("a") == 9
    assert await records.session_of("p1", "a") == StoredSessionResult("p1", "a", 40, b"new")
    assert await records.session_of("p2", "a") is None
    assert await records.projected_version("unknown") == 0
    first = await records.sessions_of("p1", 2)
    assert [(record.table, record.payload) for record in first] == [("a", b"new"), ("c", b"old")]
    rest = await records.sessions_of("p1", 9, (first[-1].at, first[-1].table))
    assert [record.table for record in rest] == ["b", "d"]
    assert [(record.deal, record.payload) for record in await records.deals_of("p1", "a", 2)] == [
        (1, b"y"),
        (2, b"y"),
    ]
    assert [record.deal for record in await records.deals_of("p1", "a", 9, after=2)] == [3]
    assert await records.sessions_of("nobody", 9) == ()


async def test_the_last_snapshot_of_each_table_is_kept(store: EventStore) -> None:
    """Issue 12, 1d: what other code wrote is not asked for, and without any a store is the same."""
    snapshots = store.snapshots
    await snapshots.save([Snapshot("a", 3, "form", b"old"), Snapshot("b", 3, "form", b"b")])
    await snapshots.save([Snapshot("a", 9, "form", b"\x00new")])
    assert await snapshots.get("a", "form") == Snapshot("a", 9, "form", b"\x00new")
    assert await snapshots.get("b", "form") == Snapshot("b", 3, "form", b"b")
    assert await snapshots.get("a", "other") is None
    assert await snapshots.get("c", "form") is None
    assert "new" not in repr(await snapshots.get("a", "form"))
    await snapshots.clear()
    assert await snapshots.get("a", "form") is None


@in_every_run("store", "memory", "sqlite", "postgres")
async def test_a_note_stands_beside_each_tables_version(store: EventStore) -> None:
    """Issue 12, 1d: a server that starts reads no more of a table than this."""
    for table in ("b", "a", "over"):
        await store.append(Append(table=table, expected_version=0, events=(NewEvent("public", None, b"x"),) * 2))
    snapshots = store.snapshots
    await snapshots.save(
        [Snapshot(table, 1, "form", b"x", b"\x00said of " + table.encode()) for table in ("a", "over")]
    )
    assert list(await snapshots.open_streams())[:2] == [OpenStream("b", 2), OpenStream("a", 2, 1, b"\x00said of a")]
    await store.append(Append(table="over", expected_version=2, events=(), ends_stream=True))
    await snapshots.save([Snapshot("a", 2, "form", b"x", b"later")])
    assert list(await snapshots.open_streams()) == [OpenStream("b", 2), OpenStream("a", 2, 2, b"later")]
    await snapshots.clear()
    assert list(await snapshots.open_streams()) == [OpenStream("b", 2), OpenStream("a", 2)]


async def test_tables_with_events_that_nothing_records_are_behind(store: EventStore) -> None:
    for table in ("b", "a"):
        await store.append(Append(table=table, expected_version=0, events=(NewEvent("public", None, b"x"),) * 2))
    assert list(await store.results.stale_tables()) == ["b", "a"]
    await store.results.save([ResultsUpdate("b", 2), ResultsUpdate("a", 1)])
    assert list(await store.results.stale_tables()) == ["a"]
    await store.results.clear()
    assert list(await store.results.stale_tables()) == ["b", "a"]
    assert await store.results.projected_version("b") == 0
