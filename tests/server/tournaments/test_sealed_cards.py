"""A duplicate league while it goes on: its cards are known to who plays them, at no door to anybody else.

Every table of a round has the same decks, each in its own time; what somebody sees of one table, somebody else may
still play at another. Issue 11, part 5 (duplicate leagues); issue 14, Shown by 4 (nothing that one may not know).
"""

from __future__ import annotations

import zipfile
from asyncio import Event, gather
from collections.abc import Sequence
from contextlib import AsyncExitStack
from io import BytesIO
from typing import Any

import httpx
import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import Person, play, run_server
from tests.server.tournaments.requests import announce, follow, send_request, until
from tests.stores import FailingStore
from triptych.store.types import Append

pytestmark = pytest.mark.anyio
# No time runs out, each match is more than one deal, and after it every card is to be shown.
_SLOW = {"clock.kind": "none", "match.kind": "deals:2", "match.show_all": True}
OPEN = _SLOW | {"preset": "ofc_russian", "fantasyland.kind": "none"}
CLOSED = _SLOW | {"preset": "closed_basic"}
NAMES = ("Ann", "Bob", "Cid", "Dan")
# Every way to something of a table, as `GET /api/tables/{table}…`.
DOORS = (
    "",
    "/deals",
    "/deals/1/replay",
    "/deals/1/history",
    "/deals/1/review",
    "/proofs",
    "/guide?hand=0",
    "/reach?hand=0",
)


async def league(people: Sequence[Person], host: Person, rules: object) -> tuple[str, dict[str, list[Person]]]:
    """Let a league of two tables begin; return it and who sits where, by seat."""
    tournament = await announce(host.http, rules=rules, seats=2, most=4, stack=100_000, levels=[1], rounds=2)
    for person in people:
        await follow(person, tournament)
        await send_request(person.http, tournament, "register")
    return tournament, await seated(people, tournament, 1)


async def seated(people: Sequence[Person], tournament: str, number: int) -> dict[str, list[Person]]:
    """Return who sits where in a round, by seat, each of them at their table."""
    tables: dict[str, list[Person]] = {f"{tournament}-1": [], f"{tournament}-2": []}
    for person in people:
        table = (await until(person, tournament, phase="running", round=number))["you"]["table"]
        await person.watch(table)
        await person.until(lambda p=person, t=table: p.views[t]["you"] is not None and p.views[t]["deal"])  # type: ignore[misc]
        tables[table].append(person)
    for table, mine in tables.items():
        mine.sort(key=lambda person: person.views[table]["you"])
    return tables


async def tried(http: httpx.AsyncClient, table: str) -> dict[str, httpx.Response]:
    """Go to every door of a table."""
    answers = {path: await http.get(f"/api/tables/{table}{path}") for path in DOORS}
    body = {"table": table, "deal": 1, "error": 5}
    answers["review"] = await http.post("/api/review", json=body)
    return answers


def cards_of(view: Any) -> set[str]:
    """Return whatever is a card's text in an answer."""
    cards: set[str] = set()
    if isinstance(view, dict):
        for value in view.values():
            cards |= cards_of(value)
    elif isinstance(view, list):
        for value in view:
            cards |= cards_of(value)
    elif isinstance(view, str):
        cards |= {view} & CARDS
    return cards


async def exported(http: httpx.AsyncClient) -> list[str]:
    """Return the names of the deals that a guest may take home."""
    answer = await http.get("/api/me/deals.zip")
    with zipfile.ZipFile(BytesIO(answer.content)) as file:
        return file.namelist()


REFUSED = ((403, "table.league"), (401, "identity.missing"))
CARDS = {rank + suit for rank in "23456789TJQKA" for suit in "shdc"}


async def refused_everywhere(http: httpx.AsyncClient, table: str, why: str) -> None:
    for path, answer in (await tried(http, table)).items():
        outcome = (answer.status_code, answer.json().get("error", {}).get("code"))
        assert outcome in REFUSED, (why, path, outcome)
        assert not cards_of(answer.json()), (why, path)


async def out_of_sight(person: Person, table: str, why: str) -> None:
    """Watch a table and ask things of it: nothing comes."""
    count = len(person.said)
    await person.send({"t": "watch", "table": table, "since": 0})
    reply = await person.until(
        lambda: next(
            (
                message
                for message in person.said[count:]
                if message["t"] == "problem" or message.get("table") == table
            ),
            None,
        )
    )
    assert (reply["t"], reply.get("error", {}).get("code")) == ("problem", "table.league"), why
    refused = await person.do(table, {"do": "say", "text": "what did you get?"})
    assert refused["error"]["code"] == "table.league", why


