"""Signing another device in by a one-time link, also as a QR code, and signing devices out."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Final

from litestar import Response, delete, get, post
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.edge.guests import SignedIn
from triptych.server.edge.rate_limits import GUESTS
from triptych.server.endpoint import endpoint
from triptych.server.routes.api_tokens import revoke_all_tokens
from triptych.server.routes.browsers import browser_of, end_session, new_session, note_session
from triptych.server.schemas.identity import (
    DeviceLine,
    DeviceLink,
    DeviceLinkStatus,
    DeviceOwner,
    QrCode,
    RedeemDeviceLink,
)
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    decode_body,
    guest_response,
    json_response,
    require_guest,
    verify_same_site,
    verify_session,
)
from triptych.server.wire.bodies import Me
from triptych.server.wire.errors import ApiError

SECONDS: Final = 300


@post("/api/me/device", status_code=201, opt=endpoint(DeviceLink, scope=None, status=201))
async def device_link(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return a link that signs one other device in as this guest; an earlier link is no longer valid."""
    verify_same_site(request)
    session = verify_session(request, services)
    await note_session(request, session, services, always=True)
    token = services.one_time_tokens.issue("device", session.player, SECONDS)
    # After the `#`: browsers do not send that part, so it is in no log.
    link = f"{origin_of(request)}/device#{base64.urlsafe_b64encode(token).decode()}"
    return json_response(DeviceLink(link, SECONDS, qr_code(link)), 201)


@get("/api/me/device", opt=endpoint(DeviceLinkStatus, scope=None))
async def device_link_status(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return whether the guest's last link was used."""
    return json_response(
        DeviceLinkStatus(services.one_time_tokens.status("device", require_guest(request, services)))
    )


@post("/api/me/device/take", status_code=200, opt=endpoint(Me, RedeemDeviceLink, scope=None, error_statuses=(410,)))
async def redeem_device_link(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Sign this browser in by a link that another device made."""
    secret = await _secret_of(request, services)
    return await new_session(request, services.one_time_tokens.redeem("device", secret), services)


@post(
    "/api/me/device/owner",
    status_code=200,
    opt=endpoint(DeviceOwner, RedeemDeviceLink, scope=None, error_statuses=(410,)),
)
async def device_link_owner(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the guest whom a link signs in, before it is used."""
    player = services.one_time_tokens.player_of("device", await _secret_of(request, services))
    return json_response(DeviceOwner(await services.guests.name(player)))


async def _secret_of(request: AnyRequest, services: Services) -> bytes:
    body = await decode_body(request, RedeemDeviceLink)
    require_guest(request, services)
    try:
        return base64.b64decode(body.token.encode(), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ApiError("ticket.unknown", Message("error.ticket.unknown"), "$.token", status=410) from None


@get("/api/me/devices", opt=endpoint(tuple[DeviceLine, ...], scope=None))
async def my_devices(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the browsers that are signed in as the guest, this one first, then the most recently used."""
    return json_response(await _lines(request, verify_session(request, services), services))


@delete("/api/me/devices/{device:str}", status_code=200, opt=endpoint(tuple[DeviceLine, ...], scope=None))
async def sign_out_device(request: AnyRequest, services: ServicesDep, device: FromPath[str]) -> Response[bytes]:
    """Sign out another browser; its cookie is no longer valid, and its connections close at every server."""
    verify_same_site(request)
    session = verify_session(request, services)
    sessions = await services.store.credentials.sessions(session.player)
    if device == session.session or device not in {other.session for other in sessions}:
        raise ApiError("device.unknown", Message("error.device.unknown"), "$.device", status=404)
    services.one_time_tokens.end("device", session.player)
    await end_session(SignedIn(session.player, device), services)
    return json_response(await _lines(request, session, services))


@delete("/api/me/devices", status_code=200, opt=endpoint(Me, scope=None))
async def sign_out_everywhere(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Sign out all other browsers and revoke all tokens; this browser gets a new cookie for its old one."""
    verify_same_site(request)
    player = verify_session(request, services).player
    services.addresses.acquire(GUESTS, player)  # each is written to the disk
    services.one_time_tokens.end("device", player)
    await revoke_all_tokens(player, services)
    epoch = await services.guests.end_sessions(player)
    session = await services.guests.sign_in(player)
    await note_session(request, session, services, always=True)
    services.connections.verify(services.guests)
    if services.cluster is not None:
        services.cluster.signed_out(player, epoch=epoch)
    return await guest_response(request, session, services)


async def _lines(request: AnyRequest, signed_in: SignedIn, services: Services) -> list[DeviceLine]:
    now = services.now()
    stored = await services.store.credentials.sessions(signed_in.player)
    own = next((session for session in stored if session.session == signed_in.session), None)
    others = sorted(
        (session for session in stored if session.session != signed_in.session),
        key=lambda session: (-session.seen, session.session),
    )
    signed_in_at = now if own is None else own.made
    return [
        DeviceLine(signed_in.session, *browser_of(request), signed_in_at, now, here=True),
        *(
            DeviceLine(session.session, session.browser, session.system, session.made, session.seen, here=False)
            for session in others
        ),
    ]


def origin_of(request: AnyRequest) -> str:
    """Return the origin of the requesting page, `https://host:port`."""
    host = request.headers.get("host", "")
    return request.headers.get("origin") or f"{request.url.scheme}://{host}"


def qr_code(text: str) -> QrCode:
    """Return a text as a QR code."""
    import segno  # noqa: PLC0415 - most processes need none

    rows = [[bool(dark) for dark in row] for row in segno.make_qr(text, error="m").matrix]
    return QrCode(len(rows), "".join(_runs(rows)))


def _runs(rows: list[list[bool]]) -> Iterator[str]:
    """Yield the SVG path of the dark modules of each row, adjacent ones as one rectangle."""
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            start = x
            while x < len(row) and row[x]:
                x += 1
            if x > start:
                yield f"M{start} {y}h{x - start}v1h-{x - start}z"
            x += 1


HANDLERS: Final = (
    device_link,
    device_link_status,
    redeem_device_link,
    device_link_owner,
    my_devices,
    sign_out_device,
    sign_out_everywhere,
)
