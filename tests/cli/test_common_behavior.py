"""What every command does alike: `-`, missing files, unknown commands, a closed pipe, help (issue 15, part 8)."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from tests.forked_command import finished
from triptych.cli.entry_point import main

MAIN = [sys.executable, "-c", "from triptych.cli.main import main; main()"]


def _run(*arguments: str, input_text: str = "") -> subprocess.CompletedProcess[str]:
    return finished(main, arguments, input_text)


@pytest.mark.parametrize(
    ("command", "input_text", "status", "words"),
    [
        (("score", "-"), '{"id":7}\n', 1, '"id":7'),
        (("score", "--file", "-"), '{"id":7}\n', 1, '"id":7'),
        (("rules", "check", "-"), 'extends = "pineapple"\n', 0, "these rules can be played"),
        (("history", "show", "-"), "", 1, "history.format"),
        (("history", "check", "-"), "", 1, "history.format"),
        (("review", "-"), "", 1, "history.format"),
    ],
)
def test_a_dash_is_standard_input(command: tuple[str, ...], input_text: str, status: int, words: str) -> None:
    completed = _run(*command, input_text=input_text)
    assert completed.returncode == status
    assert words in completed.stdout + completed.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("score",),
        ("rules", "check"),
        ("history", "show"),
        ("history", "check"),
        ("review",),
        ("outs", "//", "--preset"),
        ("arena", "fast", "random", "--preset"),
    ],
)
def test_missing_files_are_reported_alike(command: tuple[str, ...]) -> None:
    completed = _run(*command, "not there.toml")
    assert (completed.returncode, completed.stdout) == (2, "")
    assert completed.stderr == "error: cannot read not there.toml: No such file or directory\n"


def test_an_unknown_command_is_named_with_the_nearest_one() -> None:
    for word, hint in (("ruls", "did you mean rules?"), ("zzz", "there are analyse, arena")):
        completed = _run(word)
        assert completed.returncode == 2
        assert f"there is no command '{word}'; {hint}" in completed.stderr


def test_a_closed_pipe_ends_quietly() -> None:
    """The reader takes one answer and goes; the lines still to come are nobody's fault."""
    script = f"yes '{{}}' | head -100000 | {shlex.join(MAIN)} score - | head -1; echo ${{PIPESTATUS[2]}}"
    completed = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    answer, status = completed.stdout.splitlines()
    assert '"code":"line.missing"' in answer
    assert (status, completed.stderr) == ("141", "")


@pytest.mark.parametrize("columns", ["40", "200"])
def test_help_fits_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    for command in ((), ("solve", "fantasyland"), ("serve",)):
        completed = _run(*command, "--help")
        assert completed.returncode == 0
        assert "\x1b[" not in completed.stdout
        assert max(map(len, completed.stdout.splitlines())) <= int(columns)
