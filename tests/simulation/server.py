"""A server's process: the real tables, bots and recorder over a SimStore, and a door for the simulation's lines."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tests.simulation.loop import Process
from tests.simulation.store import SimStore
from triptych.bots.untrained.uniform import UniformBot
from triptych.rulesets.model import Ruleset
from triptych.server.bots.driver import BotDriver
from triptych.server.clock import StallDetector, SteadyClock
from triptych.server.cluster.listener import ClusterListener
from triptych.server.cluster.member import ClusterMember
from triptych.server.edge.forwarded_address import ForwardedAddressSigner
from triptych.server.log import RateLimitedLogger
from triptych.server.tables.actor import QueuedCommand, TableDeps
from triptych.server.tables.directory import TableDirectory
from triptych.server.tables.results_projector import ResultsProjector
from triptych.server.tables.service import TableService
from triptych.server.tables.snapshots import SnapshotWriter
from triptych.server.wire.errors import ApiError, RemoteOwnerError, to_wire_error
from triptych.server.wire.messages import (
    ClientMessage,
    CommandMessage,
    ErrorMessage,
    Ping,
    Rejected,
    Subscribe,
    Unsubscribe,
)
from triptych.store.errors import FencedError
from triptych.store.leases.interface import ServerInfo
from triptych.table.commands import Command

if TYPE_CHECKING:
    from collections.abc import Callable

    from msgspec import Raw

    from tests.simulation.disk import Disk
    from tests.simulation.network import Line
    from triptych.cards import Card
    from triptych.deal.actions import Action
    from triptych.deal.view_types import DealView, Task
    from triptych.server.cluster.bus.protocol import ClusterMessage
    from triptych.server.tables.actor import TableActor
    from triptych.table.state import TableConfig

_READ: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


class RandomEngine:
    """Bots that play by a seed, after a while."""

    def __init__(self, rng: Random) -> None:
        self._bot = UniformBot(rng.randrange(1 << 30))
        self._rng = rng

    async def choose(self, _level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        await asyncio.sleep(self._rng.random() * 0.3)
        return self._bot.choose(msgspec.json.decode(bytes(rules), type=Ruleset), view, task, budget_ms)

    async def prepare(self, _rules: Raw) -> None:
        pass

    async def close(self) -> None:
        pass


class SimHub:
    """Where the servers of a cluster hear each other; what is told may be late, and may be lost."""

    def __init__(self, loop: asyncio.AbstractEventLoop, rng: Random, lost: float) -> None:
        self.buses: list[SimBus] = []
        self._loop, self._rng, self._lost = loop, rng, lost

    def tell(self, teller: SimBus, news: ClusterMessage) -> None:
        """Carry news to the others."""
        for bus in self.buses:
            if bus is not teller and self._rng.random() >= self._lost:
                context = bus.process.context
                self._loop.call_later(self._rng.random() * 0.2, bus.hear, news, context=context)


class SimBus:
    """See Bus."""

    def __init__(self, hub: SimHub, process: Process) -> None:
        self.process = process
        self.hear: Callable[[ClusterMessage], None] = lambda _: None
        self._hub = hub

    async def open(
        self, _cluster: str, on_message: Callable[[ClusterMessage], None], on_connected: Callable[[], None]
    ) -> None:
        self.hear = on_message
        self._hub.buses.append(self)
        on_connected()

    def publish(self, news: ClusterMessage) -> None:
        self._hub.tell(self, news)

    async def close(self) -> None:
        self._hub.buses.remove(self)


class _Lines:
    """The server's connections, as its floor asks for them."""

    def __init__(self, server: SimServer) -> None:
        self._server = server

    async def close(self) -> None:
        self._server.hang_up()

    def verify(self, _guests: object) -> None:
        pass


class _NoTournaments:
    def local_summaries(self) -> tuple[()]:
        return ()

    def drop_all(self) -> None:
        pass

    async def adopt(self, _name: str) -> bool:
        return False


class _NoGuests:
    async def refresh(self) -> None:
        pass


