"""The guide's advice on a street, searched once: a guest's requests cost no more than a bot's moves."""

from __future__ import annotations

import asyncio
from typing import Final

from triptych.async_tasks import cancel_tasks
from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.i18n.messages import Message
from triptych.server.bots.driver import BotEngine
from triptych.server.bots.engine import BotEngineError
from triptych.server.tables.actor import TableActor
from triptych.server.wire.errors import ApiError

LEVEL: Final = "guide"
BUDGET_MS: Final = 1000
MAX_TABLES: Final = 1000
_Key = tuple[int, str, int, str]


class AdviceCache:
    """The advice of each table's last deal, by hand and street; requests at one time wait for one search."""

    def __init__(self, engine: BotEngine) -> None:
        self._engine = engine
        self._tables: dict[str, tuple[int, dict[_Key, asyncio.Task[Action]]]] = {}

    async def get(self, table: TableActor, player: str, deal: DealView, task: Task) -> Action:
        """Return the guide's action from a player's own view. Raises ApiError `server.busy` when it fails."""
        number, advice = self._tables.pop(table.id, (deal.number, {}))
        if number != deal.number:
            advice = {}
        self._tables[table.id] = (deal.number, advice)
        while len(self._tables) > MAX_TABLES:
            del self._tables[next(iter(self._tables))]
        key = (task.hand, task.kind, task.street, player)
        if key not in advice:
            search = self._engine.choose(LEVEL, table.rules, deal, task, BUDGET_MS)
            advice[key] = asyncio.create_task(search, name="guide")
        try:
            return await asyncio.shield(advice[key])
        except BotEngineError:
            advice.pop(key, None)
            raise ApiError("server.busy", Message("error.guide.unavailable"), status=429) from None

    async def close(self) -> None:
        """Stop the searches."""
        await cancel_tasks(*(search for _, advice in self._tables.values() for search in advice.values()))
