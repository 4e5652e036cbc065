"""Who one is: what is kept, a name with a password, signing in and out, and being forgotten."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.edge.credentials import (
    PASSKEY_PREFIX,
    PASSWORD_PREFIX,
    passkey_from_credential,
    password_credential,
    password_from_credential,
    password_key,
)
from triptych.server.edge.rate_limits import GUESTS, NAMES
from triptych.server.endpoint import endpoint
from triptych.server.routes.account_proof import spend_account, verify_proof
from triptych.server.routes.browsers import note_device, note_session
from triptych.server.routes.signing import replaced, signed_in
from triptych.server.schemas.identity import (
    MIN_PASSWORD_LENGTH,
    DropKey,
    KeepName,
    NameAndPassword,
    PasskeyItem,
    SignInMethods,
)
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    address_of,
    decode_body,
    guest_response,
    json_response,
    require_guest,
    verify_same_site,
    verify_session,
)
from triptych.server.tables.deleted_names import deleted_names, players_of
from triptych.server.wire.bodies import Me
from triptych.server.wire.decoding import decode_request, verify_name
from triptych.server.wire.errors import ApiError
from triptych.store.errors import CorruptRecordError, RecordExpiredError

_PAGE: Final = 100  # sessions whose tables are looked through at once
_NAME: Final = msgspec.json.Decoder(NameAndPassword)
_KEEP: Final = msgspec.json.Decoder(KeepName)
_DROP: Final = msgspec.json.Decoder(DropKey)


async def sign_in_methods(player: str, services: Services) -> SignInMethods:
    """Return what a guest is known again by."""
    stored = await services.store.credentials.credentials(player)
    names = [password_from_credential(one).name for one in stored if one.name.startswith(PASSWORD_PREFIX)]
    passkeys = [
        PasskeyItem(one.name, passkey_from_credential(one).made)
        for one in stored
        if one.name.startswith(PASSKEY_PREFIX)
    ]
    return SignInMethods(next(iter(names), None), tuple(sorted(passkeys, key=lambda one: one.made)))


@get("/api/me/keys", opt=endpoint(SignInMethods, scope=None))
async def my_keys(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return how the guest can sign in: name and password, passkeys."""
    return json_response(await sign_in_methods(require_guest(request, services), services))


@post("/api/me/keys", status_code=200, opt=endpoint(SignInMethods, KeepName, scope=None, error_statuses=(409,)))
async def set_password(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Set a name and password to sign in with; one that is there is replaced when it is given too."""
    wanted = await decode_body(request, _KEEP)
    session = verify_session(request, services)
    player = session.player
    name = verify_name(wanted.name, "$.name")
    if len(wanted.password) < MIN_PASSWORD_LENGTH:
        raise ApiError("password.short", Message("error.password.short", least=MIN_PASSWORD_LENGTH), "$.password")
    people = services.store.credentials
    async with services.guest_locks.lock(player):
        await verify_proof(request, player, wanted.proof, services)
        for spender in (player, address_of(request)):  # each is written to the disk
            services.addresses.acquire(NAMES, spender)
        if not await people.put(password_credential(player, name, await services.passwords.hash(wanted.password))):
            raise ApiError("identity.name", Message("error.identity.name"), "$.name", 409)
        for other in await people.credentials(player):
            if other.name.startswith(PASSWORD_PREFIX) and other.name != password_key(name):
                await people.delete(other)
    await note_session(request, session, services, always=True)
    response = json_response(await sign_in_methods(player, services))
    note_device(response, request, player, services)
    return response


@delete("/api/me/keys/{key:str}", status_code=200, opt=endpoint(SignInMethods, DropKey, scope=None))
async def remove_sign_in_method(request: AnyRequest, services: ServicesDep, key: FromPath[str]) -> Response[bytes]:
    """Remove a passkey (its key), or the name and password (`name`)."""
    verify_same_site(request)
    player = require_guest(request, services)
    wanted = decode_request(await request.body() or b"{}", _DROP)
    people = services.store.credentials
    async with services.guest_locks.lock(player):
        mine = await people.credentials(player)
        kind = PASSWORD_PREFIX if key == "name" else PASSKEY_PREFIX
        dropped = [one for one in mine if one.name.startswith(kind) and key in ("name", one.name)]
        if not dropped:
            raise ApiError("identity.unknown", Message("error.identity.unknown_method"), "$.key", status=404)
        await verify_proof(request, player, wanted.proof, services)
        for one in dropped:
            await people.delete(one)
    return json_response(await sign_in_methods(player, services))


@post("/api/signin", status_code=200, opt=endpoint(Me, NameAndPassword, scope=None))
async def sign_in(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Sign this browser in by name and password."""
    wanted = await decode_body(request, _NAME)
    now = require_guest(request, services)
    key = password_key(wanted.name)
    credential = await services.store.credentials.credential(key) if _fits(wanted.name) else None
    tries = spend_account(request, now, None if credential is None else credential.player, key, services)
    # A name that nobody has takes as long as a wrong password: it is not told which of the two it was.
    stored_hash = "" if credential is None else password_from_credential(credential).hash
    if not await services.passwords.verify(wanted.password, stored_hash) or credential is None:
        raise ApiError("identity.wrong", Message("error.identity.wrong"), "$.password", status=403)
    services.guesses.refund(tries)
    return await signed_in(request, credential.player, services)


def _fits(name: str) -> bool:
    """Return whether a name can be one that is kept: a database is asked for nothing else."""
    return name.isprintable() and "\0" not in name


@post("/api/signout", status_code=200, opt=endpoint(Me, scope=None))
async def sign_out(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Sign this browser out: it becomes a new guest, and its old cookie is no longer valid."""
    verify_same_site(request)
    session = verify_session(request, services)
    services.addresses.acquire(GUESTS, address_of(request))
    response = await guest_response(request, services.guests.new_id(), services)
    await replaced(session, services)
    return response


@delete("/api/me", status_code=200, opt=endpoint(Me, scope=None, error_statuses=(409,)))
async def delete_account(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Delete the guest: name, keys, results. The deals stay with those who played them, without the name."""
    verify_same_site(request)
    session = verify_session(request, services)
    if services.tables.seats_of(session.player):
        raise ApiError("identity.seated", Message("error.identity.seated"), status=409)
    services.addresses.acquire(GUESTS, address_of(request))
    services.connections.disconnect_guest(session)
    await _forget_name(session.player, services)
    await services.guests.delete(session.player)
    services.tournaments.on_guest_deleted(session.player)
    services.connections.verify(services.guests)
    if services.cluster is not None:
        services.cluster.publish_deletion(session.player)
    return await guest_response(request, services.guests.new_id(), services)


async def _forget_name(player: str, services: Services) -> None:
    """Take a player's name out of the tables, and out of what the others keep of them."""

    def is_deleted(other: str) -> bool:
        return other == player or services.guests.is_deleted(other)

    for live in tuple(services.tables.directory.live.values()):
        if player not in players_of(live.state):
            continue
        with suppress(CorruptRecordError, RecordExpiredError):
            live.rename(deleted_names(await services.store.load(live.id), is_deleted))
    before: tuple[int, str] | None = None
    while page := await services.store.results.sessions_of(player, _PAGE, before):
        for session in page:
            with suppress(CorruptRecordError, RecordExpiredError):  # nobody is shown such a table
                names = deleted_names(await services.store.load(session.table), is_deleted)
                await services.results.rename_players(session.table, names)
        before = page[-1].at, page[-1].table


HANDLERS: Final = (my_keys, set_password, remove_sign_in_method, sign_in, sign_out, delete_account)
