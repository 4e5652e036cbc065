"""The routes of access to a table: its link as a QR code, its password, and its spectators."""

from __future__ import annotations

from typing import Final

from litestar import Response, get, post, put
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.edge.guesses import TABLE
from triptych.server.edge.rate_limits import PASSWORDS
from triptych.server.endpoint import endpoint
from triptych.server.routes.devices import origin_of, qr_code
from triptych.server.schemas.identity import TableLinkCode
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    decode_body,
    json_response,
    require_guest,
    spend,
)
from triptych.server.wire.bodies import Ok, TablePasswordBody, ViewerItem
from triptych.server.wire.errors import ApiError
from triptych.table.access import can_access
from triptych.table.commands import Command, GrantAccess, SetPassword
from triptych.table.host import acting_host
from triptych.table.state import seat_of


async def verify_shared_password(
    request: AnyRequest, player: str, key: str, password: str, stored_hash: str, services: Services
) -> None:
    """Verify the password of a table or a tournament, whose tries are counted by `key`. Raises ApiError."""
    spend(PASSWORDS, request, player, services)
    services.guesses.spend(key, TABLE)
    if not await services.passwords.verify(password, stored_hash):
        raise ApiError("password.wrong", Message("error.password.wrong"), "$.password", status=403)
    services.guesses.refund(key)


@put("/api/tables/{table:str}/password", opt=endpoint(Ok, TablePasswordBody, scope="host"))
async def choose_password(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Host: choose the table's password; an empty one opens it to everybody with the link."""
    body = await decode_body(request, TablePasswordBody)
    player = require_guest(request, services)
    actor = await services.tables.authorize(table, player)
    if player != acting_host(actor.state):
        raise ApiError("player.not_host", Message("error.player.not_host"), status=403)
    spend(PASSWORDS, request, player, services)
    stored_hash = await services.passwords.hash(body.password) if body.password else ""
    await actor.execute(Command(player, SetPassword(stored_hash)))
    return json_response(Ok())


@post("/api/tables/{table:str}/enter", status_code=200, opt=endpoint(Ok, TablePasswordBody, scope="play"))
async def enter(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Give the table's password; the table remembers that the guest did."""
    body = await decode_body(request, TablePasswordBody)
    player = require_guest(request, services)
    actor = await services.tables.find(table)
    if can_access(actor.state, player):
        return json_response(Ok())
    stored_hash = actor.state.password
    await verify_shared_password(request, player, f"table {actor.id}", body.password, stored_hash, services)
    await actor.execute(Command(player, GrantAccess(stored_hash)))
    return json_response(Ok())


@get("/api/tables/{table:str}/viewers", opt=endpoint(tuple[ViewerItem, ...], scope="host"))
async def viewers(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Host: return the spectators of the table."""
    player = require_guest(request, services)
    actor = await services.tables.authorize(table, player)
    state = actor.state
    if player != acting_host(state):
        raise ApiError("player.not_host", Message("error.player.not_host"), status=403)
    spectators = [
        guest for guest in actor.subscribers.watchers() if guest and guest != player and seat_of(state, guest) is None
    ]
    return json_response(
        tuple([ViewerItem(guest, await services.guests.name(guest), guest in state.muted) for guest in spectators])
    )


@get("/api/tables/{table:str}/link", opt=endpoint(TableLinkCode))
async def link_code(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Return the address of a table's page, also as a QR code."""
    actor = await services.tables.authorize(table, require_guest(request, services))
    link = f"{origin_of(request)}/t/{actor.id}"
    return json_response(TableLinkCode(link, qr_code(link)))


HANDLERS: Final = (viewers, link_code, choose_password, enter)