class SimServer(Process):
    """One process from its start to its crash or stop."""

    def __init__(
        self,
        disk: Disk,
        rng: Random,
        times: tuple[Callable[[], int], Callable[[], int]],
        shuffle: Callable[[int], tuple[Card, ...]],
        secret: Callable[[], bytes] | None,
        changed: Callable[[TableActor], None],
        sleep_after: float,
        hub: SimHub | None = None,
    ) -> None:
        """`hub`: where it meets the other servers of its cluster; without one it is alone."""
        super().__init__()
        wall, steady = times
        self.store = SimStore(disk, rng, None if hub is None else steady)
        clock = SteadyClock(wall, steady)
        self.now = clock.now
        loop = asyncio.get_running_loop()
        trouble = RateLimitedLogger(clock=loop.time)
        self.recorder = ResultsProjector(self.store, lambda _player: False, trouble)
        snapshots = SnapshotWriter(self.store, trouble)
        pulse = StallDetector(clock.now, steady)
        self.bots = BotDriver(RandomEngine(Random(rng.randrange(1 << 30))), 0)

        outside = TableDeps(
            store=self.store,
            now=clock.now,
            shuffle=shuffle,
            grace_seconds=2.0,
            stall_detector=pulse,
            error_log=trouble,
            deck_secret=secret,
            results=self.recorder,
            snapshots=snapshots,
        )
        self.failures: list[Exception] = []
        self.directory = directory = TableDirectory(outside, sleep_after)
        directory.on_changed += [changed, self.bots.on_table_changed]
        directory.on_unloaded.append(self.bots.on_table_unloaded)
        self.tables = TableService(outside, directory, self.failures.append)
        self.ready = False
        self.begins: Callable[[], None] = lambda: None  # when tables can be brought back from now on
        self._lines: dict[Line, asyncio.Task[None]] = {}
        self.cluster: ClusterMember | None = None
        if hub is not None:
            listener = ClusterListener(
                leases=self.store.leases,
                tables=self.tables,
                tournaments=_NoTournaments(),  # type: ignore[arg-type] # what it asks of them
                connections=_Lines(self),  # type: ignore[arg-type] # as above
                guests=_NoGuests(),  # type: ignore[arg-type] # as above
            )
            self.cluster = ClusterMember(self.store, SimBus(hub, self), ForwardedAddressSigner(), listener)
            directory.on_changed.append(self.cluster.on_table_changed)

    async def run(self, configs: tuple[TableConfig, ...]) -> None:
        """Open; a store that fails is tried again, as a supervisor does."""
        serving = None if self.cluster is None else ServerInfo(0, 0, "sim")
        while True:
            try:
                await self.store.open(serving)
                break
            except OSError:
                await asyncio.sleep(1)
        if self.cluster is not None and serving is not None:
            await self._joins(self.cluster, serving)
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

    async def _joins(self, cluster: ClusterMember, serving: ServerInfo) -> None:
        while True:
            try:
                await cluster.open(serving)
                break
            except OSError:
                await asyncio.sleep(1)

    @property
    def lane(self) -> int:
        """Return which server of its cluster it is now; 0 for one that is alone."""
        return self.store.leases.this_server.number

    async def drain(self) -> None:
        """End as by SIGTERM: hand everything over, then be gone."""
        assert self.cluster is not None
        self.ready = False
        await self.cluster.stop()
        self.hang_up()
        await self.tables.close()
        await self.cluster.leave()
        await self.store.close()
        self.alive = False

    def hang_up(self) -> None:
        """Close every connection: who follows a table has to come again."""
        for line in list(self._lines):
            line.inbox.put_nowait(None)
            line.network.closed(line)

    async def _table(self, config: TableConfig) -> None:
        while True:
            try:
                await self.tables.tournament_table(config)
            except (OSError, FencedError, asyncio.CancelledError):  # the store is away, or the server starts again
                await asyncio.sleep(0.5)
            except RemoteOwnerError:
                if config.table in self.store.streams:
                    return
                await asyncio.sleep(0.5)  # its owner has not opened it, and may die before
            except Exception:  # noqa: BLE001 - a damaged one stays shut
                return
            else:
                return

    def accept(self, line: Line) -> bool:
        """Take a connection; False while the server is not open."""
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
                if isinstance(message, CommandMessage):
                    await self._do(line, message)
                elif isinstance(message, Subscribe):
                    live = await self.tables.authorize(message.table, line.player)
                    watched[message.table] = live
                    live.subscribe(line, line.player.title(), message.since, whole=message.whole)
                elif isinstance(message, Unsubscribe):
                    watched.pop(message.table).unsubscribe(line)
                else:
                    assert isinstance(message, Ping)
            except RemoteOwnerError:
                break  # as one that is passed on
            except ApiError as refusal:
                line.send_message(ErrorMessage(to_wire_error(refusal)))
            except (OSError, FencedError, asyncio.CancelledError):
                break  # the store is away, or this server is over or starts again: connect again
        del self._lines[line]
        line.network.closed(line)
        for live in watched.values():
            live.unsubscribe(line)

    async def _do(self, line: Line, message: CommandMessage) -> None:
        try:
            live = await self.tables.find(message.table)
        except RemoteOwnerError:
            raise
        except ApiError as refusal:
            line.send_message(Rejected(message.cmd_id, message.table, to_wire_error(refusal)))
            return
        line.network.asked(line, message)
        command = Command(line.player, message.action, name=line.player.title())
        live.submit(QueuedCommand(command, message.cmd_id, line.send_message))

    def busy(self) -> bool:
        """Return whether it has begun."""
        return self.ready
