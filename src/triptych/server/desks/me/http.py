"""Who one is: what is kept, a name with a password, signing in and out, and being forgotten."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath

from triptych.server.desks.gate import spend_password
from triptych.server.desks.me.kept import (
    KEY,
    NAME,
    kept_passkey,
    kept_password,
    name_key,
    password_credential,
)
from triptych.server.desks.me.shapes import LEAST_PASSWORD, MyKeys, NameAndPassword, PasskeyLine
from triptych.server.web.addresses import GUESTS
from triptych.server.web.contract import contract
from triptych.server.web.reading import verify_name
from triptych.server.web.services import (
    AnyRequest,
    Desk,
    Services,
    address_of,
    answer,
    as_guest,
    known_guest,
    read_body,
    verify_guest,
    verify_same_site,
)
from triptych.server.wire.bodies import Me
from triptych.server.wire.errors import Refusal
from triptych.store.people import Credential

_NAME: Final = msgspec.json.Decoder(NameAndPassword)


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


@post("/api/me/keys", status_code=200, opt=contract(MyKeys, NameAndPassword, scope=None, refused=(409,)))
async def keep_name(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be known again by a name and a password; another one takes the place of the one before."""
    wanted = await read_body(request, _NAME)
    player = verify_guest(request, services)
    name = verify_name(wanted.name, "$.name")
    if len(wanted.password) < LEAST_PASSWORD:
        raise Refusal("password.short", f"a password has at least {LEAST_PASSWORD} characters", "$.password")
    spend_password(request, player, services)
    people = services.store.people
    if not await people.keep(password_credential(player, name, await services.passwords.hash(wanted.password))):
        raise Refusal("identity.name", "somebody else is known by this name; choose another one", "$.name", 409)
    for other in await people.credentials(player):
        if other.name.startswith(NAME) and other.name != name_key(name):
            await people.drop(other)
    return answer(await keys_of(player, services))


@delete("/api/me/keys/{key:str}", status_code=200, opt=contract(MyKeys, scope=None))
async def drop_key(request: AnyRequest, services: Desk, key: FromPath[str]) -> Response[bytes]:
    """Be known no more by a passkey (its key), or by the name and the password (`name`)."""
    verify_same_site(request)
    player = verify_guest(request, services)
    mine = await services.store.people.credentials(player)
    found = [one for one in mine if one.name.startswith(NAME if key == "name" else KEY) and key in ("name", one.name)]
    if not found:
        raise Refusal("identity.unknown", "you are not known by this", "$.key", status=404)
    for one in found:
        await services.store.people.drop(one)
    return answer(await keys_of(player, services))


@post("/api/signin", status_code=200, opt=contract(Me, NameAndPassword, scope=None))
async def sign_in(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be, in this browser, the guest who is known by a name and a password."""
    wanted = await read_body(request, _NAME)
    now = verify_guest(request, services)
    spend_password(request, now, services)
    known = await services.store.people.credential(name_key(wanted.name)) if _fits(wanted.name) else None
    # A name that nobody has takes as long as a wrong password: it is not told which of the two it was.
    kept = "" if known is None else kept_password(known).hash
    if not await services.passwords.fits(wanted.password, kept) or known is None:
        raise Refusal("identity.wrong", "this name and this password do not go together", "$.password", status=403)
    return await signed_in(request, known, services)


def _fits(name: str) -> bool:
    """Tell whether a name can be one that is kept: a database is asked for nothing else."""
    return name.isprintable() and "\0" not in name


async def signed_in(request: AnyRequest, known: Credential, services: Services) -> Response[bytes]:
    """Return the answer to somebody who has shown who they are; what is open in this browser connects anew."""
    before = known_guest(request, services)
    response = await as_guest(request, known.player, services)
    if before is not None and before != known.player:
        services.connections.again(before)
    return response


@post("/api/signout", status_code=200, opt=contract(Me, scope=None))
async def sign_out(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be a new guest in this browser."""
    verify_same_site(request)
    player = verify_guest(request, services)
    return await _anew(request, player, services)


@delete("/api/me", status_code=200, opt=contract(Me, scope=None, refused=(409,)))
async def forget_me(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Delete the guest: name, keys, results. Nobody is this guest any more; the deals stay with who played them."""
    verify_same_site(request)
    player = verify_guest(request, services)
    if services.tables.seats_of(player):
        raise Refusal(
            "identity.seated", "leave your seats first; a match in progress is played to its end", status=409
        )
    services.addresses.spend(GUESTS, address_of(request))
    await services.guests.forget(player)
    if services.company is not None:
        services.company.forgotten(player)
    return await _anew(request, player, services)


async def _anew(request: AnyRequest, player: str, services: Services) -> Response[bytes]:
    services.addresses.spend(GUESTS, address_of(request))
    response = await as_guest(request, services.guests.new(), services)
    services.connections.again(player)
    return response


HANDLERS: Final = (my_keys, keep_name, drop_key, sign_in, sign_out, forget_me)
