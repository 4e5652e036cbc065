"""`triptych backup` and `triptych restore`: nothing is lost, an unsound backup is found (issue 12, part 4)."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.table.session import fair_session
from triptych.cli.backup import backup, restore
from triptych.server.bootstrap import store_from_url
from triptych.server.tables.event_log import encode_events, replay
from triptych.store.file_lock import FileLock
from triptych.store.leases.interface import ServerInfo
from triptych.store.sqlite.backup import BackupError, copy_database
from triptych.store.types import Append, Posting
from triptych.table import commands as c
from triptych.table.aggregate import transfers


def appends(table: str, deals: int) -> list[Append]:
    """Return what a table stores in some deals; it is closed then."""
    session = fair_session("pineapple", seed=deals)
    for _ in range(deals):
        session.play()
    session.ask("ann", c.CloseTable())
    while not session.state().closed:
        session.play()
    return [
        Append(
            table=table,
            expected_version=version,
            events=encode_events((event,)),
            postings=tuple(
                Posting(transfer.debit, transfer.credit, transfer.points, transfer.reason)
                for transfer in transfers([event])
            ),
            ends_stream=version + 1 == len(session.log),
        )
        for version, event in enumerate(session.log)
    ]


async def fill(file: Path, *batches: list[Append]) -> None:
    store = store_from_url(str(file))
    await store.open(ServerInfo(1, 1))
    for batch in batches:
        for append in batch:
            await store.append(append)
    await store.tables()  # whatever is read is projected first
    await store.close()


@cache
def filled() -> bytes:
    """Return the file of a database with two tables."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "room.db"
        asyncio.run(fill(file, appends("t1", 2), appends("t2", 1)[:40]))
        return file.read_bytes()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    file = tmp_path / "room.db"
    file.write_bytes(filled())
    return file


