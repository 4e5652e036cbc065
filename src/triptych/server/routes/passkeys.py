"""Passkeys (WebAuthn) as sign-in methods. Browsers offer them only in secure contexts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import Response, post

from triptych.i18n.messages import Message
from triptych.server.edge.credentials import passkey_credential, stored_passkeys
from triptych.server.endpoint import endpoint
from triptych.server.routes.account_proof import verify_proof
from triptych.server.routes.browsers import note_device, note_session, signed_in
from triptych.server.routes.passkey_check import authenticated_passkey, invalid_passkey, registered_passkey, site_of
from triptych.server.routes.sign_in import sign_in_methods
from triptych.server.schemas.identity import KeepPasskey, Passkey, PasskeyOptions, SignInMethods
from triptych.server.services import (
    AnyRequest,
    ServicesDep,
    decode_body,
    json_response,
    require_guest,
    verify_same_site,
    verify_session,
)
from triptych.server.wire.bodies import Me
from triptych.server.wire.errors import ApiError

SECONDS: Final = 300
MAX_PASSKEYS: Final = 10


@post(
    "/api/me/keys/passkey/options", status_code=200, opt=endpoint(PasskeyOptions, scope=None, error_statuses=(409,))
)
async def registration_options(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the options with which the browser creates a passkey."""
    verify_same_site(request)
    player = require_guest(request, services)
    passkeys = stored_passkeys(await services.store.credentials.credentials(player))
    if len(passkeys) >= MAX_PASSKEYS:
        raise ApiError("identity.too_many", Message("error.identity.too_many", most=MAX_PASSKEYS), status=409)
    challenge = services.one_time_tokens.issue("register", player, SECONDS)
    name = await services.guests.name(player)
    options = await asyncio.to_thread(
        _to_register, site_of(request), player, name, challenge, [passkey.id for passkey in passkeys]
    )
    return json_response(PasskeyOptions(msgspec.Raw(options)))


@post(
    "/api/me/keys/passkey",
    status_code=201,
    opt=endpoint(SignInMethods, KeepPasskey, scope=None, status=201, error_statuses=(410,)),
)
async def register_passkey(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Add the passkey that the browser has created; a guest who can sign in already proves that first."""
    body = await decode_body(request, KeepPasskey)
    session = verify_session(request, services)
    player = session.player
    async with services.guests.lock(player):
        await verify_proof(request, player, body.proof, services)
        passkey = await registered_passkey(request, player, bytes(body.credential), services)
        if not await services.store.credentials.put(passkey_credential(player, passkey)):
            raise invalid_passkey()
    await note_session(request, session, services, always=True)
    response = json_response(await sign_in_methods(player, services), 201)
    note_device(response, request, player, services)
    return response


@post("/api/signin/passkey/options", status_code=200, opt=endpoint(PasskeyOptions, scope=None))
async def sign_in_options(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the options with which the browser asks for a passkey; the passkey names the guest."""
    verify_same_site(request)
    challenge = services.one_time_tokens.issue("signin", require_guest(request, services), SECONDS)
    return json_response(
        PasskeyOptions(msgspec.Raw(await asyncio.to_thread(_to_sign_in, site_of(request), challenge)))
    )


@post("/api/signin/passkey", status_code=200, opt=endpoint(Me, Passkey, scope=None, error_statuses=(410,)))
async def sign_in_passkey(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Sign this browser in by a passkey."""
    body = await decode_body(request, Passkey)
    stored = await authenticated_passkey(request, require_guest(request, services), bytes(body.credential), services)
    return await signed_in(request, stored.player, services)


# The library is loaded with the first passkey, in a thread, so that the tables do not wait for it.


def _to_register(site: str, player: str, name: str, challenge: bytes, registered: Sequence[bytes]) -> bytes:
    from webauthn import generate_registration_options, options_to_json  # noqa: PLC0415 - see above
    from webauthn.helpers import structs  # noqa: PLC0415 - see above

    options = generate_registration_options(
        rp_id=site,
        rp_name="Triptych",
        user_name=name,
        user_id=player.encode(),
        challenge=challenge,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=passkey_id) for passkey_id in registered],
    )
    return options_to_json(options).encode()


def _to_sign_in(site: str, challenge: bytes) -> bytes:
    from webauthn import generate_authentication_options, options_to_json  # noqa: PLC0415 - see above

    return options_to_json(generate_authentication_options(rp_id=site, challenge=challenge)).encode()


HANDLERS: Final = (registration_options, register_passkey, sign_in_options, sign_in_passkey)
