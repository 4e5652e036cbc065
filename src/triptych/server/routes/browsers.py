"""The browsers in which guests are signed in: a list for those who could use another one, or are known again."""

from __future__ import annotations

from typing import Final

from litestar import Response

from triptych.server.edge.guests import DEVICE_COOKIE, SignedIn
from triptych.server.services import AnyRequest, Services, set_cookie
from triptych.store.credentials import Session

MAX_SESSIONS: Final = 50
# That a browser came is written at most so often.
SEEN_MS: Final = 3_600_000
# What a User-Agent header says, the first that fits: most programs name those that they are like, too.
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
    """Return the program and the system that a browser says it is; empty where it says nothing that is known."""
    agent = request.headers.get("user-agent", "")
    browser, system = (
        next((name for sign, name in names.items() if sign in agent), "") for names in (_BROWSERS, _SYSTEMS)
    )
    return browser, system


async def note_session(request: AnyRequest, signed_in: SignedIn, services: Services, *, always: bool = False) -> None:
    """Keep that a guest is signed in in this browser; of one whom nothing else lets in nothing is stored.

    `always`: from now on something does. Of too many sessions the one ends that came least lately.
    """
    people, player = services.store.credentials, signed_in.player
    async with services.guest_locks.lock(player):
        sessions = await people.sessions(player)
        mine = next((session for session in sessions if session.session == signed_in.session), None)
        if mine is None and not (always or sessions or await people.credentials(player)):
            return
        now, browser = services.now(), browser_of(request)
        recent = mine is not None and now - mine.seen < SEEN_MS and browser == (mine.browser, mine.system)
        if recent and not always:
            return
        if mine is None and len(sessions) >= MAX_SESSIONS:
            oldest = min(sessions, key=lambda session: session.seen)
            await end_session(SignedIn(player, oldest.session), services)
        await people.keep_session(Session(player, signed_in.session, *browser, now, now))


async def end_session(signed_in: SignedIn, services: Services) -> None:
    """Let a session's cookies count no more, at every server, and close what is connected with one."""
    await services.guests.end_session(signed_in)
    services.connections.verify(services.guests)
    if services.cluster is not None:
        services.cluster.signed_out(signed_in.player, signed_in.session)


def device_of(request: AnyRequest, player: str, services: Services) -> str | None:
    """Return the id of this browser if the guest has shown who they are in it; None for any other browser."""
    return services.guests.known_device(request.cookies.get(DEVICE_COOKIE), player)


def note_device(response: Response[bytes], request: AnyRequest, player: str, services: Services) -> None:
    """Let a browser remember that the guest has shown who they are in it, also when they have signed out."""
    if device_of(request, player, services) is None:
        set_cookie(response, DEVICE_COOKIE, services.guests.device_cookie(player), request)
