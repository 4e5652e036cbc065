"""Let a bot play a seat: all of its tasks, deal after deal."""

from __future__ import annotations

import asyncio

from triptych.bots.levels import Bot
from triptych.client.errors import ClientError
from triptych.client.table import Table, finished_deal
from triptych.deal.view_types import DealView, Task
from triptych.table.commands import Ready, SitIn

# Codes when the table has moved on while the bot was thinking: its clock ran out, or a reconnect delayed its action.
_STALE_CODES = ("task.none", "deal.none", "table.paused")


async def play(table: Table, bot: Bot, *, deals: int = 0, budget_ms: int = 1000) -> int:
    """Let a bot play the guest's seat until the table closes or `deals` are finished; return the finished deals.

    The bot thinks in another thread, so that the connection is served meanwhile. Between deals it reports that it is
    ready; after an absence it sits in again. Raises ClientError when a move that should be legal is rejected.
    """
    finished, last, rules = 0, finished_deal(table.view), table.view.rules
    async for view in table.views():
        finished, last = finished + max(0, finished_deal(view) - last), finished_deal(view)
        if view.you is None or (deals and finished >= deals):
            return finished
        if view.rules != rules:
            await table.read_rules()
            rules = view.rules
        deal = view.deal
        if "sit_in" in view.may:
            await _request(table, SitIn())
        elif deal is not None and deal.tasks:
            await _play(table, bot, deal, deal.tasks[0], budget_ms)
        elif "ready" in view.may and not view.seats[view.you].ready:
            await _request(table, Ready())
    return finished


async def _play(table: Table, bot: Bot, deal: DealView, task: Task, budget_ms: int) -> None:
    action = await asyncio.to_thread(bot.choose, table.rules, deal, task, budget_ms)
    try:
        await table.execute(action)
    except ClientError as error:
        current = table.view.deal
        is_current = current is not None and current.number == deal.number and task in current.tasks
        if is_current and error.code not in _STALE_CODES:
            raise


async def _request(table: Table, request: Ready | SitIn) -> None:
    """Send a request that may be stale by now; only a lost connection raises."""
    try:
        await table.execute(request)
    except ClientError as error:
        if error.code == "room.gone":
            raise
