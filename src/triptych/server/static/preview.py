"""Link previews: a title, a text and a picture (drawn by preview_drawing.py), as OpenGraph meta tags."""

from __future__ import annotations

import asyncio
import hashlib
import html
import re
from collections import OrderedDict
from typing import Final, NamedTuple

BACKGROUND: Final = "/preview.png"
SIZE: Final = (1200, 630)
# The allowed form of a Host header, so that a forged one cannot make links lead elsewhere (RFC 3986 3.2.2).
_HOST: Final = re.compile(r"([A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?")
_MAX_CACHED: Final = 64  # pictures
_HEAD_ENDS: Final = b"</head>"


class Preview(NamedTuple):
    """The preview of a page: `title` and `text`, not escaped; `picture`: a path; `lines`: texts drawn on it."""

    title: str = "Triptych"
    text: str = "Chinese poker, open-face and closed, at one quiet table."
    picture: str = BACKGROUND
    lines: tuple[str, ...] = ()


ANY_PAGE: Final = Preview()
# A table that the lobby does not show: no facts of it.
HIDDEN_TABLE: Final = Preview("A private table · Triptych", "Somebody keeps a seat for you.")


def table_preview(table: str, name: str, game: str, host: str, *, taken: int, seats: int) -> Preview:
    """Return the preview of an open table; `host`: their name, `taken`: how many of its seats are."""
    lines = (name, game, f"Host {host}" if host else "", f"{taken} of {seats} seats taken")
    version = hashlib.sha256("\0".join(lines).encode()).hexdigest()[:8]
    description = " · ".join(line for line in lines[1:] if line)
    return Preview(f"{name} · Triptych", description, f"/api/tables/{table}/preview.png?v={version}", lines)


def base_url(scheme: str, host: str) -> str:
    """Return the server's URL for a visitor, such as `https://cards.example`; empty when it is unclear."""
    return f"{scheme}://{host}" if scheme in ("http", "https") and _HOST.fullmatch(host) else ""


def inject_preview(page: bytes, preview: Preview, base: str, path: str) -> bytes:
    """Return a page with the preview's tags in its head; `base`: see `base_url`, `path`: the page's own."""
    tags = [
        ("property", "og:site_name", "Triptych"),
        ("property", "og:type", "website"),
        ("property", "og:title", preview.title),
        ("property", "og:description", preview.text),
        ("name", "twitter:card", "summary_large_image"),
        ("name", "twitter:title", preview.title),
        ("name", "twitter:description", preview.text),
    ]
    if base:  # these must be absolute URLs
        width, height = SIZE
        if preview.lines:  # a table's page
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


class PreviewImages:
    """A cache of pictures by their texts; one picture is drawn at a time, in a thread."""

    def __init__(self, background: bytes | None) -> None:
        self._background = background
        self._cached: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def get(self, lines: tuple[str, ...]) -> bytes | None:
        """Return the picture with these lines, at most four; None for a server without the client."""
        if self._background is None:
            return None
        async with self._drawing:
            picture = self._cached.pop(lines, None)
            if picture is None:
                from triptych.server.static.preview_drawing import render  # noqa: PLC0415 - many servers draw no picture

                picture = await asyncio.to_thread(render, self._background, lines)
            self._cached[lines] = picture
            if len(self._cached) > _MAX_CACHED:
                self._cached.popitem(last=False)
        return picture
