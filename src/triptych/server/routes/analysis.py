"""The routes of the set-up data and files with which a browser analyses positions.

The files are named by their content and never change, so each browser caches them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from litestar import Response, get, post
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.content.immutable_files import (
    compressed_hand_pool,
    compressed_learned_table,
    hand_pool_files,
    learned_table,
)
from triptych.server.edge.rate_limits import WEIGHTS
from triptych.server.endpoint import endpoint
from triptych.server.schemas.analysis import AnalysisRequest, AnalysisSetup
from triptych.server.services import AnyRequest, Services, ServicesDep, address_of, job_response
from triptych.server.wire.errors import ApiError

_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_BINARY: Final = "application/octet-stream"


@post("/api/analysis", status_code=200, opt=endpoint(AnalysisSetup, AnalysisRequest, guest=False))
async def analysis(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the set-up data with which a browser analyses positions of some rules."""
    return await job_response("analysis", request, services)


@get("/weights/{name:str}", opt=endpoint(_BINARY, guest=False))
async def weights(request: AnyRequest, services: ServicesDep, name: FromPath[str]) -> Response[bytes]:
    """Return a learned table named by `POST /api/analysis`; it never changes."""
    return await immutable_response(
        request,
        services,
        name,
        lambda compressed: (compressed_learned_table if compressed else learned_table)(name),
        kind=_BINARY,
    )


@get("/fields/{name:str}", opt=endpoint(_BINARY, guest=False))
async def hand_pool(request: AnyRequest, services: ServicesDep, name: FromPath[str]) -> Response[bytes]:
    """Return a hand pool of a closed game named by `POST /api/analysis`; it never changes."""
    return await immutable_response(
        request,
        services,
        name,
        lambda compressed: compressed_hand_pool(name) if compressed else hand_pool_files().get(name),
        kind=_BINARY,
    )


async def immutable_response(
    request: AnyRequest, services: Services, name: str, read: Callable[[bool], bytes | None], *, kind: str
) -> Response[bytes]:
    """Return the file of a name, compressed if the client accepts it, or 304 if it has the file.

    `read` is called in a thread, with whether to compress; None: there is no such file. Raises ApiError.
    """
    etag = f'"{name}"'
    headers = {"Content-Type": kind, "Cache-Control": _IMMUTABLE, "ETag": etag, "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    services.addresses.acquire(WEIGHTS, address_of(request))
    is_compressed = "gzip" in request.headers.get("accept-encoding", "")
    content = await asyncio.to_thread(read, is_compressed)
    if content is None:
        raise ApiError("request.unknown", Message("error.page.not_found", path=request.url.path), status=404)
    return Response(content, headers={**headers, "Content-Encoding": "gzip"} if is_compressed else headers)


HANDLERS: Final = (analysis, weights, hand_pool)
