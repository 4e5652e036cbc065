"""SHA-256 with a tag for each use, random numbers from a key, Fisher-Yates with rejection sampling, hash chains.

The client has the same functions in TypeScript (client/src/features/fairness); tests/fair/vectors.json tests both.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

# The first byte of all hashed data, so that no hash can be mistaken for one of another use (domain separation).
LEAF: Final = b"\x00"
NODE: Final = b"\x01"
SEED: Final = b"\x02"
BLOCK: Final = b"\x03"
COMMITMENT: Final = b"\x04"
LINK: Final = b"\x05"
ENTROPY: Final = b"\x06"

# The purposes of a key's random numbers.
SHUFFLE: Final = b"\x00"
SALTS: Final = b"\x01"
CHOICE: Final = b"\x02"
CUT: Final = b"\x03"

BYTE: Final = 256


def digest(tag: bytes, *parts: bytes) -> bytes:
    """Return the 32 bytes of a hash."""
    return sha256(tag + b"".join(parts)).digest()


def block(key: bytes, purpose: bytes, counter: int) -> bytes:
    """Return a block of 32 random bytes, by its number, of a key of 32 bytes and a purpose."""
    return sha256(BLOCK + key + purpose + counter.to_bytes(2, "big")).digest()


def stream(key: bytes, purpose: bytes) -> Iterator[int]:
    """Yield the random bytes of a key and a purpose."""
    counter = 0
    while True:
        yield from block(key, purpose, counter)
        counter += 1


def uniform_below(bound: int, source: Iterator[int]) -> int:
    """Return a number from 0 to `bound` - 1, each equally likely; `bound` is at most 256.

    Bytes that would favour some numbers are rejected.
    """
    limit = BYTE - BYTE % bound
    while (byte := next(source)) >= limit:
        pass
    return byte % bound


def permutation(size: int, source: Iterator[int]) -> tuple[int, ...]:
    """Return a permutation of the numbers 0 to `size` - 1, each equally likely (Fisher-Yates)."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = uniform_below(last + 1, source)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


# A player commits to entropy for many deals at once by a hash chain and discloses it link by link, head first: the
# hash of a link is the link before it (Lamport, Password authentication with insecure communication, CACM 24, 1981).
# So many links may have been disclosed too late since the last one that was used: none is disclosed twice.
MAX_SKIPPED: Final = 64


def previous_link(link: bytes) -> bytes:
    """Return the link before a link."""
    return digest(LINK, link)


def is_successor(link: bytes, head: bytes) -> bool:
    """Return whether a link comes after a head, with at most MAX_SKIPPED - 1 unused links between."""
    for _ in range(MAX_SKIPPED):
        link = previous_link(link)
        if link == head:
            return True
    return False
