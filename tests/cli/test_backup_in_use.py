"""`triptych backup` of a database that is written all the time, is interrupted, or cannot be written (issue 27.3)."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli.test_backup import database
from triptych.cli.backup import backup, restore
from triptych.store.sqlite import backup as copying
from triptych.store.sqlite.backup import copy_database

SLOWLY = """
import time
from triptych.cli.main import main
from triptych.store.sqlite import backup
backup.PAGES, backup._on_progress = 1, lambda *_: time.sleep(0.001) or 0
main()
"""
__all__ = ["database"]
PATIENCE = 120  # seconds, only for what hangs: a machine may be busy


@contextmanager
def written(file: Path, megabytes: int, pause: float = 0.0) -> Iterator[threading.Event]:
    """Let another connection commit to a database of some size, one commit after the other; the event: it does."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE IF NOT EXISTS padding (number INTEGER PRIMARY KEY, page BLOB)")
        database.executemany("INSERT INTO padding (page) VALUES (zeroblob(1000000))", [()] * megabytes)
        database.commit()
    begun, ended = threading.Event(), threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(file, timeout=60, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous=OFF")
            while not ended.wait(pause):
                connection.execute("INSERT INTO padding (page) VALUES (zeroblob(100))")
                begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(PATIENCE)
        yield begun
    finally:
        ended.set()
        writer.join()


def test_a_copy_ends_while_another_connection_commits(database: Path, tmp_path: Path) -> None:
    """SQLite began a stepped copy again at every commit of another connection, so it never ended."""
    copy = tmp_path / "copy.db"
    done: list[int] = []
    with written(database, 20) as begun:
        copier = threading.Thread(target=lambda: done.append(backup(copy, database=str(database))), daemon=True)
        copier.start()
        copier.join(60)
        assert done == [0]
        begun.clear()
        assert begun.wait(PATIENCE)  # it was written all the time, and is still
    assert restore(copy, check=True) == 0


def test_a_database_can_be_written_during_a_check(database: Path) -> None:
    """`restore --check` takes the database itself as well as a copy of it."""
    done: list[int] = []
    with written(database, 20):
        checker = threading.Thread(target=lambda: done.append(restore(database, check=True)), daemon=True)
        checker.start()
        checker.join(60)
        assert done == [0]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
@pytest.mark.parametrize("while_", ["copying", "checking"])
def test_ctrl_c_ends_a_copy_at_once_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, while_: str
) -> None:
    file, copy = tmp_path / "room.db", tmp_path / "copy.db"
    monkeypatch.setattr(copying, "STEPS", 1)
    calls = 0

    def pressed(*progress: int) -> int:
        """Press Ctrl-C when the first pages are copied, or the whole copy is being checked."""
        nonlocal calls
        if bool(progress) == (while_ == "copying") and copy.with_name("copy.db.part").stat().st_size:
            calls += 1
            os.kill(os.getpid(), signal.SIGINT)
        return 0

    monkeypatch.setattr(copying, "_on_progress", pressed)
    with written(file, 20), pytest.raises(KeyboardInterrupt):
        copy_database(file, copy)
    assert calls == 1
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith("copy")] == []


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_stopped_says_so_and_leaves_nothing(database: Path, tmp_path: Path, sent: int) -> None:
    copy = tmp_path / "copy.db"
    command = [sys.executable, "-c", SLOWLY, "backup", str(copy), "--database", str(database)]
    with written(database, 40, 0.01), subprocess.Popen(command) as running:
        part = copy.with_name("copy.db.part")
        while not part.exists() or not part.stat().st_size:
            assert running.poll() is None
            time.sleep(0.001)
        running.send_signal(sent)
        assert running.wait(PATIENCE) == 130
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such modes there")
@pytest.mark.parametrize("left", [(), ("-wal",)], ids=["as a server leaves it", "as a crash leaves it"])
def test_a_database_on_read_only_media_is_copied_and_checked(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: tuple[str, ...]
) -> None:
    """SQLite makes files beside a database that writes ahead, even to read it."""
    media = tmp_path / "media"
    media.mkdir()
    with closing(sqlite3.connect(database)) as open_one:
        open_one.execute("PRAGMA wal_autocheckpoint=0")
        open_one.execute("CREATE TABLE late (number)")
        open_one.commit()
        for ending in ("", *left):
            (media / f"room.db{ending}").write_bytes(database.with_name(f"room.db{ending}").read_bytes())
    # A folder in which nothing can be made, for whoever runs this.
    connect = sqlite3.connect

    def on_media(place: str, *args: object, **kwargs: object) -> sqlite3.Connection:
        if "/media/" in str(place) and "immutable=1" not in str(place):
            return connect("file:/nowhere/room.db?mode=ro", uri=True)
        return connect(place, *args, **kwargs)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", on_media)
    monkeypatch.setattr(os, "access", lambda _place, _mode: False)
    copy = tmp_path / "copy.db"
    assert backup(copy, database=str(media / "room.db")) == 0
    assert restore(media / "room.db", check=True) == 0
    assert sorted(each.name for each in media.iterdir()) == ["room.db", *(f"room.db{ending}" for ending in left)]
    monkeypatch.undo()
    with closing(sqlite3.connect(copy)) as copied:
        count = copied.execute("SELECT count(*) FROM sqlite_master WHERE name = 'late'").fetchone()[0]
    assert count == len(left)


@pytest.mark.slow
def test_a_copy_of_a_large_database_at_137_commits_a_second(database: Path, tmp_path: Path) -> None:
    with written(database, 400, 1 / 137):
        assert backup(tmp_path / "copy.db", database=str(database)) == 0
