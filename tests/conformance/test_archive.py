"""What every store promises of tables that are over (issue 12, 1d).

Put away, nothing of them is lost; deleted, nothing is left but what the accounts hold.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import text

from tests.conformance.databases import DATABASES, STORES, in_every_run
from tests.conformance.test_corruption import change, flip
from tests.conformance.test_store import maker
from tests.examples import examples
from triptych.store.archive.interface import Counts
from triptych.store.archive.rows import net_postings
from triptych.store.errors import CorruptRecordError, RecordExpiredError, VersionConflictError
from triptych.store.interface import EventStore
from triptych.store.journal.rows import decode_frame
from triptych.store.leases.interface import ServerInfo
from triptych.store.postgres.store import postgres_store
from triptych.store.sql.store import SqlStore
from triptych.store.types import (
    Append,
    Credential,
    IdempotencyKey,
    NewEvent,
    Player,
    Posting,
    ResultsUpdate,
    Snapshot,
    StoredDealResult,
    StoredSessionResult,
    StoredSheet,
)

pytestmark = pytest.mark.anyio
ME = ServerInfo(os.getpid(), 1_700_000_000_000)
OVER = 1_000
Make = Callable[[], EventStore]


@pytest.fixture(params=STORES)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    return maker(request.param, request, tmp_path)


@pytest.fixture(params=DATABASES)
def make_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], SqlStore]:
    factory: Callable[[], SqlStore] = maker(request.param, request, tmp_path)  # type: ignore[assignment]
    return factory


@pytest.fixture
async def store(make: Make) -> AsyncIterator[EventStore]:
    event_store = make()
    await event_store.open(ME)
    yield event_store
    await event_store.close()


def secret(table: str, number: int) -> bytes:
    return b"card %d of %s " % (number, table.encode())


def append(table: str, number: int, events: int = 1, *, ends: bool = False) -> Append:
    return Append(
        table=table,
        expected_version=number,
        events=tuple(NewEvent("private", 1, secret(table, number + each + 1)) for each in range(events)),
        idempotency_key=IdempotencyKey("ann", f"c{number}"),
        reply=b"answer %d" % number,
        postings=(Posting("player:ann", f"table:{table}:ann", number + 1, "deal"),) if events else (),
        summaries=(StoredSheet(number, 1, b"sheet %d" % number),) if events else (),
        ends_stream=ends,
    )


async def played(store: EventStore, table: str, length: int) -> None:
    for number in range(length):
        await store.append(append(table, number, ends=number == length - 1))


async def all_of(store: EventStore, table: str) -> object:
    stored, deals = await store.load(table), await store.deals(table, 100)
    return list(stored), list(await store.postings(table)), list(deals)


async def rows(store: SqlStore, table: str) -> int:
    query = text(f"SELECT count(*) FROM {table}")  # noqa: S608 - the schema's names
    count: int = await store._reading.run(lambda connection: connection.execute(query).scalar_one())
    return count


async def hot_events(store: SqlStore) -> int:
    records = await store._reading.run(
        lambda connection: connection.execute(text("SELECT payload FROM events")).all()
    )
    return sum(len(msgspec.msgpack.decode(row.payload)) for row in records)


async def journal_bytes(store: SqlStore) -> bytes:
    records = await store._reading.run(lambda connection: connection.execute(text("SELECT frame FROM journal")).all())
    return b"".join([msgspec.msgpack.encode(decode_frame(bytes(row.frame))) for row in records])


@in_every_run("make", "memory", "sqlite", "postgres")
async def test_an_archived_table_is_read_as_before(store: EventStore) -> None:
    await played(store, "over", 9)
    await store.append(append("open", 0))
    before = await all_of(store, "over")
    balances = [await store.balance("player:ann"), await store.balance("table:over:ann")]
    assert list(await store.archive.unarchived()) == ["over"]
    assert await store.archive.archive("over", 9, OVER)
    await store.archive.compact()
    assert list(await store.archive.unarchived()) == []
    assert await all_of(store, "over") == before
    assert [event.version for event in await store.load("over", after=6)] == [7, 8, 9]
    assert list(await store.load("over", after=9)) == []
    assert [deal.deal for deal in await store.deals("over", 2)] == [8, 7]
    assert balances == [await store.balance("player:ann"), await store.balance("table:over:ann")]
    assert list(await store.tables(ended=True)) == ["over", "open"]
    assert list(await store.tables()) == ["open"]
    # Nobody asks again that late, and who does is told that the table is elsewhere by now.
    assert await store.reply("over", IdempotencyKey("ann", "c3")) is None
    with pytest.raises(VersionConflictError) as conflict:
        await store.append(append("over", 3))
    assert conflict.value.actual == 9


async def test_a_table_that_went_on_is_not_archived(store: EventStore) -> None:
    await played(store, "t", 3)
    assert not await store.archive.archive("t", 2, OVER)
    assert not await store.archive.archive("nobody", 0, OVER)
    assert list(await store.archive.unarchived()) == ["t"]


async def test_events_after_the_archive_follow_it(store: EventStore) -> None:
    """A table that is over hears of nothing more; a store does not rely on that."""
    await played(store, "t", 3)
    assert await store.archive.archive("t", 3, OVER)
    await store.append(append("t", 3, 2, ends=True))
    await store.archive.compact()
    assert [event.payload for event in await store.load("t")] == [secret("t", n) for n in range(1, 6)]
    assert [event.version for event in await store.load("t", after=3)] == [4, 5]
    assert [deal.deal for deal in await store.deals("t")] == [3, 2, 1, 0]
    assert list(await store.archive.unarchived()) == ["t"]
    await store.archive.expire("t")
    assert len(await store.load("t")) == 5  # not all of it was put away
    assert await store.archive.archive("t", 5, OVER)
    assert [event.payload for event in await store.load("t")] == [secret("t", n) for n in range(1, 6)]
    assert [deal.deal for deal in await store.deals("t")] == [3, 2, 1, 0]


@in_every_run("make", "memory", "sqlite", "postgres")
async def test_a_deleted_record_leaves_what_the_accounts_hold(store: EventStore) -> None:
    for table in ("old", "new"):
        await played(store, table, 4)
        line = StoredDealResult("ann", table, 1, OVER, b"deal")
        await store.results.save(
            [ResultsUpdate(table, 4, [line], [StoredSessionResult("ann", table, OVER, b"session")])]
        )
        await store.snapshots.save([Snapshot(table, 4, "form", b"cards", b"note")])
    accounts = ("player:ann", "table:old:ann", "table:new:ann")
    before = [await store.balance(account) for account in accounts]
    assert await store.archive.archive("old", 4, OVER)
    assert await store.archive.archive("new", 4, OVER + 10)
    assert list(await store.archive.ended_before(OVER + 5, 10)) == ["old"]
    await store.archive.expire("old")
    await store.archive.compact()
    assert list(await store.archive.ended_before(OVER + 50, 10)) == ["new"]
    assert list(await store.archive.expired()) == ["old"]
    assert list(await store.tables(ended=True)) == ["new"]
    with pytest.raises(RecordExpiredError):
        await store.load("old")
    with pytest.raises(RecordExpiredError):
        await store.load("old", after=4)
    assert list(await store.deals("old")) == []
    assert await store.results.session_of("ann", "old") is None
    assert list(await store.results.deals_of("ann", "old", 10)) == []
    assert await store.results.session_of("ann", "new") is not None
    await store.results.clear()
    assert list(await store.results.stale_tables()) == ["new"]
    # What was counted before comes late, and a page that is still open may have the server note the table once more.
    late = StoredDealResult("ann", "old", 2, OVER, b"deal")
    await store.results.save([ResultsUpdate("old", 4, [late], [StoredSessionResult("ann", "old", OVER, b"session")])])
    assert await store.results.session_of("ann", "old") is None
    assert list(await store.results.deals_of("ann", "old", 10)) == []
    await store.snapshots.save([Snapshot("old", 4, "form", b"cards", b"note")])
    assert await store.snapshots.get("old", "form") is None
    assert before == [await store.balance(account) for account in accounts]
    assert list(await store.postings("old")) == [Posting("player:ann", "table:old:ann", 10, "carried")]
    with pytest.raises(VersionConflictError):
        await store.append(append("old", 0))


async def test_guests_without_a_result_are_deleted_after_a_time(store: EventStore) -> None:
    for player in ("ann", "bob", "cid", "dora"):
        await store.save_player(Player(player, player.title()))
    assert await store.credentials.put(Credential("name:bob", "bob", b"hash"))
    await store.results.save([ResultsUpdate("t", 1, [], [StoredSessionResult("cid", "t", OVER, b"session")])])
    assert await store.archive.delete_inactive_guests(OVER, OVER - 100, ["dora"]) == 0
    assert await store.archive.delete_inactive_guests(OVER + 50, OVER - 50, []) == 0
    # Bob has played meanwhile; Dora, who sat at a table, is noted since her seat went.
    await store.results.save([ResultsUpdate("u", 1, [], [StoredSessionResult("bob", "u", OVER, b"session")])])
    assert await store.archive.delete_inactive_guests(OVER + 101, OVER + 1, []) == 1
    assert [await store.player(player) for player in ("ann", "cid")] == [None, Player("cid", "Cid")]
    assert await store.player("dora") == Player("dora", "Dora")
    assert len(await store.credentials.credentials("bob")) == 1
    assert await store.archive.delete_inactive_guests(OVER + 300, OVER + 200, []) == 1
    assert await store.player("dora") is None
    assert list(await store.credentials.deleted_guests()) == []  # their cookie is as good as a new one


async def test_the_number_of_guests_deleted_at_a_time_is_limited(store: EventStore) -> None:
    """Those first who have had no result for longest (issue 27.4)."""
    for number, player in enumerate(("ann", "bob", "cid")):
        await store.save_player(Player(player, player.title()))
        assert await store.archive.delete_inactive_guests(OVER + number, 0, []) == 0
    await played(store, "t", 4)
    assert await store.archive.archive("t", 4, OVER)
    assert await store.archive.counts() == Counts(1, 3)
    assert await store.archive.delete_inactive_guests(OVER + 10, OVER + 5, [], 2) == 2
    assert [await store.player(player) for player in ("ann", "bob", "cid")] == [None, None, Player("cid", "Cid")]
    await store.archive.expire("t")
    assert await store.archive.counts() == Counts(0, 1)


@in_every_run("make_database", "sqlite", "postgres")
async def test_nothing_is_left_where_it_was(make_database: Callable[[], SqlStore]) -> None:
    """Not in the hot tables, and not in the journal, where other tables' appends lie in the same rows."""
    store = make_database()
    await store.open(ME)
    for number in range(9):
        await asyncio.gather(
            *(store.append(append(table, number, ends=table == "over" and number == 8)) for table in ("over", "open"))
        )
    await played(store, "alone", 5)
    assert await rows(store, "journal") == 14
    assert await store.archive.archive("over", 9, OVER)
    await store.archive.compact()
    left = await journal_bytes(store)
    assert b" of over" not in left
    assert b" of open" in left
    assert b" of alone" in left
    assert await rows(store, "events") == 14
    assert await rows(store, "commands") == 14
    assert await store.archive.archive("alone", 5, OVER)
    await store.archive.compact()
    assert await rows(store, "journal") == 10  # one stands for the last five
    await store.append(append("open", 9))
    rebuilt = await store.rebuild()
    assert all(projection.same for projection in rebuilt.projections), rebuilt
    assert rebuilt.damaged == ()
    await store.archive.expire("over")
    rebuilt = await store.rebuild()
    assert all(projection.same for projection in rebuilt.projections), rebuilt
    assert len(await store.load("open")) == 10
    assert len(await store.load("alone")) == 5
    await store.close()
    again = make_database()
    await again.open(ME)
    await again.append(append("open", 10))
    assert len(await again.load("open")) == 11
    await again.close()


