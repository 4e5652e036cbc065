"""Results of the daily deal that players share on this server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class DailyResult(Struct, frozen=True):
    """A player's points in the deal of a day (`2026-11-28`); `at`: when they were shared (ms since the epoch)."""

    player: str
    day: str
    points: int
    at: int


class DailyStore(Protocol):
    """Shared results by player and day; a player's first result of a day stays."""

    async def save(self, result: DailyResult) -> None:
        """Save a result, unless the player has one of that day already."""

    async def between(self, first: str, last: str) -> Sequence[DailyResult]:
        """Return all results from the day `first` to the day `last`, both included, by day and player."""

    async def days_of(self, player: str) -> Sequence[str]:
        """Return the days of a player's shared results, newest first."""

    async def delete(self, player: str) -> None:
        """Delete all results of a player."""
