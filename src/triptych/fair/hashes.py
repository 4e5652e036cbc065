"""SHA-256 with a tag for each use, random numbers out of a key, Fisher-Yates with rejection.

The client computes the very same in TypeScript (client/src/features/fairness);
tests/fair/vectors.json holds both to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

# The first byte of everything that is hashed, so that no hash can be taken for one of another use.
LEAF: Final = b"\x00"
NODE: Final = b"\x01"
SEED: Final = b"\x02"
BLOCK: Final = b"\x03"
COMMITMENT: Final = b"\x04"
LINK: Final = b"\x05"
ENTROPY: Final = b"\x06"

# What the numbers of a key are for.
SHUFFLE: Final = b"\x00"
SALTS: Final = b"\x01"
CHOICE: Final = b"\x02"
CUT: Final = b"\x03"

BYTE: Final = 256


def digest(tag: bytes, *parts: bytes) -> bytes:
    """Return the 32 bytes of a hash."""
    return sha256(tag + b"".join(parts)).digest()


def block(key: bytes, purpose: bytes, counter: int) -> bytes:
    """Return the 32 bytes with this number that a key of 32 bytes gives for a purpose."""
    return sha256(BLOCK + key + purpose + counter.to_bytes(2, "big")).digest()


def stream(key: bytes, purpose: bytes) -> Iterator[int]:
    """Yield bytes, block after block."""
    counter = 0
    while True:
        yield from block(key, purpose, counter)
        counter += 1


def uniform_below(bound: int, source: Iterator[int]) -> int:
    """Return a number from 0 to `bound` - 1 (at most 256), each equally likely.

    Bytes that would favour some of them are rejected.
    """
    fair = BYTE - BYTE % bound
    while (byte := next(source)) >= fair:
        pass
    return byte % bound


def permutation(size: int, source: Iterator[int]) -> tuple[int, ...]:
    """Return the numbers 0 to `size` - 1 in an order in which each is equally likely (Fisher-Yates)."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = uniform_below(last + 1, source)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
