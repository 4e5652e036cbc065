"""The routes of the built-in puzzle collections, whose files never change."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from litestar import Response, get
from litestar.params import FromPath
from msgspec import Struct

from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.load import resolve
from triptych.server.content.immutable_files import content_hash
from triptych.server.endpoint import endpoint
from triptych.server.routes.analysis import immutable_response
from triptych.server.services import AnyRequest, ServicesDep, json_response
from triptych.server.wire.bodies import RulesSpec
from triptych.solve.puzzles.model import collections

_LINES: Final = "application/jsonl"
_COMPRESSION_LEVEL: Final = 6  # of gzip, 0 to 9: with 9 all files take three seconds, and are a fiftieth smaller


class PuzzleCollection(Struct, frozen=True):
    """A collection of puzzles under the same rules.

    `file`: its address, JSON Lines (docs/reference/files.md).
    """

    title: str
    rules: RulesSpec
    count: int
    file: str


@lru_cache(maxsize=1)
def _items() -> list[PuzzleCollection]:
    items = []
    for collection in collections():
        rules = resolve(collection.spec)
        file = f"/puzzles/{content_hash(collection.content)}"
        items.append(PuzzleCollection(title_text(rules.title or rules.name), collection.spec, collection.count, file))
    return items


@lru_cache(maxsize=1)
def _files() -> dict[str, bytes]:
    """Return the compressed files by name."""
    return {
        content_hash(collection.content): gzip.compress(collection.content, _COMPRESSION_LEVEL, mtime=0)
        for collection in collections()
    }


def _file(name: str, *, compressed: bool) -> bytes | None:
    content = _files().get(name)
    return content if compressed or content is None else gzip.decompress(content)


@get("/api/puzzles", opt=endpoint(list[PuzzleCollection], guest=False), sync_to_thread=True)
def puzzle_collections() -> Response[bytes]:
    """Return the collections of puzzles."""
    return json_response(_items())


@get("/puzzles/{name:str}", opt=endpoint(_LINES, guest=False))
async def puzzles(request: AnyRequest, services: ServicesDep, name: FromPath[str]) -> Response[bytes]:
    """Return a collection of puzzles named by `GET /api/puzzles`, a JSON object a line; it never changes."""
    return await immutable_response(
        request, services, name, lambda compressed: _file(name, compressed=compressed), kind=_LINES
    )


HANDLERS: Final = (puzzle_collections, puzzles)
