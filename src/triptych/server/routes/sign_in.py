"""Sign-in methods of guests, signing in and out, and deleting an account."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from litestar import Response, delete, get, post
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.edge.credentials import (
    PASSKEY_PREFIX,
    PASSWORD_PREFIX,
    passkey_key,
    password_credential,
    password_from_credential,
    password_key,
    stored_passkeys,
    stored_passwords,
)
from triptych.server.edge.rate_limits import GUESTS, NAMES
from triptych.server.endpoint import endpoint
from triptych.server.routes.account_proof import spend_account, verify_proof
from triptych.server.routes.browsers import note_device, note_session, replaced, signed_in
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
    spend,
    verify_same_site,
    verify_session,
)
from triptych.server.tables.deleted_names import deleted_names, players_of
from triptych.server.wire.bodies import Me
from triptych.server.wire.decoding import decode_input, verify_name
from triptych.server.wire.errors import ApiError
from triptych.store.errors import CorruptRecordError, RecordExpiredError

_PAGE: Final = 100  # sessions read at once


async def sign_in_methods(player: str, services: Services) -> SignInMethods:
    """Return the sign-in methods of a guest."""
    stored = await services.store.credentials.credentials(player)
    name = next((password.name for password in stored_passwords(stored)), None)
    passkeys = [PasskeyItem(passkey_key(passkey.id), passkey.made) for passkey in stored_passkeys(stored)]
    return SignInMethods(name, tuple(sorted(passkeys, key=lambda passkey: passkey.made)))


@get("/api/me/keys", opt=endpoint(SignInMethods, scope=None))
async def my_keys(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return how the guest can sign in: name and password, passkeys."""
    return json_response(await sign_in_methods(require_guest(request, services), services))


@post("/api/me/keys", status_code=200, opt=endpoint(SignInMethods, KeepName, scope=None, error_statuses=(409,)))
async def set_password(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Set or replace the name and password to sign in with; a guest who can sign in already gives a proof."""
    body = await decode_body(request, KeepName)
    session = verify_session(request, services)
    player = session.player
    name = verify_name(body.name, "$.name")
    if len(body.password) < MIN_PASSWORD_LENGTH:
        raise ApiError("password.short", Message("error.password.short", least=MIN_PASSWORD_LENGTH), "$.password")
    credentials = services.store.credentials
    async with services.guests.lock(player):
        await verify_proof(request, player, body.proof, services)
        spend(NAMES, request, player, services)  # each is written to the disk
        if not await credentials.put(password_credential(player, name, await services.passwords.hash(body.password))):
            raise ApiError("identity.name", Message("error.identity.name"), "$.name", 409)
        for credential in await credentials.credentials(player):
            if credential.name.startswith(PASSWORD_PREFIX) and credential.name != password_key(name):
                await credentials.delete(credential)
    await note_session(request, session, services, always=True)
    response = json_response(await sign_in_methods(player, services))
    note_device(response, request, player, services)
    return response


@delete("/api/me/keys/{key:str}", status_code=200, opt=endpoint(SignInMethods, DropKey, scope=None))
async def remove_sign_in_method(request: AnyRequest, services: ServicesDep, key: FromPath[str]) -> Response[bytes]:
    """Remove a passkey (its key), or the name and password (`name`)."""
    verify_same_site(request)
    player = require_guest(request, services)
    body = decode_input(await request.body() or b"{}", DropKey)
    credentials = services.store.credentials
    async with services.guests.lock(player):
        prefix = PASSWORD_PREFIX if key == "name" else PASSKEY_PREFIX
        removed = [
            credential
            for credential in await credentials.credentials(player)
            if credential.name.startswith(prefix) and key in ("name", credential.name)
        ]
        if not removed:
            raise ApiError("identity.unknown", Message("error.identity.unknown_method"), "$.key", status=404)
        await verify_proof(request, player, body.proof, services)
        for credential in removed:
            await credentials.delete(credential)
    return json_response(await sign_in_methods(player, services))


@post("/api/signin", status_code=200, opt=endpoint(Me, NameAndPassword, scope=None))
async def sign_in(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Sign this browser in by name and password."""
    body = await decode_body(request, NameAndPassword)
    guest = require_guest(request, services)
    key = password_key(body.name)
    credential = await services.store.credentials.credential(key) if _can_be_stored(body.name) else None
    tries = spend_account(request, guest, None if credential is None else credential.player, key, services)
    # An unknown name takes as long as a wrong password, so that the response does not reveal which names exist.
    stored_hash = "" if credential is None else password_from_credential(credential).hash
    if not await services.passwords.verify(body.password, stored_hash) or credential is None:
        raise ApiError("identity.wrong", Message("error.identity.wrong"), "$.password", status=403)
    services.guesses.refund(tries)
    return await signed_in(request, credential.player, services)


def _can_be_stored(name: str) -> bool:
    """Return whether a name can be a stored one; others are not passed to the database."""
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
    """Delete the guest: name, sign-in methods, results. Other players keep their deals, without the name."""
    verify_same_site(request)
    session = verify_session(request, services)
    if services.tables.seats_of(session.player):
        raise ApiError("identity.seated", Message("error.identity.seated"), status=409)
    services.addresses.acquire(GUESTS, address_of(request))
    services.connections.disconnect_guest(session)
    await _delete_name(session.player, services)
    await services.guests.delete(session.player)
    services.tournaments.on_guest_deleted(session.player)
    services.connections.verify(services.guests)
    if services.cluster is not None:
        services.cluster.publish_deletion(session.player)
    return await guest_response(request, services.guests.new_id(), services)


async def _delete_name(player: str, services: Services) -> None:
    """Remove a player's name from the tables, and from other players' results."""

    def is_deleted(other: str) -> bool:
        return other == player or services.guests.is_deleted(other)

    for actor in tuple(services.tables.directory.actors.values()):
        if player not in players_of(actor.state):
            continue
        with suppress(CorruptRecordError, RecordExpiredError):
            actor.rename(deleted_names(await services.store.load(actor.id), is_deleted))
    before: tuple[int, str] | None = None
    while page := await services.store.results.sessions_of(player, _PAGE, before):
        for session in page:
            with suppress(CorruptRecordError, RecordExpiredError):  # such a table is not shown
                names = deleted_names(await services.store.load(session.table), is_deleted)
                await services.results.rename_players(session.table, names)
        before = page[-1].at, page[-1].table


HANDLERS: Final = (my_keys, set_password, remove_sign_in_method, sign_in, sign_out, delete_account)
