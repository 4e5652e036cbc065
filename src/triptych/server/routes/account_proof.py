"""Who is known by something shows it again before that changes: a cookie alone may be somebody else's copy."""

from __future__ import annotations

from triptych.i18n.messages import Message
from triptych.server.edge.credentials import PASSKEY_PREFIX, PASSWORD_PREFIX, password_from_credential
from triptych.server.edge.guesses import ACCOUNT
from triptych.server.routes.browsers import device_of
from triptych.server.routes.passkey_check import authenticated_passkey, invalid_passkey
from triptych.server.routes.table_access import limit_password_attempts
from triptych.server.schemas.identity import Proof
from triptych.server.services import AnyRequest, Services
from triptych.server.wire.errors import ApiError


async def verify_proof(request: AnyRequest, player: str, proof: Proof, services: Services) -> None:
    """Verify that a guest has shown their password or a passkey, if they have any. Raises ApiError."""
    mine = await services.store.credentials.credentials(player)
    hashes = [password_from_credential(one).hash for one in mine if one.name.startswith(PASSWORD_PREFIX)]
    if not hashes and not any(one.name.startswith(PASSKEY_PREFIX) for one in mine):
        return
    if proof.passkey is not None:
        credential = await authenticated_passkey(request, player, bytes(proof.passkey.credential), services)
        if credential.player != player:
            raise invalid_passkey()
    elif proof.password:
        tries = spend_account(request, player, player, f"proof {player}", services)
        if not await services.passwords.verify(proof.password, next(iter(hashes), "")):
            raise ApiError("proof.wrong", Message("error.proof.wrong"), "$.proof.password", status=403)
        services.guesses.refund(tries)
    else:
        message = Message("error.proof.missing")
        raise ApiError("proof.missing", message, "$.proof", status=403)


def spend_account(request: AnyRequest, asker: str, account: str | None, others: str, services: Services) -> str:
    """Count a try of an account's password by a guest, and return what it was counted of. Raises ApiError.

    A browser in which the account's guest has shown who they are has its own count, so that nobody else makes it
    wait; all others together have that of `others`. `account` is None where there is no such account.
    """
    device = None if account is None else device_of(request, account, services)
    if device is None:
        limit_password_attempts(request, asker, services)
        tries = others
    else:
        tries = f"device {device}"
    services.guesses.spend(tries, ACCOUNT)
    return tries
