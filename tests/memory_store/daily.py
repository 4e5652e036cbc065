"""DailyStore in this process's memory."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.store.types import DailyResult


class MemoryDailyResults:
    """See DailyStore."""

    def __init__(self) -> None:
        self._results: dict[tuple[str, str], DailyResult] = {}

    async def save(self, result: DailyResult) -> None:
        """See DailyStore."""
        self._results.setdefault((result.day, result.player), result)

    async def between(self, first: str, last: str) -> Sequence[DailyResult]:
        """See DailyStore."""
        return tuple(self._results[key] for key in sorted(self._results) if first <= key[0] <= last)

    async def days_of(self, player: str) -> Sequence[str]:
        """See DailyStore."""
        return tuple(sorted((day for day, whose in self._results if whose == player), reverse=True))

    async def delete(self, player: str) -> None:
        """See DailyStore."""
        self.drop(player)

    def drop(self, player: str) -> None:
        """Delete all results of a player."""
        self._results = {key: result for key, result in self._results.items() if key[1] != player}
