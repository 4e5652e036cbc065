"""What is installed decides what can be done: the library alone, the command line, the server (pyproject extras)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from importlib.metadata import distribution, requires
from pathlib import Path

import pytest
import triptych_weights

import triptych
from triptych import _kernel

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the small environments are made of links")
SITE = Path(sysconfig.get_path("purelib"))
TOUR = """
import triptych
from triptych.bots.strategy_cache import cache_dir

rules = triptych.rules("pineapple", **{"scoring.rows": "two_four"})
assert triptych.__version__
assert triptych.rank("AsKsQsJsTs").name == "Royal flush"
boards = {"Ann": "QhQd7c/QsQc9d8c2c/8d9cTcJc2d", "Bob": "2h2s3c/3d3h5s5h6d/AhAdAc4s4h"}
assert sum(triptych.score(boards, rules).totals.values()) == 0
assert triptych.solve_fantasyland("AsKsQsJsTs2c2d2h9c9d4h5h6h7c")
assert triptych.solve_closed("AsKsQsJsTs2c2d2h9c9d4h5h6h")
assert triptych.outs("AsAd / 7h7d / 2c", dead="Ah")
try:
    triptych.play_match("fast", "novice", rules="pineapple", deals=2)
except triptych.TriptychError as missing:
    assert missing.code == "arena.weights", missing
    print("without weights")
print(cache_dir())
"""
COMMAND = [sys.executable, "-S", "-c", "from triptych.cli.entry_point import main; main()"]
# Runs commands, each in a process forked from one that has imported the command line, and prints how each ended.
COMMANDS = """
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from triptych.cli.entry_point import main

for arguments in json.loads(sys.argv[1]):
    reading, writing = os.pipe()
    if os.fork() == 0:
        sys.argv[1:], said, status = arguments, io.StringIO(), 0
        with redirect_stdout(io.StringIO()), redirect_stderr(said):
            try:
                main()
            except SystemExit as end:  # with a status, or with what the interpreter would print
                status = end.code if isinstance(end.code, int) else 1
                said.write(str(end.code))
        os.write(writing, json.dumps([status, said.getvalue()]).encode())
        os._exit(0)
    os.close(writing)
    os.wait()
    print(os.fdopen(reading).read())
"""


def needed(names: list[str], packages: set[str] | None = None) -> set[str]:
    """Return the distributions that these ask for, themselves included."""
    packages = set() if packages is None else packages
    for name in names:
        if name in packages:
            continue
        packages.add(name)
        requirements = [requirement for requirement in requires(name) or [] if "extra ==" not in requirement]
        here = [
            re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in requirements if ";" not in requirement
        ]
        needed(here, packages)
    return packages


def linked(folder: Path, names: list[str]) -> Path:
    """Make an environment of some distributions and triptych, by links."""
    package = folder / "triptych"
    package.mkdir()
    for file in (*Path(triptych.__file__).parent.iterdir(), Path(_kernel.__file__)):
        if file.name != "__pycache__":
            (package / file.name).symlink_to(file)
    about = next(SITE.glob("triptych-*.dist-info"))
    (folder / about.name).symlink_to(about)
    if "triptych-weights" in names:
        about = next(SITE.glob("triptych_weights-*.dist-info"))
        (folder / about.name).symlink_to(about)
        (folder / "triptych_weights").symlink_to(Path(triptych_weights.__file__).parent)
    for name in needed([name for name in names if name != "triptych-weights"]):
        tops = {file.parts[0] for file in distribution(name).files or () if not file.parts[0].startswith(("..", "_"))}
        for top in tops | {f"{name}.libs"}:
            if (SITE / top).exists():
                (folder / top).symlink_to(SITE / top)
    return folder


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LD_LIBRARY_PATH"}}
    environment = {**variables, "PYTHONPATH": str(folder), "COLUMNS": "200"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


def test_the_library_needs_numpy_and_msgspec_alone(tmp_path: Path) -> None:
    done = run([sys.executable, "-S", "-c", TOUR], linked(tmp_path, ["numpy", "msgspec"]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["without weights", str(Path.home() / ".cache" / "triptych" / "strategies")]


def test_learned_weights_are_a_separate_package(tmp_path: Path) -> None:
    program = "import triptych; triptych.play_match('fast', 'novice', rules='pineapple', deals=2)"
    folder = linked(tmp_path, ["numpy", "msgspec", "triptych-weights"])
    done = run([sys.executable, "-S", "-c", program], folder)
    assert done.returncode == 0, done.stderr


def test_custom_weights_need_no_package(tmp_path: Path) -> None:
    folder = linked(tmp_path, ["numpy", "msgspec"])
    own = Path(triptych_weights.__file__).with_name("turbo.tw")
    program = f"import triptych; assert triptych.play_match('fast:{own}', 'random', rules='turbo', deals=1)"
    done = run([sys.executable, "-S", "-c", program], folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("arguments", [[], ["score"], ["--help"]])
def test_without_its_extra_the_command_line_says_which(tmp_path: Path, arguments: list[str]) -> None:
    done = run([*COMMAND, *arguments], linked(tmp_path, ["numpy", "msgspec"]))
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install 'triptych[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_line_needs_no_server(tmp_path: Path) -> None:
    folder = linked(tmp_path, ["numpy", "msgspec", "cyclopts", "joblib", "platformdirs", "rich"])
    light = [["--help"], ["rules"], ["solve", "fantasyland", "AsKsQsJsTs2c2d2h9c9d4h5h6h7c"], ["arena", "--help"]]
    commands = [*light, [], ["serve"]]
    done = run([sys.executable, "-S", "-c", COMMANDS, json.dumps(commands)], folder)
    assert done.returncode == 0, done.stderr
    ended = [json.loads(line) for line in done.stdout.splitlines()]
    assert [status for status, _ in ended] == [0, 0, 0, 0, 1, 1], ended
    for _, output in ended[len(light) :]:
        assert "pip install 'triptych[room]'" in output
        assert "Traceback" not in output
