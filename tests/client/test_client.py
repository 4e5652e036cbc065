"""A program at a table, by `triptych.client` (issue 15, part 5): it plays, is cut off, comes back, loses nothing."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

import triptych
from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, http_client, run_server
from triptych.board import Layout
from triptych.bots.levels import get_level
from triptych.client.bot_loop import play
from triptych.client.client import Client
from triptych.client.errors import ClientError
from triptych.client.table import Table
from triptych.deal.actions import Arrange, Place
from triptych.server.edge.rate_limits import RateLimit
from triptych.server.wire.bodies import Me
from triptych.table.commands import ChangeRules, CloseTable, Say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.server.in_process import RunningServer as Served
    from triptych.scoring.sheet.types import ScoreSheet

pytestmark = pytest.mark.anyio

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "room_bot.py"
RULES = {"preset": "pineapple", "clock.kind": "none", "settlement.cap": "none", "seats.buy_in_max": 100_000}


def bot() -> object:
    return get_level("random").factory(7)


async def two(ann: Client, bob: Client, **choices: object) -> tuple[Table, Table]:
    hers = await ann.open_table(RULES, pause=0, start="full", **choices)
    his = await bob.table(hers.id)
    assert (await hers.sit(buy_in=50_000), await his.sit(buy_in=50_000)) == (0, 1)
    return hers, his


async def cut_now_and_then(clients: tuple[Client, ...], times: int) -> None:
    for number in range(times):
        await asyncio.sleep(0.15)
        clients[number % len(clients)].connection.drop()


async def test_two_bots_are_cut_off_in_turn() -> None:
    """Every deal is played to its end, every command is done once, points add up to nothing."""
    deals, cuts, store = 10, 5, MemoryStore()
    async with (
        run_server(store) as served,
        Client(served.url, name="Ann") as ann,
        Client(served.url, name="Bob") as bob,
    ):
        hers, his = await two(ann, bob)
        async with asyncio.timeout(PATIENCE):
            cutting = asyncio.create_task(cut_now_and_then((ann, bob), cuts))
            both = await asyncio.gather(play(hers, bot(), deals=deals), play(his, bot(), deals=deals))  # type: ignore[arg-type]
            await cutting
        assert set(both) == {deals}
        events = [msgspec.json.decode(event.payload) for event in await store.load(hers.id)]
        assert ann.connection.reconnects + bob.connection.reconnects >= cuts
    settled = [event for event in events if event["e"] == "deal_settled"]
    assert len(settled) >= deals
    stacks = sum([await store.balance(f"table:{hers.id}:{player.player}") for player in (ann, bob)])
    assert stacks == 100_000


class CuttableConnection:
    """What lies between a program and a server: everything that goes through it can be cut off at once."""

    def __init__(self, url: str) -> None:
        self._port = int(url.rpartition(":")[2])
        self._ends: set[asyncio.StreamWriter] = set()
        self.cuts = 0

    def cut(self) -> None:
        """Cut every connection, whatever is under way in it; done when there was one."""
        self.cuts += bool(self._ends)
        for end in self._ends:
            end.transport.abort()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, away = await asyncio.open_connection("127.0.0.1", self._port)
        self._ends |= {writer, away}
        try:
            await asyncio.gather(self._carry(reader, away), self._carry(there, writer))
        finally:
            self._ends -= {writer, away}

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65_536):
                sink.write(data)
                await sink.drain()
        sink.close()


def example_bot() -> Any:
    spec = importlib.util.spec_from_file_location("room_bot", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Tidy()


@pytest.mark.parametrize("deals", [22, pytest.param(100, marks=pytest.mark.slow)])
async def test_the_example_plays_deals_cut_off_ten_times_and_loses_nothing(deals: int) -> None:
    """Issue 15, Shown by 4: with a token, over a line that breaks in mid-message; each street was asked for and done.

    No clock runs, so whatever was lost would never have been played; what was done twice would stand there twice.
    """
    store = MemoryStore()
    async with run_server(store) as served, Client(served.url, name="Ann") as ann:
        wire = CuttableConnection(served.url)
        between = await asyncio.start_server(wire, "127.0.0.1", 0)
        hers = await ann.open_table(RULES, pause=0, start="full")
        await hers.sit(buy_in=50_000)
        secret = await token_of(served.url, "Bob", "play")
        through = f"http://127.0.0.1:{between.sockets[0].getsockname()[1]}"
        async with between, Client(through, token=secret) as bob:
            his = await bob.table(hers.id)
            await his.sit(buy_in=50_000)
            assert [seat.program for seat in hers.view.seats[:2]] == [False, True]

            async def cut() -> None:
                for number in range(1, 11):
                    await his.wait_until(
                        lambda view, number=number: (  # type: ignore[misc]
                            view.sheet is not None and view.sheet.deal >= deals // 11 * number
                        )
                    )
                    wire.cut()

            async with asyncio.timeout(PATIENCE):
                cutting = asyncio.create_task(cut())
                both = await asyncio.gather(
                    play(hers, example_bot(), deals=deals), play(his, example_bot(), deals=deals)
                )
                await cutting
            assert set(both) == {deals}
            assert wire.cuts == 10
            assert bob.connection.reconnects >= 10
            events = [msgspec.json.decode(event.payload) for event in await store.load(hers.id)]
            stacks = [await store.balance(f"table:{hers.id}:{player.player}") for player in (ann, bob)]
    assert len([event for event in events if event["e"] == "deal_settled"]) >= deals
    assert not [event for event in events if event["e"] == "time_ran_out"]
    assert sum(stacks) == 100_000


async def token_of(url: str, name: str, *scopes: str) -> str:
    """Return a token that a new guest has made."""
    async with http_client(base_url=url) as http:
        await http.get("/api/me")
        await http.put("/api/me", json={"name": name})
        answer = await http.post("/api/me/tokens", json={"label": "bot", "scopes": scopes})
        secret: str = answer.json()["secret"]
        return secret


async def test_a_bad_or_insufficient_token_is_an_error() -> None:
    async with run_server(MemoryStore()) as served:
        with pytest.raises(ClientError) as none:
            async with Client(served.url, token="tt_none"):  # noqa: S106 - a test's own
                pass
        assert none.value.code == "token.unknown"
        async with Client(served.url, token=await token_of(served.url, "Ann", "play"), name="Robo") as ann:
            assert ann.name == "Ann"
            with pytest.raises(ClientError) as scope:
                await ann.open_table(RULES)
            assert scope.value.code == "token.scope"


async def test_requests_over_a_limit_are_retried_when_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's own limits, met for real: over HTTP, and at a table that takes 60 arrangements at once."""
    monkeypatch.setattr("triptych.server.routes.lobby.NAMES", RateLimit("names", 2, 1.0))
    async with run_server(MemoryStore()) as served, Client(served.url) as ann, Client(served.url, name="Bob") as bob:
        began = asyncio.get_running_loop().time()
        for name in ("Ann", "Anna", "Annabel"):
            assert (await ann._request(Me, "PUT", "/api/me", {"name": name})).name == name
        assert asyncio.get_running_loop().time() - began >= 0.9
        hers, his = await two(ann, bob)
        for table in (hers, his):
            await table.wait_until(lambda view: view.deal is not None)
        mine = next(table for table in (hers, his) if table.view.deal and table.view.deal.tasks)
        assert mine.view.deal is not None
        task = mine.view.deal.tasks[0]
        began = asyncio.get_running_loop().time()
        for number in range(66):
            await mine.execute(Arrange(task.hand, Layout(back=task.cards[: number % 2])))
        assert asyncio.get_running_loop().time() - began >= 0.8
    monkeypatch.setattr("triptych.server.routes.lobby.NAMES", RateLimit("names", 1, 3600.0))
    async with run_server(MemoryStore()) as served, Client(served.url, name="Ann") as ann:
        with pytest.raises(ClientError) as enough:
            await ann._request(Me, "PUT", "/api/me", {"name": "Anna"})
        assert enough.value.code == "address.too_many"
        assert 3590 <= enough.value.seconds <= 3601


