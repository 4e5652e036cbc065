"""How much of one guest may wait at a table, and how often they may shift their cards."""

from __future__ import annotations

from collections import Counter
from typing import Final

MAX_WAITING: Final = 32
# An arrangement is stored for ever like any other move; nobody drags faster than this for long.
ARRANGE_BURST: Final = 60
ARRANGEMENTS_A_SECOND: Final = 6.0


class CommandLimiter:
    """Counts what waits and what was arranged of late, by guest; the time is the caller's, in seconds."""

    def __init__(self) -> None:
        self._waiting: Counter[str] = Counter()
        self._until: dict[str, float] = {}  # when the arrangements of late are made up for

    def acquire(self, player: str) -> bool:
        """Count one more command of a guest; False, and not counted, when enough of theirs wait."""
        if self._waiting[player] >= MAX_WAITING:
            return False
        self._waiting[player] += 1
        return True

    def release(self, player: str) -> None:
        """Count one command of a guest less."""
        self._waiting[player] -= 1
        if self._waiting[player] <= 0:
            del self._waiting[player]

    def allow_arrange(self, player: str, now: float) -> bool:
        """Count one more arrangement of a guest; False, and not counted, when there were enough of late."""
        until = max(now, self._until.get(player, now)) + 1 / ARRANGEMENTS_A_SECOND
        if until - now > ARRANGE_BURST / ARRANGEMENTS_A_SECOND:
            return False
        self._until = {each: then for each, then in self._until.items() if then > now}
        self._until[player] = until
        return True
