"""Write the protocol's documents into src/triptych/server/docs; `--check` only compares.

python -m scripts.protocol_pages [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from scripts.generated import run
from scripts.protocol_pages import asyncapi, openapi
from scripts.protocol_pages.page import page

FOLDER: Final = Path(__file__).parents[2] / "src" / "triptych" / "server" / "docs"


def pages() -> dict[str, str]:
    """Return every document by its file name."""
    http, socket = openapi.document(), asyncapi.document()
    return {"openapi.json": _json(http), "asyncapi.json": _json(socket), "index.html": page(http, socket)}


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    """Write the pages, or with `--check` answer 1 when one is stale."""
    return run(FOLDER, pages, "scripts.protocol_pages", __doc__)


if __name__ == "__main__":
    sys.exit(main())
