"""A guest's identity: an id in a signed cookie, which of their browsers it is, and the name that goes with it."""

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
# Kept after signing out: this browser may still sign in while others guess the account's password.
DEVICE_COOKIE: Final = "triptych_device"
COOKIE_SECONDS: Final = 400 * 86_400
_MAX_KNOWN: Final = 10_000
_ID_BYTES: Final = 8


class SignedIn(NamedTuple):
    """Whom a cookie names, in which session and epoch; those are empty and 0 in a cookie from before sessions."""

    player: str
    session: str = ""
    epoch: int = 0


class Guests:
    """Ids, their signatures and their names. Nothing is stored for a guest who keeps the given name."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._secret = b""
        self._names: dict[str, str] = {}
        self._gone: set[str] = set()
        self._ended: set[tuple[str, str]] = set()  # sessions
        self._epochs: dict[str, int] = {}

    async def open(self) -> None:
        """Fetch the secret that signs the cookies; it is made once and lives in the database."""
        self._secret = await self._store.get_or_create_secret("cookie", secrets.token_bytes(32))
        await self._look_up()

    async def _look_up(self) -> None:
        """Add which cookies are worth nothing, by the store."""
        self._gone.update(await self._store.credentials.deleted_guests())
        revoked = await self._store.credentials.revoked()
        self._ended.update(revoked.sessions)
        for player, epoch in revoked.epochs.items():
            self._note_epoch(player, epoch)

    def _note_epoch(self, player: str, epoch: int) -> None:
        if epoch > self._epochs.get(player, 0):
            self._epochs[player] = epoch

    def new_id(self) -> SignedIn:
        """Return a guest who was never here, in a session of their own."""
        return SignedIn(f"p{secrets.token_hex(_ID_BYTES)}", secrets.token_hex(_ID_BYTES))

    async def sign_in(self, player: str) -> SignedIn:
        """Return a new session of a guest."""
        self._note_epoch(player, await self._store.credentials.epoch(player))
        return SignedIn(player, secrets.token_hex(_ID_BYTES), self._epochs.get(player, 0))

    def with_session(self, signed_in: SignedIn, browser: str) -> SignedIn:
        """Return a session for a cookie from before there were any: always the same one for a kind of browser."""
        if signed_in.session:
            return signed_in
        return signed_in._replace(session=self._signature(f"session {signed_in.player} {browser}")[: 2 * _ID_BYTES])

    def sign_cookie(self, signed_in: SignedIn) -> str:
        """Return the cookie's value for a guest's session."""
        content = f"{signed_in.player}.{signed_in.epoch}.{signed_in.session}"
        return f"{content}.{self._signature(content)}"

    def verify_cookie(self, cookie: str | None) -> SignedIn | None:
        """Return whom a cookie names; None when it is not one of ours, or counts no more."""
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
        """Whether a session still counts."""
        player, session, epoch = signed_in
        return (
            player not in self._gone and (player, session) not in self._ended and epoch >= self._epochs.get(player, 0)
        )

    def device_cookie(self, player: str) -> str:
        """Return the value of a cookie that says: in this browser the guest has shown that they are the guest."""
        content = f"{player}.{secrets.token_hex(_ID_BYTES)}"
        return f"{content}.{self._signature('device ' + content)}"

    def known_device(self, cookie: str | None, player: str) -> str | None:
        """Return the id of a browser in which the guest has shown who they are; None for any other browser."""
        content, _, signature = (cookie or "").rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature("device " + content).encode()):
            return None
        whose, _, device = content.partition(".")
        return device if whose == player else None

    async def end_session(self, signed_in: SignedIn) -> None:
        """Let a session's cookies count no more."""
        self.lost_session(signed_in.player, signed_in.session)
        await self._store.credentials.end_session(signed_in.player, signed_in.session)

    async def end_sessions(self, player: str) -> int:
        """Let all cookies of a guest count no more, and return the epoch that begins."""
        epoch = await self._store.credentials.end_sessions(player)
        self.lost_sessions(player, epoch)
        return epoch

    def lost_session(self, player: str, session: str) -> None:
        """Note that a session was ended, here or at another server."""
        self._ended.add((player, session))

    def lost_sessions(self, player: str, epoch: int) -> None:
        """Note that all sessions before an epoch were ended, here or at another server."""
        self._note_epoch(player, epoch)
        self._ended = {ended for ended in self._ended if ended[0] != player}

    async def forget(self, player: str) -> None:
        """Delete what is kept of a guest; their cookies name nobody any more."""
        self._gone.add(player)
        self._names.pop(player, None)
        await self._store.credentials.delete_guest(player)

    def is_deleted(self, player: str) -> bool:
        """Return whether a guest wished to be forgotten."""
        return player in self._gone

    def _signature(self, content: str) -> str:
        return hmac.new(self._secret, content.encode(), hashlib.sha256).hexdigest()

    def cached_name(self, player: str) -> str | None:
        """Return a guest's name if it is at hand."""
        return self._names.get(player)

    async def name(self, player: str) -> str:
        """Return a guest's name; until they choose one it is made of their id."""
        name = self._names.get(player)
        if name is None:
            stored = await self._store.player(player)
            name = default_name(player) if stored is None else stored.name
            self._remember(player, name)
        return name

    async def rename(self, player: str, name: str) -> None:
        """Keep a new name, which must be valid."""
        await self._store.save_player(Player(player, name))
        self._remember(player, name)

    def on_deleted(self, player: str) -> None:
        """Called when a guest was forgotten at another server."""
        self._gone.add(player)
        self._names.pop(player, None)

    async def refresh(self) -> None:
        """Ask again for what other servers may have changed unheard."""
        await self._look_up()
        self._names.clear()

    def on_renamed(self, player: str, name: str) -> None:
        """Called when a guest has taken another name at another server."""
        if player in self._names:
            self._names[player] = name

    def _remember(self, player: str, name: str) -> None:
        if len(self._names) >= _MAX_KNOWN:
            self._names.clear()
        self._names[player] = name


class GuestLocks:
    """Gives each guest one turn at a time; other guests do not wait."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, player: str) -> asyncio.Lock:
        """Return the guest's lock; it is forgotten when nobody holds it or waits for it."""
        return self._locks.setdefault(player, asyncio.Lock())
