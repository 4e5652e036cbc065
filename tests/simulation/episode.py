"""One episode from one seed: a house, its disk, its players and the faults, until everybody has gone home."""

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
from tests.simulation.judge import LATE_MS, Truth
from tests.simulation.leases import owner_of
from tests.simulation.loop import PROCESS, SeededLoop
from tests.simulation.network import Line, Network, Weather
from tests.simulation.plan import Plan, plan, shared
from tests.simulation.server import Hall, House
from tests.simulation.store import GHOST_SECONDS, Chances
from triptych.cards import deck
from triptych.errors import error_location
from triptych.server.cluster import listener as floor
from triptych.server.tables import integrity as through
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

    def __init__(self, truth: Truth) -> None:
        super().__init__()
        self._truth = truth

    def write(self, row: JournalRow) -> bool:
        written = super().write(row)
        lane = row.number >> PARTITION_SHIFT
        if written and (self.servers[lane].over if lane else row.epoch != self.epoch):
            self._truth.fail(f"row {row.number} of an epoch that is over was written")
        if written and lane:
            for table in row.tables.split():
                if owner_of(self, table) != lane:
                    self._truth.fail(f"{table} is written by server {lane}, which does not own it")
        if written:
            try:
                self._truth.committed(row)
            except Exception as error:  # noqa: BLE001 - it would be taken for the disk's
                self._truth.fail(f"the judge: {error!r} at {error_location(error)}")
        return written


