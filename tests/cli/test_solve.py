"""`triptych solve`: answers in words and JSON, JSON Lines, one clear error for bad input (issue 4, parts 7 and 8)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.forked_command import finished
from triptych.cli.entry_point import main

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

ROYAL = "AhKhQhJhTh9s9d9c5s5d2c2d2h3c"


def solve(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return finished(main, ("solve", *arguments), text)


def test_fantasyland_in_words() -> None:
    completed = solve("fantasyland", ROYAL, "--against", "QdQs7c/7s7h4d4c3d/6s6h8s8d8h")
    assert completed.returncode == 0
    assert "Royal flush" in completed.stdout
    assert "worth 47 points against these boards" in completed.stdout  # 54 - 7 - 6 and a scoop of 6


def test_fantasyland_json_lines() -> None:
    """Issue 4, part 7: a bad line is answered with its error and stops no other."""
    lines = [json.dumps({"id": 1, "cards": ROYAL}), "nonsense", json.dumps({"id": 3, "cards": ROYAL + "Ac"})]
    completed = solve("fantasyland", "--json", "-", text="\n".join(lines))
    answers = [json.loads(line) for line in completed.stdout.splitlines()]
    assert completed.returncode == 1
    assert [answer["id"] for answer in answers] == [1, None, 3]
    assert answers[0]["royalties"] == 54
    assert answers[1]["error"]["code"] == "line.json"
    assert answers[2]["discards"] == "Ac3c"


def test_closed_and_street() -> None:
    board = "3c4d5h/7s7h4c4h3d/6s6h8s8d8h"
    closed = solve("closed", "AhKhQhJhTh9s9d9c5s5d2c2d2h", "--against", board, "--top", "2", "--json")
    best, second = json.loads(closed.stdout)["settings"]
    assert best["value"] >= second["value"] > 0
    street = solve("street", "QhQd/9d8c2c/TcJsJcJd", "9h8h2s", "--land-value", "12", "--json", "--top", "1")
    assert json.loads(street.stdout)["foul"] == 0


def test_a_terminal_sees_how_far_samples_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As triptych train: a bar on standard error, which leaves the answer as it is."""
    samples = tmp_path / "samples"
    samples.write_text("3c4d5h/7s7h4c4h3d/6s6h8s8d8h\n" * 50)
    arguments = ("closed", ROYAL[:-2], "--samples", str(samples), "--json")
    quiet = solve(*arguments)
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes any stream for a terminal then
    in_terminal = solve(*arguments)
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert "reading samples" in in_terminal.stderr
    assert "solving" in in_terminal.stderr
    assert in_terminal.stdout == quiet.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("fantasyland", "AhKh"), "cards.count"),
        (("fantasyland", ROYAL.replace("3c", "Ah")), "card.duplicate"),
        (("fantasyland", ROYAL, "--preset", "nope"), "rules.preset"),
        (("fantasyland", ROYAL, "--against", "QdQs7c"), "row.size"),
        (("closed", "AhKh"), "cards.count"),
        (("street", "QhQd/9d8c2c/TcJsJc", "9h8h2s"), "cards.count"),
    ],
)
def test_bad_input(arguments: tuple[str, ...], code: str) -> None:
    completed = solve(*arguments)
    assert completed.returncode == 1
    assert completed.stdout == ""
    assert f"({code})" in completed.stderr
    assert "Traceback" not in completed.stderr
