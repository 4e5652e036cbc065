"""The client's files: compressed by its build, read once, sent with headers that allow only this site's content."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from triptych.server.static.client_routes import CLIENT_ROUTES
from triptych.server.static.preview import ANY_PAGE, Preview, inject_preview

# Only this site's own files. Style attributes are allowed because views place cards with them.
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; "
    "script-src 'self' 'wasm-unsafe-eval'; "  # for the kernel in WebAssembly; no eval
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
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Files in assets/ have their hash in their names, and never change.
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_REVALIDATE: Final = "no-cache"
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
# Encodings and the suffixes of their files, best first (RFC 9110 12.5.3).
_ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}


# The sources of the pages that most links lead to, by the first part of the path: client/src/app/pages.ts.
_SOURCES: Final = {"": "src/features/lobby/LobbyPage.svelte", "t": "src/features/table/TablePage.svelte"}


class Chunk(Struct, frozen=True, rename={"entry": "isEntry"}):
    """A file of the client's build, as listed in its chunks.json, with its imports and style sheets."""

    file: str
    imports: tuple[str, ...] = ()
    css: tuple[str, ...] = ()
    entry: bool = False


class StaticFile(NamedTuple):
    """One file of the client; `encodings`: the compressed content by encoding (`br`, `gzip`)."""

    content: bytes
    kind: str
    etag: str
    caching: str
    encodings: dict[str, bytes]

    def encoded(self, accepted: str) -> tuple[str, bytes]:
        """Return the best encoding that an Accept-Encoding header allows, empty for none, and the content in it."""
        accepted_names = {
            name.strip().lower()
            for name, _, q in (choice.partition(";") for choice in accepted.split(","))
            if not _ZERO_QUALITY.fullmatch(q)
        }
        for name, content in self.encodings.items():
            if name in accepted_names:
                return name, content
        return "", self.content


_ZERO_QUALITY: Final = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)


_ROUTES: Final = [
    (re.compile(pattern), Preview(f"{title} · Triptych", text) if title else ANY_PAGE)
    for pattern, title, text in CLIENT_ROUTES
]


class ClientFiles:
    """The client's files by path (`/assets/index-1a2b.js`), and its HTML page for all of its routes."""

    def __init__(self, files: dict[str, StaticFile]) -> None:
        self._files = files
        chunk_file = files.get("/chunks.json")
        self._chunks = msgspec.json.decode(chunk_file.content, type=dict[str, Chunk]) if chunk_file else {}

    @property
    def built(self) -> bool:
        """Return whether the package contains a client."""
        return "/index.html" in self._files

    @property
    def index(self) -> StaticFile:
        """The client's HTML page."""
        return self._files["/index.html"]

    def file(self, path: str) -> StaticFile | None:
        """Return the file at a path, or None."""
        return self._files.get(path)

    def render_index(self, preview: Preview, base: str, path: str) -> StaticFile:
        """Return the HTML page with a preview's tags, and with links that preload the route's files."""
        content = self.index.content.replace(b"</head>", self._preload_links(path) + b"</head>", 1)
        content = inject_preview(content, preview, base, path)
        encodings = {"gzip": gzip.compress(content, mtime=0)}
        return self.index._replace(content=content, etag=_etag(content), encodings=encodings)

    def _preload_links(self, path: str) -> bytes:
        """Return links to a route's own files, so that they load in parallel with the first script."""
        source = _SOURCES.get(path.split("/")[1])
        if source not in self._chunks:
            return b""
        links = []
        for name in _with_imports(self._chunks, source):
            chunk = self._chunks[name]
            if not chunk.entry:
                links.append(f'<link rel="modulepreload" crossorigin href="/{chunk.file}" />')
                links += [f'<link rel="preload" as="style" crossorigin href="/{css}" />' for css in chunk.css]
        return "".join(links).encode()


def _with_imports(chunks: dict[str, Chunk], source: str) -> list[str]:
    """Return the names of a chunk and of its direct and indirect imports, each once."""
    names = [source]
    for name in names:
        names += [imported for imported in chunks[name].imports if imported in chunks and imported not in names]
    return names


def client_route_preview(path: str) -> Preview | None:
    """Return the preview of a page of the client; None where the client has no page for this path."""
    return next((preview for pattern, preview in _ROUTES if pattern.fullmatch(path)), None)


def load_client_files() -> ClientFiles:
    """Return the client of the installed package."""
    root = resources.files("triptych") / "static"
    contents = dict(_walk(root, "")) if root.is_dir() else {}
    compressed_paths = {path + ending for path in contents for ending in _ENCODINGS.values()}
    return ClientFiles({path: _file(path, contents) for path in contents if path not in compressed_paths})


def _etag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _walk(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    files: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        entry_path = f"{path}/{entry.name}"
        if entry.is_dir():
            files.extend(_walk(entry, entry_path))
        else:
            files.append((entry_path, entry.read_bytes()))
    return files


def _file(path: str, contents: dict[str, bytes]) -> StaticFile:
    content = contents[path]
    ending = path[path.rfind(".") :]
    kind = _TYPES.get(ending) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    encodings = {
        name: compressed
        for name, ending in _ENCODINGS.items()
        if (compressed := contents.get(path + ending)) is not None and len(compressed) < len(content)
    }
    return StaticFile(
        content, kind, _etag(content), _IMMUTABLE if path.startswith("/assets/") else _REVALIDATE, encodings
    )