class Episode:
    """Everything of one seed."""

    def __init__(self, seed: int, deals: int, look: float = 1.0) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.plan: Plan = plan(self.rng, deals)
        other = Random(f"{seed} together")  # episodes of a house with one server stay as they are
        if other.random() < SHARED:
            self.plan = shared(other, self.plan)
        self.loop = SeededLoop(Random(self.rng.randrange(1 << 60)))
        self.truth = Truth(self.loop.time)
        self.disk = WatchedDisk(self.truth)
        self._deps = copy_context()  # of no process
        self.network = Network(self.loop, Random(self.rng.randrange(1 << 60)), self._deps)
        self.network.door = self._door
        self.network.promised = self._promised
        self.network.asked = self._asked
        self.truth.ahead = self._ahead
        self.clients: list[Client] = []
        self.houses: list[House] = []  # one, or two that share the disk
        self._hall = Hall(self.loop, other, self.plan.lost) if self.plan.shared else None
        self.ahead_ms = 0  # of the wall clock
        self.crashes = 0
        self._look = look
        self._down_since: float | None = None
        self._cards = Random(self.rng.randrange(1 << 60))
        self._secrets = Random(self.rng.randrange(1 << 60))
        self._calm = False
        self._well = 0.0  # since when nothing has kept the house from doing what is due

    def run(self) -> Outcome:
        """Play it. Errors of the simulation itself are raised."""
        asyncio.set_event_loop(None)
        loop = self.loop
        try:
            # What looks often whether there is something to read would be most of what happens.
            with (
                structlog.testing.capture_logs() as logs,
                patch.object(through, "READING_SECONDS", 0.5),
                patch.object(floor, "SystemRandom", lambda: Random(1)),
            ):
                self._logs = logs
                loop.run_until_complete(self._play())
            for context in loop.errors:
                self.truth.fail(f"nobody waited for {context.get('exception')!r}: {context.get('message')}")
        finally:
            loop.bury()
        truth = self.truth
        return Outcome(
            self.seed,
            truth.found,
            truth.deals,
            len(truth.commands),
            self.crashes,
            truth.looked,
            sum(client.proofs for client in self.clients),
            len(truth.frozen),
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
                    self.truth,
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
        self.truth.ends()

    @property
    def house(self) -> House:
        """Return the server that is alone; of two the first one that serves."""
        return next(filter(self._is_up, self.houses), self.houses[0])

    def _ahead(self, table: str) -> float:
        """Return how far a table's own clock is before the virtual time (ms); the house's when it sleeps."""
        live = next(
            (server.shelf.actors[table] for server in self.houses if server.alive and table in server.shelf.actors),
            None,
        )
        return (self.house.now() if live is None else live.clock.now()) - self.loop.time() * 1000

    def _door(self) -> House:
        """Return the server at which somebody comes in who connects now: of two it is either."""
        up = [house for house in self.houses if self._is_up(house)]
        return self.rng.choice(up) if len(up) > 1 else self.house

    def _open(self, place: int) -> None:
        """Begin a process in the place of the one that was there."""

        def steady() -> int:
            return int(self.loop.time() * 1000)

        def wall() -> int:
            return (EPOCH_MS + steady() + self.ahead_ms) * 1_000_000

        secret = (lambda: self._secrets.randbytes(32)) if self.plan.fair else None
        house = House(
            self.disk,
            Random(self.rng.random()),
            (wall, steady),
            self._shuffle,
            secret,
            self._changed,
            self.plan.sleep_after,
            self._hall,
        )
        house.store.chances = Chances() if self._calm else self.plan.chances
        self.houses[place : place + 1] = [house]
        configs = tuple(table.config for table in self.plan.tables)
        house.context.copy().run(asyncio.create_task, self._opened(house, configs))

    async def _opened(self, house: House, configs: Any) -> None:
        house.begins = self._begins
        try:
            await house.run(configs)
        except FencedError:  # it was found dead before it served: its supervisor begins another one
            house.alive = False
            self._loses(house, ended=True)
            self.loop.call_later(1.0, self._open, self.houses.index(house), context=self._deps)
            return
        if house not in self.houses:
            return  # it stood still while it opened, and another one has its database
        for table in self.plan.tables:
            name = table.config.table
            if not house.shelf.is_open(name) and not self.truth.is_closed(name) and not self.plan.shared:
                if not self.disk.altered:
                    self.truth.fail(f"{name} is not open")
                self.truth.frozen.add(name)

    def _begins(self) -> None:
        if self._down_since is not None:
            self.truth.down.append((self._down_since, self.loop.time()))
            self._down_since = None

    def _crash(self) -> None:
        """End the process where it is."""
        house = self._some()
        if not house.alive or house.held is not None:
            return
        house.alive = False
        self.crashes += 1
        self.disk.full = False
        if self.plan.sets_clock:
            self.ahead_ms += self.rng.choice((-3_600_000, -5_000, 0, 60_000, 86_400_000))
        if self.plan.alters and self.rng.random() < 0.5:
            self.disk.alter(self.rng)
        later = self._away(house)
        for ask in house.store.under_way:
            # What a dead process had sent may reach the database all the same, also when another one serves it.
            if isinstance(ask, WriteRow) and self.rng.random() < self.plan.chances.ghost:
                ghost = later + (self.rng.random() - 0.3) * GHOST_SECONDS
                self.loop.call_later(max(0.0, ghost), self._ghost, ask.row, context=self._deps)

    def _some(self) -> House:
        """Return the server that something happens to."""
        return self.rng.choice(self.houses) if self.plan.shared else self.house

    def _away(self, house: House) -> float:
        """Cut the lines to a house that serves no more, and let another one begin; return in how many seconds."""
        later = self.rng.choice((0.1, 3.0, 60.0)) * self.rng.random()
        if self.plan.shared:
            self._loses(house, ended=True)
        elif self._down_since is None:
            self._down_since = self.loop.time()
        self._well = self.loop.time()
        self._cut(house)
        self.loop.call_later(later, self._open, self.houses.index(house), context=self._deps)
        return later

    def _loses(self, house: House, *, ended: bool) -> None:
        """Let the judge know that nobody plays what a server owns."""
        server = self.disk.servers.get(house.lane)
        if server is not None:
            server.ended = ended
            for table in self.plan.tables:
                if owner_of(self.disk, table.config.table) == house.lane:
                    self.truth.loses(table.config.table, house.lane)

    def _cut(self, house: House) -> None:
        for client in self.clients:
            client.cut(house)

    def _pause(self) -> None:
        """Stop the process so long that another one takes its database; then let it go on, to find that out."""
        house = self._some()
        if not house.alive or house.held is not None:
            return
        if not self.plan.shared and not house.ready:
            return  # opened again after a failure, it would take the database from its successor, and rightly
        house.held = []
        if self.plan.shared:
            # Shorter than a lease, or longer: it comes back as itself, or as another server.
            self._loses(house, ended=False)
            self._cut(house)
            later = self.rng.choice((1.0, 3.0, 20.0)) * self.rng.random()
        else:
            later = self._away(house) + self.rng.random() * 20
        self.loop.call_later(later, self._goes_on, house, context=self._deps)

    def _goes_on(self, house: House) -> None:
        self.loop.go_on(house)
        if not self.plan.shared:
            self._noticed(house, NOTICED_SECONDS)
        elif house.lane and not self.disk.servers[house.lane].over:
            self.truth.goes_on(house.lane)

    def _drain(self) -> None:
        """End a server as by SIGTERM, and begin another one in its place."""
        house = self._some()
        if self._is_up(house):
            house.context.copy().run(asyncio.create_task, self._drained(house))

    async def _drained(self, house: House) -> None:
        with suppress(OSError, FencedError):
            await house.drain()
        if house.alive:  # what it could not say in the end the others find out
            house.alive = False
            self._loses(house, ended=True)
        self._cut(house)
        self.loop.call_later(1.0, self._open, self.houses.index(house), context=self._deps)

    def _noticed(self, house: House, seconds: int) -> None:
        """Look whether a process finds out in time that it owns nothing any more; then it ends."""
        if seconds and not house.failures:
            # Second by second: the whole computer may stand still meanwhile.
            self.loop.call_later(1, self._noticed, house, seconds - 1, context=self._deps)
            return
        if not house.failures and house.ready and house is not self.house:
            self.truth.fail("a server whose database is another's goes on")
        house.alive = False

    def _ghost(self, row: JournalRow) -> None:
        with suppress(OSError):
            self.disk.write(row)

    async def _troubled(self) -> None:
        """Let faults come until enough deals are played, or the time is over."""
        self.network.weather = self.plan.weather
        rng, loop, planned = self.rng, self.loop, self.plan
        enough = planned.deals * len(planned.tables)
        kinds = ["crash"] * planned.crashes + ["stall"] * planned.stalls
        kinds += ["full"] * planned.full + ["pause"] * planned.pauses + ["drain"] * planned.drains
        rng.shuffle(kinds)
        until = loop.time() + planned.seconds
        while loop.time() < until and (self.truth.deals < enough or kinds) and not self.truth.found:
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
                    self.house.store.at_write = lambda: loop.call_soon(self._crash, context=self._deps)
                case "drain":
                    self._drain()
                case "pause":
                    loop.crash_at[loop.steps + rng.randrange(1, 400)] = self._pause
                case "stall":
                    since = loop.time()
                    loop.stand_still(rng.choice((1.0, 4.0, 100.0)))
                    self.truth.down.append((since, loop.time()))
                case "full":
                    self.disk.full = True
                    since = loop.time()
                    await asyncio.sleep(rng.choice((1, 5, 30)))
                    self.disk.full = False

    async def _watch(self) -> None:
        """Look now and then whether what is due happens, while nothing keeps the house from doing it.

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
                    self.truth.overdue(name)

    def _serves(self) -> bool:
        return any(map(self._is_up, self.houses))

    @staticmethod
    def _is_up(house: House) -> bool:
        return house.alive and house.ready and house.held is None

    def _all_closed(self) -> bool:
        return all(self.truth.is_closed(table.config.table) for table in self.plan.tables)

    async def _ending(self) -> None:
        """Without faults every table comes to its end, and every command to its answer."""
        self._calm = True
        self.loop.crash_at.clear()
        self.network.weather = Weather()
        for house in self.houses:
            house.store.chances = Chances()
            house.store.at_write = None
        self.disk.full = False
        for client in self.clients:
            client.diligent = True
            client.habits = client.habits._replace(thought=min(client.habits.thought, 0.3))
        began = self.loop.time()
        dealt = {table: states[-1].deals for table, states in self.truth.states.items()}
        while self.loop.time() < began + PATIENCE and not self.truth.found:
            await asyncio.sleep(2)
            if self._serves() and self._is_over():
                return
        if self.truth.found:
            return  # it went no further
        for table in self.plan.tables:
            name = table.config.table
            done = self.truth.deals_of(name) - dealt.get(name, 0)
            # A match to eleven points takes long where nearly all boards are fouls.
            if name not in self.truth.frozen and not self.truth.is_closed(name) and done < MANY_DEALS:
                self.truth.fail(f"{name} does not come to its end")
        for client in self.clients:
            if client.waiting:
                self.truth.fail(f"{client.player} is not answered")

    def _is_over(self) -> bool:
        truth = self.truth
        for client in self.clients:
            if client.damaged and client.table not in truth.frozen:
                truth.frozen.add(client.table)
                if not self.disk.altered:
                    why = [line["error"] for line in self._logs if line["event"] == "a table has stopped"]
                    truth.fail(f"{client.table} has stopped: {why}")
        names = [table.config.table for table in self.plan.tables]
        closed = all(name in truth.frozen or truth.is_closed(name) for name in names)
        return closed and not any(client.waiting for client in self.clients)

    def _changed(self, table: TableActor) -> None:
        if table.is_stopped:
            return
        self.truth.lives(table.state)

    def _shuffle(self, jokers: int) -> tuple[Card, ...]:
        cards = list(deck(jokers))
        self._cards.shuffle(cards)
        return tuple(cards)

    def _promised(self, line: Line, text: str | bytes) -> None:
        """Hear what the server says to a client."""
        if isinstance(text, bytes):
            text = text.decode()
        # What a server says that was stopped reaches nobody any more; what it acknowledges has to be so all the same.
        stale = PROCESS.get() not in self.houses or not line.open
        if text.startswith('{"t":"ack"') or (text.startswith('{"t":"refused"') and not stale):
            message = _READ.decode(text)
            self.truth.said(message["table"], line.player, message, text)

    def _asked(self, line: Line, message: CommandMessage) -> None:
        self.truth.asked[message.table, line.player, message.cmd_id] += 1


def play(seed: int, deals: int = 3, look: float = 1.0) -> Outcome:
    """Play the episode of a seed."""
    return Episode(seed, deals, look).run()
