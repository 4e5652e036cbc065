"""Which tables other servers of the house own, as far as is known here, and which guests follow them there."""

from __future__ import annotations

from typing import NamedTuple


class _Place(NamedTuple):
    server: int
    followers: list[str]


class Abroad:
    """Tables of other servers; one that is not among them is this server's, or nobody's."""

    def __init__(self) -> None:
        self._places: dict[str, _Place] = {}

    def __contains__(self, table: object) -> bool:
        """Tell whether another server owns a table."""
        return table in self._places

    def found(self, server: int, table: str) -> None:
        """Hear that a server owns a table when it was asked for here."""
        self._places.setdefault(table, _Place(server, []))

    def show(self, server: int, table: str, followers: list[str]) -> None:
        """Hear who follows a table of a server."""
        self._places[table] = _Place(server, followers)

    def followers(self, table: str) -> list[str]:
        """Return the guests who follow a table at another server."""
        place = self._places.get(table)
        return [] if place is None else place.followers

    def hide(self, server: int, table: str) -> bool:
        """Hear that a server has a table no longer; tell whether it was known as that server's."""
        place = self._places.pop(table, None)
        return place is not None and place.server == server

    def is_here(self, table: str) -> None:
        """Hear that a table is this server's, or nobody's."""
        self._places.pop(table, None)

    def left(self, server: int) -> None:
        """Hear that a server is over: what it owned is nobody's."""
        self._places = {table: place for table, place in self._places.items() if place.server != server}
