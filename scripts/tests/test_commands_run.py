"""The commands that guides and tutorials show run one after another, with fewer deals than they say (issue 34).

Servers, backups and upgrades are walked through by scripts/operator_walk.py, `history export` by tests/cli.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from scripts.tests.test_pages import DOCS
from tests.case_notes import case

EXAMPLES = DOCS / "examples"
PAGES = (
    "how-to/custom-rules.md",
    "how-to/make-puzzles.md",
    "how-to/review.md",
    "how-to/run-a-match.md",
    "how-to/score-real-cards.md",
    "how-to/train.md",
    "tutorials/first-bot.md",
)
BOARDS = "KhKdQs/Qc9c8c7c6c/AhAdAc2s2d\n5h6h7d/8s8d9hTd3c/JsJcJdKc4c\nsurrender\n\n"
# The fewest deals and puzzles that each command takes.
FEWEST = {"arena": ("--deals", "2"), "puzzles": ("--count", "1"), "train": ("--deals", "60000")}


def commands(page: str) -> list[str]:
    """Return the lines of a page's blocks of shell that run triptych."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("triptych ")]


def shortened(command: str) -> list[str]:
    """Return the words of a command, with few deals, and with Python where it names another interpreter."""
    words = shlex.split(command.replace("node mybot.js", f"{sys.executable} mybot.py"), comments=True)
    words[0] = str(Path(sys.executable).with_name("triptych"))
    option, few = FEWEST.get(words[1], ("", ""))
    if option in words:
        words[words.index(option) + 1] = few
    elif option and not {"--remeasure", "--check"} & set(words):
        words += [option, few]
    return ["py:careful_bot.py" if word == "py:mybot.py" else word for word in words]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    for name in ("mybot.py", "older.py", "better.py", "first_fit.py"):
        shutil.copy(EXAMPLES / "first_fit.py", tmp_path / name)
    shutil.copy(EXAMPLES / "deal.toml", tmp_path)
    careful = (EXAMPLES / "careful_bot.py").read_text("utf-8")
    (tmp_path / "careful_bot.py").write_text(f"{careful}\n\ndef bot(seed):\n    return Careful()\n")
    (tmp_path / "mine.tw").write_bytes((files("triptych_weights") / "pineapple.tw").read_bytes())
    lines = commands(page)
    assert lines
    for command in lines:
        if command.startswith("triptych history export"):
            continue
        words = shortened(command)
        target = tmp_path / words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if target else words
        with case(page, command):
            done = subprocess.run(words, cwd=tmp_path, input=BOARDS, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        if target:
            target.write_text(done.stdout, "utf-8")


def test_every_page_with_commands_of_its_own_is_run_or_walked_through() -> None:
    """A new guide with commands has to be named here."""
    walked = {"how-to/host", "explanation"}
    with_commands = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md") if commands(str(page))}
    assert {page for page in with_commands if page not in PAGES and not page.startswith(tuple(walked))} == set()
