"""What every bus promises (issue 12, part 2): news reach the other servers of a cluster; a cut costs news alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.nats import PATIENCE, Nats
from triptych.server.cluster.bus.hub import BusHub, HubBus
from triptych.server.cluster.bus.nats import NatsBus
from triptych.server.cluster.bus.protocol import (
    MAX_MESSAGE_BYTES,
    ClusterMessage,
    GuestRenamed,
    MessageBus,
    ServerJoined,
    ServerLeft,
    decode,
    encode,
)

pytestmark = pytest.mark.anyio


@dataclass
class Server:
    """Who hears what comes over a bus."""

    bus: MessageBus
    received: list[ClusterMessage] = field(default_factory=list)
    came: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self, cluster: str = "cluster") -> None:
        await self.bus.open(cluster, self._hear, self._again)
        await self.until(lambda: self.came > 0)

    def _hear(self, news: ClusterMessage) -> None:
        self.received.append(news)
        self.news.set()

    def _again(self) -> None:
        self.came += 1
        self.news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self.news.clear()
                await self.news.wait()


@pytest.fixture
async def nats(tmp_path: Path) -> AsyncIterator[Nats]:
    server = Nats(tmp_path / "nats.log")
    await server.start()
    yield server
    server.cut()


@pytest.fixture(params=["hub", "nats"])
async def make(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Callable[[], Server]]:
    hub, nats = BusHub(), Nats(tmp_path / "nats.log")
    await hub.open()
    if request.param == "nats":
        await nats.start()
    servers: list[Server] = []

    def server() -> Server:
        bus: dict[str, Callable[[], MessageBus]] = {
            "hub": lambda: HubBus(hub.url),
            "nats": lambda: NatsBus(nats.url),
        }
        servers.append(Server(bus[request.param]()))
        return servers[-1]

    yield server
    for each in servers:
        await each.bus.close()
    await hub.close()
    nats.cut()


async def test_other_servers_receive_messages_in_order(make: Callable[[], Server]) -> None:
    ann, bob, eve = make(), make(), make()
    for each in (ann, bob):
        await each.open()
    await eve.open("elsewhere")
    messages: list[ClusterMessage] = [
        ServerJoined(1),
        ServerLeft(1),
        *(GuestRenamed(1, "p1", f"Ann {number}") for number in range(100)),
    ]
    for news in messages:
        ann.bus.publish(news)
    await bob.until(lambda: len(bob.received) == len(messages))
    assert bob.received == messages
    bob.bus.publish(ServerJoined(2))
    await ann.until(lambda: bool(ann.received))
    assert ann.received == [ServerJoined(2)]  # nobody hears themselves
    assert eve.received == []


async def test_a_closed_bus_receives_nothing_and_sends_nothing(make: Callable[[], Server]) -> None:
    ann, bob, eve = make(), make(), make()
    for each in (ann, bob, eve):
        await each.open()
    ann.bus.publish(ServerLeft(1))
    await ann.bus.close()
    ann.bus.publish(ServerJoined(1))
    bob.bus.publish(ServerJoined(2))
    await eve.until(lambda: len(eve.received) == 2)
    assert eve.received == [ServerLeft(1), ServerJoined(2)]
    assert ann.received == []
    await ann.bus.close()


def test_unreadable_messages_decode_to_none() -> None:
    assert decode(encode(ServerLeft(3))) == ServerLeft(3)
    assert decode(encode(GuestRenamed(3, "p1", "x" * MAX_MESSAGE_BYTES))) is None
    for sent in (b"", b"{", b"[]", b'{"type":"card"}', b'{"type":"left"}', b'{"type":"left","server":"x"}', b"\xff"):
        assert decode(sent) is None


async def test_nothing_waits_for_a_bus_that_is_cut(nats: Nats) -> None:
    """Telling returns at once, also ten thousand times; once it is back both hear, and know that they missed news."""
    ann, bob = Server(NatsBus(nats.url)), Server(NatsBus(nats.url))
    await ann.open()
    await bob.open()
    for cuts in range(1, 3):
        before = [(each, each.came) for each in (ann, bob)]
        nats.cut()
        for number in range(10_000):
            ann.bus.publish(GuestRenamed(1, "p1", f"lost {number}"))
        await nats.start()
        for each, came in before:  # a busy machine may lose the connection once more
            await each.until(lambda each=each, came=came: each.came > came)  # type: ignore[misc]
        ann.bus.publish(ServerJoined(cuts))
        await bob.until(lambda cuts=cuts: bool(bob.received) and bob.received[-1] == ServerJoined(cuts))  # type: ignore[misc]
    await ann.bus.close()
    await bob.bus.close()


async def test_a_server_opens_before_its_bus(tmp_path: Path) -> None:
    nats = Nats(tmp_path / "nats.log")
    await nats.start()
    nats.cut()
    ann = Server(NatsBus(nats.url))
    await ann.bus.open("cluster", ann._hear, ann._again)
    ann.bus.publish(ServerJoined(1))
    assert ann.came == 0
    await nats.start()
    await ann.until(lambda: ann.came == 1)
    await ann.bus.close()
    nats.cut()
    late = Server(NatsBus(nats.url))
    await late.bus.open("cluster", late._hear, late._again)
    await late.bus.close()


async def test_nobody_without_the_token_receives_from_the_hub() -> None:
    hub = BusHub()
    await hub.open()
    ann, bob = Server(HubBus(hub.url)), Server(HubBus(hub.url))
    await ann.open()
    await bob.open()
    port = int(hub.url.rpartition(":")[2])
    for word in (b"wrong house\n", b"\n", b"x" * MAX_MESSAGE_BYTES * 3 + b"\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(word)
        assert await reader.read() == b""
        writer.close()
    ann.bus.publish(ServerJoined(1))
    await bob.until(lambda: bob.received == [ServerJoined(1)])
    for each in (ann, bob):
        await each.bus.close()
    await hub.close()