async def test_the_same_guest_comes_back_to_the_seat() -> None:
    async with run_server(MemoryStore()) as served:
        async with Client(served.url, name="Ann") as ann:
            table = await ann.open_table(RULES)
            assert await table.sit(2) == 2
            identity, player = ann.identity, ann.player
        async with Client(served.url, identity=identity) as again:
            assert (again.player, again.name) == (player, "Ann")
            back = await again.table(f"{served.url}/t/{table.id}")
            assert back.view.you == 2
            assert await back.sit() == 2
            (line,) = [line for line in await again.tables() if line.table == table.id]
            assert line.mine


async def test_players_who_sit_down_at_the_same_moment_get_a_seat_each() -> None:
    """None knows yet which seats the others took."""
    async with run_server(MemoryStore()) as served, contextlib.AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(Client(served.url, name=name)) for name in ("Ann", "Bob", "Cat", "Dan")
        ]
        hers = await clients[0].open_table({**RULES, "preset": "turbo", "seats.max": 3}, start="full")
        tables = [hers, *[await client.table(hers.id) for client in clients[1:]]]
        results = await asyncio.gather(*(table.sit() for table in tables), return_exceptions=True)
        assert sorted(seat for seat in results if isinstance(seat, int)) == [0, 1, 2]
        (late,) = [error for error in results if isinstance(error, ClientError)]
        assert late.code == "seat.none"


