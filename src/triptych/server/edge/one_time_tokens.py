"""Things that count once and not for long: a link that makes another device the same guest, a passkey's challenge.

They are kept in memory, as hashes: who reads them there cannot use them. A restart of the server ends them all.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from triptych.i18n.messages import Message
from triptych.server.wire.errors import ApiError

SIZE: Final = 24  # bytes of a secret
MAX_TOKENS: Final = 10_000

TokenPurpose = Literal["device", "register", "signin"]
TokenStatus = Literal["waiting", "used", "over"]


class _Ticket(NamedTuple):
    digest: bytes
    until: float
    used: bool


class OneTimeTokens:
    """One ticket of each kind for a guest: a new one ends the one before it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tickets: dict[tuple[TokenPurpose, str], _Ticket] = {}
        self._owners: dict[tuple[TokenPurpose, bytes], str] = {}

    def issue(self, kind: TokenPurpose, player: str, seconds: float) -> bytes:
        """Return a secret that stands for a guest, once."""
        if len(self._tickets) >= MAX_TOKENS:
            self._forget()
        self._drop(kind, player)
        secret = secrets.token_bytes(SIZE)
        digest = _digest(secret)
        self._tickets[kind, player] = _Ticket(digest, self._clock() + seconds, used=False)
        self._owners[kind, digest] = player
        return secret

    def player_of(self, kind: TokenPurpose, secret: bytes) -> str:
        """Return the guest for whom a secret stands, which still counts. Raises ApiError as `redeem` does."""
        player = self._owners.get((kind, _digest(secret)))
        if player is None or self.status(kind, player) != "waiting":
            raise ApiError("ticket.unknown", Message("error.ticket.used"), "$", status=410)
        return player

    def redeem(self, kind: TokenPurpose, secret: bytes) -> str:
        """Return the guest for whom a secret stands. Raises ApiError when it was used, is over, or never was."""
        player = self.player_of(kind, secret)
        self._tickets[kind, player] = self._tickets[kind, player]._replace(used=True)
        return player

    def status(self, kind: TokenPurpose, player: str) -> TokenStatus:
        """Return what has become of a guest's last ticket."""
        ticket = self._tickets.get((kind, player))
        if ticket is None or (not ticket.used and ticket.until <= self._clock()):
            return "over"
        return "used" if ticket.used else "waiting"

    def end(self, kind: TokenPurpose, player: str) -> None:
        """Let a guest's last ticket count no more."""
        self._drop(kind, player)

    def _drop(self, kind: TokenPurpose, player: str) -> None:
        old = self._tickets.pop((kind, player), None)
        if old is not None:
            del self._owners[kind, old.digest]

    def _forget(self) -> None:
        """Forget what is over; when too many are not, those who ask now are not the ones who lose theirs."""
        now = self._clock()
        for kind, player in [key for key, ticket in self._tickets.items() if ticket.until <= now]:
            self._drop(kind, player)
        if len(self._tickets) >= MAX_TOKENS:
            raise ApiError("server.busy", Message("error.server.busy_minutes"), status=429)


def _digest(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()
