"""Shared by the HTTP handlers: the services, a request's guest, reading a body and writing a response."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from litestar import Request, Response, WebSocket
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from msgspec import Struct

from triptych.server.bots.advice import AdviceCache
from triptych.server.bots.strategies import StrategyTrainer
from triptych.server.edge.api_tokens import BEARER, Bearer, TokenAuthenticator
from triptych.server.edge.connection import ConnectionRegistry
from triptych.server.edge.guesses import Guesses
from triptych.server.edge.guests import COOKIE, COOKIE_SECONDS, Guests, SignedIn
from triptych.server.edge.one_time_tokens import OneTimeTokens
from triptych.server.edge.passwords import Passwords
from triptych.server.edge.rate_limits import AddressLimiter, RateLimit
from triptych.server.jobs.pool import JobRunner, Requester
from triptych.server.log import RateLimitedLogger
from triptych.server.readiness import Readiness
from triptych.server.static.client_files import ClientFiles
from triptych.server.static.preview import PreviewImages
from triptych.server.tables.results_projector import ResultsProjector
from triptych.server.tables.service import TableService
from triptych.server.tournaments.service import TournamentService
from triptych.server.wire.bodies import Me
from triptych.server.wire.decoding import decode_input
from triptych.server.wire.errors import ApiError
from triptych.server.wire.localization import REQUEST_LANGUAGE, encode_json
from triptych.store.interface import EventStore

if TYPE_CHECKING:  # a single server loads none of the cluster
    from triptych.server.cluster.member import ClusterMember
else:
    ClusterMember = object  # Litestar looks the annotation up

T = TypeVar("T")


class Services(Struct, frozen=True, kw_only=True):
    """The services that the handlers use; made in bootstrap.py.

    `pause`: seconds between deals unless a host chooses others; `rate`: messages a second from one connection;
    `cluster`: None for a single server. `workers` read and replay what clients send; `search_workers` search, for
    seconds. `refusal_log`: rejected requests.
    """

    store: EventStore
    guests: Guests
    authenticator: TokenAuthenticator
    one_time_tokens: OneTimeTokens
    passwords: Passwords
    guesses: Guesses
    addresses: AddressLimiter
    connections: ConnectionRegistry
    tables: TableService
    tournaments: TournamentService
    results: ResultsProjector
    workers: JobRunner
    search_workers: JobRunner
    advice: AdviceCache
    strategies: StrategyTrainer
    client_files: ClientFiles
    preview_images: PreviewImages
    readiness: Readiness
    refusal_log: RateLimitedLogger
    now: Callable[[], int]
    pause: int
    rate: float
    cluster: ClusterMember | None = None


ServicesDep = NamedDependency[Services]
AnyRequest = Request[Any, Any, Any]
AnySocket = WebSocket[Any, Any, Any]


def same_site(headers: Any) -> bool:  # noqa: ANN401 - litestar's headers
    """Return whether a request comes from this server's own page, or from no page at all."""
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def verify_same_site(request: AnyRequest) -> None:
    """Raise ApiError when a request comes from another site's page."""
    if not same_site(request.headers):
        raise ApiError("request.origin", "this request comes from another site's page", status=403)


def json_response(body: object, status: int = 200) -> Response[bytes]:
    """Return a body as JSON that is not cached, in the language of the request."""
    return Response(
        encode_json(body, REQUEST_LANGUAGE.get()),
        status_code=status,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


async def decode_body(request: AnyRequest, kind: type[T]) -> T:
    """Return a request's body as a type. Raises ApiError when it is invalid, or comes from another site."""
    verify_same_site(request)
    return decode_input(await request.body(), kind)


def requester_of(request: AnyRequest, services: Services) -> Requester:
    """Return a request's guest and address, by which the workers limit jobs."""
    return Requester(current_guest(request, services) or "", address_of(request))


async def run_job(job: str, body: bytes, request: AnyRequest, services: Services) -> bytes:
    """Return the result of a job in a worker process. Raises ApiError."""
    return await services.workers.run(job, body, requester_of(request, services))


async def job_response(job: str, request: AnyRequest, services: Services) -> Response[bytes]:
    """Return the response of a worker's job for the request's body. Raises ApiError."""
    verify_same_site(request)
    return json_response(msgspec.Raw(await run_job(job, await request.body(), request, services)))


def address_of(connection: AnyRequest | AnySocket) -> str:
    """Return the client's address, which a trusted proxy may have given; empty when it is unknown."""
    return "" if connection.client is None else connection.client.host


def spend(limit: RateLimit, request: AnyRequest, player: str, services: Services) -> None:
    """Count one more for a guest and for their address. Raises ApiError when there were too many."""
    for spender in (player, address_of(request)):
        services.addresses.acquire(limit, spender)


def current_guest(request: AnyRequest, services: Services) -> str | None:
    """Return the id of a request's guest, None for a browser without the cookie."""
    bearer = bearer_of(request)
    if bearer is not None:
        return bearer.player
    signed_in = session_of(request, services)
    return None if signed_in is None else signed_in.player


def session_of(request: AnyRequest, services: Services) -> SignedIn | None:
    """Return the session of a request's cookie; None for a browser without one."""
    return services.guests.verify_cookie(request.cookies.get(COOKIE))


def bearer_of(request: AnyRequest) -> Bearer | None:
    """Return the bearer of a request's token, which the application has verified; None without a token."""
    bearer: Bearer | None = request.scope.get(BEARER)  # type: ignore[assignment]  # ours
    return bearer


def require_guest(request: AnyRequest, services: Services) -> str:
    """Return the id of a request's guest. Raises ApiError for a browser without the cookie."""
    player = current_guest(request, services)
    if player is None:
        raise ApiError("identity.missing", "GET /api/me first: it gives you the guest cookie", status=401)
    return player


def verify_session(request: AnyRequest, services: Services) -> SignedIn:
    """Return the session of a request's cookie. Raises ApiError for a browser without one."""
    player = require_guest(request, services)
    return session_of(request, services) or SignedIn(player)


async def guest_response(request: AnyRequest, signed_in: SignedIn, services: Services) -> Response[bytes]:
    """Return the response that signs a browser in as a guest: id, name and cookie."""
    player = signed_in.player
    response = json_response(Me(player, await services.guests.name(player)))
    set_cookie(response, COOKIE, services.guests.sign_cookie(signed_in), request)
    return response


def set_cookie(response: Response[bytes], name: str, value: str, request: AnyRequest) -> None:
    """Set a cookie that no script can read, and that is sent only over TLS if the request came over TLS."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        Cookie(name, value=value, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure)
    )
