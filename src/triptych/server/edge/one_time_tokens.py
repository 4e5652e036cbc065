"""Tokens that are valid once and for a short time: links that sign in another device, challenges of passkeys.

They are in memory only, as hashes, so that a reader of the memory cannot use them. A restart ends them all.
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


class _Token(NamedTuple):
    digest: bytes
    until: float
    used: bool


class OneTimeTokens:
    """Issues and redeems tokens, one of each kind for a guest: a new one ends the one before it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tokens: dict[tuple[TokenPurpose, str], _Token] = {}
        self._owners: dict[tuple[TokenPurpose, bytes], str] = {}

    def issue(self, kind: TokenPurpose, player: str, seconds: float) -> bytes:
        """Return a secret that identifies a guest once, within so many seconds."""
        if len(self._tokens) >= MAX_TOKENS:
            self._make_room()
        self.end(kind, player)
        secret = secrets.token_bytes(SIZE)
        digest = _digest(secret)
        self._tokens[kind, player] = _Token(digest, self._clock() + seconds, used=False)
        self._owners[kind, digest] = player
        return secret

    def player_of(self, kind: TokenPurpose, secret: bytes) -> str:
        """Return the guest of a secret that is still valid. Raises ApiError as `redeem` does."""
        player = self._owners.get((kind, _digest(secret)))
        if player is None or self.status(kind, player) != "waiting":
            raise ApiError("ticket.unknown", Message("error.ticket.used"), "$", status=410)
        return player

    def redeem(self, kind: TokenPurpose, secret: bytes) -> str:
        """Return the guest of a secret, and end it. Raises ApiError when it is used, over or unknown."""
        player = self.player_of(kind, secret)
        self._tokens[kind, player] = self._tokens[kind, player]._replace(used=True)
        return player

    def status(self, kind: TokenPurpose, player: str) -> TokenStatus:
        """Return the status of a guest's last token."""
        token = self._tokens.get((kind, player))
        if token is None or (not token.used and token.until <= self._clock()):
            return "over"
        return "used" if token.used else "waiting"

    def end(self, kind: TokenPurpose, player: str) -> None:
        """End a guest's last token."""
        old = self._tokens.pop((kind, player), None)
        if old is not None:
            del self._owners[kind, old.digest]

    def _make_room(self) -> None:
        """Drop the tokens that are over. Raises ApiError when too many are still valid, which stay."""
        now = self._clock()
        for kind, player in [key for key, token in self._tokens.items() if token.until <= now]:
            self.end(kind, player)
        if len(self._tokens) >= MAX_TOKENS:
            raise ApiError("server.busy", Message("error.server.busy_minutes"), status=429)


def _digest(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()
