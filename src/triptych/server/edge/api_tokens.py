"""API tokens: a program sends one in place of its guest's cookie, and may do what the token's scopes allow.

A token is a credential of its guest, stored as a hash: a reader of the database cannot use it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any, Final

import msgspec
from msgspec import Struct

from triptych.server.edge.guests import Guests
from triptych.server.edge.rate_limits import TOKENS, AddressLimiter
from triptych.server.endpoint import Scope
from triptych.server.wire.errors import ApiError
from triptych.store.interface import EventStore
from triptych.store.types import Credential
from triptych.table.commands import HostRequest, PlayerRequest

BEARER: Final = "triptych.bearer"  # its key in a request's ASGI scope
CREDENTIAL_PREFIX: Final = "token:"
_PREFIX: Final = "tt_"
_FORM: Final = re.compile(r"tt_[A-Za-z0-9_-]{43}")
_ID: Final = 16  # characters of the hash by which its owner names a token


class StoredToken(Struct, frozen=True, array_like=True):
    """A token as it is stored: its owner's label, its scopes, and when it was made (ms)."""

    label: str
    scopes: tuple[Scope, ...]
    made: int


class Bearer(Struct, frozen=True):
    """The sender of a valid token: its guest, the token's id and its scopes."""

    player: str
    token: str
    scopes: tuple[Scope, ...]

    def verify(self, scope: Scope | None, path: str = "$") -> None:
        """Raise ApiError `token.scope` where the scope is not allowed; None is never allowed for a token."""
        if scope is None:
            raise ApiError("token.scope", "no token may do this, only its owner's own browser", path, 403)
        if scope != "read" and scope not in self.scopes:
            raise ApiError("token.scope", f"this token has not the scope {scope}; make one that has", path, 403)


_WRITE: Final = msgspec.msgpack.Encoder()
_READ: Final = msgspec.msgpack.Decoder(StoredToken)


def new_token() -> str:
    """Return a new random token."""
    return _PREFIX + secrets.token_urlsafe(32)


def to_credential(token: str, player: str, stored: StoredToken) -> Credential:
    """Return a token as it is stored."""
    return Credential(_name(token), player, _WRITE.encode(stored))


def from_credential(stored: Credential) -> StoredToken:
    """Return the token that a credential stores."""
    return _READ.decode(stored.payload)


def token_id(stored: Credential) -> str:
    """Return the id by which its owner names a token."""
    return stored.name.removeprefix(CREDENTIAL_PREFIX)[:_ID]


def required_scope(request: PlayerRequest) -> Scope:
    """Return the scope that a table command requires."""
    return "host" if isinstance(request, HostRequest) else "play"


class TokenAuthenticator:
    """Verifies the tokens in `Authorization` headers."""

    def __init__(self, store: EventStore, guests: Guests, addresses: AddressLimiter) -> None:
        self._store = store
        self._guests = guests
        self._addresses = addresses

    async def authenticate(self, headers: Any, address: str) -> Bearer | None:  # noqa: ANN401 - litestar's headers
        """Return the bearer of a request's token, None without one. Raises ApiError, by a limit for each address."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        # Only well-formed tokens are looked up in the database.
        stored = await self._store.credentials.credential(_name(token)) if _FORM.fullmatch(token) else None
        if stored is None or self._guests.is_deleted(stored.player):
            self._addresses.acquire(TOKENS, address)
            raise ApiError("token.unknown", "this token is unknown or was revoked", "$.headers.authorization", 401)
        return Bearer(stored.player, token_id(stored), from_credential(stored).scopes)


def _name(token: str) -> str:
    return CREDENTIAL_PREFIX + hashlib.sha256(token.encode()).hexdigest()
