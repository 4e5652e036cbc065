"""What a link shows where it is sent: a title, a line and a picture, as OpenGraph's meta tags."""

from __future__ import annotations

import hashlib
import html
import re
from typing import Final, NamedTuple

BACKGROUND: Final = "/preview.png"
SIZE: Final = (1200, 630)
# What a Host header may be, so that nobody's links lead elsewhere by way of a crooked one (RFC 3986 3.2.2).
_HOST: Final = re.compile(r"([A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?")
_HEAD_ENDS: Final = b"</head>"


class Preview(NamedTuple):
    """What is told of a page: `title` and `text` as people wrote them; `picture`: a path; `lines`: drawn on it."""

    title: str = "Triptych"
    text: str = "Chinese poker, open-face and closed, at one quiet table."
    picture: str = BACKGROUND
    lines: tuple[str, ...] = ()


class TableFacts(NamedTuple):
    """What anybody may know of a table in the lobby."""

    table: str
    name: str
    game: str
    host: str
    taken: int
    seats: int


ANY_PAGE: Final = Preview()
# A table that the lobby does not show: nothing but that it is one.
HIDDEN_TABLE: Final = Preview("A private table · Triptych", "Somebody keeps a seat for you.")


def table_preview(facts: TableFacts) -> Preview:
    """Return what a link to an open table shows."""
    seats = f"{facts.taken} of {facts.seats} seats taken"
    lines = (facts.name, facts.game, f"Host {facts.host}" if facts.host else "", seats)
    version = hashlib.sha256("\0".join(lines).encode()).hexdigest()[:8]
    description = " · ".join(line for line in lines[1:] if line)
    return Preview(
        f"{facts.name} · Triptych", description, f"/api/tables/{facts.table}/preview.png?v={version}", lines
    )


def base_url(scheme: str, host: str) -> str:
    """Return where this server is for this visitor, `https://cards.example`; empty when that is not clear."""
    return f"{scheme}://{host}" if scheme in ("http", "https") and _HOST.fullmatch(host) else ""


def inject_preview(page: bytes, preview: Preview, base: str, path: str) -> bytes:
    """Return a page with the tags before the end of its head; `base`: see `base_of`, `path`: the page's own."""
    tags = [
        ("property", "og:site_name", "Triptych"),
        ("property", "og:type", "website"),
        ("property", "og:title", preview.title),
        ("property", "og:description", preview.text),
        ("name", "twitter:card", "summary_large_image"),
        ("name", "twitter:title", preview.title),
        ("name", "twitter:description", preview.text),
    ]
    if base:  # these must be whole addresses
        width, height = SIZE
        if preview.lines:  # a page of its own
            tags.append(("property", "og:url", base + path))
        tags += [
            ("property", "og:image", base + preview.picture),
            ("property", "og:image:type", "image/png"),
            ("property", "og:image:width", str(width)),
            ("property", "og:image:height", str(height)),
            ("property", "og:image:alt", preview.title),
            ("name", "twitter:image", base + preview.picture),
        ]
    markup = "".join(f'<meta {kind}="{name}" content="{html.escape(value)}" />' for kind, name, value in tags)
    return page.replace(_HEAD_ENDS, markup.encode() + _HEAD_ENDS, 1)