@pytest.mark.parametrize(
    "rules", [pytest.param(OPEN, id="open"), pytest.param(CLOSED, id="closed", marks=pytest.mark.slow)]
)
async def test_only_its_players_see_a_table_of_a_league(rules: dict[str, Any]) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(run_server())
        people = [await stack.enter_async_context(server.person(name)) for name in NAMES]
        host = await stack.enter_async_context(server.person("Eve"))
        stranger = await stack.enter_async_context(server.person())
        nobody = await stack.enter_async_context(server.guest())
        tournament, tables = await league(people, host, rules)
        (slow, waiting), (quick, played) = tables.items()
        await follow(host, tournament)

        async def hidden() -> None:
            """Neither table shows anything to anybody who does not sit there."""
            for table, others in ((quick, waiting), (slow, played)):
                for why, person in (
                    ("host", host),
                    ("stranger", stranger),
                    *(("other table", other) for other in others),
                ):
                    await refused_everywhere(person.http, table, why)
                    await out_of_sight(person, table, why)
                await refused_everywhere(nobody, table, "no guest")

        # In the middle of a deal; then when one table has played all its deals, and the other none.
        task = {"do": "say", "text": "hello"}
        assert (await played[0].do(quick, task))["t"] == "ack"
        await hidden()
        await gather(*(play(person, quick, 2) for person in played))
        await hidden()
        public = (await stranger.http.get(f"/api/cups/{tournament}")).json()
        assert [entry["chips"] for entry in public["entries"]] == [100_000] * 4, (
            "the points of a deal tell of its cards"
        )

        # Who has played a deal may look at it, as they knew it, and at nothing that helps anybody.
        own = await tried(played[0].http, quick)
        assert [own[path].status_code for path in ("", "/deals", "/deals/1/replay", "/deals/1/history")] == [200] * 4
        assert own["/deals/1/replay"].json()["seen_by"] == "seat"
        for path in ("/deals/1/review", "review"):
            assert (own[path].status_code, own[path].json()["error"]["code"]) == (409, "review.held")
        assert await exported(host.http) == await exported(waiting[0].http) == []

        # The next round: whoever moved on follows the old table no more, and has their own deals still.
        await gather(*(play(person, slow, 2) for person in waiting))
        moved = await seated(people, tournament, 2)
        assert [person.name for person in moved[quick]] != [person.name for person in played]
        former = next(person for person in played if person not in moved[quick])
        assert (await former.received("problem"))["error"]["code"] == "table.league"
        assert former.views[quick]["deal"]["number"] <= 2
        await out_of_sight(former, quick, "former player")
        assert (await former.http.get(f"/api/tables/{quick}/deals/1/replay")).json()["seen_by"] == "seat"
        newcomer = next(person for person in moved[quick] if person not in played)
        assert not cards_of((await newcomer.http.get(f"/api/tables/{slow}")).json())
        await gather(*(play(person, table, 4) for table, mine in moved.items() for person in mine))

        # It is over: everything lies open to everybody.
        await until(host, tournament, phase="over")
        view = (await host.watch(quick))["view"]
        assert view["phase"] == "closed"
        for http in (stranger.http, nobody):
            for number in (1, 4):
                answer = await http.get(f"/api/tables/{slow}/deals/{number}/replay")
                assert answer.json()["seen_by"] == "all"


class SlowTournamentStore(FailingStore):
    """A store that lets a tournament's tables wait for a moment before it keeps what they were told."""

    def __init__(self) -> None:
        super().__init__(MemoryStore())
        self.goes_on = Event()

    async def append(self, append: Append) -> int:
        if append.expected_version and "-" in append.table:
            await self.goes_on.wait()
        return await super().append(append)


async def test_a_player_who_arrives_before_the_seating_order_waits_for_it() -> None:
    """A league says where one plays as it tells the table who comes; the store may take its time over that."""
    store = SlowTournamentStore()
    async with run_server(store) as server, server.person("Ann") as ann, server.person("Eve") as eve:
        tournament = await announce(ann.http, rules=CLOSED, seats=2, most=4, levels=[1], rounds=1)
        await follow(ann, tournament)
        await send_request(ann.http, tournament, "register")
        await send_request(ann.http, tournament, "add_bots", level="fast", count=3)
        table = (await until(ann, tournament, phase="running"))["you"]["table"]
        await ann.send({"t": "watch", "table": table, "since": None})
        assert (await eve.http.get("/api/me")).status_code == 200
        assert ann.last("problem") is None
        store.goes_on.set()
        view = (await ann.received("update"))["view"]
        assert view["seats"][view["you"]]["name"] == "Ann"
        await out_of_sight(eve, table, "stranger")
