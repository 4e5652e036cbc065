"""Lets bots choose their actions in processes of a worker pool (jobs/bots.py)."""

from __future__ import annotations

import os
from typing import Final

import msgspec
import structlog
from msgspec import Raw

from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.i18n.messages import plain_text
from triptych.server.jobs.pool import START_SECONDS, WorkerPool, worker_command
from triptych.server.jobs.protocol import BotRequest, JobRequest

log = structlog.get_logger()

COMMAND: Final = worker_command("bots")
REPLY_SLACK_SECONDS: Final = 10.0
ATTEMPTS: Final = 3
_ENCODER: Final = msgspec.json.Encoder(enc_hook=plain_text)
_ACTION: Final[msgspec.json.Decoder[Action]] = msgspec.json.Decoder(Action)


class BotEngineError(Exception):
    """No process gave a usable answer."""


class PooledBotEngine:
    """Bots in processes of a pool, by default half as many as there are processors.

    `slack`: seconds that an answer may be late before its process counts as hanging.
    """

    def __init__(self, pool: WorkerPool | None = None, slack: float = REPLY_SLACK_SECONDS) -> None:
        self._pool = pool or WorkerPool(max(1, (os.cpu_count() or 1) // 2), command=COMMAND)
        self._slack = slack

    async def choose(self, level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        """Return the action of a level for a task. Raises BotEngineError after three attempts."""
        request = JobRequest("choose", _ENCODER.encode(BotRequest(level, rules, view, task, budget_ms)))
        for _ in range(ATTEMPTS):
            result = await self._pool.work(request, budget_ms / 1000 + self._slack)
            if result.error is None:
                return _ACTION.decode(result.body)
            log.warning("a bot gave no answer", level=level, error=result.error.code)
        raise BotEngineError

    async def prepare(self, rules: Raw) -> None:
        """Let a process load what its bots need under these rules; errors are left to the first `choose`."""
        await self._pool.work(JobRequest("prepare", bytes(rules)), START_SECONDS)

    async def close(self) -> None:
        """End the processes."""
        await self._pool.close()
