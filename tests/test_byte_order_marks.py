"""Texts from outside are read with a byte-order mark, CRLF and blanks at the ends of lines (issue 28.13)."""

from __future__ import annotations

import codecs
import io
import sys
from typing import TYPE_CHECKING, Final

import msgspec
import pytest

import triptych
from tests.solve.analysis.played import played_history
from triptych.cli.main import app
from triptych.cli.score import run
from triptych.errors import TriptychError
from triptych.notation.history.text import history_text
from triptych.notation.position import parse_position
from triptych.text_files import read_text

if TYPE_CHECKING:
    from pathlib import Path

RULES: Final = 'extends = "pineapple"\n[scoring]\nrows = "custom"\npoints = [2, 2, 2]\n'
DEAL: Final = {
    "rules": "pineapple",
    "players": {
        "Ann": {"front": "QhQd7c", "middle": "KsKc9d8c2c", "back": "AcAdTcJc2d"},
        "Bob": {"front": "9h6c5d", "middle": "9s9c8d7h2h", "back": "KdKhTdJs3d"},
    },
}


def encodings(text: str) -> list[bytes]:
    """Return a file's text as editors of several systems write it."""
    lines = text.replace("\n", "\r\n")
    return [f"\ufeff{text}".encode(), f"\ufeff{lines}".encode(), lines.encode(), lines.encode("utf-16")]


def run_command(*arguments: object) -> int:
    status: int = app([*map(str, arguments)], result_action="return_value")
    return status


@pytest.fixture(scope="module")
def history() -> str:
    return history_text(played_history(("fast", "random"), "all", seed=1))


@pytest.mark.parametrize("number", range(4))
def test_files_are_read_whatever_wrote_them(
    number: int, history: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deal, own_rules = tmp_path / "deal.toml", tmp_path / "house.toml"
    deal.write_bytes(encodings(history)[number])
    own_rules.write_bytes(encodings(RULES)[number])
    assert run_command("history", "check", deal) == 0, capsys.readouterr().err
    assert run_command("rules", "check", own_rules) == 0, capsys.readouterr().err
    assert triptych.rules(own_rules).scoring.points == (2, 2, 2)
    assert triptych.read_history(deal) == triptych.read_history(history)
    position = tmp_path / "position.json"
    last = "9s7d5h/8c8d3s2h4h/TcTdThJc6s | *QcQd/KsKhAc3d2d/AsAhJs5c +Jd4c5d"
    document = {"preset": "pineapple", "position": last}
    position.write_bytes(encodings(msgspec.json.encode(document).decode() + "\n")[number])
    assert run_command("analyse", position, "--error", "1000") == 0, capsys.readouterr().err


def test_standard_input_is_read_as_a_file_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for written in encodings(RULES):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
        file = tmp_path / "house.toml"
        file.write_bytes(written)
        assert read_text(type(file)("-")) == read_text(file) == RULES


@pytest.mark.parametrize("name", ["a\0b.toml", "\ud800.toml"])
def test_a_name_that_no_file_has_is_refused(name: str) -> None:
    with pytest.raises(TriptychError) as error:
        triptych.rules(name)
    assert error.value.code == "file.read"


def test_texts_are_read_with_their_mark(history: str) -> None:
    """What a program took out of a file as it stands."""
    assert triptych.read_history("\ufeff" + history.replace("\n", "\r\n")) == triptych.read_history(history)
    line = "*Kd/7s7h3c2c/AhAd2d9s +Qc4s9h -Th8d | 8h/6c6d5h9c/JsJdTs8c"
    assert parse_position(f"\ufeff{line}\r\n") == parse_position(line)


def test_lines_are_scored_with_marks_and_blank_lines_among_them() -> None:
    """Two files that were joined have a mark in the middle too."""
    line = codecs.BOM_UTF8 + msgspec.json.encode(DEAL) + b" \t\r\n"
    out = io.BytesIO()
    assert run(io.BytesIO(line + codecs.BOM_UTF8 + b"\r\n" + line), out) == 0
    answers = [msgspec.json.decode(answer) for answer in out.getvalue().splitlines()]
    assert [answer["totals"] for answer in answers] == [{"Ann": 13, "Bob": -13}] * 2


def test_a_session_is_read(tmp_path: Path) -> None:
    file = tmp_path / "friday.jsonl"
    file.write_bytes(codecs.BOM_UTF8 + msgspec.json.encode(DEAL) + b"\r\n")
    assert run_command("session", "show", file) == 0
