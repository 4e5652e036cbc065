"""The strategies with which bots play closed games: those for custom rules are made while the table plays.

A process of their own makes them at the lowest priority, one after the other, and stores them for the bots
(bots/strategy_cache.py). Until then bots play as under the nearest rules.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from triptych.async_tasks import cancel_tasks
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.model import Ruleset, is_closed
from triptych.server.jobs.pool import WorkerPool, worker_command
from triptych.server.jobs.protocol import JobRequest
from triptych.server.tables.actor import TableActor
from triptych.server.wire.bodies import StrategyInfo

log = structlog.get_logger()
COMMAND: Final = worker_command("strategies")
MAX_WAITING: Final = 16
MAX_REMEMBERED: Final = 1000


class StrategyTrainer:
    """The rules for which strategies were requested, and the process that makes them."""

    def __init__(self, pool: WorkerPool | None = None) -> None:
        self._pool = pool or WorkerPool(1, command=COMMAND, single_use=True)
        self._requested: dict[bytes, None] = {}
        self._training: set[asyncio.Task[None]] = set()

    def request(self, table: TableActor) -> None:
        """Request the strategies that a table's rules lack, if any; repeated requests cost nothing."""
        rules = bytes(table.rules)
        # One is made while the others wait.
        is_full = len(self._training) > MAX_WAITING
        if rules in self._requested or not is_closed(table.state.config.rules) or is_full:
            return
        self._requested[rules] = None
        while len(self._requested) > MAX_REMEMBERED:
            del self._requested[next(iter(self._requested))]
        training = asyncio.create_task(self._train(rules), name="strategy")
        self._training.add(training)
        training.add_done_callback(self._training.discard)

    async def _train(self, rules: bytes) -> None:
        result = await self._pool.work(JobRequest("strategy", rules), seconds=None)
        if result.error is not None:
            log.warning("no strategy was trained; bots use that of the nearest rules", error=result.error.code)

    async def close(self) -> None:
        """Stop training; an unfinished strategy starts from the beginning at its next request."""
        await cancel_tasks(*self._training)
        await self._pool.close()


async def strategy_info(rules: Ruleset) -> StrategyInfo:
    """Return the strategy with which bots play these rules now."""
    return await asyncio.to_thread(_strategy_info, rules) if is_closed(rules) else StrategyInfo(own=True)


def _strategy_info(rules: Ruleset) -> StrategyInfo:
    from triptych.bots.strategy_cache import load_strategy, missing_strategies  # noqa: PLC0415 - heavy, so imported in a thread
    from triptych.rulesets.load import preset_names, resolve  # noqa: PLC0415 - as above

    missing = missing_strategies(rules)
    if not missing:
        return StrategyInfo(own=True)
    name = load_strategy(rules, missing[0]).head.name
    title = resolve(name).title if name in preset_names() else name
    return StrategyInfo(own=False, like=title_text(title))
