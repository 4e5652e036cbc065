"""Only the owner reads a database: in it lie sealed decks and the cookies' secret (issue 10, part 3, point 2)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from triptych.server.bootstrap import store_from_url
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append, NewEvent

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")]

APPEND = Append(table="t", expected_version=0, events=(NewEvent("sealed", None, b"deck"),))
FILES = ("room.db", "room.db-wal", "room.db-shm")


@pytest.fixture(autouse=True)
def _open_mask() -> object:
    """Whatever the mask of the process, nobody else reads."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


def share(folder: Path) -> None:
    folder.chmod(0o755)


async def test_a_new_database_and_its_side_files_are_readable_by_the_owner_alone(tmp_path: Path) -> None:
    store = store_from_url(str(tmp_path / "made" / "too" / "room.db"))
    await store.open()
    await store.append(APPEND)
    assert modes(tmp_path / "made" / "too") == dict.fromkeys(FILES, 0o600)
    assert modes(tmp_path)["made"] == modes(tmp_path / "made")["too"] == 0o700
    await store.close()


async def test_a_folder_that_was_there_stays_as_it_is(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("there", numbered=False)
    share(folder)
    store = store_from_url(str(folder / "room.db"))
    await store.open()
    await store.close()
    assert modes(folder.parent)["there"] == 0o755
    assert modes(folder)["room.db"] == 0o600


async def test_a_database_that_stood_open_is_shut_at_the_start(tmp_path: Path) -> None:
    """As after a crash: the write-ahead log of the last time still lies there."""
    running = sqlite_store(tmp_path / "room.db")
    await running.open()
    await running.append(APPEND)
    for name in FILES:
        (tmp_path / name).chmod(0o644)
    again = sqlite_store(tmp_path / "room.db")
    await again.open()
    assert modes(tmp_path) == dict.fromkeys(FILES, 0o600)
    assert [event.payload for event in await again.load("t")] == [b"deck"]
    await again.close()
    await running.close()
