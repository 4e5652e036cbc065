"""The protocol's documents at `/docs`: a page for people, OpenAPI and AsyncAPI for programs."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib import resources
from typing import Final

from litestar import Response, get
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.services import AnyRequest
from triptych.server.wire.errors import ApiError

_KINDS: Final = {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "openapi.json": "application/json",
    "asyncapi.json": "application/json",
}


@cache
def _file(name: str) -> tuple[bytes, bytes, str]:
    """Return a document, its compressed form, and its ETag."""
    content = (resources.files("triptych.server.docs") / name).read_bytes()
    return content, gzip.compress(content, mtime=0), f'"{hashlib.sha256(content).hexdigest()[:16]}"'


def _document_response(request: AnyRequest, name: str) -> Response[bytes]:
    content, compressed, etag = _file(name)
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Content-Type": _KINDS[name], "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(compressed, headers={**headers, "Content-Encoding": "gzip"})
    return Response(content, headers=headers)


@get("/docs")
async def documents(request: AnyRequest) -> Response[bytes]:
    """Return the documentation page."""
    return _document_response(request, "index.html")


@get("/docs/{name:str}")
async def document(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Return one of the documents."""
    if name not in _KINDS:
        raise ApiError("request.unknown", Message("error.page.not_found", path=f"/docs/{name}"), status=404)
    return _document_response(request, name)


HANDLERS: Final = (documents, document)
