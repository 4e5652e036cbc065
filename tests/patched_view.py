"""A view kept by its parts, as any program may keep it: docs/reference/protocol.md, *Parts*."""

from __future__ import annotations

import json
from copy import copy
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterator


def expand_paths(message: dict[str, Any], paths: list[Any]) -> dict[str, Any]:
    """Return a message's parts by their paths as text, with what stands there as in a whole view."""
    return {"v": message["v"], **_spelled(message["parts"], paths, message["now"])}


def _spelled(parts: list[Any], paths: list[Any], now: int) -> dict[str, Any]:
    result = {}
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        path, form = paths[key] if isinstance(key, int) else (key, 0)
        result[path] = _spelled(value, paths, now) if path.endswith(".") else unpacked(form, value, now)
    return result


def unpacked(form: Any, value: Any, now: int) -> Any:
    """Return a value out of its form."""
    if value is None or form == 0:
        return value
    if isinstance(form, dict):
        return {name: unpacked(inside, item, now) for (name, inside), item in zip(form.items(), value, strict=False)}
    if isinstance(form, list):
        return [unpacked(form[0], item, now) for item in value]
    if form == 1:
        return value + now
    if form == 2:
        assert value in (0, 1)
        return value == 1
    assert form == 3, form
    if isinstance(value, int):
        return ["??"] * value
    return [value[at : at + 2] for at in range(0, len(value), 2)]


def apply_patch(view: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Return a view in which each part, by its path as text, stands there; the one given stays as it is."""
    new = dict(view)
    for path, value in _flat(parts, ""):
        *way, last = path.split(".")
        inside: Any = new
        for step in way:
            at = int(step) if isinstance(inside, list) else step
            inside[at] = copy(inside[at])  # what lies beside the way is shared with the view given
            inside = inside[at]
        if last == "+":
            assert value
            inside += value
            continue
        if last == "~":
            start, gone, *others = value
            inside[start : start + gone] = others
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
