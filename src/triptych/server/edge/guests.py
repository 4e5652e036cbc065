"""A guest's identity: an id and a session in a signed cookie, and the guest's name."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from triptych.store.interface import EventStore
from triptych.store.types import Player
from triptych.table.names import default_name

COOKIE: Final = "triptych_guest"
# It stays after signing out: this browser may still sign in while others guess the account's password.
DEVICE_COOKIE: Final = "triptych_device"
COOKIE_SECONDS: Final = 400 * 86_400
_MAX_KNOWN: Final = 10_000
_ID_BYTES: Final = 8


class SignedIn(NamedTuple):
    """The guest, session and epoch of a cookie; the session is empty and the epoch 0 in older cookies."""

    player: str
    session: str = ""
    epoch: int = 0


class Guests:
    """Guests' cookies, sessions and names. Nothing is stored for a guest who keeps the default name."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._secret = b""
        self._names: dict[str, str] = {}
        self._deleted: set[str] = set()
        self._ended_sessions: set[tuple[str, str]] = set()  # (guest, session)
        self._epochs: dict[str, int] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self) -> None:
        """Load the secret that signs the cookies; it is made once and stored in the database."""
        self._secret = await self._store.get_or_create_secret("cookie", secrets.token_bytes(32))
        await self._load_revocations()

    async def _load_revocations(self) -> None:
        self._deleted.update(await self._store.credentials.deleted_guests())
        revoked = await self._store.credentials.revoked()
        self._ended_sessions.update(revoked.sessions)
        for player, epoch in revoked.epochs.items():
            self._note_epoch(player, epoch)

    def _note_epoch(self, player: str, epoch: int) -> None:
        if epoch > self._epochs.get(player, 0):
            self._epochs[player] = epoch

    def new_id(self) -> SignedIn:
        """Return a new guest with a new session."""
        return SignedIn(f"p{secrets.token_hex(_ID_BYTES)}", secrets.token_hex(_ID_BYTES))

    async def sign_in(self, player: str) -> SignedIn:
        """Return a new session of a guest."""
        self._note_epoch(player, await self._store.credentials.epoch(player))
        return SignedIn(player, secrets.token_hex(_ID_BYTES), self._epochs.get(player, 0))

    def with_session(self, signed_in: SignedIn, browser: str) -> SignedIn:
        """Return a session for an older cookie without one: always the same for a kind of browser."""
        if signed_in.session:
            return signed_in
        return signed_in._replace(session=self._signature(f"session {signed_in.player} {browser}")[: 2 * _ID_BYTES])

    def sign_cookie(self, signed_in: SignedIn) -> str:
        """Return the cookie's value for a guest's session."""
        content = f"{signed_in.player}.{signed_in.epoch}.{signed_in.session}"
        return f"{content}.{self._signature(content)}"

    def verify_cookie(self, cookie: str | None) -> SignedIn | None:
        """Return the guest and session of a cookie; None when it is invalid or its session has ended."""
        content, _, signature = (cookie or "").rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(content).encode()):
            return None
        match content.split("."):
            case [player]:
                signed_in = SignedIn(player)
            case [player, epoch, session]:
                signed_in = SignedIn(player, session, int(epoch))
            case _:
                return None
        return signed_in if self.is_signed_in(signed_in) else None

    def is_signed_in(self, signed_in: SignedIn) -> bool:
        """Return whether a session is still valid."""
        player, session, epoch = signed_in
        is_ended = (player, session) in self._ended_sessions or epoch < self._epochs.get(player, 0)
        return not is_ended and player not in self._deleted

    def device_cookie(self, player: str) -> str:
        """Return the value of a device cookie: the guest has proved their identity in this browser."""
        content = f"{player}.{secrets.token_hex(_ID_BYTES)}"
        return f"{content}.{self._signature('device ' + content)}"

    def known_device(self, cookie: str | None, player: str) -> str | None:
        """Return the id of a browser in which the guest has proved their identity; None for any other browser."""
        content, _, signature = (cookie or "").rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature("device " + content).encode()):
            return None
        owner, _, device = content.partition(".")
        return device if owner == player else None

    async def end_session(self, signed_in: SignedIn) -> None:
        """End a session: its cookies are no longer valid."""
        self.mark_session_ended(signed_in.player, signed_in.session)
        await self._store.credentials.end_session(signed_in.player, signed_in.session)

    async def end_sessions(self, player: str) -> int:
        """End all sessions of a guest, and return the epoch that begins."""
        epoch = await self._store.credentials.end_sessions(player)
        self.mark_sessions_ended(player, epoch)
        return epoch

    def mark_session_ended(self, player: str, session: str) -> None:
        """Note that a session was ended, here or at another server."""
        self._ended_sessions.add((player, session))

    def mark_sessions_ended(self, player: str, epoch: int) -> None:
        """Note that all sessions before an epoch were ended, here or at another server."""
        self._note_epoch(player, epoch)
        self._ended_sessions = {session for session in self._ended_sessions if session[0] != player}

    async def delete(self, player: str) -> None:
        """Delete a guest; their cookies are no longer valid."""
        self.on_deleted(player)
        await self._store.credentials.delete_guest(player)

    def lock(self, player: str) -> asyncio.Lock:
        """Return the lock of a guest's requests; it is dropped when nothing holds it or waits for it."""
        return self._locks.setdefault(player, asyncio.Lock())

    def is_deleted(self, player: str) -> bool:
        """Return whether a guest was deleted."""
        return player in self._deleted

    def _signature(self, content: str) -> str:
        return hmac.new(self._secret, content.encode(), hashlib.sha256).hexdigest()

    def cached_name(self, player: str) -> str | None:
        """Return a guest's name if it is cached."""
        return self._names.get(player)

    async def name(self, player: str) -> str:
        """Return a guest's name; until they choose one it is made from their id."""
        name = self._names.get(player)
        if name is None:
            stored = await self._store.player(player)
            name = default_name(player) if stored is None else stored.name
            self._remember(player, name)
        return name

    async def rename(self, player: str, name: str) -> None:
        """Store a guest's new name, which must be valid."""
        await self._store.save_player(Player(player, name))
        self._remember(player, name)

    def on_deleted(self, player: str) -> None:
        """Called when a guest was deleted at another server."""
        self._deleted.add(player)
        self._names.pop(player, None)

    async def refresh(self) -> None:
        """Load again what other servers may have changed, after lost messages."""
        await self._load_revocations()
        self._names.clear()

    def on_renamed(self, player: str, name: str) -> None:
        """Called when a guest was renamed at another server."""
        if player in self._names:
            self._names[player] = name

    def _remember(self, player: str, name: str) -> None:
        if len(self._names) >= _MAX_KNOWN:
            self._names.clear()
        self._names[player] = name
