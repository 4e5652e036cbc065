"""Lets a bot play a seat: every task that is asked of it, deal after deal."""

from __future__ import annotations

import asyncio

from triptych.bots.levels import Bot
from triptych.client.errors import ClientError
from triptych.client.table import Table, finished_deal
from triptych.deal.view_types import DealView, Task
from triptych.table.commands import Ready, SitIn

# The table has moved on while the bot was thinking: its clock ran out, or a line was cut and the answer came late.
_STALE_CODES = ("task.none", "deal.none", "table.paused")


async def play(table: Table, bot: Bot, *, deals: int = 0, budget_ms: int = 1000) -> int:
    """Let a bot play the guest's seat until the table closes, or after so many finished deals; returns how many.

    The bot thinks on a thread of its own, so that the line is answered meanwhile. Between deals it says that it is
    ready; after an absence it returns. Raises ClientError where a move is refused that should have been legal.
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
        now = table.view.deal
        still = now is not None and now.number == deal.number and task in now.tasks
        if still and error.code not in _STALE_CODES:
            raise


async def _request(table: Table, request: Ready | SitIn) -> None:
    """Ask what may have been overtaken by the table."""
    try:
        await table.execute(request)
    except ClientError as error:
        if error.code == "room.gone":
            raise
