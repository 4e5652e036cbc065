"""My tables, my deals, my results over all sessions (issue 11, part 3): they outlive the tables and the server."""

from __future__ import annotations

import asyncio
import codecs
import csv
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import Person, RunningServer, http_client, newer, play, run_server, simple
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history
from triptych.server.log import RateLimitedLogger
from triptych.server.routes.exports import escape_csv_formula
from triptych.server.tables.deleted_names import deleted_names
from triptych.server.tables.event_log import decode_events
from triptych.server.tables.results_projector import _WRITE, ResultsProjector
from triptych.store.types import Append, NewEvent, ResultsUpdate, StoredEvent, StoredSessionResult
from triptych.table.evolve.core import evolve
from triptych.table.results import RulesetTotal, SessionResult
from triptych.table.state import TableState

pytestmark = pytest.mark.anyio


async def session(
    ann: Person, bob: Person, deals: int = 2, rules: object = "pineapple", *, close: bool = True
) -> str:
    """Play some deals; returns the table."""
    table = await ann.open_table(rules)
    for seat, person in enumerate((ann, bob)):
        await person.watch(table)
        await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
    await asyncio.gather(play(ann, table, deals), play(bob, table, deals))
    if close:
        await ann.do(table, {"do": "close_table"})
        await asyncio.gather(to_the_end(ann, table), to_the_end(bob, table))
    return table


async def to_the_end(person: Person, table: str) -> None:
    """Play until the table is closed: a match that has begun is played to its end."""
    await play_until(person, table, lambda view: view["phase"] == "closed")


async def play_until(person: Person, table: str, is_over: Callable[[dict[str, Any]], bool]) -> None:
    while not is_over(view := person.views[table]):
        version = view["v"]
        if view["deal"] and view["deal"]["tasks"]:
            answer = await person.do(table, simple(view["deal"], view["deal"]["tasks"][0]))
            version = answer["v"] - 1 if answer["t"] == "ack" else version - 1
        await person.until(newer(person, table, version))


async def get_json(http: httpx.AsyncClient, path: str) -> Any:
    answer = await http.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def until_recorded(person: Person, table: str, deals: int) -> dict[str, Any]:
    while True:
        answer = await person.http.get(f"/api/me/evenings/{table}")
        if answer.status_code == 200 and len(answer.json()["deals"]) >= deals:
            view: dict[str, Any] = answer.json()
            return view
        await asyncio.sleep(0.05)


async def test_results_outlive_the_table_and_the_server() -> None:
    store = MemoryStore()
    async with run_server(store) as first, first.person("Ann") as ann, first.person("Bob") as bob:
        table = await session(ann, bob, close=False)
        sheets = [deal["sheet"] for deal in await get_json(ann.http, f"/api/tables/{table}/deals")]
        cookies = dict(ann.http.cookies)
    async with run_server(store) as later, http_client(base_url=later.url, cookies=cookies) as http:
        body = await get_json(http, f"/api/me/evenings/{table}")
        moved = {sheet["deal"]: sheet["stacks"] for sheet in sheets}
        assert len(body["deals"]) >= 2
        for deal in body["deals"]:
            if deal["deal"] in moved:
                assert deal["points"] == next(
                    stack["change"] for stack in moved[deal["deal"]] if stack["player"] == "Ann"
                )
        assert body["evening"]["company"] == ["Bob"]
        assert body["evening"]["open"] is True
        results = await get_json(http, "/api/me/results")
        assert results["evenings"] == 1
        (total,) = results["totals"]
        assert total["points"] == sum(deal["points"] for deal in body["deals"])
        assert total["deals"] == len(body["deals"])
        assert [step["points"] for step in results["steps"]] == [total["points"]]
        page = await get_json(http, "/api/me/evenings")
        assert [session["table"] for session in page["evenings"]] == [table]
        assert page["before"] == ""


async def test_a_closed_table_is_among_mine_after_a_restart() -> None:
    store = MemoryStore()
    async with run_server(store) as first, first.person("Ann") as ann, first.person("Bob") as bob:
        table = await session(ann, bob, 1, rules="closed_basic")
        await until_recorded(ann, table, 1)
        cookies = dict(ann.http.cookies)
    async with run_server(store) as later, http_client(base_url=later.url, cookies=cookies) as http:
        (line,) = await get_json(http, "/api/tables")
        assert (line["table"], line["phase"], line["mine"]) == (table, "closed", True)
        assert [seat["name"] for seat in line["seats"]] == ["Bob"]
        async with http_client(base_url=later.url) as stranger:
            assert await get_json(stranger, "/api/tables") == []
        replay = await http.get(f"/api/tables/{table}/deals/1/replay")
        assert replay.status_code == 200


