"""Hash chains: a player commits to entropy for many deals at once and discloses it link by link.

A link's hash is the link before it. The first link, the head, is disclosed when the chain is committed. Source:
L. Lamport, Password authentication with insecure communication, CACM 24 (1981).
"""

from __future__ import annotations

from typing import Final

from triptych.fair.hashes import LINK, digest

# Links that may have been disclosed too late since the last one that was used: none is disclosed twice.
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
