"""The bodies of the guest's identity: sign-in methods, tokens and devices."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from triptych.server.endpoint import Scope

MIN_PASSWORD_LENGTH = 8
_Name = Annotated[str, Meta(min_length=1, max_length=24)]
_Password = Annotated[str, Meta(max_length=128)]
Json = Annotated[msgspec.Raw, Meta(extra={"typescript": "unknown"})]


class NameAndPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """The name and password with which a guest signs in; a new password has at least 8 characters."""

    name: _Name
    password: _Password

    def __repr__(self) -> str:
        """Show no password."""
        return f"{type(self).__name__}({self.name!r}, ??)"


class Passkey(Struct, frozen=True, forbid_unknown_fields=True):
    """The response of the browser's authenticator, as JSON by the WebAuthn standard."""

    credential: Json


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """A guest's proof of identity, needed once they have a sign-in method.

    Their password, or the authenticator's response to `POST /api/signin/passkey/options`.
    """

    password: _Password = ""
    passkey: Passkey | None = None

    def __repr__(self) -> str:
        """Show no password."""
        return f"{type(self).__name__}(??)"


class KeepName(NameAndPassword, frozen=True, forbid_unknown_fields=True):
    """A new name and password to sign in with, and the proof of identity."""

    proof: Proof = Proof()


class DropKey(Struct, frozen=True, forbid_unknown_fields=True):
    """The proof of identity for removing a sign-in method."""

    proof: Proof = Proof()


class PasskeyItem(Struct, frozen=True):
    """A stored passkey: its id on this server, and when it was created (ms)."""

    key: str
    made: int


class SignInMethods(Struct, frozen=True):
    """The sign-in methods of a guest: the name that has a password (None: there is none), and passkeys."""

    name: str | None
    passkeys: tuple[PasskeyItem, ...]


class PasskeyOptions(Struct, frozen=True):
    """The options for the browser's `navigator.credentials`, as JSON by the WebAuthn standard."""

    options: Json


class KeepPasskey(Passkey, frozen=True, forbid_unknown_fields=True):
    """A new passkey, and the proof of identity."""

    proof: Proof = Proof()


class NewTokenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to create: your own label for it, and its scopes. Every token may `read`."""

    label: Annotated[str, Meta(min_length=1, max_length=40)]
    scopes: Annotated[tuple[Scope, ...], Meta(max_length=3)] = ()


class TokenItem(Struct, frozen=True):
    """A token: its id, its owner's label, its scopes, and when it was created (`made`, ms)."""

    token: str
    label: str
    scopes: tuple[Scope, ...]
    made: int


class CreatedToken(Struct, frozen=True):
    """A new token: its `secret`, with which a program authenticates, is returned only now and never stored."""

    secret: str
    line: TokenItem

    def __repr__(self) -> str:
        """Show no secret."""
        return f"{type(self).__name__}(??, {self.line!r})"


class QrCode(Struct, frozen=True):
    """A QR code without margin: its modules a side, and the dark modules as an SVG path of that size."""

    size: int
    path: str


class TableLinkCode(Struct, frozen=True):
    """The address of a table's page, also as a QR code."""

    link: str
    qr: QrCode


class DeviceLink(Struct, frozen=True):
    """A link that signs one other device in as the guest, valid for so many seconds."""

    link: str
    seconds: int
    qr: QrCode


class DeviceLine(Struct, frozen=True):
    """A browser that is signed in as the guest: its id, and its program and system (empty: unknown).

    `made`: since when it is signed in; `seen`: its last use (ms, to the hour); `here`: it sent this request.
    """

    device: str
    browser: str
    system: str
    made: int
    seen: int
    here: bool


class DeviceLinkStatus(Struct, frozen=True):
    """The status of the guest's last link: waiting, used or expired (`over`)."""

    fate: Literal["waiting", "used", "over"]


class DeviceOwner(Struct, frozen=True):
    """The name of the guest whom a link to another device signs in."""

    name: str


class RedeemDeviceLink(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a link: the part after its `#`."""

    token: Annotated[str, Meta(max_length=64)]

    def __repr__(self) -> str:
        """Show nothing."""
        return f"{type(self).__name__}(??)"
