"""Files that a script writes and that are in the repository: write them, or compare them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def stale(folder: Path, pages: Mapping[str, str]) -> list[str]:
    """Return the names of files that are missing in a folder, or hold other texts than these."""
    return [
        name
        for name, text in pages.items()
        if not (folder / name).is_file() or (folder / name).read_text("utf-8") != text
    ]


def run(folder: Path, pages: Callable[[], Mapping[str, str]], module: str, doc: str | None) -> int:
    """Write the files into their folder; with `--check` write nothing, and return 1 when one is stale."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    texts = pages()
    if check:
        old = stale(folder, texts)
        if old:
            where = folder.relative_to(ROOT).as_posix()
            sys.stderr.write(f"{where}: {', '.join(old)} stale: run python -m {module}\n")
        return int(bool(old))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return 0
