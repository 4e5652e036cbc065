"""What the guide would do with a street, thought over once: a guest's questions cost no more than a bot's moves."""

from __future__ import annotations

import asyncio
from typing import Final

from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.server.bots.driver import BotEngine
from triptych.server.bots.engine import BotEngineError
from triptych.server.tables.actor import TableActor
from triptych.server.wire.errors import ApiError

LEVEL: Final = "guide"
BUDGET_MS: Final = 1000
MAX_TABLES: Final = 1000
_Key = tuple[int, str, int, str]


class AdviceCache:
    """The answers of each table's last deal, by hand and street; several who ask at once wait for one thought."""

    def __init__(self, engine: BotEngine) -> None:
        self._engine = engine
        self._tables: dict[str, tuple[int, dict[_Key, asyncio.Task[Action]]]] = {}

    async def get(self, table: TableActor, player: str, deal: DealView, task: Task) -> Action:
        """Return what the guide would do, from a player's own view. Raises Refusal `server.busy` when it fails."""
        number, known = self._tables.pop(table.id, (deal.number, {}))
        if number != deal.number:
            known = {}
        self._tables[table.id] = (deal.number, known)
        while len(self._tables) > MAX_TABLES:
            del self._tables[next(iter(self._tables))]
        key = (task.hand, task.kind, task.street, player)
        if key not in known:
            thinking = self._engine.choose(LEVEL, table.rules, deal, task, BUDGET_MS)
            known[key] = asyncio.create_task(thinking, name="guide")
        try:
            return await asyncio.shield(known[key])
        except BotEngineError:
            known.pop(key, None)
            raise ApiError("server.busy", "the guide cannot say anything now; ask again", status=429) from None

    async def close(self) -> None:
        """Stop thinking."""
        thoughts = [thought for _, known in self._tables.values() for thought in known.values()]
        for thought in thoughts:
            thought.cancel()
        await asyncio.gather(*thoughts, return_exceptions=True)
