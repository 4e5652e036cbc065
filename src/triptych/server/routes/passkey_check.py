"""Verifies browsers' WebAuthn responses: new passkeys, and passkeys used to sign in."""

from __future__ import annotations

import asyncio
import base64
from typing import Any
from urllib.parse import urlsplit

import msgspec

from triptych.i18n.messages import Message
from triptych.server.edge.credentials import StoredPasskey, passkey_credential, passkey_from_credential, passkey_key
from triptych.server.edge.one_time_tokens import TokenPurpose
from triptych.server.routes.devices import origin_of
from triptych.server.services import AnyRequest, Services
from triptych.server.wire.errors import ApiError
from triptych.store.types import Credential


class _ClientData(msgspec.Struct, frozen=True):
    """The part of the browser's client data that is read before it is verified."""

    challenge: str


class _Response(msgspec.Struct, frozen=True):
    clientDataJSON: str  # noqa: N815 - the standard's name


class _Credential(msgspec.Struct, frozen=True):
    rawId: str  # noqa: N815 - the standard's name
    response: _Response


async def registered_passkey(
    request: AnyRequest, player: str, credential: bytes, services: Services
) -> StoredPasskey:
    """Return a new passkey that a guest's browser has created. Raises ApiError."""
    challenge = _redeem_challenge("register", player, credential, services)
    registration = await asyncio.to_thread(_verify_registration, credential, challenge, request)
    return StoredPasskey(
        registration.credential_id, registration.credential_public_key, registration.sign_count, services.now()
    )


async def authenticated_passkey(
    request: AnyRequest, player: str, credential: bytes, services: Services
) -> Credential:
    """Return the passkey, of any guest, with which the browser of guest `player` has signed.

    Raises ApiError.
    """
    challenge = _redeem_challenge("signin", player, credential, services)
    stored = await services.store.credentials.credential(passkey_key(_bytes(_read(credential).rawId)))
    if stored is None:
        raise ApiError("identity.unknown", Message("error.passkey.unknown"), status=403)
    passkey = passkey_from_credential(stored)
    used = await asyncio.to_thread(_verify_assertion, credential, challenge, passkey, request)
    await services.store.credentials.put(
        passkey_credential(stored.player, msgspec.structs.replace(passkey, used=used))
    )
    return stored


def _redeem_challenge(kind: TokenPurpose, player: str, credential: bytes, services: Services) -> bytes:
    """Redeem and return the challenge of a response, which must be this guest's. Raises ApiError."""
    data = _bytes(_read(credential).response.clientDataJSON)
    try:
        challenge = _bytes(msgspec.json.decode(data, type=_ClientData).challenge)
    except msgspec.MsgspecError:
        raise invalid_passkey() from None
    if services.one_time_tokens.redeem(kind, challenge) != player:
        raise invalid_passkey()
    return challenge


def _read(credential: bytes) -> _Credential:
    try:
        return msgspec.json.decode(credential, type=_Credential)
    except (msgspec.MsgspecError, UnicodeError):
        raise invalid_passkey() from None


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise invalid_passkey() from None


# The library is loaded with the first passkey, in a thread, so that the tables do not wait for it.


def _verify_registration(credential: bytes, challenge: bytes, request: AnyRequest) -> Any:  # noqa: ANN401 - webauthn's own
    from webauthn import verify_registration_response  # noqa: PLC0415 - see above

    try:
        return verify_registration_response(
            credential=credential.decode(),
            expected_challenge=challenge,
            expected_rp_id=site_of(request),
            expected_origin=origin_of(request),
        )
    except Exception:  # noqa: BLE001 - untrusted input that is not a passkey's response
        raise invalid_passkey() from None


def _verify_assertion(credential: bytes, challenge: bytes, passkey: StoredPasskey, request: AnyRequest) -> int:
    from webauthn import verify_authentication_response  # noqa: PLC0415 - see above

    try:
        assertion = verify_authentication_response(
            credential=credential.decode(),
            expected_challenge=challenge,
            expected_rp_id=site_of(request),
            expected_origin=origin_of(request),
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.used,
        )
    except Exception:  # noqa: BLE001 - as above
        raise invalid_passkey() from None
    return assertion.new_sign_count


def site_of(request: AnyRequest) -> str:
    """Return the site's host name, the relying party id of passkeys."""
    return urlsplit(origin_of(request)).hostname or ""


def invalid_passkey() -> ApiError:
    """Return the error for an invalid passkey."""
    return ApiError("passkey.invalid", Message("error.passkey.invalid"), "$.credential", status=403)
