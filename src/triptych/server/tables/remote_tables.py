"""Which tables other servers of the house own, as far as is known here, and which guests follow them there.

How such a table is comes again and again, and is read when somebody asks.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Raw

from triptych.server.tables.summary import TableSummary, decode_json


@dataclass(slots=True)
class RemoteEntry:
    """`told`: what is not read yet of the table, None when there is nothing."""

    server: int
    followers: list[str]
    told: Raw | None = None
    glance: TableSummary | None = None

    def read(self) -> TableSummary | None:
        """Return the table at a glance, None when nothing is known of it."""
        if self.told is not None:
            self.glance, self.told = decode_json(self.told), None
        return self.glance


class RemoteTables:
    """Tables of other servers; one that is not among them is this server's, or nobody's."""

    def __init__(self) -> None:
        self._places: dict[str, RemoteEntry] = {}

    def __contains__(self, table: object) -> bool:
        """Return whether another server owns a table."""
        return table in self._places

    def set_owner(self, server: int, table: str) -> None:
        """Called when a server owns a table when it was asked for here."""
        self._places.setdefault(table, RemoteEntry(server, []))

    def update(self, server: int, table: str, told: Raw, followers: list[str]) -> None:
        """Called when a table of a server has changed, or who follows it."""
        # A copy: what it came with would stay in memory as long as this one.
        self._places[table] = RemoteEntry(server, followers, told.copy())

    def glance(self, table: str) -> TableSummary | None:
        """Return another server's table at a glance; None for any other, or when nothing is known of it."""
        place = self._places.get(table)
        return None if place is None else place.read()

    def watchers(self, table: str) -> list[str]:
        """Return the guests who follow a table at another server."""
        place = self._places.get(table)
        return [] if place is None else place.followers

    def owner(self, table: str) -> int | None:
        """Return the server that owns a table; None for any that is not another server's."""
        place = self._places.get(table)
        return None if place is None else place.server

    def tables_of(self, server: int) -> list[str]:
        """Return what a server owns."""
        return [table for table, place in self._places.items() if place.server == server]

    def remove(self, table: str) -> None:
        """Called when a table is this server's, or nobody's."""
        self._places.pop(table, None)
