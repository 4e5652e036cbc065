"""Plays the bots at tables: each gets the view of its own seat, and its action goes into the table's queue.

To a table a bot is a player whose commands come from here. If a bot fails, the table's clock plays for it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Coroutine
from typing import Final, Protocol

import structlog
from msgspec import Raw
from msgspec.structs import replace

from triptych.async_tasks import cancel_tasks
from triptych.deal.actions import Action
from triptych.deal.state import DealState
from triptych.deal.view_types import DealView, Stacks, Task
from triptych.server.bots.engine import BotEngineError
from triptych.server.tables.actor import QueuedCommand, TableActor
from triptych.server.wire.errors import COMMAND_FAILED
from triptych.server.wire.messages import Ack, Rejected
from triptych.table.clock import acting_seats
from triptych.table.commands import Command
from triptych.table.errors import PAUSED
from triptych.table.settlement import deal_stacks
from triptych.table.state import Seat, TableState
from triptych.table.view import view

log = structlog.get_logger()

BUDGET_MS: Final = 1000
RETRY_SECONDS: Final = 1.0


class BotEngine(Protocol):
    """Chooses bots' actions."""

    async def choose(self, level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        """Return the action for a task. Raises BotEngineError."""

    async def prepare(self, rules: Raw) -> None:
        """Load what the bots need under these rules."""

    async def close(self) -> None:
        """Stop the searches."""


class BotDriver:
    """Plays for every bot at every table.

    `delay`: about how many seconds a bot waits before it moves. `on_bot_turn`: called with each table at which a bot
    is to move. `prizes`: returns, for a tournament's id and the players at one of its tables, the prizes of the open
    places and the stacks at the other tables.
    """

    def __init__(
        self, engine: BotEngine, delay: float, on_bot_turn: Callable[[TableActor], None] = lambda _: None
    ) -> None:
        self._engine = engine
        self._on_bot_turn = on_bot_turn
        self.prizes: Callable[[str, Collection[str]], tuple[tuple[int, ...], tuple[int, ...]]] = (
            lambda _tournament, _players: ((), ())
        )
        self._delay = delay
        # The tasks that were started, by table, for its present deal: each is played once.
        self._started: dict[str, tuple[int, set[tuple[int, str, int]]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._prepared: set[str] = set()

    def on_table_changed(self, table: TableActor) -> None:
        """Start the tasks of a table's bots."""
        state = table.state
        if table.id not in self._prepared and any(seat.bot for seat in state.seats):
            self._prepared.add(table.id)
            self.prepare(table.rules)
        if state.deal is None or state.settled:
            self._started.pop(table.id, None)
            return
        if state.paused is not None:
            return
        for seat in acting_seats(state.deal):
            if state.seats[seat].bot:
                self._start_tasks(table, state.seats[seat])

    def on_table_unloaded(self, table: TableActor) -> None:
        """Called when a table was unloaded: when it is loaded again, the tasks of its bots are started again."""
        self._started.pop(table.id, None)
        self._prepared.discard(table.id)

    def prepare(self, rules: Raw) -> None:
        """Prepare the bots for these rules."""
        self._start(self._engine.prepare(rules))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _start_tasks(self, table: TableActor, seat: Seat) -> None:
        deal = view(table.state, seat.player).deal
        if deal is None or table.state.deal is None:
            return
        self._on_bot_turn(table)
        number, started = self._started.get(table.id, (0, set()))
        if number != deal.number:
            started = set()
            self._started[table.id] = (deal.number, started)
        deal = replace(deal, stacks=self._stacks(table.state, table.state.deal))
        for task in deal.tasks:
            key = (task.hand, task.kind, task.street)
            if key not in started:
                started.add(key)
                self._start(self._play(table, seat, deal, task))

    def _stacks(self, state: TableState, deal: DealState) -> Stacks:
        stacks = deal_stacks(state, deal)
        players = {state.seats[hand.seat].player for hand in deal.hands}
        # The prize model does not cover players with several hands.
        if not state.config.cup or len(players) < len(deal.hands):
            return stacks
        prizes, elsewhere = self.prizes(state.config.cup, players)
        return replace(stacks, prizes=prizes, elsewhere=elsewhere)

    async def _play(self, table: TableActor, seat: Seat, deal: DealView, task: Task) -> None:
        loop = asyncio.get_running_loop()
        # A random pause looks less like a machine, and depends on no card.
        ready_at = loop.time() + self._delay * random.uniform(0.7, 1.5)  # noqa: S311 - not about cards
        try:
            action = await self._engine.choose(seat.level, table.rules, deal, task, BUDGET_MS)
        except BotEngineError:
            log.warning("a bot cannot play; its time will run out", table=table.id, seat=seat.seat, level=seat.level)
            return
        await asyncio.sleep(ready_at - loop.time())

        def on_reply(reply: Ack | Rejected) -> None:
            if isinstance(reply, Ack):
                return
            if reply.error.code == PAUSED:  # started again when the table resumes
                self._discard_started(table, deal.number, task)
                return
            log.error("a bot's move was refused", table=table.id, seat=seat.seat, level=seat.level)
            if reply.error.code == COMMAND_FAILED.code:
                loop.call_later(RETRY_SECONDS, self._retry, table, deal.number, task)

        table.submit(QueuedCommand(Command(seat.player, action, name=seat.name), "", on_reply))

    def _retry(self, table: TableActor, deal: int, task: Task) -> None:
        """Start a task again that the server failed to do."""
        if self._discard_started(table, deal, task):
            self.on_table_changed(table)

    def _discard_started(self, table: TableActor, deal: int, task: Task) -> bool:
        """Let a task be started again; False when its deal is over."""
        number, started = self._started.get(table.id, (0, set()))
        if number == deal:
            started.discard((task.hand, task.kind, task.street))
        return number == deal

    async def close(self) -> None:
        """Stop playing."""
        await cancel_tasks(*self._tasks)
        await self._engine.close()
