"""What every HTTP handler shares: the services, the guest, reading a body and writing an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from litestar import Request, Response, WebSocket
from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from triptych.server.bots.advice import Advice
from triptych.server.bots.strategies import Strategies
from triptych.server.cluster.member import Company
from triptych.server.edge.api_tokens import BEARER, Bearer, Shown
from triptych.server.edge.connection import Connections
from triptych.server.edge.guesses import Guesses
from triptych.server.edge.guest_locks import Turns
from triptych.server.edge.guests import COOKIE, COOKIE_SECONDS, Guests, SignedIn
from triptych.server.edge.one_time_tokens import Tickets
from triptych.server.edge.passwords import Passwords
from triptych.server.edge.rate_limits import Addresses
from triptych.server.jobs.pool import Asker, Workers
from triptych.server.log import Seldom
from triptych.server.readiness import Readiness
from triptych.server.static.client_files import Page
from triptych.server.static.preview_image import Pictures
from triptych.server.tables.results_projector import Recorder
from triptych.server.tables.service import Tables
from triptych.server.tournaments.service import Cups
from triptych.server.wire.bodies import Me
from triptych.server.wire.decoding import read
from triptych.server.wire.errors import Refusal
from triptych.server.wire.localization import SPOKEN, in_language
from triptych.store.interface import EventStore

T = TypeVar("T")
_JSON: Final = msgspec.json.Encoder()


class Services(NamedTuple):
    """What the handlers work with; made in bootstrap.py.

    `pause`: seconds between deals unless a host says other; `rate`: messages a second from one connection; `company`:
    the other servers of the house, None without any. `workers` read and replay what is sent; `thinkers` search, for
    seconds. `refused` logs who was turned away.
    """

    store: EventStore
    guests: Guests
    tables: Tables
    cups: Cups
    connections: Connections
    page: Page
    workers: Workers
    thinkers: Workers
    addresses: Addresses
    advice: Advice
    strategies: Strategies
    now: Callable[[], int]
    pause: int
    rate: float
    passwords: Passwords
    tickets: Tickets
    recorder: Recorder
    pictures: Pictures
    turns: Turns
    shown: Shown
    readiness: Readiness
    refused: Seldom
    guesses: Guesses
    company: Company | None = None


Desk = NamedDependency[Services]
AnyRequest = Request[Any, Any, Any]
AnySocket = WebSocket[Any, Any, Any]


def same_site(headers: Any) -> bool:  # noqa: ANN401 - litestar's headers
    """Tell whether a request comes from this server's own page, or from no page at all."""
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def verify_same_site(request: AnyRequest) -> None:
    """Raise Refusal when a request comes from another site's page."""
    if not same_site(request.headers):
        raise Refusal("request.origin", "this request comes from another site's page", status=403)


def answer(body: object, status: int = 200) -> Response[bytes]:
    """Return a body as JSON that no cache keeps, in the language of the request."""
    return Response(
        _JSON.encode(in_language(body, SPOKEN.get())),
        status_code=status,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


async def read_body(request: AnyRequest, decoder: msgspec.json.Decoder[T]) -> T:
    """Return a request's body. Raises Refusal when it is not what the decoder reads, or comes from another site."""
    verify_same_site(request)
    return read(await request.body(), decoder)


def asker_of(request: AnyRequest, services: Services) -> Asker:
    """Return who asks, as the workers count it."""
    return Asker(known_guest(request, services) or "", address_of(request))


async def work_out(job: str, body: bytes, request: AnyRequest, services: Services) -> bytes:
    """Return what a job comes to, worked out beside the tables for whoever asks. Raises Refusal."""
    return await services.workers.do(job, body, asker_of(request, services))


async def worked_out(job: str, request: AnyRequest, services: Services) -> Response[bytes]:
    """Return the answer to a body that is read and worked out beside the tables. Raises Refusal."""
    verify_same_site(request)
    return answer(msgspec.Raw(await work_out(job, await request.body(), request, services)))


def address_of(connection: AnyRequest | AnySocket) -> str:
    """Return the address that somebody comes from, as a trusted proxy tells it; empty when none is known."""
    return "" if connection.client is None else connection.client.host


def known_guest(request: AnyRequest, services: Services) -> str | None:
    """Return the id of the guest who makes a request, None for a browser without the cookie."""
    bearer = bearer_of(request)
    if bearer is not None:
        return bearer.player
    signed_in = session_of(request, services)
    return None if signed_in is None else signed_in.player


def session_of(request: AnyRequest, services: Services) -> SignedIn | None:
    """Return the session in whose cookie a request comes; None for a browser without one."""
    return services.guests.read(request.cookies.get(COOKIE))


def bearer_of(request: AnyRequest) -> Bearer | None:
    """Return the token that a request came with, which the application has verified; None for one with a cookie."""
    found: Bearer | None = request.scope.get(BEARER)  # type: ignore[assignment]  # ours
    return found


def verify_guest(request: AnyRequest, services: Services) -> str:
    """Return the id of the guest who makes a request. Raises Refusal for a browser without the cookie."""
    player = known_guest(request, services)
    if player is None:
        raise Refusal("identity.missing", "GET /api/me first: it gives you the guest cookie", status=401)
    return player


def verify_session(request: AnyRequest, services: Services) -> SignedIn:
    """Return the session in whose cookie a request comes. Raises Refusal for a browser without one."""
    player = verify_guest(request, services)
    return session_of(request, services) or SignedIn(player)


async def as_guest(request: AnyRequest, signed_in: SignedIn, services: Services) -> Response[bytes]:
    """Return the answer that makes a browser a guest's: who they are, and the cookie that says so."""
    player = signed_in.player
    response = answer(Me(player, await services.guests.name(player)))
    set_cookie(response, COOKIE, services.guests.cookie(signed_in), request)
    return response


def set_cookie(response: Response[bytes], name: str, value: str, request: AnyRequest) -> None:
    """Let a browser keep a cookie that no script reads, and that is sent over TLS alone where it came over TLS."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        Cookie(name, value=value, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure)
    )
