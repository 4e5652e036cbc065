"""What SQLite as the store promises besides the conformance suite (WAL, synchronous FULL)."""

from __future__ import annotations

import shutil
import sqlite3
from threading import Semaphore
from typing import TYPE_CHECKING, Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from triptych.store.errors import InvalidAppendError
from triptych.store.migrate import SCRIPTS, SchemaTooNewError
from triptych.store.schema import HEAD, metadata
from triptych.store.sqlite import checkpoint as sqlite_log
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append, NewEvent, Posting

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

EVENT = NewEvent("public", None, b"x")


async def make(file: Path) -> None:
    store = sqlite_store(file)
    await store.open()
    await store.append(Append(table="t", expected_version=0, events=(EVENT,)))
    await store.close()


async def test_the_file_is_opened_again_with_everything(tmp_path: Path) -> None:
    await make(tmp_path / "room.db")
    store = sqlite_store(tmp_path / "room.db")
    await store.open()
    assert [event.payload for event in await store.load("t")] == [b"x"]
    await store.close()


async def test_events_projected_between_two_queries_are_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first question finds no rows yet, a second one finds the table's events."""
    store = sqlite_store(tmp_path / "room.db")
    await store.open()
    await store.append(Append(table="t", expected_version=0, events=(EVENT,)))
    ask = store._rows

    async def then_projected(*args: Any) -> Any:
        monkeypatch.setattr(store, "_rows", ask)
        answer = await ask(*args)
        assert not answer
        assert await store.tables() == ("t",)  # waits until everything is projected
        return answer

    monkeypatch.setattr(store, "_rows", then_projected)
    assert [event.payload for event in await store.load("t")] == [b"x"]
    await store.close()


async def test_journal_is_wal_and_commits_are_synchronous(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path / "room.db")
    await store.open()
    pragmas = ("PRAGMA journal_mode", "PRAGMA synchronous")
    journal, synchronous = await store._writing.run(
        lambda connection: [connection.exec_driver_sql(pragma).scalar() for pragma in pragmas]
    )
    await store.close()
    assert (journal, synchronous) == ("wal", 2)


async def test_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    await make(tmp_path / "room.db")
    engine = create_engine(f"sqlite:///{tmp_path / 'room.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
    assert ScriptDirectory(str(SCRIPTS)).get_current_head() == HEAD


async def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    await make(tmp_path / "room.db")
    with sqlite3.connect(tmp_path / "room.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(SchemaTooNewError, match="newer Triptych"):
        await sqlite_store(tmp_path / "room.db").open()


async def test_a_posting_without_points_is_refused(tmp_path: Path) -> None:
    """A transfer that fails takes its events with it: they are one append."""
    store = sqlite_store(tmp_path / "room.db")
    await store.open()
    broken = Append(table="t", expected_version=0, events=(EVENT,), postings=(Posting("a", "b", 0, "nothing"),))
    with pytest.raises(InvalidAppendError, match="points of a posting"):
        await store.append(broken)
    assert list(await store.load("t")) == []
    assert await store.append(Append(table="t", expected_version=0, events=(EVENT,))) == 1
    await store.close()


async def test_the_log_is_moved_beside_the_writer_and_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Much more is written than the log may grow to; sqlite.org/wal.html: it starts again when all of it is moved."""
    monkeypatch.setattr(sqlite_log, "CHECKPOINT_SECONDS", 0.1)
    monkeypatch.setattr(sqlite_log, "BLOCKING_CHECKPOINT_PAGES", 50)
    file, page = tmp_path / "room.db", NewEvent("public", None, b"x" * 4096)
    store = sqlite_store(file)
    await store.open()
    for number in range(1_000):
        await store.append(Append(table="t", expected_version=2 * number, events=(page, page)))
        if number % 50 == 0:
            await store.tables()  # projects: a transaction itself is never parted
    log, moved = file.with_name("room.db-wal").stat().st_size, file.stat().st_size
    assert moved > 5_000_000  # by the other thread: nothing else moves it before the store is closed
    assert log < 4_000_000  # of 16 million bytes
    copy = tmp_path / "copy.db"  # as a crash would leave it
    shutil.copy(file, copy)
    shutil.copy(file.with_name("room.db-wal"), copy.with_name("copy.db-wal"))
    after = sqlite_store(copy)
    await after.open()
    assert len(await after.load("t")) == 2_000
    await after.close()
    await store.close()
    assert not file.with_name("room.db-wal").exists()


def test_a_log_that_cannot_be_moved_keeps_nobody_from_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written is written: its writer must not hear that something behind it failed. It is tried again."""
    monkeypatch.setattr(sqlite_log, "CHECKPOINT_SECONDS", 0.0)
    tries = Semaphore(0)

    def connect() -> sqlite3.Connection:
        tries.release()
        raise OSError("too many open files")

    log = sqlite_log.WalCheckpointer(connect)
    for _ in range(2):
        log.after_commit()
        assert tries.acquire(timeout=10)
    log.close()
