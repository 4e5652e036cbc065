"""Files that never change, named by a hash of their content: learned weights, and hand pools for closed games."""

from __future__ import annotations

import gzip
import hashlib
import struct
from functools import lru_cache
from threading import Lock
from typing import Final

from triptych.rulesets.load import preset_names, resolve
from triptych.solve.closed.strategy import HAND_BYTES, packaged_strategies
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import packaged_file, raw_table

_GZIP_LEVEL: Final = 4  # no larger than with 6 here, in a quarter of the time
_CACHED_TABLES: Final = 8  # compressed: some three megabytes each


def content_hash(content: bytes) -> str:
    """Return the name of a file with this content."""
    return hashlib.sha256(content).hexdigest()[:16]


def hand_pool_content(hands: bytes) -> bytes:
    """Return a hand pool in the format of the browser's kernel."""
    return struct.pack("<I", len(hands) // HAND_BYTES) + hands


@lru_cache(maxsize=1)
def hand_pool_files() -> dict[str, bytes]:
    """Return the hand pool of every packaged strategy by its file's name."""
    return {
        content_hash(content): content
        for _, hands in packaged_strategies()
        for content in (hand_pool_content(hands),)
    }


@lru_cache(maxsize=_CACHED_TABLES)
def compressed_hand_pool(name: str) -> bytes | None:
    """Return the hand pool of a packaged strategy by its file's name, compressed, or None."""
    content = hand_pool_files().get(name)
    return None if content is None else gzip.compress(content, _GZIP_LEVEL, mtime=0)


@lru_cache(maxsize=1)
def _presets() -> dict[str, str]:
    """Return a preset for each table's name; house rules use the table of a preset."""
    presets: dict[str, str] = {}
    for preset in preset_names():
        rules = resolve(preset)
        file = packaged_file(rules) if can_learn(rules) else None
        if file is not None:
            presets.setdefault(content_hash(file), preset)
    return presets


def learned_table(name: str) -> bytes | None:
    """Return the learned table of a name, or None."""
    preset = _presets().get(name)
    file = None if preset is None else packaged_file(resolve(preset))
    return None if file is None else raw_table(file)


@lru_cache(maxsize=_CACHED_TABLES)
def _compressed_table(name: str) -> bytes | None:
    table = learned_table(name)
    return None if table is None else gzip.compress(table, _GZIP_LEVEL, mtime=0)


_COMPRESSING: Final = Lock()  # a second request for a table waits for the first


def compressed_learned_table(name: str) -> bytes | None:
    """Return the learned table of a name, compressed, or None."""
    with _COMPRESSING:
        # Unknown names are not cached.
        return _compressed_table(name) if name in _presets() else None
