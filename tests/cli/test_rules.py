"""`triptych rules`: what is printed where, and the exit status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from triptych.cli.rules import app
from triptych.rulesets.describe.sections import describe
from triptych.rulesets.load import preset_names, read_toml, resolve
from triptych.rulesets.model import Ruleset

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: str) -> int:
    """Run the command; its exit status."""
    with pytest.raises(SystemExit) as stopped:
        app(list(arguments))
    assert isinstance(stopped.value.code, int)
    return stopped.value.code


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(preset_names())


def test_toml_can_be_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("closed_2_4", "--set", "clock.bank=60", "--set", "match.kind=points:7", "--toml") == 0
    expected = resolve({"preset": "closed_2_4", "clock.bank": 60, "match.kind": "points:7"})
    assert read_toml(capsys.readouterr().out) == expected


def test_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("taiwanese", "--words") == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert set(describe(resolve("taiwanese"))) <= set(lines)
    assert "[deal]" not in lines


def test_words_and_toml_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("turbo") == 0
    out = capsys.readouterr().out
    assert "There are no royalties." not in out
    assert "Rows" in out
    assert "[deal]" in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("malayan", "--json") == 0
    out = capsys.readouterr().out
    assert msgspec.convert(json.loads(out), Ruleset) == resolve("malayan")


def test_overrides_alone_stand_on_the_default_preset(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--set", "rows.order=gt", "--toml") == 0
    assert read_toml(capsys.readouterr().out) == resolve({"rows.order": "gt"})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pinapple"], "$.preset: unknown preset 'pinapple'; did you mean pineapple? (rules.preset)"),
        (["turbo", "--set", "scoring.rowz=1"], "$.scoring.rowz: unknown key; did you mean rows? (rules.unknown_key)"),
        (["turbo", "--set", "scoring.rows"], "is not key=value"),
        (
            ["pineapple", "--set", "seats.max=4", "--words"],
            "error: $.seats.max: 4 players with up to 17 cards need 68",
        ),
    ],
)
def test_errors_go_to_standard_error(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ('extends = "turbo"', 0, ""),
        ('extends = "closed_1_6"\nsurrender.points = 9', 0, "warning: $.surrender.points: 9 is not between"),
        ('extends = "closed_1_6"\nfantasyland.kind = "classic"', 1, "error: $.fantasyland.kind: a closed game deals"),
        ('extends = "turbo"\n[scoring]\nrows = "x"', 1, "error: $.scoring.rows: unknown value 'x'; one of per_row,"),
        ('extends = "turbo', 1, "line 1"),
    ],
)
def test_check(text: str, status: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text, "utf-8")
    assert run("check", str(file)) == status
    out, err = capsys.readouterr()
    assert words in err
    assert ("can be played" in out) == (status == 0)


def test_check_of_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", str(tmp_path / "nothing.toml")) == 2
    assert "cannot read" in capsys.readouterr().err
    file = tmp_path / "latin.toml"
    file.write_bytes(b"title = '\xe9'")
    assert run("check", str(file)) == 2
    assert "is not UTF-8 text" in capsys.readouterr().err
