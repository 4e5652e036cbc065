"""JSON Lines through the solving commands: every line answered, Ctrl-C loses nothing done (issue 4, part 7)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

FOURTEEN = "AhKhQhJhTh9s9d9c5s5d2c2d2h3c"
# In a shell's background job SIGINT is ignored; the program is to take it as on a terminal.
START = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
MAIN = [sys.executable, "-c", START + "from triptych.cli.main import main; main()"]


def _start(*arguments: str) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*MAIN, *arguments], text=True, **pipes)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("command", ["fantasyland", "closed"])
def test_good_lines_are_answered_around_bad_ones(command: str) -> None:
    cards = FOURTEEN if command == "fantasyland" else FOURTEEN[:-2]
    good = json.dumps({"id": "good", "cards": cards})
    bad = [
        "nonsense",
        "",
        "[]",
        '{"id":1}',
        json.dumps({"id": 2, "cards": cards, "x": 1}),
        "\x00",
        " " + "y" * (1 << 21),
    ]
    lines = [good, *(line for bad_line in bad for line in (bad_line, good))]
    completed = subprocess.run(
        [*MAIN, "solve", command, "--json", "-"], input="\n".join(lines), capture_output=True, text=True, check=False
    )
    answers = [json.loads(line) for line in completed.stdout.splitlines()]
    assert completed.returncode == 1
    assert completed.stderr == ""
    blank = 1
    assert len(answers) == len(lines) - blank
    assert sum("error" in answer for answer in answers) == len(bad) - blank
    assert sum(answer["id"] == "good" and "error" not in answer for answer in answers) == len(bad) + 1


@pytest.mark.parametrize(
    "command", [("solve", "fantasyland", "--json", "-"), ("solve", "closed", "--json", "-"), ("score",)]
)
def test_ctrl_c_keeps_finished_work(command: tuple[str, ...]) -> None:
    """Answers come as the lines do; then the program ends by itself, without a traceback."""
    with _start(*command) as program:
        assert program.stdin
        assert program.stdout
        assert program.stderr
        for number in range(3):
            program.stdin.write(json.dumps({"id": number, "cards": FOURTEEN}) + "\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["id"] == number
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=30) == 130
        assert program.stdout.read() == ""
        assert program.stderr.read() == ""
