"""The client's files: squeezed when it was built, read once, sent with headers that keep all else out."""

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
    "script-src 'self' 'wasm-unsafe-eval'; "  # the kernel, compiled to WebAssembly; no script from text
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
# A file in assets/ has its own hash in its name.
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
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
# By the file's ending, best first (RFC 9110 12.5.3).
_SQUEEZED: Final = {"br": ".br", "gzip": ".gz"}


# Where people arrive, by the first part of the path: client/src/app/pages.ts.
_SOURCES: Final = {"": "src/features/lobby/LobbyPage.svelte", "t": "src/features/table/TablePage.svelte"}


class Chunk(Struct, frozen=True, rename={"entry": "isEntry"}):
    """A file that the client's build wrote, as its chunks.json tells: what it imports, and its style sheets."""

    file: str
    imports: tuple[str, ...] = ()
    css: tuple[str, ...] = ()
    entry: bool = False


class StaticFile(NamedTuple):
    """One file of the client; `squeezed`: the same content by its encoding (`br`, `gzip`)."""

    content: bytes
    kind: str
    etag: str
    caching: str
    encodings: dict[str, bytes]

    def encoded(self, accepted: str) -> tuple[str, bytes]:
        """Return the best encoding that an Accept-Encoding header names, and the content in it; `` is as it is."""
        wanted = {name.strip().lower() for name, _, q in map(_parts, accepted.split(",")) if not _NEVER.fullmatch(q)}
        for name, content in self.encodings.items():
            if name in wanted:
                return name, content
        return "", self.content


_NEVER: Final = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)


def _parts(choice: str) -> tuple[str, str, str]:
    return choice.partition(";")


_ROUTES: Final = [
    (re.compile(pattern), Preview(f"{title} · Triptych", text) if title else ANY_PAGE)
    for pattern, title, text in CLIENT_ROUTES
]


class ClientFiles:
    """The client's files by path (`/assets/index-1a2b.js`); the page itself for the client's own addresses."""

    def __init__(self, files: dict[str, StaticFile]) -> None:
        self._files = files
        listed = files.get("/chunks.json")
        self._chunks = msgspec.json.decode(listed.content, type=dict[str, Chunk]) if listed else {}

    @property
    def built(self) -> bool:
        """Return whether this server has a client at all."""
        return "/index.html" in self._files

    @property
    def index(self) -> StaticFile:
        """The page itself."""
        return self._files["/index.html"]

    def file(self, path: str) -> StaticFile | None:
        """Return the file at a path; or None."""
        return self._files.get(path)

    def render_index(self, preview: Preview, base: str, path: str) -> StaticFile:
        """Return the page itself with what a link to it shows, and what its code needs named at once."""
        content = self.index.content.replace(b"</head>", self._needed(path) + b"</head>", 1)
        content = inject_preview(content, preview, base, path)
        squeezed = {"gzip": gzip.compress(content, mtime=0)}
        return self.index._replace(content=content, etag=_etag(content), encodings=squeezed)

    def _needed(self, path: str) -> bytes:
        """Return links to the files of a page's own, so that they come beside the first script, not after it."""
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
    """Return a chunk's name and those of all that it imports, each once."""
    names = [source]
    for name in names:
        names += [more for more in chunks[name].imports if more in chunks and more not in names]
    return names


def client_route_preview(path: str) -> Preview | None:
    """Return what a link to a page of the client shows; None where the client has no page for this path."""
    return next((preview for pattern, preview in _ROUTES if pattern.fullmatch(path)), None)


def load_client_files() -> ClientFiles:
    """Return the client that was installed with this package."""
    root = resources.files("triptych") / "static"
    contents = dict(_walk(root, "")) if root.is_dir() else {}
    squeezed = {path + ending for path in contents for ending in _SQUEEZED.values()}
    return ClientFiles({path: _file(path, contents) for path in contents if path not in squeezed})


def _etag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _walk(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    files: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        here = f"{path}/{entry.name}"
        if entry.is_dir():
            files.extend(_walk(entry, here))
        else:
            files.append((here, entry.read_bytes()))
    return files


def _file(path: str, contents: dict[str, bytes]) -> StaticFile:
    content = contents[path]
    ending = path[path.rfind(".") :]
    kind = _TYPES.get(ending) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    squeezed = {
        name: small
        for name, ending in _SQUEEZED.items()
        if (small := contents.get(path + ending)) is not None and len(small) < len(content)
    }
    return StaticFile(
        content, kind, _etag(content), _FOR_EVER if path.startswith("/assets/") else _ASK_AGAIN, squeezed
    )
