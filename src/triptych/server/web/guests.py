"""A guest's identity: an id in a signed cookie, and the name that goes with it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Final

from triptych.store.protocol import Player

if TYPE_CHECKING:
    from triptych.store.protocol import EventStore

COOKIE: Final = "triptych_guest"
COOKIE_SECONDS: Final = 400 * 86_400
_MAX_KNOWN: Final = 10_000


class Guests:
    """Ids, their signatures and their names. Nothing is stored for a guest who keeps the given name."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._secret = b""
        self._names: dict[str, str] = {}
        self._gone: set[str] = set()

    async def open(self) -> None:
        """Fetch the secret that signs the cookies; it is made once and lives in the database."""
        self._secret = await self._store.secret("cookie", secrets.token_bytes(32))
        self._gone = set(await self._store.people.gone())

    def new(self) -> str:
        """Return the id of a guest who was never here."""
        return f"p{secrets.token_hex(8)}"

    def cookie(self, player: str) -> str:
        """Return the cookie's value for a guest."""
        return f"{player}.{self._signature(player)}"

    def read(self, cookie: str | None) -> str | None:
        """Return the guest whom a cookie names, None when it is not one of ours."""
        player, _, signature = (cookie or "").partition(".")
        if hmac.compare_digest(signature.encode(), self._signature(player).encode()) and player not in self._gone:
            return player
        return None

    async def forget(self, player: str) -> None:
        """Delete what is kept of a guest; their cookies name nobody any more."""
        self._gone.add(player)
        self._names.pop(player, None)
        await self._store.people.forget(player)

    def is_gone(self, player: str) -> bool:
        """Tell whether a guest wished to be forgotten."""
        return player in self._gone

    def _signature(self, player: str) -> str:
        return hmac.new(self._secret, player.encode(), hashlib.sha256).hexdigest()

    def known(self, player: str) -> str | None:
        """Return a guest's name if it is at hand."""
        return self._names.get(player)

    async def name(self, player: str) -> str:
        """Return a guest's name; until they choose one it is made of their id."""
        known = self._names.get(player)
        if known is None:
            kept = await self._store.player(player)
            known = f"Guest {player[-4:]}" if kept is None else kept.name
            self._remember(player, known)
        return known

    async def rename(self, player: str, name: str) -> None:
        """Keep a new name, which must be valid."""
        await self._store.save_player(Player(player, name))
        self._remember(player, name)

    def lost(self, player: str) -> None:
        """Hear that a guest was forgotten at another server."""
        self._gone.add(player)
        self._names.pop(player, None)

    async def catch_up(self) -> None:
        """Ask again for what other servers may have changed unheard."""
        self._gone.update(await self._store.people.gone())
        self._names.clear()

    def heard(self, player: str, name: str) -> None:
        """Hear that a guest has taken another name at another server."""
        if player in self._names:
            self._names[player] = name

    def _remember(self, player: str, name: str) -> None:
        if len(self._names) >= _MAX_KNOWN:
            self._names.clear()
        self._names[player] = name
