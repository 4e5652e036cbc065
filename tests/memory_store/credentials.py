"""CredentialStore in this process's memory."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tests.memory_store.daily import MemoryDailyResults
from tests.memory_store.results import MemoryResults
from tests.memory_store.reviews import MemoryReviews
from triptych.store.types import Credential, Player, Revoked, Session


class MemoryCredentials:
    """See CredentialStore."""

    def __init__(
        self, players: dict[str, Player], records: MemoryResults, reviews: MemoryReviews, daily: MemoryDailyResults
    ) -> None:
        self._daily = daily
        self._players = players
        self._records = records
        self._reviews = reviews
        self._credentials: dict[str, Credential] = {}
        self._gone: set[str] = set()
        self._sessions: dict[tuple[str, str], Session | None] = {}  # None: it has ended
        self._epochs: dict[str, int] = {}

    async def credential(self, name: str) -> Credential | None:
        """See CredentialStore."""
        return self._credentials.get(name)

    async def credentials(self, player: str) -> Sequence[Credential]:
        """See CredentialStore."""
        return tuple(credential for _, credential in sorted(self._credentials.items()) if credential.player == player)

    async def put(self, credential: Credential) -> bool:
        """See CredentialStore."""
        if self._credentials.get(credential.name, credential).player != credential.player:
            return False
        self._credentials[credential.name] = credential
        return True

    async def delete(self, credential: Credential) -> bool:
        """See CredentialStore."""
        stored = self._credentials.get(credential.name)
        if stored is None or stored.player != credential.player:
            return False
        del self._credentials[credential.name]
        return True

    async def sessions(self, player: str) -> Sequence[Session]:
        """See CredentialStore."""
        all_sessions = [session for _, session in sorted(self._sessions.items(), key=lambda item: item[0])]
        return tuple(session for session in all_sessions if session is not None and session.player == player)

    async def keep_session(self, session: Session) -> None:
        """See CredentialStore."""
        key = session.player, session.session
        stored = self._sessions.get(key, session)
        if stored is not None:
            self._sessions[key] = replace(session, made=stored.made)

    async def end_session(self, player: str, session: str) -> None:
        """See CredentialStore."""
        self._sessions[player, session] = None

    async def end_sessions(self, player: str) -> int:
        """See CredentialStore."""
        self._drop_sessions(player)
        self._epochs[player] = self._epochs.get(player, 0) + 1
        return self._epochs[player]

    async def epoch(self, player: str) -> int:
        """See CredentialStore."""
        return self._epochs.get(player, 0)

    async def revoked(self) -> Revoked:
        """See CredentialStore."""
        return Revoked(
            frozenset(key for key, session in self._sessions.items() if session is None), dict(self._epochs)
        )

    def _drop_sessions(self, player: str) -> None:
        self._sessions = {key: session for key, session in self._sessions.items() if key[0] != player}

    def known(self) -> set[str]:
        """Return who has a name or a credential."""
        signed_in = (session.player for session in self._sessions.values() if session is not None)
        return {*self._players, *(credential.player for credential in self._credentials.values()), *signed_in}

    def drop_all(self, player: str) -> None:
        """Delete a guest's name and credentials."""
        self._credentials = {
            name: credential for name, credential in self._credentials.items() if credential.player != player
        }
        self._players.pop(player, None)
        self._reviews.drop(player=player)
        self._daily.drop(player)
        items = self._sessions.items()
        self._sessions = {key: session for key, session in items if session is None or session.player != player}

    async def delete_guest(self, player: str) -> None:
        """See CredentialStore."""
        self.drop_all(player)
        self._records.forget(player)
        self._drop_sessions(player)
        self._epochs.pop(player, None)
        self._gone.add(player)

    async def deleted_guests(self) -> Sequence[str]:
        """See CredentialStore."""
        return tuple(self._gone)
