"""The web application: the handlers, one format for every error, and the same headers on every response."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from litestar import Litestar, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException, InternalServerException, MethodNotAllowedException, NotFoundException

from triptych.errors import TriptychError, error_location
from triptych.i18n.languages import negotiate_language
from triptych.i18n.messages import Message
from triptych.server.edge.api_tokens import BEARER
from triptych.server.edge.hosts import host_name
from triptych.server.endpoint import endpoint_of
from triptych.server.log import RateLimitedLogger
from triptych.server.routes import (
    analysis,
    api_tokens,
    client_files,
    daily,
    devices,
    documents,
    exports,
    guide,
    lobby,
    operations,
    passkeys,
    play_now,
    practice,
    replay,
    results,
    review,
    rules,
    scorer,
    sign_in,
    socket,
    table_access,
    tournaments,
)
from triptych.server.services import AnyRequest, Services, address_of
from triptych.server.static.client_files import SECURITY_HEADERS
from triptych.server.wire.bodies import error_body, limit_headers
from triptych.server.wire.decoding import MAX_MESSAGE
from triptych.server.wire.errors import (
    CORRUPT_ERROR,
    ELSEWHERE,
    FENCED_KEY,
    OUTCOME_UNKNOWN,
    OWNER_KEY,
    RemoteOwnerError,
    to_api_error,
    to_wire_error,
)
from triptych.server.wire.localization import REQUEST_LANGUAGE
from triptych.server.wire.messages import WireError
from triptych.store.errors import CorruptRecordError, FencedError

ROUTES: Final = (
    *rules.HANDLERS,
    *scorer.HANDLERS,
    *daily.HANDLERS,
    *analysis.HANDLERS,
    *practice.HANDLERS,
    *replay.HANDLERS,
    *review.HANDLERS,
    *guide.HANDLERS,
    *play_now.HANDLERS,
    *lobby.HANDLERS,
    *socket.HANDLERS,
    *tournaments.HANDLERS,
    *table_access.HANDLERS,
    *sign_in.HANDLERS,
    *devices.HANDLERS,
    *passkeys.HANDLERS,
    *api_tokens.HANDLERS,
    *results.HANDLERS,
    *exports.HANDLERS,
    *documents.HANDLERS,
    *operations.HANDLERS,
    *client_files.HANDLERS,
)
_TOO_LARGE: Final = 413
_SERVER_ERRORS: Final = 500
_DISCONNECTED: Final = "client disconnected prematurely"  # the detail of Litestar's error
_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")  # RFC 6797


def web_app(
    services: Callable[[], Services], lifespan: Callable[[Litestar], AbstractAsyncContextManager[None]]
) -> Litestar:
    """Return the application; `services` is called for each request, `lifespan` opens and closes them."""

    def provide_services() -> Services:
        return services()

    failure_log, disconnect_log = RateLimitedLogger(), RateLimitedLogger()

    def on_error(request: AnyRequest, error: Exception) -> Response[bytes]:
        failure_log.error("request failed", path=request.url.path, error=error_location(error))
        return _error_response(OUTCOME_UNKNOWN, 500)

    def on_http_error(request: AnyRequest, error: HTTPException) -> Response[bytes]:
        if isinstance(error, InternalServerException) and error.detail == _DISCONNECTED:
            disconnect_log.warning("a client disconnected during its request", path=request.url.path)
            return _error_response(
                WireError("request.slow", "the request did not come to its end"), 408
            )  # nobody reads it
        return (
            on_error(request, error)
            if error.status_code >= _SERVER_ERRORS
            else _handle_http_exception(request, error)
        )

    def on_corrupt_record(_request: AnyRequest, error: CorruptRecordError) -> Response[bytes]:
        services().tables.directory.stop_damaged(error)
        return _error_response(CORRUPT_ERROR, 500)

    async def before_request(request: AnyRequest) -> None:
        """Set the language of the response, and verify the request's token."""
        REQUEST_LANGUAGE.set(negotiate_language(request.headers.get("accept-language", "")))
        endpoint = endpoint_of(request.route_handler.opt)
        bearer = (
            None
            if endpoint is None
            else await services().authenticator.authenticate(request.headers, address_of(request))
        )
        if endpoint is not None and bearer is not None:
            bearer.verify(endpoint.scope)
            request.scope[BEARER] = bearer  # type: ignore[typeddict-unknown-key]  # ours

    return Litestar(
        [*ROUTES],
        dependencies={"services": Provide(provide_services, sync_to_thread=False)},
        lifespan=[lifespan],
        exception_handlers={
            Exception: on_error,
            HTTPException: on_http_error,
            TriptychError: _handle_api_error,
            RemoteOwnerError: _handle_remote_owner,
            FencedError: _handle_fenced,
            CorruptRecordError: on_corrupt_record,
        },
        before_request=before_request,
        before_send=[_add_headers],
        request_max_body_size=MAX_MESSAGE,
        openapi_config=None,
        logging_config=None,
    )


async def _add_headers(message: Any, scope: Any) -> None:  # noqa: ANN401 - ASGI
    if message["type"] == "http.response.start":
        message["headers"] = [*message["headers"], *_HEADERS]
        if scope["scheme"] == "https" and not _is_localhost(scope["headers"]):
            message["headers"].append(_HSTS)


def _is_localhost(headers: Any) -> bool:  # noqa: ANN401 - ASGI
    """Return whether the host is this machine, where other servers may have no TLS."""
    host = next((value for name, value in headers if name == b"host"), b"")
    return host_name(host.decode("latin-1")) in ("localhost", "127.0.0.1", "::1")


_HEADERS: Final = tuple((name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items())


def _error_response(error: WireError, status: int) -> Response[bytes]:
    body = error_body(error, REQUEST_LANGUAGE.get())
    headers = {"Cache-Control": "no-store", **limit_headers(error)}
    return Response(body, status_code=status, media_type="application/json", headers=headers)


def _handle_api_error(_request: AnyRequest, error: TriptychError) -> Response[bytes]:
    api_error = to_api_error(error)
    return _error_response(to_wire_error(api_error), api_error.status)


def _handle_remote_owner(request: AnyRequest, error: RemoteOwnerError) -> Response[bytes]:
    """Answer with an error, and note the owner for the middleware that forwards the request."""
    request.scope[OWNER_KEY] = error.owner  # type: ignore[typeddict-unknown-key]  # ours, for cluster/forwarding.py
    return _handle_api_error(request, error)


def _handle_fenced(request: AnyRequest, _error: FencedError) -> Response[bytes]:
    """Answer that nothing was done; reads are repeated (cluster/forwarding.py)."""
    request.scope[FENCED_KEY] = True  # type: ignore[typeddict-unknown-key]  # ours
    return _error_response(ELSEWHERE, 503)


def _handle_http_exception(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    if isinstance(error, NotFoundException):
        return _error_response(
            WireError("request.unknown", Message("error.page.not_found", path=request.url.path)), 404
        )
    if isinstance(error, MethodNotAllowedException):
        message = f"{request.method} is not possible at {request.url.path}"
        return _error_response(WireError("request.method", message), 405)
    if error.status_code == _TOO_LARGE:
        message = f"a request has at most {MAX_MESSAGE} bytes"
        return _error_response(WireError("request.too_large", message), _TOO_LARGE)
    return _error_response(WireError("request.invalid", "the request could not be read"), error.status_code)
