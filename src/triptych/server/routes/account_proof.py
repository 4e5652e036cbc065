"""Proof of identity before sign-in methods change: the cookie alone may be a stolen copy."""

from __future__ import annotations

from triptych.i18n.messages import Message
from triptych.server.edge.credentials import stored_passkeys, stored_passwords
from triptych.server.edge.guesses import ACCOUNT
from triptych.server.edge.rate_limits import PASSWORDS
from triptych.server.routes.browsers import device_of
from triptych.server.routes.passkey_check import authenticated_passkey, invalid_passkey
from triptych.server.schemas.identity import Proof
from triptych.server.services import AnyRequest, Services, spend
from triptych.server.wire.errors import ApiError


async def verify_proof(request: AnyRequest, player: str, proof: Proof, services: Services) -> None:
    """Verify a guest's proof, their password or a passkey, if they have any. Raises ApiError."""
    credentials = await services.store.credentials.credentials(player)
    passwords = stored_passwords(credentials)
    if not passwords and not stored_passkeys(credentials):
        return
    if proof.passkey is not None:
        credential = await authenticated_passkey(request, player, bytes(proof.passkey.credential), services)
        if credential.player != player:
            raise invalid_passkey()
    elif proof.password:
        tries = spend_account(request, player, player, f"proof {player}", services)
        if not await services.passwords.verify(proof.password, passwords[0].hash if passwords else ""):
            raise ApiError("proof.wrong", Message("error.proof.wrong"), "$.proof.password", status=403)
        services.guesses.refund(tries)
    else:
        message = Message("error.proof.missing")
        raise ApiError("proof.missing", message, "$.proof", status=403)


def spend_account(request: AnyRequest, guest: str, account: str | None, shared_key: str, services: Services) -> str:
    """Count a guest's attempt at an account's password, and return the key of the counter.

    Raises ApiError.

    A browser in which the account's guest has signed in before has its own counter, so that nobody else can block it;
    all others share the counter `shared_key`. `account` is None if there is no such account.
    """
    device = None if account is None else device_of(request, account, services)
    if device is None:
        spend(PASSWORDS, request, guest, services)
        tries = shared_key
    else:
        tries = f"device {device}"
    services.guesses.spend(tries, ACCOUNT)
    return tries
