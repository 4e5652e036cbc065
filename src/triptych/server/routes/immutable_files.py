"""Responses with immutable files: a file is named by its content, so each browser caches it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from litestar import Response

from triptych.i18n.messages import Message
from triptych.server.edge.rate_limits import RateLimit
from triptych.server.services import AnyRequest, Services, address_of
from triptych.server.wire.errors import ApiError

_IMMUTABLE: Final = "public, max-age=31536000, immutable"


async def immutable_response(
    request: AnyRequest,
    services: Services,
    name: str,
    read: Callable[[bool], bytes | None],
    *,
    kind: str,
    budget: RateLimit,
) -> Response[bytes]:
    """Return the file of a name, compressed if the client accepts it, or 304 if it has the file.

    `read` is called in a thread, with whether to compress; None: there is no such file. Raises ApiError.
    """
    etag = f'"{name}"'
    headers = {"Content-Type": kind, "Cache-Control": _IMMUTABLE, "ETag": etag, "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    services.addresses.acquire(budget, address_of(request))
    is_compressed = "gzip" in request.headers.get("accept-encoding", "")
    content = await asyncio.to_thread(read, is_compressed)
    if content is None:
        raise ApiError("request.unknown", Message("error.page.not_found", path=request.url.path), status=404)
    return Response(content, headers={**headers, "Content-Encoding": "gzip"} if is_compressed else headers)
