"""The sessions of guests: the browsers in which they are signed in, and how they get there."""

from __future__ import annotations

from typing import Final

from litestar import Response

from triptych.server.edge.guests import DEVICE_COOKIE, SignedIn
from triptych.server.edge.rate_limits import GUESTS
from triptych.server.services import AnyRequest, Services, guest_response, session_of, set_cookie
from triptych.store.types import Session

MAX_SESSIONS: Final = 50
# The minimum time between two writes of a session's last use.
SEEN_MS: Final = 3_600_000
# Parts of a User-Agent header; the first match counts, since most programs also name compatible ones.
_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def browser_of(request: AnyRequest) -> tuple[str, str]:
    """Return the program and the system in a browser's User-Agent; empty if unknown."""
    agent = request.headers.get("user-agent", "")
    browser, system = (
        next((name for token, name in names.items() if token in agent), "") for names in (_BROWSERS, _SYSTEMS)
    )
    return browser, system


async def note_session(request: AnyRequest, signed_in: SignedIn, services: Services, *, always: bool = False) -> None:
    """Store the session of this browser, if the guest has a sign-in method or another session.

    `always`: store it in any case. Of too many sessions the least recently used one ends.
    """
    credentials, player = services.store.credentials, signed_in.player
    async with services.guests.lock(player):
        sessions = await credentials.sessions(player)
        own = next((session for session in sessions if session.session == signed_in.session), None)
        if own is None and not (always or sessions or await credentials.credentials(player)):
            return
        now, browser = services.now(), browser_of(request)
        is_recent = own is not None and now - own.seen < SEEN_MS and browser == (own.browser, own.system)
        if is_recent and not always:
            return
        if own is None and len(sessions) >= MAX_SESSIONS:
            oldest = min(sessions, key=lambda session: session.seen)
            await end_session(SignedIn(player, oldest.session), services)
        await credentials.keep_session(Session(player, signed_in.session, *browser, now, now))


async def end_session(signed_in: SignedIn, services: Services) -> None:
    """Revoke a session's cookies at every server, and close its connections."""
    await services.guests.end_session(signed_in)
    services.connections.verify(services.guests)
    if services.cluster is not None:
        services.cluster.signed_out(signed_in.player, signed_in.session)


def device_of(request: AnyRequest, player: str, services: Services) -> str | None:
    """Return the id of this browser if the guest has signed in with it before, otherwise None."""
    return services.guests.known_device(request.cookies.get(DEVICE_COOKIE), player)


def note_device(response: Response[bytes], request: AnyRequest, player: str, services: Services) -> None:
    """Set a cookie that marks the browser as one of the guest's, also after they sign out."""
    if device_of(request, player, services) is None:
        set_cookie(response, DEVICE_COOKIE, services.guests.device_cookie(player), request)


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
