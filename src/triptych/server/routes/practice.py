"""The puzzles that come with the house: which collections there are, and their files, which never change."""

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
from triptych.server.edge.rate_limits import WEIGHTS
from triptych.server.endpoint import endpoint
from triptych.server.routes.immutable_files import immutable_response
from triptych.server.services import AnyRequest, ServicesDep, json_response
from triptych.server.wire.bodies import RulesSpec
from triptych.solve.puzzles.installed import collections

_LINES: Final = "application/jsonl"
_EFFORT: Final = 6  # of gzip, 0 to 9: with 9 all files take three seconds, and are a fiftieth smaller


class PuzzleCollection(Struct, frozen=True):
    """Puzzles of some rules: how many, and the address of the file, one puzzle a line (docs/reference/files.md)."""

    title: str
    rules: RulesSpec
    count: int
    file: str


@lru_cache(maxsize=1)
def _listed() -> list[PuzzleCollection]:
    items = []
    for one in collections():
        rules = resolve(one.spec)
        file = f"/puzzles/{content_hash(one.content)}"
        items.append(PuzzleCollection(title_text(rules.title or rules.name), one.spec, one.count, file))
    return items


@lru_cache(maxsize=1)
def _files() -> dict[str, bytes]:
    """Return the squeezed files by name."""
    return {content_hash(one.content): gzip.compress(one.content, _EFFORT, mtime=0) for one in collections()}


def _file(name: str, *, squeezed: bool) -> bytes | None:
    content = _files().get(name)
    return content if squeezed or content is None else gzip.decompress(content)


@get("/api/puzzles", opt=endpoint(list[PuzzleCollection], guest=False), sync_to_thread=True)
def puzzle_collections() -> Response[bytes]:
    """Return the collections of puzzles."""
    return json_response(_listed())


@get("/puzzles/{name:str}", opt=endpoint(_LINES, guest=False))
async def puzzles(request: AnyRequest, services: ServicesDep, name: FromPath[str]) -> Response[bytes]:
    """Return a collection of puzzles, which `GET /api/puzzles` names, a JSON object a line; it never changes."""
    return await immutable_response(
        request, services, name, lambda squeezed: _file(name, squeezed=squeezed), kind=_LINES, budget=WEIGHTS
    )


HANDLERS: Final = (puzzle_collections, puzzles)