async def test_a_refusal_gives_its_reason() -> None:
    async with run_server(MemoryStore()) as served, Client(served.url, name="Ann") as ann, Client(served.url) as bob:
        with pytest.raises(ClientError) as unknown:
            await ann.table("nowhere")
        assert unknown.value.code == "table.unknown"
        table = await ann.open_table({**RULES, "seats.max": 2}, password="queens")  # noqa: S106 - a test's own
        with pytest.raises(ClientError) as shut:
            await bob.table(table.id)
        assert shut.value.code == "table.password"
        his = await bob.table(table.id, password="queens")  # noqa: S106 - as above
        await table.sit()
        with pytest.raises(ClientError) as taken:
            await his.sit(0)
        assert taken.value.code == "seat.taken"
        with pytest.raises(ClientError) as points:
            await his.sit(1, buy_in=3)
        assert (points.value.code, points.value.path) == ("points.buy_in", "$.buy_in")
        with pytest.raises(ClientError) as rules:
            await ann.open_table({"preset": "pineapple", "clock.seconds": -1})
        assert rules.value.path == "$.rules.clock.seconds"
        await his.sit()
        async with Client(served.url) as cid:
            with pytest.raises(ClientError) as full:
                await (await cid.table(table.id, password="queens")).sit()  # noqa: S106 - as above
            assert full.value.code == "seat.none"
        with pytest.raises(ClientError) as nothing:
            await his.execute(Place(0, Layout(back=("Ah",))))
        assert nothing.value.code


async def test_an_address_without_a_server() -> None:
    with pytest.raises(ClientError) as gone:
        async with Client("http://127.0.0.1:9"):
            pass
    assert gone.value.code == "room.gone"

    async def page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        writer.close()

    other = await asyncio.start_server(page, "127.0.0.1", 0)
    async with other:
        with pytest.raises(ClientError) as strange:
            async with Client(f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}"):
                pass
    assert strange.value.code == "room.answer"


async def test_a_forged_identity_is_a_new_guest_or_an_error() -> None:
    async with run_server(MemoryStore()) as served, Client(served.url, identity="triptych_guest=forged") as nobody:
        assert nobody.player


async def test_rules_that_change_are_read_again() -> None:
    async with (
        run_server(MemoryStore()) as served,
        Client(served.url, name="Ann") as ann,
        Client(served.url, name="Bob") as bob,
    ):
        hers, his = await two(ann, bob)
        playing = asyncio.gather(play(hers, bot()), play(his, bot()))  # type: ignore[arg-type]
        await hers.execute(ChangeRules(msgspec.convert({"preset": "turbo", "clock.kind": "none"}, dict)))
        async with asyncio.timeout(PATIENCE):
            await hers.wait_until(lambda view: view.rules.preset == "turbo")
            version = hers.view.v
            await hers.wait_until(lambda view: view.v > version + 20)
            assert hers.rules.deal.game == his.rules.deal.game == "turbo"
            await hers.execute(CloseTable())
            assert all(await playing)


async def test_talk_reaches_everybody() -> None:
    async with (
        run_server(MemoryStore()) as served,
        Client(served.url, name="Ann") as ann,
        Client(served.url, name="Bob") as bob,
    ):
        hers, his = await two(ann, bob)
        await hers.execute(Say("good luck"))
        async with asyncio.timeout(PATIENCE):
            await his.wait_until(
                lambda view: any(line.text == "good luck" and line.who == "Ann" for line in view.talk)
            )


async def test_requests_pending_on_a_closed_connection_raise() -> None:
    async with run_server(MemoryStore()) as served, Client(served.url, name="Ann") as ann:
        table = await ann.open_table(RULES)
        ann.connection.drop()
        waiting = asyncio.create_task(table.execute(Say("hello?")))
        await asyncio.sleep(0)
        await ann.connection.close()
        with pytest.raises(ClientError) as gone:
            await waiting
        assert gone.value.code == "room.gone"


