"""One table and its queue, without connections: who is gone, what is answered, when the clock strikes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import structlog

from tests.memory_store.leases import MemoryLeases, MemoryRegistry
from tests.memory_store.store import MemoryStore
from tests.stores import FailingStore
from triptych.deal.visibility import Public
from triptych.i18n.languages import Language
from triptych.i18n.messages import plain_text
from triptych.rulesets.load import resolve
from triptych.server.clock import StallDetector, shuffled_deck
from triptych.server.log import RateLimitedLogger
from triptych.server.tables.actor import QueuedCommand, TableActor, TableDeps
from triptych.server.tables.downtime import Downtime
from triptych.server.tables.event_log import encode_events, replay
from triptych.server.wire.localization import localize
from triptych.server.wire.messages import Ack, ErrorMessage, Rejected
from triptych.store.leases.interface import ServerInfo
from triptych.store.types import Append
from triptych.table import commands as c
from triptych.table.aggregate import TableConfig, evolve, open_table
from triptych.table.events import ChatSent, PlayerDisconnected, TableOpened

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from triptych.table.state import TableState

pytestmark = pytest.mark.anyio
NOW = 1_700_000_000_000


class RecordingSubscriber:
    """A connection that keeps what it is sent."""

    def __init__(self, player: str, language: Language = "en") -> None:
        self.player = player
        self.language = language
        self.said: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.said.append(msgspec.json.decode(text))

    def send_message(self, message: ErrorMessage) -> None:
        self.said.append(msgspec.to_builtins(localize(message, self.language), enc_hook=plain_text))


class LoadedTable:
    """A store, a clock in the test's hands, and one live table with Ann as its host."""

    def __init__(self, pause: int) -> None:
        self.now = NOW
        self.step = 0
        self.store = FailingStore(MemoryStore())
        self.banks: dict[str, int] = {}
        self.changes: list[int] = []
        self.news = asyncio.Event()
        self.outside = TableDeps(
            store=self.store,
            now=self.time,
            shuffle=shuffled_deck,
            grace_seconds=0,
            time_banks=self.banks,
            stall_detector=StallDetector(self.time, self.time),
            error_log=RateLimitedLogger(),
        )
        config = TableConfig("t1", "Our table", "ann", resolve("pineapple"), bots_allowed=True, pause=pause)
        (self.first,) = open_table(config, self.now)
        self.live = TableActor(evolve(None, self.first), self.outside, self.changed)

    async def done(self, player: str, request: c.PlayerRequest, cmd_id: str = "") -> dict[str, Any]:
        """Ask something of the table and return the answer."""
        answers: asyncio.Queue[Ack | Rejected] = asyncio.Queue()
        self.live.submit(QueuedCommand(c.Command(player, request, player.title()), cmd_id, answers.put_nowait))
        answer: dict[str, Any] = msgspec.to_builtins(await answers.get(), enc_hook=plain_text)
        return answer

    async def stored_state(self) -> TableState:
        """Return the table as the store has it."""
        state, _ = replay(await self.store.load("t1"))
        return state

    def changed(self, live: TableActor) -> None:
        self.changes.append(live.state.version)
        self.news.set()

    def time(self) -> int:
        self.now += self.step
        return self.now

    def bob_is_here(self) -> bool:
        return self.live.state.seats[1].connected

    async def quiet(self) -> None:
        """Wait until all that was asked so far is done, also what the loop's timers were to ask at once."""
        await asyncio.sleep(0.001)
        await self.done("ann", c.Say("a line behind all that was asked before"))


@asynccontextmanager
async def loaded_table(pause: int = 600) -> AsyncIterator[LoadedTable]:
    instance = LoadedTable(pause)
    await instance.store.open()
    await instance.store.append(Append(table="t1", expected_version=0, events=encode_events((instance.first,))))
    instance.live.start([(1, instance.first)])
    try:
        yield instance
    finally:
        await instance.live.stop()
        await instance.store.close()


