"""The routes of the set-up data and files with which a browser analyses positions."""

from __future__ import annotations

from typing import Final

from litestar import Response, get, post
from litestar.params import FromPath

from triptych.server.content.immutable_files import (
    compressed_field,
    compressed_learned_table,
    field_files,
    learned_table,
)
from triptych.server.edge.rate_limits import WEIGHTS
from triptych.server.endpoint import endpoint
from triptych.server.routes.immutable_files import immutable_response
from triptych.server.schemas.analysis import (
    AnalysisRequest,
    AnalysisSetup,
)
from triptych.server.services import AnyRequest, ServicesDep, job_response

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
        budget=WEIGHTS,
    )


@get("/fields/{name:str}", opt=endpoint(_BINARY, guest=False))
async def fields(request: AnyRequest, services: ServicesDep, name: FromPath[str]) -> Response[bytes]:
    """Return a file of closed hands named by `POST /api/analysis`; it never changes."""
    return await immutable_response(
        request,
        services,
        name,
        lambda compressed: compressed_field(name) if compressed else field_files().get(name),
        kind=_BINARY,
        budget=WEIGHTS,
    )


HANDLERS: Final = (analysis, weights, fields)
