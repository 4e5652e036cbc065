"""Merkle trees: one hash that commits to many leaves, and proofs of single leaves that reveal no others.

Source: RFC 6962 section 2.1 (the tree of n leaves splits at the largest power of two below n).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from triptych.fair.hashes import NODE, digest


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over one or more leaves."""
    # Building level by level, with an odd last node moved up as it is, gives the same tree as the splits of the RFC.
    level = list(leaves)
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        odd_node = level[len(level) & ~1 :]
        # `digest` inlined for speed: four decks a deal have two hundred nodes.
        level = [sha256(NODE + left + right).digest() for left, right in pairs] + odd_node
    return level[0]


def audit_paths(leaves: Sequence[bytes]) -> list[tuple[bytes, ...]]:
    """Return each leaf's audit path: the sibling hashes from the leaf up to the root, the lowest first."""
    return _root_and_paths(leaves)[1]


def _root_and_paths(leaves: Sequence[bytes]) -> tuple[bytes, list[tuple[bytes, ...]]]:
    if len(leaves) == 1:
        return leaves[0], [()]
    middle = _split(len(leaves))
    left, left_paths = _root_and_paths(leaves[:middle])
    right, right_paths = _root_and_paths(leaves[middle:])
    paths = [*((*path, right) for path in left_paths), *((*path, left) for path in right_paths)]
    return digest(NODE, left, right), paths


def root_from_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that an audit path of the leaf `index` of `size` gives, or None if its length is wrong."""
    if size == 1:
        return None if path else leaf
    if not path:
        return None
    middle = _split(size)
    is_left = index < middle
    half = (index, middle) if is_left else (index - middle, size - middle)
    child = root_from_path(leaf, *half, path[:-1])
    if child is None:
        return None
    return digest(NODE, child, path[-1]) if is_left else digest(NODE, path[-1], child)


def _split(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1
