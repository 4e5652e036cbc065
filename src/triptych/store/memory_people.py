"""PeopleStore in this process's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.store.people import Credential

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.store.memory_records import MemoryRecords
    from triptych.store.protocol import Player


class MemoryPeople:
    """See PeopleStore."""

    def __init__(self, players: dict[str, Player], records: MemoryRecords) -> None:
        self._players = players
        self._records = records
        self._credentials: dict[str, Credential] = {}
        self._gone: set[str] = set()

    async def credential(self, name: str) -> Credential | None:
        """See PeopleStore."""
        return self._credentials.get(name)

    async def credentials(self, player: str) -> Sequence[Credential]:
        """See PeopleStore."""
        return tuple(one for _, one in sorted(self._credentials.items()) if one.player == player)

    async def keep(self, credential: Credential) -> bool:
        """See PeopleStore."""
        if self._credentials.get(credential.name, credential).player != credential.player:
            return False
        self._credentials[credential.name] = credential
        return True

    async def drop(self, credential: Credential) -> bool:
        """See PeopleStore."""
        kept = self._credentials.get(credential.name)
        if kept is None or kept.player != credential.player:
            return False
        del self._credentials[credential.name]
        return True

    def known(self) -> set[str]:
        """Return who has a name or a credential."""
        return {*self._players, *(one.player for one in self._credentials.values())}

    def drop_all(self, player: str) -> None:
        """Delete a guest's name and credentials."""
        self._credentials = {name: one for name, one in self._credentials.items() if one.player != player}
        self._players.pop(player, None)

    async def forget(self, player: str) -> None:
        """See PeopleStore."""
        self.drop_all(player)
        self._records.forget(player)
        self._gone.add(player)

    async def gone(self) -> Sequence[str]:
        """See PeopleStore."""
        return tuple(self._gone)
