"""What the commands print that the documentation shows: `uv run python -m scripts.command_output` writes it again.

In the pages of docs/ a block marked `console` holds lines `$ triptych …`, each followed by what it prints. `--check`
answers 1 when something else is printed now. The commands run in the repository's folder, 100 columns wide, without
colours.
"""

import difflib
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (triptych .*)$", re.MULTILINE)


def printed(command: str) -> str:
    """Return what a command prints, errors too, without spaces at the ends of lines."""
    program, *arguments = shlex.split(command)
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    completed = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=ROOT,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return "\n".join(line.rstrip() for line in completed.stdout.strip("\n").splitlines())


def rewritten(text: str) -> str:
    """Return a page with what its commands print now."""
    commands = [command for block in _BLOCK.findall(text) for command in _COMMAND.findall(block)]
    with ThreadPoolExecutor(2) as pool:
        outputs = dict(zip(commands, pool.map(printed, commands), strict=True))

    def block(match: re.Match[str]) -> str:
        outputs_text = "\n\n".join(f"$ {command}\n{outputs[command]}" for command in _COMMAND.findall(match[1]))
        return f"```console\n{outputs_text}\n```"

    return _BLOCK.sub(block, text)


def main(arguments: list[str]) -> int:
    """Write the pages again, or with `--check` say what differs."""
    differs = False
    for page in sorted((ROOT / "docs").rglob("*.md")):
        old = page.read_text("utf-8")
        new = rewritten(old)
        if old == new:
            continue
        differs = True
        if arguments == ["--check"]:
            print(f"{page.relative_to(ROOT)} shows what is not printed now: run python -m scripts.command_output")
            name = str(page.relative_to(ROOT))
            print(
                "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), name, "printed now", lineterm=""))
            )
        else:
            page.write_text(new, "utf-8")
    return int(differs and arguments == ["--check"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
