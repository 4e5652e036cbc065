"""Hash chains: a player fixes entropy for many deals at once and gives it away link by link.

A link's hash is the link before it; the first one, the head, is what is told when the chain is fixed. Source:
L. Lamport, Password authentication with insecure communication, CACM 24 (1981).
"""

from __future__ import annotations

from typing import Final

from triptych.fair.hashes import LINK, digest

# So many links may have been given in vain since the last one that counted: none is ever given twice.
MAX_SKIPPED: Final = 64


def previous_link(link: bytes) -> bytes:
    """Return the link before a link."""
    return digest(LINK, link)


def is_successor(link: bytes, head: bytes) -> bool:
    """Return whether a link comes after a head, at once or with a few between that came too late to count."""
    for _ in range(MAX_SKIPPED):
        link = previous_link(link)
        if link == head:
            return True
    return False
