"""Write server/static/client_routes.py from the client's table of routes; `--check` only compares.

    python -m scripts.client_routes [--check]

client/src/shared/routes.json names each page's path, and the messages that its preview shows.
"""

import json
import re
import sys

from scripts import generated

SOURCE = generated.ROOT / "client" / "src" / "shared" / "routes.json"
MESSAGES = generated.ROOT / "client" / "messages" / "en.json"
FOLDER = generated.ROOT / "src" / "triptych" / "server" / "static"
# A part of a path, and what the server's pattern has for it.
PARTS = {"": "/[^/]+", "?": "(/[^/]+)?", ":number": "/0*[1-9][0-9]*"}
PART = re.compile(r"/\{\w+(\?|:number|)\}")
HEAD = '''"""The client's pages. Generated from client/src/shared/routes.json by scripts/client_routes.py."""

from __future__ import annotations

from typing import Final

# Each page's pattern, and its preview's title and text; both are empty where it shows the same as any page.
CLIENT_ROUTES: Final[tuple[tuple[str, str, str], ...]] = (
'''


def pattern(path: str) -> str:
    """Return a regular expression for the paths that a route such as `/rules/{preset?}` stands for."""
    pieces = PART.split(path)
    text = "".join(
        PARTS[piece] if at % 2 else re.escape(piece).replace("\\/", "/") for at, piece in enumerate(pieces)
    )
    return text if path == "/" else f"{text}/?"


def pages() -> dict[str, str]:
    """Return the file's text by its name."""
    messages = json.loads(MESSAGES.read_text("utf-8"))
    lines = []
    for route in json.loads(SOURCE.read_text("utf-8")):
        title, text = (messages[route[key]] if key in route else "" for key in ("title", "text"))
        values = (f'r"{pattern(route["path"])}"', *(json.dumps(value, ensure_ascii=False) for value in (title, text)))
        line = f"    ({', '.join(values)}),\n"
        wrapped = "    (\n" + "".join(f"        {value},\n" for value in values) + "    ),\n"
        lines.append(line if len(line) <= 119 else wrapped)
    return {"client_routes.py": HEAD + "".join(lines) + ")\n"}


if __name__ == "__main__":
    sys.exit(generated.run(FOLDER, pages, "scripts.client_routes", __doc__))
