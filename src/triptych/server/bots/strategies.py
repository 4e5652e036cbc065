"""The strategies that bots play closed games with: for rules of a house's own they are made while the table plays.

A process of its own makes them at the lowest priority, one after the other, and keeps them where the bots find them
(bots/field_cache.py). Until then bots play as under the nearest rules.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import structlog

from triptych.rulesets.model import Ruleset, is_closed
from triptych.server.log import error_location
from triptych.server.tables.actor import TableActor
from triptych.server.wire.bodies import StrategyInfo

log = structlog.get_logger()
COMMAND: Final = (sys.executable, "-m", "triptych.bots.field_cache")
MAX_WAITING: Final = 16
MAX_KNOWN: Final = 1000


class StrategyTrainer:
    """What was asked for, and the process that makes it."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = tuple(command)
        self._waiting: deque[bytes] = deque()
        self._asked: dict[bytes, None] = {}
        self._making: asyncio.Task[None] | None = None

    def request(self, table: TableActor) -> None:
        """Have made what a table's rules lack, if anything; asked for once, costs nothing afterwards."""
        rules = bytes(table.rules)
        if rules in self._asked or not is_closed(table.state.config.rules) or len(self._waiting) >= MAX_WAITING:
            return
        self._asked[rules] = None
        while len(self._asked) > MAX_KNOWN:
            del self._asked[next(iter(self._asked))]
        self._waiting.append(rules)
        if self._making is None or self._making.done():
            self._making = asyncio.create_task(self._make(), name="strategies")

    async def _make(self) -> None:
        while self._waiting:
            rules = self._waiting.popleft()
            try:
                process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
                )
            except OSError as error:
                log.warning("no strategy can be made", error=error_location(error))
                return
            try:
                await process.communicate(rules)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            if process.returncode:
                log.warning("no strategy was made; bots play as under the nearest rules", status=process.returncode)

    async def close(self) -> None:
        """Stop making: what was begun is made anew the next time that it is asked for."""
        if self._making is not None:
            self._making.cancel()
            await asyncio.gather(self._making, return_exceptions=True)


async def strategy_info(rules: Ruleset) -> StrategyInfo:
    """Return whose strategy bots play these rules with now."""
    return await asyncio.to_thread(_line, rules) if is_closed(rules) else StrategyInfo(own=True)


def _line(rules: Ruleset) -> StrategyInfo:
    from triptych.bots.field_cache import load_field, missing_fields  # noqa: PLC0415 - heavy, so imported beside the event loop
    from triptych.rulesets.load import preset_names, resolve  # noqa: PLC0415 - as above

    missing = missing_fields(rules)
    if not missing:
        return StrategyInfo(own=True)
    name = load_field(rules, missing[0]).head.name
    title = resolve(name).title if name in preset_names() else name
    return StrategyInfo(own=False, like=title)
