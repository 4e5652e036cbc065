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
    """Shared results by player and day; the first one of a day stays."""

    async def save(self, result: DailyResult) -> None:
        """Keep a result, unless the player has one of that day already."""

    async def between(self, first: str, last: str) -> Sequence[DailyResult]:
        """Return everybody's results from one day to another, both included, by day and player."""

    async def days_of(self, player: str) -> Sequence[str]:
        """Return the days of which a player has shared the result, the newest first."""

    async def delete(self, player: str) -> None:
        """Delete all results of a player."""
