"""Who one is: what is kept, a name with a password, signing in and out, and being forgotten."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath

from triptych.server.edge.credentials import (
    KEY,
    NAME,
    kept_passkey,
    kept_password,
    name_key,
    password_credential,
)
from triptych.server.edge.rate_limits import GUESTS, NAMES
from triptych.server.endpoint import contract
from triptych.server.routes.account_proof import spend_account, verify_proof
from triptych.server.routes.browsers import note_device, note_session
from triptych.server.routes.signing import replaced, signed_in
from triptych.server.schemas.identity import LEAST_PASSWORD, DropKey, KeepName, MyKeys, NameAndPassword, PasskeyLine
from triptych.server.services import (
    AnyRequest,
    Desk,
    Services,
    address_of,
    answer,
    as_guest,
    read_body,
    verify_guest,
    verify_same_site,
    verify_session,
)
from triptych.server.wire.bodies import Me
from triptych.server.wire.decoding import read, verify_name
from triptych.server.wire.errors import Refusal

_NAME: Final = msgspec.json.Decoder(NameAndPassword)
_KEEP: Final = msgspec.json.Decoder(KeepName)
_DROP: Final = msgspec.json.Decoder(DropKey)


async def keys_of(player: str, services: Services) -> MyKeys:
    """Return what a guest is known again by."""
    kept = await services.store.people.credentials(player)
    names = [kept_password(one).name for one in kept if one.name.startswith(NAME)]
    passkeys = [PasskeyLine(one.name, kept_passkey(one).made) for one in kept if one.name.startswith(KEY)]
    return MyKeys(next(iter(names), None), tuple(sorted(passkeys, key=lambda one: one.made)))


@get("/api/me/keys", opt=contract(MyKeys, scope=None))
async def my_keys(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return what the guest is known again by."""
    return answer(await keys_of(verify_guest(request, services), services))


@post("/api/me/keys", status_code=200, opt=contract(MyKeys, KeepName, scope=None, refused=(409,)))
async def keep_name(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be known again by a name and a password; who has one already shows it, and this one takes its place."""
    wanted = await read_body(request, _KEEP)
    session = verify_session(request, services)
    player = session.player
    name = verify_name(wanted.name, "$.name")
    if len(wanted.password) < LEAST_PASSWORD:
        raise Refusal("password.short", f"a password has at least {LEAST_PASSWORD} characters", "$.password")
    people = services.store.people
    async with services.turns.of(player):
        await verify_proof(request, player, wanted.proof, services)
        for spender in (player, address_of(request)):  # each is written to the disk
            services.addresses.spend(NAMES, spender)
        if not await people.keep(password_credential(player, name, await services.passwords.hash(wanted.password))):
            raise Refusal("identity.name", "somebody else is known by this name; choose another one", "$.name", 409)
        for other in await people.credentials(player):
            if other.name.startswith(NAME) and other.name != name_key(name):
                await people.drop(other)
    await note_session(request, session, services, always=True)
    response = answer(await keys_of(player, services))
    note_device(response, request, player, services)
    return response


@delete("/api/me/keys/{key:str}", status_code=200, opt=contract(MyKeys, DropKey, scope=None))
async def drop_key(request: AnyRequest, services: Desk, key: FromPath[str]) -> Response[bytes]:
    """Be known no more by a passkey (its key), or by the name and the password (`name`)."""
    verify_same_site(request)
    player = verify_guest(request, services)
    wanted = read(await request.body() or b"{}", _DROP)
    people = services.store.people
    async with services.turns.of(player):
        mine = await people.credentials(player)
        kind = NAME if key == "name" else KEY
        dropped = [one for one in mine if one.name.startswith(kind) and key in ("name", one.name)]
        if not dropped:
            raise Refusal("identity.unknown", "you are not known by this", "$.key", status=404)
        await verify_proof(request, player, wanted.proof, services)
        for one in dropped:
            await people.drop(one)
    return answer(await keys_of(player, services))


@post("/api/signin", status_code=200, opt=contract(Me, NameAndPassword, scope=None))
async def sign_in(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be, in this browser, the guest who is known by a name and a password."""
    wanted = await read_body(request, _NAME)
    now = verify_guest(request, services)
    key = name_key(wanted.name)
    known = await services.store.people.credential(key) if _fits(wanted.name) else None
    tries = spend_account(request, now, None if known is None else known.player, key, services)
    # A name that nobody has takes as long as a wrong password: it is not told which of the two it was.
    kept = "" if known is None else kept_password(known).hash
    if not await services.passwords.fits(wanted.password, kept) or known is None:
        raise Refusal("identity.wrong", "this name and this password do not go together", "$.password", status=403)
    services.guesses.refund(tries)
    return await signed_in(request, known.player, services)


def _fits(name: str) -> bool:
    """Tell whether a name can be one that is kept: a database is asked for nothing else."""
    return name.isprintable() and "\0" not in name


@post("/api/signout", status_code=200, opt=contract(Me, scope=None))
async def sign_out(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be a new guest in this browser; the cookie that it had counts no more."""
    verify_same_site(request)
    session = verify_session(request, services)
    services.addresses.spend(GUESTS, address_of(request))
    response = await as_guest(request, services.guests.new(), services)
    await replaced(session, services)
    return response


@delete("/api/me", status_code=200, opt=contract(Me, scope=None, refused=(409,)))
async def forget_me(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Delete the guest: name, keys, results. Nobody is this guest any more; the deals stay with who played them."""
    verify_same_site(request)
    session = verify_session(request, services)
    if services.tables.seats_of(session.player):
        raise Refusal(
            "identity.seated", "leave your seats first; a match in progress is played to its end", status=409
        )
    services.addresses.spend(GUESTS, address_of(request))
    services.connections.again(session)
    await services.guests.forget(session.player)
    services.connections.verify(services.guests)
    if services.company is not None:
        services.company.forgotten(session.player)
    return await as_guest(request, services.guests.new(), services)


HANDLERS: Final = (my_keys, keep_name, drop_key, sign_in, sign_out, forget_me)
