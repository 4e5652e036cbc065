"""Limits on the waiting commands of one guest at a table, and on how often they may move their cards."""

from __future__ import annotations

from collections import Counter
from typing import Final

MAX_WAITING: Final = 32
# An arrangement is stored permanently like any other move; nobody drags faster than this for long.
ARRANGE_BURST: Final = 60
ARRANGEMENTS_A_SECOND: Final = 6.0


class CommandLimiter:
    """Counts waiting commands and recent arrangements, by guest; the caller gives the time in seconds."""

    def __init__(self) -> None:
        self._waiting: Counter[str] = Counter()
        self._until: dict[str, float] = {}  # when a guest's recent arrangements count no longer

    def acquire(self, player: str) -> bool:
        """Count one more command of a guest; False, and not counted, when MAX_WAITING of theirs wait."""
        if self._waiting[player] >= MAX_WAITING:
            return False
        self._waiting[player] += 1
        return True

    def release(self, player: str) -> None:
        """Count one waiting command of a guest less."""
        self._waiting[player] -= 1
        if self._waiting[player] <= 0:
            del self._waiting[player]

    def allow_arrange(self, player: str, now: float) -> bool:
        """Count one more arrangement of a guest; False, and not counted, when there were too many recently."""
        until = max(now, self._until.get(player, now)) + 1 / ARRANGEMENTS_A_SECOND
        if until - now > ARRANGE_BURST / ARRANGEMENTS_A_SECOND:
            return False
        self._until = {guest: time for guest, time in self._until.items() if time > now}
        self._until[player] = until
        return True
