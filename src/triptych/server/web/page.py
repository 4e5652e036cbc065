"""The client's files: squeezed when it was built, read once, sent with headers that keep all else out."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

from triptych.server.web.preview import Preview, with_preview

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

# Only this site's own files. Style attributes are allowed because views place cards with them.
POLICY: Final = (
    "default-src 'none'; "
    "script-src 'self'; "
    "style-src 'self'; "
    "style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; "
    "font-src 'self'; "
    "media-src 'self'; "
    "connect-src 'self'; "
    "manifest-src 'self'; "
    "base-uri 'none'; "
    "form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# A file in assets/ has its own hash in its name.
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
# By the file's ending, best first (RFC 9110 12.5.3).
_SQUEEZED: Final = {"br": ".br", "gzip": ".gz"}


class File(NamedTuple):
    """One file of the client; `squeezed`: the same content by its encoding (`br`, `gzip`)."""

    content: bytes
    kind: str
    etag: str
    caching: str
    squeezed: dict[str, bytes]

    def encoded(self, accepted: str) -> tuple[str, bytes]:
        """Return the best encoding that an Accept-Encoding header names, and the content in it; `` is as it is."""
        wanted = {name.strip().lower() for name, _, q in map(_parts, accepted.split(",")) if not _NEVER.fullmatch(q)}
        for name, content in self.squeezed.items():
            if name in wanted:
                return name, content
        return "", self.content


_NEVER: Final = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)


def _parts(choice: str) -> tuple[str, str, str]:
    return choice.partition(";")


# The client's own addresses: core/shared/route.svelte.ts. Which tables and presets there are is known elsewhere.
_ADDRESSES: Final = re.compile(
    r"/|/t/[^/]+|/rules(/[^/]+)?/?|/score/?|/cup/[^/]+|/history(/[^/]+/\d+)?/?|/me(/[^/]+)?/?|/device/?"
)


class Page:
    """The client's files by path (`/assets/index-1a2b.js`); the page itself for the client's own addresses."""

    def __init__(self, files: dict[str, File]) -> None:
        self._files = files

    @property
    def built(self) -> bool:
        """Tell whether this server has a client at all."""
        return "/index.html" in self._files

    @property
    def index(self) -> File:
        """The page itself."""
        return self._files["/index.html"]

    def file(self, path: str) -> File | None:
        """Return the file at a path; None when there is none."""
        return self._files.get(path)

    def index_with(self, preview: Preview, base: str, path: str) -> File:
        """Return the page itself with what a link to it shows."""
        content = with_preview(self.index.content, preview, base, path)
        squeezed = {"gzip": gzip.compress(content, mtime=0)}
        return self.index._replace(content=content, etag=_etag(content), squeezed=squeezed)


def is_address(path: str) -> bool:
    """Tell whether the client has a page for this path."""
    return _ADDRESSES.fullmatch(path) is not None


def built_page() -> Page:
    """Return the client that was installed with this package."""
    root = resources.files("triptych") / "static"
    contents = dict(_walk(root, "")) if root.is_dir() else {}
    squeezed = {path + ending for path in contents for ending in _SQUEEZED.values()}
    return Page({path: _file(path, contents) for path in contents if path not in squeezed})


def _etag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _walk(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        here = f"{path}/{entry.name}"
        if entry.is_dir():
            found.extend(_walk(entry, here))
        else:
            found.append((here, entry.read_bytes()))
    return found


def _file(path: str, contents: dict[str, bytes]) -> File:
    content = contents[path]
    ending = path[path.rfind(".") :]
    kind = _TYPES.get(ending) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    squeezed = {
        name: small
        for name, ending in _SQUEEZED.items()
        if (small := contents.get(path + ending)) is not None and len(small) < len(content)
    }
    return File(content, kind, _etag(content), _FOR_EVER if path.startswith("/assets/") else _ASK_AGAIN, squeezed)
