"""Passkeys (WebAuthn): a guest keeps one, and is known again by it. Browsers offer them in secure places only."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec
from litestar import Response, post

from triptych.server.desks.me.devices import origin_of
from triptych.server.desks.me.http import keys_of, signed_in
from triptych.server.desks.me.kept import KEY, KeptPasskey, kept_passkey, passkey_credential, passkey_key
from triptych.server.desks.me.shapes import MyKeys, Passkey, PasskeyOptions
from triptych.server.web.contract import contract
from triptych.server.web.services import AnyRequest, Desk, answer, read_body, verify_guest, verify_same_site
from triptych.server.wire.bodies import Me
from triptych.server.wire.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.server.web.services import Services
    from triptych.server.web.tickets import Kind

SECONDS: Final = 300
MOST: Final = 10
_PASSKEY: Final = msgspec.json.Decoder(Passkey)


class _ClientData(msgspec.Struct, frozen=True):
    """What of the browser's own data is read before it is verified."""

    challenge: str


class _Response(msgspec.Struct, frozen=True):
    clientDataJSON: str  # noqa: N815 - the standard's name


class _Credential(msgspec.Struct, frozen=True):
    rawId: str  # noqa: N815 - the standard's name
    response: _Response


@post("/api/me/keys/passkey/options", status_code=200, opt=contract(PasskeyOptions, scope=None, refused=(409,)))
async def registration_options(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return what the browser makes a passkey with."""
    verify_same_site(request)
    player = verify_guest(request, services)
    mine = await _passkeys(player, services)
    if len(mine) >= MOST:
        raise Refusal("identity.too_many", f"{MOST} passkeys are kept for a guest; remove one first", status=409)
    challenge = services.tickets.issue("register", player, SECONDS)
    name = await services.guests.name(player)
    options = await asyncio.to_thread(_to_register, _site(request), player, name, challenge, [one.id for one in mine])
    return answer(PasskeyOptions(msgspec.Raw(options)))


@post("/api/me/keys/passkey", status_code=201, opt=contract(MyKeys, Passkey, scope=None, status=201, refused=(410,)))
async def keep_passkey(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be known again by the passkey that the browser has made."""
    wanted = await read_body(request, _PASSKEY)
    player = verify_guest(request, services)
    challenge = _taken("register", player, wanted, services)
    made = await asyncio.to_thread(_registered, bytes(wanted.credential), challenge, request)
    kept = KeptPasskey(made.credential_id, made.credential_public_key, made.sign_count, services.now())
    if not await services.store.people.keep(passkey_credential(player, kept)):
        raise _invalid()
    return answer(await keys_of(player, services), 201)


@post("/api/signin/passkey/options", status_code=200, opt=contract(PasskeyOptions, scope=None))
async def sign_in_options(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return what the browser asks for a passkey with; which guest it is, the passkey says."""
    verify_same_site(request)
    challenge = services.tickets.issue("signin", verify_guest(request, services), SECONDS)
    return answer(PasskeyOptions(msgspec.Raw(await asyncio.to_thread(_to_sign_in, _site(request), challenge))))


@post("/api/signin/passkey", status_code=200, opt=contract(Me, Passkey, scope=None, refused=(410,)))
async def sign_in_passkey(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Be, in this browser, the guest who is known by a passkey."""
    wanted = await read_body(request, _PASSKEY)
    challenge = _taken("signin", verify_guest(request, services), wanted, services)
    known = await services.store.people.credential(passkey_key(_bytes(_read(wanted).rawId)))
    if known is None:
        raise Refusal("identity.unknown", "nobody is known here by this passkey", status=403)
    kept = kept_passkey(known)
    used = await asyncio.to_thread(_used, bytes(wanted.credential), challenge, kept, request)
    await services.store.people.keep(passkey_credential(known.player, msgspec.structs.replace(kept, used=used)))
    return await signed_in(request, known, services)


async def _passkeys(player: str, services: Services) -> list[KeptPasskey]:
    mine = await services.store.people.credentials(player)
    return [kept_passkey(one) for one in mine if one.name.startswith(KEY)]


def _taken(kind: Kind, player: str, wanted: Passkey, services: Services) -> bytes:
    """Return the challenge that was answered, which was this guest's and counts no more. Raises Refusal."""
    data = _bytes(_read(wanted).response.clientDataJSON)
    try:
        challenge = _bytes(msgspec.json.decode(data, type=_ClientData).challenge)
    except msgspec.MsgspecError:
        raise _invalid() from None
    if services.tickets.take(kind, challenge) != player:
        raise _invalid()
    return challenge


def _read(wanted: Passkey) -> _Credential:
    try:
        return msgspec.json.decode(wanted.credential, type=_Credential)
    except (msgspec.MsgspecError, UnicodeError):
        raise _invalid() from None


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise _invalid() from None


# The library is loaded when the first passkey is made or shown, in a thread: the tables do not wait for it.


def _to_register(site: str, player: str, name: str, challenge: bytes, known: Sequence[bytes]) -> bytes:
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
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=one) for one in known],
    )
    return options_to_json(options).encode()


def _to_sign_in(site: str, challenge: bytes) -> bytes:
    from webauthn import generate_authentication_options, options_to_json  # noqa: PLC0415 - see above

    return options_to_json(generate_authentication_options(rp_id=site, challenge=challenge)).encode()


def _registered(credential: bytes, challenge: bytes, request: AnyRequest) -> Any:  # noqa: ANN401 - webauthn's own
    from webauthn import verify_registration_response  # noqa: PLC0415 - see above

    try:
        return verify_registration_response(
            credential=credential.decode(),
            expected_challenge=challenge,
            expected_rp_id=_site(request),
            expected_origin=origin_of(request),
        )
    except Exception:  # noqa: BLE001 - whatever a stranger sent that is not a passkey's answer
        raise _invalid() from None


def _used(credential: bytes, challenge: bytes, kept: KeptPasskey, request: AnyRequest) -> int:
    from webauthn import verify_authentication_response  # noqa: PLC0415 - see above

    try:
        found = verify_authentication_response(
            credential=credential.decode(),
            expected_challenge=challenge,
            expected_rp_id=_site(request),
            expected_origin=origin_of(request),
            credential_public_key=kept.public_key,
            credential_current_sign_count=kept.used,
        )
    except Exception:  # noqa: BLE001 - as above
        raise _invalid() from None
    return found.new_sign_count


def _site(request: AnyRequest) -> str:
    return urlsplit(origin_of(request)).hostname or ""


def _invalid() -> Refusal:
    return Refusal("passkey.invalid", "this passkey could not be verified; try again", "$.credential", status=403)


HANDLERS: Final = (registration_options, keep_passkey, sign_in_options, sign_in_passkey)
