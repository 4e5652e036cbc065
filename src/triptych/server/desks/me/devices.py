"""The same guest on another device, by a link that counts once and not for long, also drawn as a QR code."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Response, get, post

from triptych.server.desks.me.shapes import DeviceFate, DeviceLink, QrCode, TakeDevice
from triptych.server.web.contract import contract
from triptych.server.web.services import (
    AnyRequest,
    Desk,
    answer,
    as_guest,
    known_guest,
    read_body,
    verify_guest,
    verify_same_site,
)
from triptych.server.wire.bodies import Me
from triptych.server.wire.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS: Final = 300
_TAKE: Final = msgspec.json.Decoder(TakeDevice)


@post("/api/me/device", status_code=201, opt=contract(DeviceLink, scope=None, status=201))
async def device_link(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return a link that makes one other device this guest; a link made before counts no more."""
    verify_same_site(request)
    player = verify_guest(request, services)
    token = services.tickets.issue("device", player, SECONDS)
    # Behind the `#`: a browser sends that to nobody, so it stands in no log.
    link = f"{origin_of(request)}/device#{base64.urlsafe_b64encode(token).decode()}"
    return answer(DeviceLink(link, SECONDS, qr_code(link)), 201)


@get("/api/me/device", opt=contract(DeviceFate, scope=None))
async def device_fate(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return what has become of the guest's last link."""
    return answer(DeviceFate(services.tickets.fate("device", verify_guest(request, services))))


@post("/api/me/device/take", status_code=200, opt=contract(Me, TakeDevice, scope=None, refused=(410,)))
async def take_device(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be, in this browser, the guest who made a link."""
    wanted = await read_body(request, _TAKE)
    verify_guest(request, services)
    try:
        secret = base64.b64decode(wanted.token.encode(), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise Refusal("ticket.unknown", "this is no such link; ask for a new one", "$.token", status=410) from None
    player = services.tickets.take("device", secret)
    before = known_guest(request, services)
    response = await as_guest(request, player, services)
    if before is not None and before != player:
        services.connections.again(before)
    return response


def origin_of(request: AnyRequest) -> str:
    """Return the address under which the page that asks was opened, `https://host:port`."""
    host = request.headers.get("host", "")
    return request.headers.get("origin") or f"{request.url.scheme}://{host}"


def qr_code(text: str) -> QrCode:
    """Return a text as a QR code."""
    import segno  # noqa: PLC0415 - most evenings need none

    rows = [[bool(dark) for dark in row] for row in segno.make_qr(text, error="m").matrix]
    return QrCode(len(rows), "".join(_runs(rows)))


def _runs(rows: list[list[bool]]) -> Iterator[str]:
    """Yield the dark modules of each row, those side by side as one rectangle."""
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            start = x
            while x < len(row) and row[x]:
                x += 1
            if x > start:
                yield f"M{start} {y}h{x - start}v1h-{x - start}z"
            x += 1


HANDLERS: Final = (device_link, device_fate, take_device)
