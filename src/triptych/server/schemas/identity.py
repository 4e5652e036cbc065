"""The bodies of what is said about who one is, both ways."""

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
    """What a guest is known again by; of a new password at least 8 characters are asked."""

    name: _Name
    password: _Password

    def __repr__(self) -> str:
        """Show no password."""
        return f"{type(self).__name__}({self.name!r}, ??)"


class Passkey(Struct, frozen=True, forbid_unknown_fields=True):
    """What the browser's authenticator answered, as JSON by the WebAuthn standard."""

    credential: Json


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """That a guest is who they are, which nobody needs who is known by nothing yet.

    Their password, or what the browser's authenticator answered to `POST /api/signin/passkey/options`.
    """

    password: _Password = ""
    passkey: Passkey | None = None

    def __repr__(self) -> str:
        """Show no password."""
        return f"{type(self).__name__}(??)"


class KeepName(NameAndPassword, frozen=True, forbid_unknown_fields=True):
    """What a guest wants to be known by from now on, and the proof that it is they who want it."""

    proof: Proof = Proof()


class DropKey(Struct, frozen=True, forbid_unknown_fields=True):
    """The proof that it is the guest who wants to be known by something no more."""

    proof: Proof = Proof()


class PasskeyItem(Struct, frozen=True):
    """A passkey that is kept: its id here, and when it was made (ms)."""

    key: str
    made: int


class SignInMethods(Struct, frozen=True):
    """What a guest is known again by: the name that goes with a password (None: there is none), and passkeys."""

    name: str | None
    passkeys: tuple[PasskeyItem, ...]


class PasskeyOptions(Struct, frozen=True):
    """What the browser's `navigator.credentials` is asked with, as JSON by the WebAuthn standard."""

    options: Json


class KeepPasskey(Passkey, frozen=True, forbid_unknown_fields=True):
    """A passkey that was made, and the proof that it is the guest who wants to be known by it."""

    proof: Proof = Proof()


class NewTokenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be made: a word of one's own for it, and what it allows. Every token may `read`."""

    label: Annotated[str, Meta(min_length=1, max_length=40)]
    scopes: Annotated[tuple[Scope, ...], Meta(max_length=3)] = ()


class TokenItem(Struct, frozen=True):
    """A token that was made (ms): its id, its owner's word for it, its scopes."""

    token: str
    label: str
    scopes: tuple[Scope, ...]
    made: int


class CreatedToken(Struct, frozen=True):
    """A token that was made now: the `secret` that a program shows is told this once, and kept nowhere."""

    secret: str
    line: TokenItem

    def __repr__(self) -> str:
        """Show no secret."""
        return f"{type(self).__name__}(??, {self.line!r})"


class QrCode(Struct, frozen=True):
    """A QR code: its modules a side, without a margin, and the dark ones as an SVG path of that size."""

    size: int
    path: str


class TableLinkCode(Struct, frozen=True):
    """The address of a table's page, and the same as a QR code."""

    link: str
    qr: QrCode


class DeviceLink(Struct, frozen=True):
    """A link that makes one other device the same guest, for so many seconds."""

    link: str
    seconds: int
    qr: QrCode


class DeviceLine(Struct, frozen=True):
    """A browser that is signed in as the guest: its id, and its program and system (empty: not known).

    `made`: since when it is signed in; `seen`: when it last came (ms, by the hour); `here`: it is the one that asks.
    """

    device: str
    browser: str
    system: str
    made: int
    seen: int
    here: bool


class DeviceLinkStatus(Struct, frozen=True):
    """What has become of the guest's last link."""

    fate: Literal["waiting", "used", "over"]


class DeviceOwner(Struct, frozen=True):
    """The name of the guest whom a link to another device signs in."""

    name: str


class RedeemDeviceLink(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a link, as it stands behind the link's `#`."""

    token: Annotated[str, Meta(max_length=64)]

    def __repr__(self) -> str:
        """Show nothing."""
        return f"{type(self).__name__}(??)"
