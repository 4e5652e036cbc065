"""Merkle trees: one hash that fixes many leaves, and proofs of single leaves that tell nothing of the others.

Source: RFC 6962 section 2.1 (the tree of n leaves splits at the largest power of two below n).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from triptych.fair.hashes import NODE, digest


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over one leaf or more."""
    # Level by level, where what is left over goes up as it is, gives the same tree as the splits of the RFC.
    level = list(leaves)
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        left_over = level[len(level) & ~1 :]
        # Written out, since four decks a deal have two hundred nodes.
        level = [sha256(NODE + left + right).digest() for left, right in pairs] + left_over
    return level[0]


def audit_paths(leaves: Sequence[bytes]) -> list[tuple[bytes, ...]]:
    """Return, for each leaf, the hashes beside the way from it up to the root, the lowest first."""
    return _grown(leaves)[1]


def _grown(leaves: Sequence[bytes]) -> tuple[bytes, list[tuple[bytes, ...]]]:
    if len(leaves) == 1:
        return leaves[0], [()]
    middle = _split(len(leaves))
    left, lefts = _grown(leaves[:middle])
    right, rights = _grown(leaves[middle:])
    return digest(NODE, left, right), [*((*one, right) for one in lefts), *((*one, left) for one in rights)]


def root_from_path(leaf: bytes, index: int, size: int, beside: Sequence[bytes]) -> bytes | None:
    """Return the root to which a path leads from a leaf, by its index among `size`; None when it is no path."""
    if size == 1:
        return None if beside else leaf
    if not beside:
        return None
    middle = _split(size)
    left = index < middle
    half = (index, middle) if left else (index - middle, size - middle)
    below = root_from_path(leaf, *half, beside[:-1])
    if below is None:
        return None
    return digest(NODE, below, beside[-1]) if left else digest(NODE, beside[-1], below)


def _split(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1
