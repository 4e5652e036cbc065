"""A server's process: the real tables, bots and recorder over a SimStore, and a door for the simulation's lines."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tests.simulation.loop import Process
from tests.simulation.store import SimStore
from triptych.bots.untrained.uniform import UniformBot
from triptych.room.commands import Command
from triptych.rules.model import Ruleset
from triptych.server.log import Seldom
from triptych.server.outside import Duplicates, Forward, HouseClock, Pulse
from triptych.server.tables.bots import BotHost
from triptych.server.tables.live import Job, Outside
from triptych.server.tables.recorder import Recorder
from triptych.server.tables.registry import Tables
from triptych.server.tables.shelf import Shelf
from triptych.server.tables.snapshots import Snapshots
from triptych.server.wire.errors import Refusal, told
from triptych.server.wire.messages import Do, Ping, Problem, Refused, ToServer, Unwatch, Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from msgspec import Raw

    from tests.simulation.disk import Disk
    from tests.simulation.network import Line
    from triptych.cards import Card
    from triptych.deal.actions import Action
    from triptych.deal.views import DealView, Task
    from triptych.room.state import TableConfig
    from triptych.server.tables.live import LiveTable

_READ: msgspec.json.Decoder[ToServer] = msgspec.json.Decoder(ToServer)
_JSON = msgspec.json.Encoder()


class Thinker:
    """Bots that play by a seed, after a while."""

    def __init__(self, rng: Random) -> None:
        self._bot = UniformBot(rng.randrange(1 << 30))
        self._rng = rng

    async def choose(self, _level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        await asyncio.sleep(self._rng.random() * 0.3)
        return self._bot.choose(msgspec.json.decode(bytes(rules), type=Ruleset), view, task, budget_ms)

    async def close(self) -> None:
        pass


class House(Process):
    """One process from its start to its crash or stop."""

    def __init__(
        self,
        disk: Disk,
        rng: Random,
        times: tuple[Callable[[], int], Callable[[], int]],
        shuffle: Callable[[int], tuple[Card, ...]],
        secret: Callable[[], bytes] | None,
        changed: Callable[[LiveTable], None],
        sleep_after: float,
    ) -> None:
        super().__init__()
        wall, steady = times
        self.store = SimStore(disk, rng)
        clock = Forward(HouseClock(wall, steady).now)
        self.now = clock.now
        loop = asyncio.get_running_loop()
        trouble = Seldom(clock=loop.time)
        self.recorder = Recorder(self.store, lambda _player: False, trouble)
        snapshots = Snapshots(self.store, trouble)
        pulse = Pulse(clock.now, steady)
        self.bots = BotHost(Thinker(Random(rng.randrange(1 << 30))), 0)

        def heard(table: LiveTable) -> None:
            changed(table)
            self.bots.look(table)

        outside = Outside(
            self.store,
            clock.now,
            shuffle,
            2.0,
            {},
            pulse,
            clock.reach,
            trouble,
            self.recorder,
            Duplicates(),
            secret,
            snapshots,
        )
        self.failures: list[Exception] = []
        shelf = Shelf(outside, heard, self.bots.forget, sleep_after)
        self.tables = Tables(outside, shelf, self.failures.append)
        self.ready = False
        self.begins: Callable[[], None] = lambda: None  # when tables can be brought back from now on
        self._lines: dict[Line, asyncio.Task[None]] = {}

    async def run(self, configs: tuple[TableConfig, ...]) -> None:
        """Open; a store that fails is tried again, as a supervisor does."""
        while True:
            try:
                await self.store.open()
                break
            except OSError:
                await asyncio.sleep(1)
        self.begins()
        while True:
            try:
                await self.tables.open()
                break
            except OSError:
                await asyncio.sleep(1)
        await asyncio.gather(*(self._table(config) for config in configs))
        while True:
            try:
                await self.recorder.open()
                break
            except OSError:
                await asyncio.sleep(1)
        self.ready = True

    async def _table(self, config: TableConfig) -> None:
        while True:
            try:
                await self.tables.directed(config)
            except OSError:
                await asyncio.sleep(0.5)
            except Exception:  # noqa: BLE001 - a damaged one stays shut
                return
            else:
                return

    def accept(self, line: Line) -> bool:
        """Take a connection; False while the house is not open."""
        if not self.alive or not self.ready:
            return False
        self._lines[line] = self.context.copy().run(asyncio.create_task, self._serve(line))
        return True

    def hear(self, line: Line, text: str) -> None:
        """Take a frame, of a connection that is served."""
        if line in self._lines:
            line.inbox.put_nowait(text)

    def part(self, line: Line) -> None:
        """Notice that a connection is gone."""
        if line in self._lines:
            line.inbox.put_nowait(None)

    async def _serve(self, line: Line) -> None:
        watched: dict[str, Any] = {}
        while (text := await line.inbox.get()) is not None:
            message = _READ.decode(text)
            try:
                if isinstance(message, Do):
                    await self._do(line, message)
                elif isinstance(message, Watch):
                    live = await self.tables.enter(message.table, line.player)
                    watched[message.table] = live
                    live.watch(line, line.player.title(), message.since, whole=message.whole)
                elif isinstance(message, Unwatch):
                    watched.pop(message.table).unwatch(line)
                else:
                    assert isinstance(message, Ping)
            except Refusal as refusal:
                line.send(_JSON.encode(Problem(told(refusal))).decode())
            except OSError:
                break  # the store is away: connect again
        del self._lines[line]
        line.network.closed(line)
        for live in watched.values():
            live.unwatch(line)

    async def _do(self, line: Line, message: Do) -> None:
        try:
            live = await self.tables.find(message.table)
        except Refusal as refusal:
            line.send(_JSON.encode(Refused(message.cmd_id, message.table, told(refusal))).decode())
            return
        line.network.asked(line, message)
        command = Command(line.player, message.action, name=line.player.title())
        live.submit(Job(command, message.cmd_id, line.send))

    def busy(self) -> bool:
        """Tell whether it has begun."""
        return self.ready
