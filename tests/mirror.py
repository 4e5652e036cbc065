"""A view kept by its parts, as any program may keep it: docs/reference/protocol.md, *Parts*."""

from __future__ import annotations

import json
from copy import copy
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterator


def with_parts(view: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Return a view in which each part stands at its path; the one given stays as it is."""
    new = dict(view)
    for path, value in _flat(parts, ""):
        *way, last = path.split(".")
        inside: Any = new
        for step in way:
            at = int(step) if isinstance(inside, list) else step
            inside[at] = copy(inside[at])  # what lies beside the way is shared with the view given
            inside = inside[at]
        if last == "+":
            gone, lines = value
            inside[:] = inside[gone:] + lines
            continue
        place = int(last) if isinstance(inside, list) else last
        assert place in (range(len(inside)) if isinstance(inside, list) else inside), path
        inside[place] = value
    return new


def _flat(parts: dict[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    """Yield each part with its whole path."""
    for path, value in parts.items():
        if path.endswith("."):
            yield from _flat(value, before + path)
        else:
            yield before + path, value


def proof(view: dict[str, Any]) -> int:
    """Return the CRC-32 of a view's text."""
    return crc32(json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode())
