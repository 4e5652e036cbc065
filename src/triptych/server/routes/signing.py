"""Signing in: a new session of a guest in this browser, which replaces its old session."""

from __future__ import annotations

from litestar import Response

from triptych.server.edge.guests import SignedIn
from triptych.server.edge.rate_limits import GUESTS
from triptych.server.routes.browsers import end_session, note_device, note_session
from triptych.server.services import AnyRequest, Services, guest_response, session_of


async def signed_in(request: AnyRequest, player: str, services: Services) -> Response[bytes]:
    """Return the response to a successful sign-in; open connections of this browser are closed and reconnect."""
    response = await new_session(request, player, services)
    note_device(response, request, player, services)
    return response


async def new_session(request: AnyRequest, player: str, services: Services) -> Response[bytes]:
    """Return the response that signs a browser in as a guest; its old session ends."""
    before = session_of(request, services)
    services.addresses.acquire(GUESTS, player)  # each is written to the disk
    session = await services.guests.sign_in(player)
    await note_session(request, session, services, always=True)
    response = await guest_response(request, session, services)
    if before is not None:
        await replaced(before, services)
    return response


async def replaced(before: SignedIn, services: Services) -> None:
    """Revoke the session that a new one replaces in this browser; its open connections reconnect."""
    services.connections.disconnect_guest(before)
    await end_session(before, services)