async def test_a_viewer_who_returns_in_time_counts_as_connected() -> None:
    """A page that is loaded again closes one connection and opens another."""
    async with loaded_table() as at:
        await at.done("bob", c.Sit(1, 100))
        old, new = RecordingSubscriber("bob"), RecordingSubscriber("bob")
        at.live.subscribe(old, "Bob", None)
        at.live.unsubscribe(old)
        at.live.subscribe(new, "Bob", None)
        await at.quiet()
        _, history = replay(await at.store.load("t1"))
        assert not any(isinstance(event.event, PlayerDisconnected) for _, event in history)
        assert at.bob_is_here()


async def test_a_viewer_is_disconnected_when_the_last_page_stays_closed() -> None:
    async with loaded_table() as at:
        await at.done("bob", c.Sit(1, 100))
        first, second = RecordingSubscriber("bob"), RecordingSubscriber("bob")
        at.live.subscribe(first, "Bob", None)
        at.live.subscribe(second, "Bob", None)
        at.live.unsubscribe(first)
        await at.quiet()
        assert at.bob_is_here()
        at.live.unsubscribe(second)
        await at.quiet()
        assert not at.bob_is_here()
        at.live.subscribe(first, "Bob", None)
        await at.quiet()
        assert at.bob_is_here()


async def test_a_viewer_begins_with_the_table_and_what_it_missed() -> None:
    async with loaded_table() as at:
        await at.done("bob", c.Sit(1, 100))
        version = at.live.state.version
        late, early = RecordingSubscriber("cid"), RecordingSubscriber("dan")
        at.live.subscribe(late, "Cid", None)
        at.live.subscribe(early, "Dan", 1)
        assert (late.said[0]["v"], late.said[0]["events"]) == (version, [])
        assert [event["v"] for event in early.said[0]["events"]] == list(range(2, version + 1))
        await at.done("bob", c.Say("hello"))
        assert [event["v"] for event in late.said[-1]["events"]] == [version + 1]


async def test_an_answer_comes_after_the_store_has_it_and_the_same_again() -> None:
    async with loaded_table() as at:
        answer = await at.done("bob", c.Sit(1, 100), "c1")
        stored = await at.stored_state()
        assert answer == {"t": "ack", "cmd_id": "c1", "table": "t1", "v": stored.version}
        assert stored == at.live.state
        # Asked again, also where it would be refused by now, it gets its first answer.
        assert await at.done("bob", c.Sit(1, 100), "c1") == answer
        refused = await at.done("bob", c.Sit(1, 100), "c2")
        assert (refused["t"], refused["error"]["code"]) == ("refused", "player.already_seated")
        refused = await at.done("bob", c.Sit(1, 100))
        assert (refused["t"], refused["error"]["code"]) == ("refused", "player.already_seated")
        assert at.live.state.version == stored.version
        assert at.changes[-1] == stored.version


async def test_a_command_sent_twice_with_one_id_is_done_once() -> None:
    """A page that has received nothing asks again, though both have come through."""
    async with loaded_table() as at:
        answer = await at.done("bob", c.Say("hello"), "c1")
        assert await at.done("bob", c.Say("hello"), "c1") == answer
        assert [line.text for line in at.live.state.talk if line.player] == ["hello"]


async def test_a_deal_begins_by_itself_when_its_time_has_come() -> None:
    async with loaded_table(pause=0) as at:
        for seat, player in enumerate(("ann", "bob")):
            await at.done(player, c.Sit(seat, 100))
        async with asyncio.timeout(60):
            while not at.live.state.deals:
                at.news.clear()
                await at.news.wait()


