"""The worked cases of the rulebook through `triptych score`. Each case carries its own source."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from triptych.cli.score import MAX_LINE, run


def read_cases(name: str) -> list[dict[str, Any]]:
    text = (Path(__file__).parents[2] / "cases" / name).read_text()
    return [json.loads(line) for line in text.splitlines()]


CASES = read_cases("rulebook.jsonl")
# How points are counted and settled where no seed says it: derived by hand from Rules §4 and 6.
COUNTS = read_cases("counts.jsonl")


def contains(actual: object, expected: object) -> bool:
    """Return whether every key that is asserted is there with its value, 1 and true being different."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            key in actual and contains(actual[key], expected[key]) for key in expected
        )
    return type(actual) is type(expected) and actual == expected


def score(lines: bytes) -> tuple[list[dict[str, Any]], int]:
    out = io.BytesIO()
    status = run(io.BytesIO(lines), out)
    return [json.loads(line) for line in out.getvalue().splitlines()], status


def test_there_are_63_cases() -> None:
    assert len(CASES) == 63


@pytest.mark.parametrize("case", [*CASES, *COUNTS], ids=[case["in"]["id"] for case in [*CASES, *COUNTS]])
def test_case(case: dict[str, dict[str, object]]) -> None:
    (answer,), status = score(json.dumps(case["in"]).encode())
    assert status == 0
    assert contains(answer, case["out"]), (answer, case["out"], case["source"])


def test_seats_can_be_listed_in_any_order() -> None:
    """The same deal with its seats listed and ordered backwards gives the mirrored answer."""
    for case in CASES:
        document = case["in"]
        if "players" not in document:
            continue
        names = list(document["players"])
        turned = {**document, "order": names[::-1]}
        (first, second), _ = score(f"{json.dumps(document)}\n{json.dumps(turned)}\n".encode())
        assert second["totals"] == first["totals"]
        assert second["royalties"] == first["royalties"]
        mirrored = {"-".join(reversed(key.split("-"))): -points for key, points in first["pairs"].items()}
        assert second["pairs"] == mirrored


def test_bad_lines_stop_no_other() -> None:
    good = json.dumps(CASES[0]["in"])
    answers, status = score(f"nonsense\n\n{good}\n[1]\n{good}".encode())
    assert [("error" in answer) for answer in answers] == [True, False, True, False]
    assert status == 1


def test_a_line_without_end_is_refused_and_the_next_is_scored() -> None:
    good = json.dumps(CASES[0]["in"]).encode()
    answers, status = score(b'{"id":"' + b"x" * (3 * MAX_LINE) + b'"}\n' + good + b"\n")
    assert answers[0]["error"] == {"code": "line.size", "message": "a line has at most 1048576 bytes", "path": "$"}
    assert answers[1]["id"] == CASES[0]["in"]["id"]
    assert status == 1


def test_the_command_answers_line_by_line(tmp_path: Path) -> None:
    """As a process: a file, standard input with an answer after each line, a missing file."""
    command = [sys.executable, "-c", "from triptych.cli.main import main; main()", "score"]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(case["in"]) + "\n" for case in CASES))
    completed = subprocess.run([*command, str(file)], capture_output=True, check=True)
    assert len(completed.stdout.splitlines()) == 63
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for case in CASES[:2]:
            process.stdin.write(json.dumps(case["in"]).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == case["in"]["id"]
        process.stdin.write(b"{}\n")
        process.stdin.close()
        assert json.loads(process.stdout.readline())["error"]["path"] == "$.rules"
        assert process.wait() == 1
    missing = subprocess.run([*command, str(tmp_path / "none")], capture_output=True, check=False)
    assert missing.returncode == 2
    assert b"cannot read" in missing.stderr
