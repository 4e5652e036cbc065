"""The puzzle collections in the installed packages that have weights (entry points)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from triptych.solve.puzzles.model import SUFFIX
from triptych.solve.value.weights import installed_files


class Collection(Struct, frozen=True):
    """One file: the rules and number of its puzzles, and its content."""

    spec: dict[str, Any]
    count: int
    content: bytes


class _Head(Struct):
    rules: dict[str, Any]


@lru_cache(maxsize=1)
def collections() -> tuple[Collection, ...]:
    """Return the installed collections in the order of their names; read once a process."""
    files = sorted((file for file in installed_files() if file.name.endswith(SUFFIX)), key=lambda file: file.name)
    contents = (file.read_bytes() for file in files)
    return tuple(
        Collection(msgspec.json.decode(content.partition(b"\n")[0], type=_Head).rules, content.count(b"\n"), content)
        for content in contents
        if content
    )
