"""Write the protocol's documents into src/triptych/server/docs; `--check` only compares.

python -m scripts.protocol_pages [--check]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from scripts.protocol_pages import asyncapi, openapi
from scripts.protocol_pages.page import page

FOLDER: Final = Path(__file__).parents[2] / "src" / "triptych" / "server" / "docs"


def pages() -> dict[str, str]:
    """Return every document by its file name."""
    http, socket = openapi.document(), asyncapi.document()
    return {"openapi.json": _json(http), "asyncapi.json": _json(socket), "index.html": page(http, socket)}


def stale() -> list[str]:
    """Return the names of documents that are missing or not what the types say."""
    return [
        name
        for name, text in pages().items()
        if not (FOLDER / name).is_file() or (FOLDER / name).read_text("utf-8") != text
    ]


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    """Write the documents, or with `--check` answer 1 when one is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        old = stale()
        if old:
            sys.stderr.write(f"{', '.join(old)} stale: run python -m scripts.protocol_pages\n")
        return int(bool(old))
    for name, text in pages().items():
        (FOLDER / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
