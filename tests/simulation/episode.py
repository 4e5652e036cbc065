"""One episode from one seed: a server, its disk, its players and the faults, until everybody has gone home."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import copy_context
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import msgspec
import structlog

from tests.simulation.client import Client
from tests.simulation.disk import Disk
from tests.simulation.judge import LATE_MS, Judge
from tests.simulation.leases import owner_of
from tests.simulation.loop import PROCESS, SeededLoop
from tests.simulation.network import Line, Network, NetworkConditions
from tests.simulation.plan import Plan, plan, shared
from tests.simulation.server import SimHub, SimServer
from tests.simulation.store import GHOST_SECONDS, Chances
from triptych.cards import deck
from triptych.errors import error_location
from triptych.server.cluster import listener as cluster_listener
from triptych.server.tables import integrity as table_integrity
from triptych.store.errors import FencedError
from triptych.store.journal.rows import PARTITION_SHIFT, WriteRow

if TYPE_CHECKING:
    from triptych.cards import Card
    from triptych.server.tables.actor import TableActor
    from triptych.server.wire.messages import CommandMessage
    from triptych.store.journal.rows import JournalRow

EPOCH_MS = 1_700_000_000_000
# Virtual seconds in which a table without faults comes to its end.
PATIENCE = 1_800.0
MANY_DEALS = 20
# In which a server notices that another one has taken its database.
NOTICED_SECONDS = 12
# Which share of episodes has two servers that share the disk.
SHARED = 0.25
_READ = msgspec.json.Decoder()


class Outcome(NamedTuple):
    """What an episode came to: what did not hold, and what there was of everything."""

    seed: int
    found: list[str]
    deals: int
    commands: int
    crashes: int
    shown: int
    proofs: int
    damaged: int
    steps: int
    seconds: float


class WatchedDisk(Disk):
    """A disk that tells the judge what is durable."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self._judge = judge

    def write(self, row: JournalRow) -> bool:
        written = super().write(row)
        lane = row.number >> PARTITION_SHIFT
        if written and (self.servers[lane].over if lane else row.epoch != self.epoch):
            self._judge.fail(f"row {row.number} of an epoch that is over was written")
        if written and lane:
            for table in row.tables.split():
                if owner_of(self, table) != lane:
                    self._judge.fail(f"{table} is written by server {lane}, which does not own it")
        if written:
            try:
                self._judge.committed(row)
            except Exception as error:  # noqa: BLE001 - it would be taken for the disk's
                self._judge.fail(f"the judge: {error!r} at {error_location(error)}")
        return written