async def test_a_loop_whose_handles_do_not_know_their_time_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvloop gives a plain handle for what is due at once; found in the log of bench.room_many under load."""
    async with loaded_table() as at:
        loop = asyncio.get_running_loop()
        real = loop.call_at

        def call_at(when: float, called: Any, *args: Any, context: Any = None) -> asyncio.Handle:
            if getattr(called, "__self__", None) is at.live:
                return asyncio.Handle(called, args, loop)
            return real(when, called, *args, context=context)

        monkeypatch.setattr(loop, "call_at", call_at)
        with structlog.testing.capture_logs() as logs:
            for seat, player in enumerate(("ann", "bob")):
                await at.done(player, c.Sit(seat, 100))
            assert at.live.state.next_at is not None
            for text in ("one", "two"):
                await at.done("bob", c.Say(text))
        assert logs == []


async def test_a_process_that_stood_still_is_noticed_before_anything_is_done() -> None:
    """Issue 10, part 3, 5: nobody could move in that time."""
    async with loaded_table() as at:
        noticed: list[tuple[int, int]] = []
        at.outside.stall_detector.on_stall = lambda since, until: noticed.append((since, until))
        await at.done("bob", c.Say("hello"))
        assert noticed == []
        at.now += 60_000
        await at.done("bob", c.Say("hello"))
        assert noticed == [(NOW, NOW + 60_000)]


async def test_a_command_whose_answer_was_lost_is_answered_when_the_store_has_it() -> None:
    """Issue 10, part 3, 3: after a failed append the store is asked what became of the command."""
    async with loaded_table() as at:
        screen = RecordingSubscriber("dan")
        at.live.subscribe(screen, "Dan", None)
        at.store.lost = {"c1"}
        answer = await at.done("bob", c.Sit(1, 100), "c1")
        stored = await at.stored_state()
        assert answer == {"t": "ack", "cmd_id": "c1", "table": "t1", "v": stored.version}
        assert at.live.state == stored
        assert (screen.said[-1]["v"], screen.said[-1]["view"]["seats"][1]["player"]) == (stored.version, "bob")
        # Events that the viewer may have received already are not sent again.
        assert screen.said[-1]["events"] == []
        assert (await at.done("bob", c.Leave(), "c2"))["v"] == stored.version + 1


async def test_a_command_without_an_id_that_was_stored_is_answered_too() -> None:
    async with loaded_table() as at:
        at.store.after = True
        at.live.submit(
            QueuedCommand(
                c.Command("bob", c.Sit(1, 100), "Bob"), "", (answers := asyncio.Queue[Ack | Rejected]()).put_nowait
            )
        )
        answer = await answers.get()
        at.store.after = False
        assert answer == Ack("", "t1", at.live.state.version)
        assert at.live.state.seats[1].player == "bob"
        assert at.live.state == await at.stored_state()


async def test_a_command_that_cannot_be_stored_is_refused_and_the_next_one_is_done() -> None:
    async with loaded_table() as at:
        version = at.live.state.version
        at.store.before = True
        for cmd_id in ("c1", ""):
            answer = await at.done("bob", c.Sit(1, 100), cmd_id)
            assert (answer["t"], answer["error"]["code"]) == ("refused", "server.failed")
            assert at.live.state.version == version
        at.store.before = False
        assert (await at.done("bob", c.Sit(1, 100), "c1"))["t"] == "ack"
        assert at.live.state == await at.stored_state()


async def test_events_of_another_process_are_read_before_new_ones_are_stored() -> None:
    """The store refuses a version that it has already; what it holds is the truth, and goes before."""
    async with loaded_table() as at:
        screen = RecordingSubscriber("dan")
        at.live.subscribe(screen, "Dan", None)
        hello = Public(ChatSent(NOW, "cid", "Cid", "hello", None))
        await at.store.append(
            Append(table="t1", expected_version=at.live.state.version, events=encode_events((hello,)))
        )
        answer = await at.done("bob", c.Sit(1, 100), "c1")
        assert answer["t"] == "ack"
        assert at.live.state == await at.stored_state()
        assert [line.text for line in at.live.state.talk if line.player] == ["hello"]
        assert at.live.state.seats[1].player == "bob"
        assert screen.said[-1]["view"]["seats"][1]["player"] == "bob"


async def test_a_table_whose_record_is_damaged_stops_and_says_so() -> None:
    """Issue 10, part 3, 9: nothing more is done, and nobody is answered as if it were."""
    async with loaded_table() as at:
        screen, late = RecordingSubscriber("dan"), RecordingSubscriber("eve")
        at.live.subscribe(screen, "Dan", None)
        await at.done("bob", c.Sit(1, 100))
        before = at.live.state
        at.store.damaged = True
        for cmd_id in ("c1", ""):
            answer = await at.done("bob", c.Leave(), cmd_id)
            assert (answer["t"], answer["cmd_id"], answer["table"]) == ("refused", cmd_id, "t1")
            assert answer["error"]["code"] == "table.damaged"
        at.live.subscribe(late, "Eve", None)
        assert [message["error"]["code"] for message in screen.said if message["t"] == "problem"] == ["table.damaged"]
        assert late.said[-1]["error"]["code"] == "table.damaged"
        at.store.damaged = False
        assert (await at.done("bob", c.Leave()))["t"] == "refused"
        assert at.live.state == before == await at.stored_state()


async def test_a_server_that_stops_does_not_wait_for_a_store_that_is_away() -> None:
    """Nobody knows whether the command was stored: who asked hears nothing, and asks the next server."""
    async with loaded_table() as at:
        answers = asyncio.Queue[Ack | Rejected]()
        at.store.after = at.store.reads = True
        at.live.submit(QueuedCommand(c.Command("bob", c.Sit(1, 100), "Bob"), "c1", answers.put_nowait))
        await at.store.asked.wait()
        async with asyncio.timeout(60):
            await at.live.stop()
        assert answers.empty()
        at.store.after = at.store.reads = False


async def test_viewers_are_notified_once_that_the_table_waits_for_its_store() -> None:
    async with loaded_table() as at:
        for seat, player in enumerate(("ann", "bob")):
            await at.done(player, c.Sit(seat, 100))
        screen = RecordingSubscriber("dan")
        at.live.subscribe(screen, "Dan", None)
        at.store.before = True
        at.step = 100
        for _ in range(3):
            await at.done("cid", c.Sit(2, 100))
        problems = [message for message in screen.said if message["t"] == "problem"]
        assert [problem["error"]["code"] for problem in problems] == ["server.waiting"]
        at.store.before = False


async def test_the_bank_of_a_leaving_player_is_noted() -> None:
    """Option clock.new_table = carry: the bank goes with its player from table to table of this server."""
    async with loaded_table() as at:
        await at.done("bob", c.Sit(1, 100))
        left = at.live.state.seats[1].bank_ms
        await at.done("bob", c.Leave())
        assert at.banks == {"bob": left}


async def test_a_folded_log_is_the_table_and_its_events_by_version() -> None:
    async with loaded_table() as at:
        await at.done("bob", c.Sit(1, 100))
        state, history = replay(await at.store.load("t1"))
        assert state == at.live.state
        assert [version for version, _ in history] == list(range(1, state.version + 1))
        first = history[0][1]
        assert isinstance(first, Public)
        assert isinstance(first.event, TableOpened)
    with pytest.raises(ValueError, match="without events"):
        replay(())


async def test_a_table_read_from_its_store_goes_on_by_itself() -> None:
    """A deal was about to begin when the server stopped; the time in between is nobody's."""
    async with loaded_table(pause=60) as at:
        for seat, player in enumerate(("ann", "bob")):
            await at.done(player, c.Sit(seat, 100))
        due = at.live.state.next_at
        assert due is not None
        at.now += 3_600_000
        again = TableActor(await at.stored_state(), at.outside, at.changed)
        again.start((), Downtime(at.now - 3_600_000, at.now, "still"))
        try:
            async with asyncio.timeout(60):
                while again.state.next_at == due:
                    at.news.clear()
                    await at.news.wait()
            assert again.state.next_at == due + 3_600_000
            assert not again.state.deals
            at.now += 60_000
            later = TableActor(await at.stored_state(), at.outside, at.changed)
            at.news.clear()
            later.start()
            async with asyncio.timeout(60):
                while not later.state.deals:
                    at.news.clear()
                    await at.news.wait()
            await later.stop()
        finally:
            await again.stop()


async def test_a_possibly_fenced_server_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulation, seed 2000879: a dead server refused, by what the table had been, what the next one had done."""
    async with loaded_table() as at:
        place = MemoryRegistry()
        leases = MemoryLeases(place)
        monkeypatch.setattr(at.store.behind, "leases", leases)
        await leases.register(ServerInfo(0, 0))
        assert (await at.done("bob", c.Sit(99, 100), "c1"))["t"] == "refused"
        place.servers.clear()
        at.store.over = True
        answers: list[Ack | Rejected] = []
        at.store.asked.clear()
        at.live.submit(QueuedCommand(c.Command("bob", c.Sit(99, 100), "Bob"), "c2", answers.append))
        async with asyncio.timeout(60):
            await at.store.asked.wait()
            while not at.live._failures and not answers:  # noqa: ASYNC110 - its own task changes it
                await asyncio.sleep(0)
        assert answers == []
