"""Hash chains: a player fixes entropy for many deals at once and gives it away link by link.

A link's hash is the link before it; the first one, the head, is what is told when the chain is fixed. Source:
L. Lamport, Password authentication with insecure communication, CACM 24 (1981).
"""

from __future__ import annotations

from triptych.fair.hashes import LINK, digest


def before(link: bytes) -> bytes:
    """Return the link before a link."""
    return digest(LINK, link)


def chain(last: bytes, length: int) -> tuple[bytes, ...]:
    """Return a chain that ends with 32 secret bytes: its head, then `length` links in the order of their use."""
    links = [last]
    for _ in range(length):
        links.append(before(links[-1]))
    return tuple(reversed(links))


def follows(link: bytes, head: bytes) -> bool:
    """Tell whether a link is the next one after a head."""
    return before(link) == head