class Episode:
    """Everything of one seed."""

    def __init__(self, seed: int, deals: int, look: float = 1.0) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.plan: Plan = plan(self.rng, deals)
        other = Random(f"{seed} together")  # episodes of a server that is alone stay as they are
        if other.random() < SHARED:
            self.plan = shared(other, self.plan)
        self.loop = SeededLoop(Random(self.rng.randrange(1 << 60)))
        self.judge = Judge(self.loop.time)
        self.disk = WatchedDisk(self.judge)
        self._deps = copy_context()  # of no process
        self.network = Network(self.loop, Random(self.rng.randrange(1 << 60)), self._deps)
        self.network.door = self._entry_server
        self.network.promised = self._promised
        self.network.asked = self._count_command
        self.judge.ahead = self._ahead
        self.clients: list[Client] = []
        self.servers: list[SimServer] = []  # one, or two that share the disk
        self._hub = SimHub(self.loop, other, self.plan.lost) if self.plan.shared else None
        self.ahead_ms = 0  # of the wall clock
        self.crashes = 0
        self._look = look
        self._down_since: float | None = None
        self._cards = Random(self.rng.randrange(1 << 60))
        self._secrets = Random(self.rng.randrange(1 << 60))
        self._calm = False
        self._well = 0.0  # since when nothing has kept the server from doing what is due

    def run(self) -> Outcome:
        """Play it. Errors of the simulation itself are raised."""
        asyncio.set_event_loop(None)
        loop = self.loop
        try:
            # What looks often whether there is something to read would be most of what happens.
            with (
                structlog.testing.capture_logs() as logs,
                patch.object(table_integrity, "READING_SECONDS", 0.5),
                patch.object(cluster_listener, "SystemRandom", lambda: Random(1)),
            ):
                self._logs = logs
                loop.run_until_complete(self._play())
            for context in loop.errors:
                self.judge.fail(f"nobody waited for {context.get('exception')!r}: {context.get('message')}")
        finally:
            loop.bury()
        judge = self.judge
        return Outcome(
            self.seed,
            judge.found,
            judge.deals,
            len(judge.commands),
            self.crashes,
            judge.looked,
            sum(client.proofs for client in self.clients),
            len(judge.frozen),
            loop.steps,
            loop.time(),
        )

    async def _play(self) -> None:
        rng = self.rng
        for place in range(2 if self.plan.shared else 1):
            self._open(place)
        for table in self.plan.tables:
            for player, habits in table.players:
                client = Client(
                    self.network,
                    self.judge,
                    table.config.table,
                    player,
                    table.config.rules,
                    habits,
                    Random(rng.random()),
                )
                client.look = self._look
                self.clients.append(client)
        players = [asyncio.create_task(client.run()) for client in self.clients]
        watching = asyncio.create_task(self._watch())
        await self._troubled()
        await self._ending()
        for task in (*players, watching):
            task.cancel()
        self.judge.ends()

    @property
    def server(self) -> SimServer:
        """Return the server that is alone; of two the first one that serves."""
        return next(filter(self._is_up, self.servers), self.servers[0])

    def _ahead(self, table: str) -> float:
        """Return how far a table's own clock is before the virtual time (ms); the server's when it sleeps."""
        live = next(
            (
                server.directory.actors[table]
                for server in self.servers
                if server.alive and table in server.directory.actors
            ),
            None,
        )
        return (self.server.now() if live is None else live.clock.now()) - self.loop.time() * 1000

    def _entry_server(self) -> SimServer:
        """Return the server at which somebody comes in who connects now: of two it is either."""
        up = [server for server in self.servers if self._is_up(server)]
        return self.rng.choice(up) if len(up) > 1 else self.server

    def _open(self, place: int) -> None:
        """Begin a process in the place of the one that was there."""

        def steady() -> int:
            return int(self.loop.time() * 1000)

        def wall() -> int:
            return (EPOCH_MS + steady() + self.ahead_ms) * 1_000_000

        secret = (lambda: self._secrets.randbytes(32)) if self.plan.fair else None
        server = SimServer(
            self.disk,
            Random(self.rng.random()),
            (wall, steady),
            self._shuffle,
            secret,
            self._changed,
            self.plan.sleep_after,
            self._hub,
        )
        server.store.chances = Chances() if self._calm else self.plan.chances
        self.servers[place : place + 1] = [server]
        configs = tuple(table.config for table in self.plan.tables)
        server.context.copy().run(asyncio.create_task, self._opened(server, configs))

    async def _opened(self, server: SimServer, configs: Any) -> None:
        server.begins = self._begins
        try:
            await server.run(configs)
        except FencedError:  # it was found dead before it served: its supervisor begins another one
            server.alive = False
            self._loses(server, ended=True)
            self.loop.call_later(1.0, self._open, self.servers.index(server), context=self._deps)
            return
        if server not in self.servers:
            return  # it stood still while it opened, and another one has its database
        for table in self.plan.tables:
            name = table.config.table
            if not server.directory.is_open(name) and not self.judge.is_closed(name) and not self.plan.shared:
                if not self.disk.altered:
                    self.judge.fail(f"{name} is not open")
                self.judge.frozen.add(name)

    def _begins(self) -> None:
        if self._down_since is not None:
            self.judge.down.append((self._down_since, self.loop.time()))
            self._down_since = None

    def _crash(self) -> None:
        """End the process where it is."""
        server = self._some()
        if not server.alive or server.held is not None:
            return
        server.alive = False
        self.crashes += 1
        self.disk.full = False
        if self.plan.sets_clock:
            self.ahead_ms += self.rng.choice((-3_600_000, -5_000, 0, 60_000, 86_400_000))
        if self.plan.alters and self.rng.random() < 0.5:
            self.disk.alter(self.rng)
        later = self._away(server)
        for ask in server.store.under_way:
            # What a dead process had sent may reach the database all the same, also when another one serves it.
            if isinstance(ask, WriteRow) and self.rng.random() < self.plan.chances.ghost:
                ghost = later + (self.rng.random() - 0.3) * GHOST_SECONDS
                self.loop.call_later(max(0.0, ghost), self._ghost, ask.row, context=self._deps)

    def _some(self) -> SimServer:
        """Return the server that something happens to."""
        return self.rng.choice(self.servers) if self.plan.shared else self.server

    def _away(self, server: SimServer) -> float:
        """Cut the lines to a server that serves no more, and let another one begin; return in how many seconds."""
        later = self.rng.choice((0.1, 3.0, 60.0)) * self.rng.random()
        if self.plan.shared:
            self._loses(server, ended=True)
        elif self._down_since is None:
            self._down_since = self.loop.time()
        self._well = self.loop.time()
        self._cut(server)
        self.loop.call_later(later, self._open, self.servers.index(server), context=self._deps)
        return later

    def _loses(self, server: SimServer, *, ended: bool) -> None:
        """Let the judge know that nobody plays what a server owns."""
        row = self.disk.servers.get(server.lane)
        if row is not None:
            row.ended = ended
            for table in self.plan.tables:
                if owner_of(self.disk, table.config.table) == server.lane:
                    self.judge.loses(table.config.table, server.lane)

    def _cut(self, server: SimServer) -> None:
        for client in self.clients:
            client.cut(server)

    def _pause(self) -> None:
        """Stop the process so long that another one takes its database; then let it go on, to find that out."""
        server = self._some()
        if not server.alive or server.held is not None:
            return
        if not self.plan.shared and not server.ready:
            return  # opened again after a failure, it would take the database from its successor, and rightly
        server.held = []
        if self.plan.shared:
            # Shorter than a lease, or longer: it comes back as itself, or as another server.
            self._loses(server, ended=False)
            self._cut(server)
            later = self.rng.choice((1.0, 3.0, 20.0)) * self.rng.random()
        else:
            later = self._away(server) + self.rng.random() * 20
        self.loop.call_later(later, self._goes_on, server, context=self._deps)

    def _goes_on(self, server: SimServer) -> None:
        self.loop.go_on(server)
        if not self.plan.shared:
            self._noticed(server, NOTICED_SECONDS)
        elif server.lane and not self.disk.servers[server.lane].over:
            self.judge.goes_on(server.lane)

    def _drain(self) -> None:
        """End a server as by SIGTERM, and begin another one in its place."""
        server = self._some()
        if self._is_up(server):
            server.context.copy().run(asyncio.create_task, self._drained(server))

    async def _drained(self, server: SimServer) -> None:
        with suppress(OSError, FencedError):
            await server.drain()
        if server.alive:  # what it could not say in the end the others find out
            server.alive = False
            self._loses(server, ended=True)
        self._cut(server)
        self.loop.call_later(1.0, self._open, self.servers.index(server), context=self._deps)

    def _noticed(self, server: SimServer, seconds: int) -> None:
        """Look whether a process finds out in time that it owns nothing any more; then it ends."""
        if seconds and not server.failures:
            # Second by second: the whole computer may stand still meanwhile.
            self.loop.call_later(1, self._noticed, server, seconds - 1, context=self._deps)
            return
        if not server.failures and server.ready and server is not self.server:
            self.judge.fail("a server whose database is another's goes on")
        server.alive = False

    def _ghost(self, row: JournalRow) -> None:
        with suppress(OSError):
            self.disk.write(row)

    async def _troubled(self) -> None:
        """Let faults come until enough deals are played, or the time is over."""
        self.network.conditions = self.plan.conditions
        rng, loop, planned = self.rng, self.loop, self.plan
        enough = planned.deals * len(planned.tables)
        kinds = ["crash"] * planned.crashes + ["stall"] * planned.stalls
        kinds += ["full"] * planned.full + ["pause"] * planned.pauses + ["drain"] * planned.drains
        rng.shuffle(kinds)
        until = loop.time() + planned.seconds
        while loop.time() < until and (self.judge.deals < enough or kinds) and not self.judge.found:
            await asyncio.sleep(rng.expovariate(1 / 15))
            if not kinds or not self._serves():
                if self._all_closed():
                    return
                continue
            match kinds.pop():
                case "crash" if rng.random() < 0.5:
                    # At whichever await comes then.
                    loop.crash_at[loop.steps + rng.randrange(1, 400)] = self._crash
                case "crash":
                    # While a row is on its way.
                    self.server.store.at_write = lambda: loop.call_soon(self._crash, context=self._deps)
                case "drain":
                    self._drain()
                case "pause":
                    loop.crash_at[loop.steps + rng.randrange(1, 400)] = self._pause
                case "stall":
                    since = loop.time()
                    loop.stand_still(rng.choice((1.0, 4.0, 100.0)))
                    self.judge.down.append((since, loop.time()))
                case "full":
                    self.disk.full = True
                    since = loop.time()
                    await asyncio.sleep(rng.choice((1, 5, 30)))
                    self.disk.full = False

    async def _watch(self) -> None:
        """Look now and then whether what is due happens, while nothing keeps the server from doing it.

        Who has just taken a table from a dead server has that long again: where every seventh statement fails, one
        server after the other is found dead.
        """
        owners: dict[str, tuple[int | None, bool]] = {}
        since: dict[str, float] = {}
        while True:
            await asyncio.sleep(1)
            now = self.loop.time()
            if not self._serves() or self.disk.full or now > self._well + 60:
                self._well = now
            for table in self.plan.tables:
                name = table.config.table
                lane = owner_of(self.disk, name)
                owner = lane, lane is not None and self.disk.servers[lane].over
                if owners.get(name) != owner:
                    owners[name], since[name] = owner, now
                if now - max(self._well, since[name]) > LATE_MS / 1000:
                    self.judge.overdue(name)

    def _serves(self) -> bool:
        return any(map(self._is_up, self.servers))

    @staticmethod
    def _is_up(server: SimServer) -> bool:
        return server.alive and server.ready and server.held is None

    def _all_closed(self) -> bool:
        return all(self.judge.is_closed(table.config.table) for table in self.plan.tables)

    async def _ending(self) -> None:
        """Without faults every table comes to its end, and every command to its answer."""
        self._calm = True
        self.loop.crash_at.clear()
        self.network.conditions = NetworkConditions()
        for server in self.servers:
            server.store.chances = Chances()
            server.store.at_write = None
        self.disk.full = False
        for client in self.clients:
            client.diligent = True
            client.habits = client.habits._replace(thought=min(client.habits.thought, 0.3))
        began = self.loop.time()
        dealt = {table: states[-1].deals for table, states in self.judge.states.items()}
        while self.loop.time() < began + PATIENCE and not self.judge.found:
            await asyncio.sleep(2)
            if self._serves() and self._is_over():
                return
        if self.judge.found:
            return  # it went no further
        for table in self.plan.tables:
            name = table.config.table
            done = self.judge.deals_of(name) - dealt.get(name, 0)
            # A match to eleven points takes long where nearly all boards are fouls.
            if name not in self.judge.frozen and not self.judge.is_closed(name) and done < MANY_DEALS:
                self.judge.fail(f"{name} does not come to its end")
        for client in self.clients:
            if client.waiting:
                self.judge.fail(f"{client.player} is not answered")

    def _is_over(self) -> bool:
        judge = self.judge
        for client in self.clients:
            if client.damaged and client.table not in judge.frozen:
                judge.frozen.add(client.table)
                if not self.disk.altered:
                    why = [line["error"] for line in self._logs if line["event"] == "a table has stopped"]
                    judge.fail(f"{client.table} has stopped: {why}")
        names = [table.config.table for table in self.plan.tables]
        closed = all(name in judge.frozen or judge.is_closed(name) for name in names)
        return closed and not any(client.waiting for client in self.clients)

    def _changed(self, table: TableActor) -> None:
        if table.is_stopped:
            return
        self.judge.lives(table.state)

    def _shuffle(self, jokers: int) -> tuple[Card, ...]:
        cards = list(deck(jokers))
        self._cards.shuffle(cards)
        return tuple(cards)

    def _promised(self, line: Line, text: str | bytes) -> None:
        """Called with what the server sends to a client."""
        if isinstance(text, bytes):
            text = text.decode()
        # What a server says that was stopped reaches nobody any more; what it acknowledges has to be so all the same.
        stale = PROCESS.get() not in self.servers or not line.open
        if text.startswith('{"t":"ack"') or (text.startswith('{"t":"refused"') and not stale):
            message = _READ.decode(text)
            self.judge.said(message["table"], line.player, message, text)

    def _count_command(self, line: Line, message: CommandMessage) -> None:
        self.judge.asked[message.table, line.player, message.cmd_id] += 1


def play(seed: int, deals: int = 3, look: float = 1.0) -> Outcome:
    """Play the episode of a seed."""
    return Episode(seed, deals, look).run()
