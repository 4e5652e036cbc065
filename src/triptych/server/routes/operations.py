"""The routes for operators: liveness, readiness and metrics."""

from __future__ import annotations

from typing import Final

from litestar import Response, get

from triptych.server.endpoint import endpoint
from triptych.server.services import ServicesDep


def _text_response(text: str, status: int = 200) -> Response[str]:
    return Response(text + "\n", status_code=status, media_type="text/plain", headers={"Cache-Control": "no-store"})


@get("/healthz", opt=endpoint("text/plain", guest=False))
async def healthz() -> Response[str]:
    """Return 200 while the process runs."""
    return _text_response("ok")


@get("/readyz", opt=endpoint("text/plain", guest=False))
async def readyz(services: ServicesDep) -> Response[str]:
    """Return 200 when tables are loaded and moves can be stored, otherwise 503 with the reason."""
    if not services.tables.directory.recovered.is_set():
        return _text_response("tables are being brought back", 503)
    fault = await services.readiness.fault()
    return _text_response(fault, 503) if fault else _text_response("ready")


@get("/metrics", opt=endpoint("text/plain", guest=False))
async def metrics(services: ServicesDep) -> Response[bytes]:
    """Return the metrics for Prometheus."""
    # Loaded here, since many servers are never asked for metrics.
    from prometheus_client import CONTENT_TYPE_LATEST  # noqa: PLC0415 - see above

    from triptych.server.metrics import build_registry, exposition  # noqa: PLC0415 - as above

    body = exposition(build_registry(services.tables.directory, services.connections, services.store.commits))
    kind = CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")  # Litestar adds the charset itself
    return Response(body, media_type=kind, headers={"Cache-Control": "no-store"})


HANDLERS: Final = (healthz, readyz, metrics)