def test_a_restored_database_equals_the_backed_up_one(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, again = tmp_path / "copy.db", tmp_path / "again.db"
    assert backup(copy, database=str(database)) == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert restore(copy, database=str(again)) == 0
    printed = capsys.readouterr().out
    assert "replayed 2 tables and 0 tournaments" in printed
    assert "0 faults" in printed

    async def read(file: Path) -> dict[str, Any]:
        store = store_from_url(str(file))
        await store.open()
        tables = await store.tables(ended=True)
        contents = {table: (replay(await store.load(table)), list(await store.postings(table))) for table in tables}
        open_ones = await store.tables()
        await store.close()
        return {**contents, "open": open_ones}

    first, second = asyncio.run(read(database)), asyncio.run(read(again))
    assert first == second
    assert first["open"] == ("t2",)


def test_nothing_is_overwritten(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy.db"
    assert backup(copy, database=str(database)) == 0
    before = copy.read_bytes()
    assert backup(copy, database=str(database)) == 1
    assert restore(copy, database=str(database)) == 1
    assert capsys.readouterr().err.count("there already") == 2
    assert copy.read_bytes() == before
    assert backup(tmp_path / "other.db", database=str(tmp_path / "none.db")) == 1
    assert not list(tmp_path.glob("*.part"))


def test_a_database_is_replaced_and_kept_aside(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its newest pages; while a server serves it, or when the copy is unsound, everything stays as it is."""
    copy, wal = tmp_path / "copy.db", database.with_name(database.name + "-wal")
    assert backup(copy, database=str(database)) == 0
    database.write_bytes(b"old")
    wal.write_bytes(b"newest")
    serving = FileLock(database)
    serving.acquire(ServerInfo(1, 1, "127.0.0.1:8313"))
    assert restore(copy, database=str(database), replace=True) == 1
    assert "at 127.0.0.1:8313, serves this database already" in capsys.readouterr().err
    serving.release()
    unsound = tmp_path / "unsound.db"
    unsound.write_bytes(b"")
    assert restore(unsound, database=str(database), replace=True) == 1
    assert database.read_bytes() == b"old"
    assert restore(copy, database=str(database), replace=True) == 0
    (aside,) = tmp_path.glob("room.db.*")
    assert ((aside / database.name).read_bytes(), (aside / wal.name).read_bytes()) == (b"old", b"newest")
    assert restore(database, check=True) == 0
    assert restore(copy, database="postgresql://host/room", replace=True) == 1
    assert "--replace moves a file" in capsys.readouterr().err


def test_a_full_disk_leaves_the_old_database_in_place(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy that is to take its place cannot be written: nothing was moved, and nothing is left behind."""
    copy, wal = tmp_path / "copy.db", database.with_name(database.name + "-wal")
    assert backup(copy, database=str(database)) == 0
    database.write_bytes(b"old")
    wal.write_bytes(b"newest")
    written: list[Path] = []

    def copy_once(source: Path, target: Path) -> None:
        written.append(target)
        if len(written) > 1:
            raise BackupError(f"cannot write {target}: No space left on device")
        copy_database(source, target)

    monkeypatch.setattr("triptych.cli.backup.copy_database", copy_once)
    assert restore(copy, database=str(database), replace=True) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert (database.read_bytes(), wal.read_bytes()) == (b"old", b"newest")
    assert not [file for file in tmp_path.iterdir() if file.is_dir()]


def test_a_backup_comes_back_where_nothing_was_before(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new machine has no folder for the database yet: where a server would make it, so does `restore`."""
    copy = tmp_path / "copy.db"
    assert backup(copy, database=str(database)) == 0
    place = tmp_path / "new" / "data" / "room.db"
    monkeypatch.setattr("triptych.cli.backup.default_database", lambda: str(place))
    assert restore(copy) == 0, capsys.readouterr().err
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert place.exists()


def test_files_beside_a_database_move_with_it(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A killed server leaves its newest pages beside the file: SQLite would lay them over what is restored."""
    copy = tmp_path / "copy.db"
    assert backup(copy, database=str(database)) == 0
    left = database.with_name(database.name + "-wal")
    left.write_bytes(b"the newest pages")
    database.rename(tmp_path / "old.db")
    assert restore(copy, database=str(database)) == 1
    assert f"{left} is there already" in capsys.readouterr().err
    assert not database.exists()
    left.rename(tmp_path / "old.db-wal")
    assert restore(copy, database=str(database)) == 0


def test_a_backup_of_a_server_that_writes_is_of_one_moment(tmp_path: Path) -> None:
    """Copies are made between appends and during them; each holds every append that was answered before it began."""
    file = tmp_path / "room.db"
    batch = appends("t1", 3)

    async def write() -> list[tuple[int, Path]]:
        store = store_from_url(str(file))
        await store.open(ServerInfo(1, 1))
        copies = []
        copying: asyncio.Task[int] | None = None
        for number, append in enumerate(batch, 1):
            await store.append(append)
            if copying is None or copying.done():
                place = tmp_path / f"copy{number}.db"
                copying = asyncio.create_task(asyncio.to_thread(backup, place, database=str(file)))
                copies.append((number, place))
        if copying is not None:
            await copying
        await store.close()
        return copies

    copies = asyncio.run(write())
    assert len(copies) > 2
    for answered, place in (copies[0], copies[len(copies) // 2], copies[-1]):
        assert restore(place, check=True) == 0
        assert asyncio.run(_events(place)) >= answered


async def _events(file: Path) -> int:
    store = store_from_url(str(file))
    await store.open(ServerInfo(1, 1))
    try:
        return len(await store.load("t1"))
    finally:
        await store.close()


def test_a_check_reads_tables_page_by_page(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table of 1,000 deals took hundreds of megabytes (issue 27.6)."""

    async def whole(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("triptych.store.sql.store.PAGE", 10)
    monkeypatch.setattr("triptych.store.sql.store.SqlStore.load", whole)
    assert restore(database, check=True) == 0
    assert "0 faults" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE postings SET points = points + 1 WHERE id = (SELECT min(id) FROM postings)", "t1"),
        ("UPDATE events SET payload = x'7b7d' WHERE version = 5", "is damaged"),
        ("DELETE FROM events WHERE version = 7", "is damaged"),
    ],
)
def test_a_backup_that_was_changed_is_not_restored(
    database: Path, tmp_path: Path, sql: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.db"
    assert backup(copy, database=str(database)) == 0
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute(sql)
        connection.commit()
    assert restore(copy, database=str(tmp_path / "again.db")) == 1
    captured = capsys.readouterr()
    assert words in captured.out
    assert "not sound" in captured.err
    assert not (tmp_path / "again.db").exists()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("dear friends, " * 200)
    assert restore(file, check=True) == 1
    assert "file is not a database" in capsys.readouterr().err
    assert restore(file, database="mysql://localhost/room") == 1
    assert "postgresql://" in capsys.readouterr().err
