"""The client's files: read once, sent with the headers that keep everything else out."""

from __future__ import annotations

import hashlib
import mimetypes
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

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
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class File(NamedTuple):
    """One file of the client."""

    content: bytes
    kind: str
    etag: str
    caching: str


class Page:
    """The client's files by path (`/assets/index-1a2b.js`); every other path without a dot is the page itself."""

    def __init__(self, files: dict[str, File]) -> None:
        self._files = files

    @property
    def built(self) -> bool:
        """Tell whether this server has a client at all."""
        return "/index.html" in self._files

    def find(self, path: str) -> File | None:
        """Return the file for a path, the page for the client's own addresses, None for anything else."""
        name = path.rpartition("/")[2]
        if "." in name:
            return self._files.get(path)
        return self._files.get("/index.html")


def built_page() -> Page:
    """Return the client that was installed with this package."""
    root = resources.files("triptych") / "static"
    return Page(dict(_walk(root, "")) if root.is_dir() else {})


def _walk(folder: Traversable, path: str) -> list[tuple[str, File]]:
    found: list[tuple[str, File]] = []
    for entry in folder.iterdir():
        here = f"{path}/{entry.name}"
        if entry.is_dir():
            found.extend(_walk(entry, here))
        else:
            found.append((here, _file(entry.read_bytes(), here)))
    return found


def _file(content: bytes, path: str) -> File:
    ending = path[path.rfind(".") :]
    kind = _TYPES.get(ending) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return File(content, kind, etag, _FOR_EVER if path.startswith("/assets/") else _ASK_AGAIN)