async def test_results_missing_after_a_crash_are_counted_at_the_next_start() -> None:
    store = MemoryStore()
    async with run_server(store) as first, first.person("Ann") as ann, first.person("Bob") as bob:
        table = await session(ann, bob)
        # A fantasyland may have brought more deals than two, and they are recorded behind the play.
        whole = await until_recorded(ann, table, len(await get_json(ann.http, f"/api/tables/{table}/deals")))
        cookies = dict(ann.http.cookies)
    await store.results.clear()
    async with run_server(store) as later, http_client(base_url=later.url, cookies=cookies) as http:
        person = Person(http, ann.line)
        again = await until_recorded(person, table, len(whole["deals"]))
        assert again["deals"] == whole["deals"]
        assert again["evening"]["parts"] == whole["evening"]["parts"]


async def test_my_results_are_mine(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.person("Cid") as cid:
        table = await session(ann, bob, 1)
        await until_recorded(ann, table, 1)
        for path, code in (
            (f"/api/me/evenings/{table}", 404),
            ("/api/me/evenings/%00", 404),
            ("/api/me/evenings/x", 404),
        ):
            answer = await cid.http.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (code, "evening.unknown")
        assert (await get_json(cid.http, "/api/me/results"))["evenings"] == 0
        cid.http.cookies.clear()
        for path in ("results", "evenings", "evenings/x", "results.csv", "deals.zip"):
            answer = await cid.http.get(f"/api/me/{path}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "identity.missing")


@pytest.mark.parametrize(
    "asks",
    ["evenings?before=x", "evenings?before=1-%00", "evenings?before=99999999999999999-a", "evenings/T?after=-1"],
)
async def test_bad_pages_are_refused(server: RunningServer, asks: str) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await session(ann, bob, 1)
        await until_recorded(ann, table, 1)
        answer = await ann.http.get(f"/api/me/{asks.replace('T', table)}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "request.invalid")


async def test_sessions_come_by_pages(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        part = RulesetTotal("pineapple", "Pineapple", 0.0, "point", 1, 2)
        results = [
            StoredSessionResult(
                ann.player, f"t{n:02}", n // 2, _WRITE.encode(SessionResult(f"No {n}", 1, n, ("Bob",), (part,)))
            )
            for n in range(45)
        ]
        await server.store.results.save([ResultsUpdate("t", 1, (), results)])
        tables: list[str] = []
        before = ""
        while True:
            page = await get_json(ann.http, f"/api/me/evenings?before={before}")
            tables += [session["table"] for session in page["evenings"]]
            before = page["before"]
            if not before:
                break
            assert len(page["evenings"]) == 20
        assert tables == [f"t{n:02}" for n in reversed(range(45))]
        assert (await get_json(ann.http, "/api/me/results"))["totals"][0]["points"] == 90


async def test_everything_to_take_away(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.memory_store.store.PAGE", 15)
    monkeypatch.setattr("triptych.server.routes.exports.DEALS_PER_JOB", 30)
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        rules = {"preset": "pineapple", "stake.point": 0.25, "stake.unit": "EUR", "title": "=HYPERLINK"}
        table = await session(ann, bob, 3, rules)
        # A deal that began before the table was closed is played, too.
        body = await until_recorded(ann, table, len(await get_json(ann.http, f"/api/tables/{table}/deals")))
        answer = await ann.http.get("/api/me/results.csv")
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"] == 'attachment; filename="triptych-results.csv"'
        # Issue 28.13: by its mark Excel reads names in any alphabet.
        assert answer.content.startswith(codecs.BOM_UTF8)
        rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
        assert [int(row["points"]) for row in rows] == [deal["points"] for deal in body["deals"]]
        assert [float(row["money"]) for row in rows] == [deal["points"] / 4 for deal in body["deals"]]
        assert {row["unit"] for row in rows} == {"EUR"}
        assert {row["game"] for row in rows} == {"'=HYPERLINK"}
        answer = await ann.http.get("/api/me/deals.zip")
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        assert archive.testzip() is None
        assert len(archive.namelist()) == len(body["deals"])
        for name, deal in zip(sorted(archive.namelist()), body["deals"], strict=True):
            history = parse_history(archive.read(name).decode())
            check_history(history)
            assert (history.number, history.seen_by) == (deal["deal"], 0)
            single = await ann.http.get(f"/api/tables/{table}/deals/{deal['deal']}/history")
            assert single.text == archive.read(name).decode()


def test_no_text_of_others_is_a_formula() -> None:
    assert [escape_csv_formula(text) for text in ("=1", "+1", "-1", "@a", "Ann", "")] == [
        "'=1",
        "'+1",
        "'-1",
        "'@a",
        "Ann",
        "",
    ]


async def test_frequent_exports_are_limited(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        answers = [(await ann.http.get("/api/me/results.csv")).status_code for _ in range(6)]
        assert answers == [200] * 5 + [429]


async def test_a_deleted_guest_has_no_results(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await session(ann, bob, 1)
        await until_recorded(ann, table, 1)
        assert (await bob.http.delete("/api/me")).status_code == 200
        assert [session.player for session in await server.store.results.sessions_at(table)] == [ann.player]
        while await server.store.results.stale_tables():  # noqa: ASYNC110 - only the store tells
            await asyncio.sleep(0.05)
        await server.store.results.clear()
    async with (
        run_server(server.store) as later,
        http_client(base_url=later.url, cookies=dict(ann.http.cookies)) as http,
    ):
        await until_recorded(Person(http, ann.line), table, 1)
        assert [session.player for session in await later.store.results.sessions_at(table)] == [ann.player]


async def shown_of(table: str, person: Person) -> dict[str, str]:
    """Return everything that somebody is shown of a table and of their session at it."""
    await person.watch(table)
    paths = (f"tables/{table}/deals", f"tables/{table}/deals/1/replay", f"tables/{table}/deals/1/history", "tables")
    answers = {path: (await person.http.get(f"/api/{path}")).text for path in (*paths, f"me/evenings/{table}")}
    packed = zipfile.ZipFile(io.BytesIO((await person.http.get("/api/me/deals.zip")).content))
    exported = b"".join(packed.read(name) for name in packed.namelist()).decode()
    return {**answers, "view": json.dumps(person.views[table]), "export": exported}


async def test_the_name_of_a_deleted_account_is_removed_from_an_ended_table() -> None:
    """Issue 32 B13: the others keep the deals. At once, after a restart, and when results are made again."""
    store = MemoryStore()
    async with run_server(store) as first, first.person("Ann") as ann, first.person("Zebulon") as gone:
        table = await session(ann, gone, 1, close=False)
        await gone.do(table, {"do": "say", "text": "good evening"})
        await ann.do(table, {"do": "close_table"})
        await asyncio.gather(to_the_end(ann, table), to_the_end(gone, table))
        await until_recorded(ann, table, 1)
        while "Zebulon" not in (await ann.http.get("/api/tables")).text:  # noqa: ASYNC110 - it is noted as over later
            await asyncio.sleep(0.05)
        before = await shown_of(table, ann)
        assert [path for path, text in before.items() if "Zebulon" not in text] == []
        assert (await gone.http.delete("/api/me")).status_code == 200
        after = await shown_of(table, ann)
        assert [path for path, text in after.items() if "Zebulon" in text] == []
        assert [path for path, text in after.items() if f"Guest {gone.player[-4:]}" not in text] == []
        cookies = dict(ann.http.cookies)
    await store.results.clear()
    async with (
        run_server(store) as later,
        http_client(base_url=later.url, cookies=cookies) as http,
        later.socket(http) as ann,
    ):
        await until_recorded(ann, table, 1)
        after = await shown_of(table, ann)
        assert [path for path, text in after.items() if "Zebulon" in text] == []


async def test_the_name_of_a_deleted_account_leaves_a_table_that_goes_on() -> None:
    """Issue 32 B13: at once, in what comes after, and when another server opens the table."""
    store = MemoryStore()
    async with run_server(store) as first, first.person("Ann") as ann, first.person("Zebulon") as gone:
        table = await session(ann, gone, 1, close=False)
        await gone.do(table, {"do": "say", "text": "good evening"})
        await gone.do(table, {"do": "leave"})
        # The deal that has begun is played to its end.
        left = [play_until(person, table, lambda view: not view["seats"][1]["player"]) for person in (ann, gone)]
        await asyncio.gather(*left)
        await until_recorded(ann, table, 1)
        assert "Zebulon" in json.dumps(ann.views[table])
        assert (await gone.http.delete("/api/me")).status_code == 200
        guest = f"Guest {gone.player[-4:]}"
        version = ann.views[table]["v"]
        await ann.do(table, {"do": "say", "text": "hello"})
        await ann.until(newer(ann, table, version))
        assert "Zebulon" not in json.dumps(ann.views[table])
        assert {account["name"] for account in ann.views[table]["accounts"]} == {"Ann", guest}
        body = await shown_of(table, ann)
        assert [path for path, text in body.items() if "Zebulon" in text] == []
        cookies = dict(ann.http.cookies)
    async with (
        run_server(store) as later,
        http_client(base_url=later.url, cookies=cookies) as http,
        later.socket(http) as ann,
    ):
        body = await shown_of(table, ann)
        assert [path for path, text in body.items() if "Zebulon" in text] == []
        assert guest in body["view"]


def test_a_name_that_somebody_else_has_had_too_stays() -> None:
    def sat(player: str, name: str) -> StoredEvent:
        payload = json.dumps({"player": player, "name": name}, separators=(",", ":")).encode()
        return StoredEvent(visibility="public", seat=None, payload=payload, version=1)

    events = [sat("p-one1", "Max"), sat("p-two2", "Max"), sat("p-one1", "Moritz")]
    assert deleted_names(events, "p-one1".__eq__) == {"Moritz": "Guest one1"}
    assert deleted_names(events, lambda _player: True) == {"Max": "Guest two2", "Moritz": "Guest one1"}


async def test_current_play_does_not_wait_for_an_old_backlog() -> None:
    """A server that never recorded has all its tables before it, one of them unreadable. This session comes first."""
    store = MemoryStore()
    async with run_server(store) as old, old.person("Ann") as ann, old.person("Bob") as bob:
        last = await session(ann, bob, 1, "closed_basic")
    events = tuple(NewEvent(event.visibility, event.seat, event.payload) for event in await store.load(last))
    async with run_server(store) as later, later.person("Cid") as cid, later.person("Dan") as dan:
        recorder = ResultsProjector(store, lambda _player: False, RateLimitedLogger())
        for number in range(100):
            await store.append(Append(table=f"old{number:03}", expected_version=0, events=events, ends_stream=True))
        odd = (NewEvent("public", None, b"{}"),)
        await store.append(Append(table="odd00000", expected_version=0, events=odd, ends_stream=True))
        table = await session(cid, dan, 1, "closed_basic")
        await until_recorded(cid, table, 1)
        await store.results.clear()
        await recorder.open()
        recorder.reload(table)
        await recorder.drain()
        assert await store.results.projected_version(table) > 0
        assert await store.results.projected_version("old099") == 0
        while not await store.results.sessions_at("old099"):  # noqa: ASYNC110 - only the store tells
            await asyncio.sleep(0.05)
        await recorder.close()
        assert len(await store.results.sessions_at("old099")) == 2


async def test_wherever_a_record_ended_and_news_begin_all_is_counted_once() -> None:
    """A server dies with some of a session recorded; the next one goes on from there, or reads what lies between."""
    origin = MemoryStore()
    async with run_server(origin) as played, played.person("Ann") as ann, played.person("Bob") as bob:
        table = await session(ann, bob, 3, "closed_basic")
    events = await origin.load(table)
    history = tuple(decode_events(events))
    states: list[TableState | None] = [None]
    for event in history:
        states.append(evolve(states[-1], event))
    all_of_it: set[tuple[str, bytes]] | None = None
    for ended in range(0, len(events), 4):
        for begins in {0, ended // 2, ended, (ended + len(events)) // 2, len(events) - 1}:
            store = MemoryStore()
            await store.open()
            for first, last in ((0, ended), (ended, len(events))):
                new = tuple(NewEvent(event.visibility, event.seat, event.payload) for event in events[first:last])
                if new:
                    await store.append(Append(table=table, expected_version=first, events=new))
                recorder = ResultsProjector(store, lambda _player: False, RateLimitedLogger())
                await recorder.open()
                state = states[begins]
                if last == ended or state is None:
                    recorder.reload(table)
                else:
                    recorder.enqueue(table, state, history[begins:])
                await recorder.drain()
                await recorder.close()
            rows = {(session.player, session.payload) for session in await store.results.sessions_at(table)}
            all_of_it = all_of_it or rows
            await store.close()
            assert len(rows) == 2
            assert rows == all_of_it, (ended, begins)
