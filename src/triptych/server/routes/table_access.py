"""A table's password: the host chooses it, a guest gives it once."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, post, put
from litestar.params import FromPath

from triptych.server.edge.guesses import TABLE
from triptych.server.edge.rate_limits import PASSWORDS
from triptych.server.endpoint import contract
from triptych.server.services import AnyRequest, Desk, Services, address_of, answer, read_body, verify_guest
from triptych.server.wire.bodies import Done, TableKey
from triptych.server.wire.errors import Refusal
from triptych.table.access import may_enter
from triptych.table.commands import Admit, ChoosePassword, Command
from triptych.table.host import host

_KEY: Final = msgspec.json.Decoder(TableKey)


def spend_password(request: AnyRequest, player: str, services: Services) -> None:
    """Count one more password, of the guest and of the address. Raises Refusal when there were too many."""
    for spender in (player, address_of(request)):
        services.addresses.spend(PASSWORDS, spender)


@put("/api/tables/{table:str}/password", opt=contract(Done, TableKey, scope="host"))
async def choose_password(request: AnyRequest, services: Desk, table: FromPath[str]) -> Response[bytes]:
    """Host: choose the table's password; an empty one opens it to everybody with the link."""
    wanted = await read_body(request, _KEY)
    player = verify_guest(request, services)
    live = await services.tables.enter(table, player)
    if player != host(live.state):
        raise Refusal("player.not_host", "only the host of the table can do this", status=403)
    spend_password(request, player, services)
    kept = await services.passwords.hash(wanted.password) if wanted.password else ""
    await live.ask(Command(player, ChoosePassword(kept)))
    return answer(Done())


@post("/api/tables/{table:str}/enter", status_code=200, opt=contract(Done, TableKey, scope="play"))
async def enter(request: AnyRequest, services: Desk, table: FromPath[str]) -> Response[bytes]:
    """Give the table's password; the table remembers that the guest did."""
    wanted = await read_body(request, _KEY)
    player = verify_guest(request, services)
    live = await services.tables.find(table)
    if may_enter(live.state, player):
        return answer(Done())
    spend_password(request, player, services)
    tries = f"table {live.id}"
    services.guesses.spend(tries, TABLE)
    kept = live.state.password
    if not await services.passwords.fits(wanted.password, kept):
        raise Refusal("password.wrong", "this is not the password", "$.password", status=403)
    services.guesses.refund(tries)
    await live.ask(Command(player, Admit(kept)))
    return answer(Done())


HANDLERS: Final = (choose_password, enter)
