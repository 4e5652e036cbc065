"""Guests' passwords and passkeys as stored credentials."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from triptych.store.types import Credential

PASSWORD_PREFIX: Final = "name:"  # noqa: S105 - a prefix of credentials' names
PASSKEY_PREFIX: Final = "key:"
_WRITE: Final = msgspec.msgpack.Encoder()


class StoredPassword(Struct, frozen=True, array_like=True):
    """A password's hash, and the name as it was typed."""

    name: str
    hash: str


class StoredPasskey(Struct, frozen=True, array_like=True):
    """A passkey's id at its authenticator, its public key, how often it was used, and when it was made (ms)."""

    id: bytes
    public_key: bytes
    used: int
    made: int


_PASSWORD: Final = msgspec.msgpack.Decoder(StoredPassword)
_PASSKEY: Final = msgspec.msgpack.Decoder(StoredPasskey)


def password_key(name: str) -> str:
    """Return the credential's name for an account's name; case and ways of typing (NFKC) do not matter."""
    return PASSWORD_PREFIX + unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def passkey_key(id_: bytes) -> str:
    """Return the credential's name for a passkey's id."""
    return PASSKEY_PREFIX + hashlib.sha256(id_).hexdigest()


def password_credential(player: str, name: str, hashed: str) -> Credential:
    """Return the credential that stores an account's name and a password's hash."""
    return Credential(password_key(name), player, _WRITE.encode(StoredPassword(name, hashed)))


def passkey_credential(player: str, passkey: StoredPasskey) -> Credential:
    """Return the credential that stores a passkey."""
    return Credential(passkey_key(passkey.id), player, _WRITE.encode(passkey))


def password_from_credential(credential: Credential) -> StoredPassword:
    """Return the name and the hash that a credential stores."""
    return _PASSWORD.decode(credential.payload)


def passkey_from_credential(credential: Credential) -> StoredPasskey:
    """Return the passkey that a credential stores."""
    return _PASSKEY.decode(credential.payload)


def stored_passwords(credentials: Iterable[Credential]) -> list[StoredPassword]:
    """Return the passwords among a guest's credentials: one, or none."""
    return [password_from_credential(stored) for stored in credentials if stored.name.startswith(PASSWORD_PREFIX)]


def stored_passkeys(credentials: Iterable[Credential]) -> list[StoredPasskey]:
    """Return the passkeys among a guest's credentials."""
    return [passkey_from_credential(stored) for stored in credentials if stored.name.startswith(PASSKEY_PREFIX)]
