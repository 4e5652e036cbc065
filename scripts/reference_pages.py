"""Write the pages of docs/reference that follow from the commands, the HTTP interface and the pictures.

Run `python -m scripts.reference_pages`; `--check` answers 1 when a page is stale.
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scripts.generated import run
from scripts.protocol_pages import openapi
from triptych.cli.main import app

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER: Final = Path(__file__).parents[1] / "docs" / "reference"
PICTURES: Final = FOLDER.parent / "pictures"
GENERATED: Final = "<!-- Written by scripts/reference_pages.py; do not edit. -->"
_STATUSES: Final = "0 success; 1 an error in the answer; 2 a wrong command line; 130 Ctrl-C; 141 a closed pipe"


def pages() -> dict[str, str]:
    """Return every page by its file name."""
    return {
        "cli.md": cli(app.generate_docs(usage_name="triptych")),
        "gallery.md": gallery([file.name for file in PICTURES.glob("*.jpg")]),
        "http.md": http(openapi.document()),
    }


def cli(written: str) -> str:
    """Return the page of the command line, made of what cyclopts writes."""
    # The root's own lists repeat what stands under its commands.
    _, first, commands = written.partition("## triptych serve\n")
    body = (first + commands).replace("```console\n", "```text\n")
    # Of the default command and of commands of commands cyclopts writes how this very program was called.
    body = re.sub(r"^triptych serve .*\[OPTIONS\]$", "triptych serve [OPTIONS]", body, flags=re.MULTILINE)
    body = re.sub(r"^(triptych \w+ \w+) -m [\w.]+", r"\1", body, flags=re.MULTILINE)
    body, _, _ = body.partition("\n## triptych --install-completion")
    head = (
        GENERATED,
        "",
        "# Command line",
        "",
        f"`triptych` without a command is `triptych serve`. Exit statuses: {_STATUSES}.",
        "`NO_COLOR` and `COLUMNS` are respected. `triptych --install-completion` installs shell completion.",
        "",
    )
    return re.sub(r"[ \t]+$", "", "\n".join((*head, body)), flags=re.MULTILINE).rstrip() + "\n"


def http(document: dict[str, Any]) -> str:
    """Return the page of the HTTP interface, made of its OpenAPI document."""
    return "\n".join(_http_lines(document)).rstrip() + "\n"


def _http_lines(document: dict[str, Any]) -> Iterator[str]:
    yield from (GENERATED, "", "# HTTP", "")
    yield "Every address of the server. A running server has the types and examples at `/docs/openapi.json`."
    yield "Identity, tokens and errors are explained in [the protocol](protocol.md)."
    yield ""
    yield "*Token* names the scope that a token needs. Without it only the guest's own cookie may ask."
    yield ""
    operations = [
        (operation["tags"][0], method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    order = [tag["name"] for tag in document["tags"]]
    operations.sort(key=lambda entry: order.index(entry[0]))
    for tag, entries in groupby(operations, key=lambda entry: entry[0]):
        yield from (f"## {tag.capitalize()}", "", "| address | answer |", "| --- | --- |")
        for _, method, path, operation in entries:
            yield f"| `{method} {path}` | {operation['description']}{_body(operation)}{_scope(operation)} |"
        yield ""


def _body(operation: dict[str, Any]) -> str:
    """Return what the body is, empty without one."""
    content = operation.get("requestBody", {}).get("content", {})
    schemas = [media["schema"].get("$ref", "") for media in content.values()]
    return f" *Body:* `{schemas[0].rpartition('/')[2]}`." if schemas and schemas[0] else ""


def _scope(operation: dict[str, Any]) -> str:
    """Return the scope that a token needs, empty where none may ask."""
    scopes = [entry["token"][0] for entry in operation["security"] if "token" in entry]
    return f" *Token:* `{scopes[0]}`." if scopes else ""


def gallery(names: list[str]) -> str:
    """Return the page of all pictures: those taken at several sizes in a row each, then the others."""
    sizes: dict[str, dict[int, str]] = {}
    others: list[str] = []
    for name in sorted(names):
        sized = re.fullmatch(r"(.+)-(\d+)x(\d+)\.jpg", name)
        if sized:
            sizes.setdefault(sized[1], {})[int(sized[2])] = name
        else:
            others.append(name)
    lines = [GENERATED, "", "# Gallery", "", "The pages at several sizes, taken by `python -m scripts.pictures`.", ""]
    for scene, by_width in sizes.items():
        pictures = [f"![{scene}, {width} pixels wide](../pictures/{by_width[width]})" for width in sorted(by_width)]
        lines += [
            f"## {scene.replace('-', ' ').capitalize()}",
            "",
            f"| {' | '.join(pictures)} |",
            "|---" * len(by_width) + "|",
            "",
        ]
    lines += ["## Moments", ""]
    lines += [f"![{name.removesuffix('.jpg')}](../pictures/{name})\n" for name in others]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Write the pages, or with `--check` answer 1 when one is stale."""
    return run(FOLDER, pages, "scripts.reference_pages", __doc__)


if __name__ == "__main__":
    sys.exit(main())