async def example_plays(served: Served, table: Table) -> None:
    command = [sys.executable, str(EXAMPLE), served.url, table.id]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    playing = asyncio.create_task(play(table, bot(), deals=2))  # type: ignore[arg-type]
    async with asyncio.timeout(PATIENCE):
        assert await playing == 2
        await table.execute(CloseTable())
        # The deal that is under way is played to its end first.
        more = asyncio.create_task(play(table, bot()))  # type: ignore[arg-type]
        output, _ = await process.communicate()
        await more
    assert process.returncode == 0
    assert int(output.split()[0]) >= 2


def test_the_guide_shows_the_example() -> None:
    assert EXAMPLE.read_text() in (EXAMPLE.parents[1] / "how-to" / "connect-a-bot.md").read_text()


async def test_the_example_in_the_docs_plays() -> None:
    """docs/examples/room_bot.py, as a program of its own."""
    async with run_server(MemoryStore()) as served, Client(served.url, name="Ann") as ann:
        table = await ann.open_table(RULES, pause=0, start="full")
        await table.sit(buy_in=1000)
        await example_plays(served, table)


async def session(*arguments: str) -> tuple[int | None, str, str]:
    """Run docs/examples/session.py at a server of its own: how it ended, and what it said on both ways."""
    async with run_server(MemoryStore()) as served:
        program = str(EXAMPLE.with_name("session.py"))
        process = await asyncio.create_subprocess_exec(
            sys.executable, program, served.url, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        async with asyncio.timeout(PATIENCE):
            output, complained = await process.communicate()
    return process.returncode, output.decode(), complained.decode()


async def test_the_session_in_the_docs_is_played() -> None:
    """Two programs play, the third sees all deals (issue 28.12); their points add up to nothing."""
    ended, output, _ = await session("--deals", "5")
    assert ended == 0
    first, summary, *players, _ = output.splitlines()
    assert int(first.split()[0]) >= 5
    assert summary == "5 deals seen"
    assert {line.split()[0] for line in players} == {"Tidy", "Pairing"}
    assert sum(int(line.split()[1]) for line in players) == 0


async def test_a_slow_onlooker_is_shown_every_deal() -> None:
    """Issue 28.12: five deals are played while the first one's sheet is looked at."""
    async with (
        run_server(MemoryStore()) as served,
        Client(served.url, name="Ann") as ann,
        Client(served.url, name="Bob") as bob,
        Client(served.url) as other,
    ):
        hers, his = await two(ann, bob)
        deals = (await other.table(hers.id)).deals()
        async with asyncio.timeout(PATIENCE):
            first: asyncio.Future[ScoreSheet] = asyncio.ensure_future(anext(deals))
            await asyncio.gather(play(hers, bot(), deals=5), play(his, bot(), deals=5))  # type: ignore[arg-type]
            await other._tables[hers.id].wait_until(lambda view: view.sheet is not None and view.sheet.deal >= 5)
            sheets = [await first]
            while len(sheets) < 5:
                sheets.append(await anext(deals))
    assert [sheet.deal for sheet in sheets] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("form", ["preset", "table", "file", "path", "rules"])
async def test_a_table_is_opened_with_rules_in_every_form(form: str, tmp_path: Path) -> None:
    """Issue 28.12."""
    file = tmp_path / "house.toml"
    file.write_text('title = "Our house"\nextends = "turbo"\n[scoring]\nbonus = 5\n')
    forms: dict[str, Any] = {
        "preset": "turbo",
        "table": {"preset": "turbo", "scoring.bonus": np.int64(5)},
        "file": str(file),
        "path": file,
        "rules": triptych.rules(file),
    }
    async with run_server(MemoryStore()) as served, Client(served.url, name="Ann") as ann:
        table = await ann.open_table(forms[form], start="full")
    assert table.rules.scoring.bonus == (0 if form == "preset" else 5)
    assert table.rules.fantasyland == triptych.rules("turbo").fantasyland
    assert (table.rules.title == "Our house") == (form not in ("preset", "table"))


async def test_the_last_deal_counts_where_the_seat_is_gone_with_it() -> None:
    """Issue 28.12: the newest view may show a deal's end and the table's at once."""
    before = SimpleNamespace(you=0, sheet=None, rules=None, deal=None, may=(), seats=())
    after = SimpleNamespace(you=None, sheet=SimpleNamespace(deal=1))

    async def views() -> AsyncIterator[SimpleNamespace]:
        for view in (before, after):
            yield view

    assert await play(SimpleNamespace(view=before, views=views), bot()) == 1  # type: ignore[arg-type]


async def test_the_session_says_what_the_server_refuses() -> None:
    ended, _, complained = await session("--rules", "nothing")
    assert ended == 1
    assert complained.startswith("rules.")
