"""`triptych history`: show, check and export. Issue 3, part 7."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.table.session import Session
from triptych.cli.history import check, export, show
from triptych.notation.history.read import parse_history
from triptych.server.bootstrap import store_from_url
from triptych.store.types import Append, NewEvent
from triptych.table.codec import encode


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with one table of two deals, the second unfinished."""
    session = Session()
    session.play()
    session.begin()
    file = tmp_path / "room.db"

    async def fill() -> None:
        store = store_from_url(str(file))
        await store.open()
        await store.append(
            Append(table="t1", expected_version=0, events=tuple(NewEvent(*encode(event)) for event in session.log))
        )
        await store.close()

    asyncio.run(fill())
    return file


def test_an_exported_deal_can_be_shown_and_checked(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export("t1", 1, database=str(database), everything=True) == 0
    text = capsys.readouterr().out
    file = tmp_path / "deal.toml"
    file.write_text(text, "utf-8")
    assert check(file) == 0
    assert "deal 1 is as its rules have it" in capsys.readouterr().out
    assert show(file) == 0
    printed = capsys.readouterr().out
    assert "Bob puts" in printed
    assert "p1 pl" not in printed
    assert show(file, compact=True) == 0
    assert "p1 pl" in capsys.readouterr().out


def test_a_seat_exports_only_what_it_knew(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export("t1", 1, database=str(database), seat=0) == 0
    text = capsys.readouterr().out
    assert 'seen_by = "seat 0"' in text
    assert "x??" in text


def test_the_public_view_is_named_as_such(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export("t1", 1, database=str(database)) == 0
    public = capsys.readouterr()
    assert public.err.startswith("this is what a spectator saw")
    assert parse_history(public.out).seen_by is None
    assert export("t1", 1, database=str(database), seat=0) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("table", "deal", "words"), [("t1", 9, "no deal 9"), ("t9", 1, "no deal 1"), ("t1", 2, "still")]
)
def test_deals_that_cannot_be_exported_are_refused(
    database: Path, capsys: pytest.CaptureFixture[str], table: str, deal: int, words: str
) -> None:
    assert export(table, deal, database=str(database)) == 1
    assert words in capsys.readouterr().err


def test_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export("t1", 1, database=str(tmp_path / "none.db")) == 1
    assert "there is no database" in capsys.readouterr().err
    assert not (tmp_path / "none.db").exists()


def test_a_false_history_is_named_with_its_place(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export("t1", 1, database=str(database), everything=True)
    text = capsys.readouterr().out.replace("fantasyland = [0, 0]", "fantasyland = [0, 14]", 1)
    (tmp_path / "false.toml").write_text(text, "utf-8")
    (tmp_path / "bad.toml").write_text("format = 1", "utf-8")
    assert check(tmp_path / "false.toml", tmp_path / "bad.toml", tmp_path / "none.toml") == 2
    printed = capsys.readouterr().err
    assert "false.toml: $.actions[" in printed
    assert "(history.format)" in printed
    assert "cannot read" in printed