async def test_a_long_table_keeps_its_snapshot(make_database: Callable[[], SqlStore]) -> None:
    """It is opened by that as before, and what lies before it is not even unpacked; a short one needs none."""
    store = make_database()
    await store.open(ME)
    for table, length in (("long", 600), ("short", 6)):
        await store.append(append(table, 0, length, ends=True))
        await store.snapshots.save([Snapshot(table, length, "form", b"cards", b"note")])
        assert await store.archive.archive(table, length, OVER)
        await store.snapshots.save([Snapshot(table, length, "form", b"cards", b"note")])
    assert await store.snapshots.get("short", "form") is None
    assert await store.snapshots.get("long", "form") == Snapshot("long", 600, "form", b"cards")
    assert list(await store.load("long", after=600)) == []
    assert [event.version for event in await store.load("long", after=598)] == [599, 600]
    await store.archive.expire("long")
    assert await store.snapshots.get("long", "form") is None
    await store.close()


class Crash(Exception):  # noqa: N818 - what it stands for
    """The process ends here."""


async def _put_away(store: SqlStore) -> None:
    for table in await store.archive.unarchived():
        assert await store.archive.archive(table, 2_501, OVER)
    await store.archive.compact()


@pytest.mark.parametrize(
    ("make_database", "write"),
    [
        *(("sqlite", write) for write in range(1, 9)),
        # The same transactions: a night has them all.
        ("postgres", 5),
        *(pytest.param("postgres", write, marks=pytest.mark.slow) for write in (1, 2, 3, 4, 6, 7, 8)),
    ],
    indirect=["make_database"],
)
async def test_a_crash_on_the_way_loses_nothing(
    make_database: Callable[[], SqlStore], write: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended before each of its transactions: what is there is read as it was, and the next one finishes it."""
    store = make_database()
    await store.open(ME)
    await asyncio.gather(store.append(append("over", 0, 2_500)), store.append(append("open", 0)))
    await store.append(append("over", 2_500, ends=True))
    before = await all_of(store, "over")
    balance = await store.balance("player:ann")
    done = 0
    real = store.archive._write

    async def crashing(work: Callable[..., object]) -> object:
        nonlocal done
        done += 1
        if done == write:
            raise Crash
        return await real(work)

    monkeypatch.setattr(store.archive, "_write", crashing)
    with pytest.raises(Crash):
        await _put_away(store)
    await store.close()
    again = make_database()
    await again.open(ME)
    assert await all_of(again, "over") == before
    assert await again.balance("player:ann") == balance
    await _put_away(again)
    assert await all_of(again, "over") == before
    assert await rows(again, "events") == 1
    assert b" of over" not in await journal_bytes(again)
    assert all(projection.same for projection in (await again.rebuild()).projections)
    assert await all_of(again, "over") == before
    await again.close()


@pytest.mark.parametrize("column", ["version", "at", "kept", "payload", "checksum"])
async def test_a_changed_row_of_the_archive(make_database: Callable[[], SqlStore], column: str) -> None:
    store = make_database()
    await store.open(ME)
    await played(store, "t", 3)
    await played(store, "u", 3)
    for table in ("t", "u"):
        assert await store.archive.archive(table, 3, OVER)
    await store.archive.compact()
    if column == "kept":
        await change(store, "UPDATE archive SET kept = NOT kept WHERE table_id = 't'")
    else:
        await flip(store, "archive", column, "table_id = 't'")
    with pytest.raises((CorruptRecordError, RecordExpiredError)):
        await store.load("t")
    with pytest.raises(CorruptRecordError):
        await store.deals("t")
    rebuilt = await store.rebuild()
    assert len(rebuilt.damaged) == 1
    assert rebuilt.damaged[0].startswith("t: ")
    assert len(await store.load("u")) == 3
    await store.close()


@pytest.mark.parametrize("column", ["tables", "frame", "cut", "checksum"])
async def test_a_changed_row_that_was_cut(make_database: Callable[[], SqlStore], column: str) -> None:
    store = make_database()
    await store.open(ME)
    for number in range(3):
        await asyncio.gather(
            *(store.append(append(table, number, ends=table == "over" and number == 2)) for table in ("over", "open"))
        )
    await store.append(append("other", 0))
    assert await store.archive.archive("over", 3, OVER)
    await store.archive.compact()
    await flip(store, "journal", column, "number = 2")
    rebuilt = await store.rebuild()
    assert rebuilt.damaged
    assert len(await store.load("over")) == 3
    await store.close()


async def test_partitions_are_compacted_while_servers_write(request: pytest.FixtureRequest) -> None:
    """Several servers: each writes its lane, one of them puts away what any has written."""
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    first, second = (postgres_store(url, shared=True) for _ in range(2))
    for number, store in enumerate((first, second)):
        await store.open(ServerInfo(os.getpid(), number, f"http://127.0.0.1:{number + 1}"))
    for name, store in (("a", first), ("b", second)):
        for table in (f"{name}over", f"{name}open"):
            assert await store.leases.acquire(table, new=True) is None
        for number in range(4):
            await asyncio.gather(
                store.append(append(f"{name}over", number, ends=number == 3)),
                store.append(append(f"{name}open", number)),
            )
    await first.tables()  # each projects what is its own
    assert set(await second.tables()) == {"aopen", "bopen"}
    assert set(await first.archive.unarchived()) == {"aover", "bover"}
    before = [await all_of(first, "aover"), await all_of(second, "bover")]
    for table in ("aover", "bover"):
        assert await first.archive.archive(table, 4, OVER)
    await first.archive.compact()
    assert b"over" not in await journal_bytes(first)
    await first.append(append("aopen", 4))
    await second.append(append("bopen", 4))
    assert before == [await all_of(second, "aover"), await all_of(first, "bover")]
    await second.leases.unregister()
    await second.close()
    await first.leases.unregister()
    await first.close()
    alone = postgres_store(url)
    await alone.open(ME)
    assert all(projection.same for projection in (await alone.rebuild()).projections)
    assert [len(await alone.load(table)) for table in ("aopen", "bopen", "aover", "bover")] == [5, 5, 4, 4]
    await alone.close()


TABLES = ("a", "b", "c")
Step = tuple[str, str, int]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.sampled_from(TABLES), st.integers(0, 3)),
        st.tuples(st.sampled_from(("end", "keep", "expire")), st.sampled_from(TABLES), st.just(0)),
        st.tuples(st.sampled_from(("tidy", "open again", "rebuild")), st.just(""), st.just(0)),
    ),
    min_size=4,
    max_size=30,
)


class Model:
    """What was appended, and what is put away or deleted."""

    def __init__(self) -> None:
        self.events: dict[str, list[bytes]] = {table: [] for table in TABLES}
        self.sums = dict.fromkeys(("player:ann", *(f"table:{table}:ann" for table in TABLES)), 0)
        self.ended: set[str] = set()
        self.away: dict[str, int] = {}
        self.gone: set[str] = set()

    def append(self, table: str, events: int) -> Append:
        version = len(self.events[table])
        new_append = append(table, version, events, ends=table in self.ended)
        self.events[table] += [event.payload for event in new_append.events]
        for posting in new_append.postings:
            self.sums[posting.debit] -= posting.points
            self.sums[posting.credit] += posting.points
        return new_append


async def walked(make: Make, steps: list[Step]) -> None:
    model, store = Model(), make()
    await store.open(ME)
    for number, step in enumerate(steps):
        what, table, _ = step
        if table:
            await _of_table(store, model, step, IdempotencyKey("ann", f"n{number}"))
        elif what == "tidy":
            await store.archive.compact()
        elif isinstance(store, SqlStore) and what == "rebuild":
            report = await store.rebuild()
            assert all(projection.same for projection in report.projections), report
        elif isinstance(store, SqlStore):
            await store.close()
            store = make()
            await store.open(ME)
        await agree(store, model)
    await store.archive.compact()
    await agree(store, model)
    if isinstance(store, SqlStore):
        hot = {table: len(events) - model.away.get(table, 0) for table, events in model.events.items()}
        assert await hot_events(store) == sum(hot.values())
        frames = await journal_bytes(store)
        for table, events in model.events.items():
            assert all(payload not in frames for payload in events[: model.away.get(table, 0)])
    await store.close()


async def _of_table(store: EventStore, model: Model, step: Step, cmd: IdempotencyKey) -> None:
    what, table, events = step
    version = len(model.events[table])
    match what:
        case "append" if table not in model.gone and (version or events):
            await store.append(replace(model.append(table, events), idempotency_key=cmd))
        case "end" if version and table not in model.ended:
            model.ended.add(table)
            await store.append(model.append(table, 1))
        case "keep" if table in model.ended and table not in model.gone:
            assert await store.archive.archive(table, version, OVER)
            model.away[table] = version
        case "expire" if version and model.away.get(table) == version:
            await store.archive.expire(table)
            model.gone.add(table)


async def agree(store: EventStore, model: Model) -> None:
    for table, wanted in model.events.items():
        if table in model.gone:
            with pytest.raises(RecordExpiredError):
                await store.load(table)
        else:
            assert [event.payload for event in await store.load(table)] == wanted
            assert [event.payload for event in await store.load(table, after=2)] == wanted[2:]
        await store.postings(table)  # its checksums hold
    assert {account: await store.balance(account) for account in model.sums} == model.sums
    there = {table for table, events in model.events.items() if events} - model.gone
    assert set(await store.tables(ended=True)) == there
    assert set(await store.tables()) == there - model.ended


_SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=examples(40), suppress_health_check=_SLOW)
@given(steps=STEPS)
def test_any_order_in_memory_and_in_sqlite(steps: list[Step], tmp_path: Path) -> None:
    memory, (folder) = maker("memory", None, tmp_path), tmp_path / uuid4().hex  # type: ignore[arg-type]
    folder.mkdir()
    asyncio.run(walked(memory, steps))
    asyncio.run(walked(maker("sqlite", None, folder), steps))  # type: ignore[arg-type]


@settings(max_examples=examples(10), suppress_health_check=_SLOW)
@given(steps=STEPS)
def test_any_order_in_postgres(steps: list[Step], request: pytest.FixtureRequest, tmp_path: Path) -> None:
    asyncio.run(walked(maker("postgres", request, tmp_path), steps))


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(1, 2**31 - 1)).filter(
            lambda entry: entry[0] != entry[1]
        )
    )
)
def test_net_postings_leave_every_account_unchanged(entries: list[tuple[str, str, int]]) -> None:
    gross = [Posting(debit, credit, points, "deal") for debit, credit, points in entries]
    net = net_postings(gross)

    def held(postings: list[Posting]) -> dict[str, int]:
        sums = dict.fromkeys("abcd", 0)
        for posting in postings:
            sums[posting.debit] -= posting.points
            sums[posting.credit] += posting.points
        return sums

    assert held(list(net)) == held(gross)
    assert all(0 < posting.points < 2**31 and posting.debit != posting.credit for posting in net)
    assert {posting.debit for posting in net}.isdisjoint(posting.credit for posting in net)


async def test_a_long_table_is_read_page_by_page(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read is what `load` reads, and not in memory at once (issue 27.6)."""
    monkeypatch.setattr("triptych.store.sql.store.PAGE", 20)
    monkeypatch.setattr("triptych.store.sql.store._ARCHIVED_PAGE", 20)
    monkeypatch.setattr("tests.memory_store.store.PAGE", 20)
    for version in range(90):
        await store.append(append("t", version, ends=version == 89))
    await store.tables()
    for put_away in (False, True):
        if put_away:
            assert await store.archive.archive("t", 90, 1)
            await store.archive.compact()
        pages = [page async for page in store.pages("t")]
        assert tuple(event for page in pages for event in page) == tuple(await store.load("t"))
        assert [event.version for page in pages for event in page] == list(range(1, 91))
        assert max(map(len, pages)) <= 20
    assert [page async for page in store.pages("none")] == []
