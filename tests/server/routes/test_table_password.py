"""A table with a password over HTTP and the socket (issue 11, part 3): the link alone shows nothing of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import QUICK, Person, RunningServer, http_client, run_server
from triptych.store.sqlite.store import sqlite_store

pytestmark = pytest.mark.anyio

SPOKEN = "Fru\u0308h am Morgen"


async def refusal(answer: httpx.Response, status: int) -> tuple[str, str]:
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["message"]
    return error["code"], error["path"]


async def locked(ann: Person) -> str:
    return await ann.open_table(password=SPOKEN)


async def test_the_link_alone_shows_nothing(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await locked(ann)
        for path in ("", "/rules", "/deals", "/deals/1/replay", "/deals/1/history"):
            answer = await bob.http.get(f"/api/tables/{table}{path}")
            assert await refusal(answer, 403) == ("table.password", "$.table"), path
        await bob.send({"t": "watch", "table": table, "since": None})
        assert (await bob.received("problem"))["error"]["code"] == "table.password"
        assert bob.views == {}
        refused = await bob.do(table, {"do": "say", "text": "let me in"})
        assert refused["error"]["code"] == "table.password"
        again = await bob.http.post("/api/tables", json={"name": "x", "rules": "pineapple", "like": table})
        assert await refusal(again, 403) == ("table.password", "$.like")
        lobby = (await bob.http.get("/api/tables")).json()
        assert lobby == []
        assert SPOKEN not in ann.raw.__repr__()


async def test_the_host_sees_who_watches_and_removes_them(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.person("Cem") as cem:
        table = await ann.open_table()
        for person in (ann, bob, cem):
            await person.watch(table)
        await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100})
        path = f"/api/tables/{table}/viewers"
        listed = (await ann.http.get(path)).json()
        assert listed == [{"player": cem.player, "name": "Cem", "muted": False}]
        assert (await refusal(await bob.http.get(path), 403))[0] == "player.not_host"
        await ann.do(table, {"do": "mute_viewer", "player": cem.player})
        assert (await ann.http.get(path)).json()[0]["muted"] is True
        await ann.do(table, {"do": "remove_viewer", "player": cem.player})
        assert (await cem.received("problem"))["error"]["code"] == "table.removed"
        assert (await refusal(await cem.http.get(f"/api/tables/{table}"), 403))[0] == "table.removed"
        assert (await ann.http.get(path)).json() == []


async def test_a_guest_is_asked_once_and_the_server_remembers(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await locked(ann)
        wrong = await bob.http.post(f"/api/tables/{table}/enter", json={"password": "wrong"})
        assert await refusal(wrong, 403) == ("password.wrong", "$.password")
        # The same characters, composed in another way.
        right = await bob.http.post(f"/api/tables/{table}/enter", json={"password": "Fr\u00fch am Morgen"})
        assert right.status_code == 200
        update = await bob.watch(table)
        assert update["view"]["password"]
        assert update["view"]["private"]
        assert "argon2" not in str(update)
        anything = await bob.http.post(f"/api/tables/{table}/enter", json={"password": "x"})
        assert anything.status_code == 200  # there already
    store = server.store
    assert isinstance(store, MemoryStore)
    async with run_server(store) as later:
        answer = await later_get(later, bob, table)
        assert answer == 200


async def later_get(later: RunningServer, person: Person, table: str) -> int:
    async with http_client(base_url=later.url, cookies=dict(person.http.cookies)) as http:
        return (await http.get(f"/api/tables/{table}")).status_code


async def test_a_new_password_unsubscribes_strangers(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.person("Cid") as cid:
        table = await ann.open_table()
        for person in (ann, bob, cid):
            await person.watch(table)
        await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100})
        not_host = await bob.http.put(f"/api/tables/{table}/password", json={"password": "x"})
        assert await refusal(not_host, 403) == ("player.not_host", "$")
        done = await ann.http.put(f"/api/tables/{table}/password", json={"password": SPOKEN})
        assert done.status_code == 200
        assert (await cid.received("problem"))["error"]["code"] == "table.password"
        version = cid.views[table]["v"]
        await bob.do(table, {"do": "say", "text": "just us"})
        await ann.until(lambda: ann.views[table]["talk"][-1]["text"] == "just us")
        assert cid.views[table]["v"] == version
        done = await ann.http.put(f"/api/tables/{table}/password", json={"password": ""})
        assert done.status_code == 200
        await cid.watch(table)
        assert cid.views[table]["talk"][-1]["text"] == "The table no longer has a password"


async def test_a_guest_who_tries_many_passwords_has_to_wait(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await locked(ann)
        for _ in range(10):
            wrong = await bob.http.post(f"/api/tables/{table}/enter", json={"password": "guess"})
            assert await refusal(wrong, 403) == ("password.wrong", "$.password")
        late = await bob.http.post(f"/api/tables/{table}/enter", json={"password": SPOKEN})
        assert await refusal(late, 429) == ("address.too_many", "$")


@pytest.mark.parametrize("path", ["enter", "password"])
async def test_hostile_bodies(server: RunningServer, path: str) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await locked(ann)
        method = "POST" if path == "enter" else "PUT"
        address = f"/api/tables/{table}/{path}"
        long = await bob.http.request(method, address, json={"password": "x" * 33_000})
        assert await refusal(long, 400) == ("request.invalid", "$.password")
        more = await bob.http.request(method, address, json={"password": "x", "hash": "y"})
        assert (await refusal(more, 400))[0] == "request.invalid"
        other = await bob.http.request(method, address, json={"password": "x"}, headers={"Origin": "http://evil"})
        assert await refusal(other, 403) == ("request.origin", "$")
        nobody = await bob.http.request(method, address, json={"password": "x"}, headers={"Cookie": "a=b"})
        assert nobody.status_code in (401, 403)


async def test_a_rematch_knows_who_played(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.person("Cid") as cid:
        table = await locked(ann)
        await bob.http.post(f"/api/tables/{table}/enter", json={"password": SPOKEN})
        await ann.watch(table)
        await ann.do(table, {"do": "close_table"})
        answer = await bob.http.post("/api/tables", json={"name": "Again", "rules": "pineapple", "like": table})
        again = answer.json()["table"]
        assert (await bob.http.get(f"/api/tables/{again}")).status_code == 200
        assert await refusal(await cid.http.get(f"/api/tables/{again}"), 403) == ("table.password", "$.table")
        let_in = await cid.http.post(f"/api/tables/{again}/enter", json={"password": SPOKEN})
        assert let_in.status_code == 200


async def test_two_players_who_ask_for_a_rematch_at_the_same_moment_share_it(tmp_path: Path) -> None:
    """A table takes a while to be stored: the second one who asks is not to open another."""
    store = sqlite_store(tmp_path / "room.db")
    async with run_server(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table()
        await ann.watch(table)
        await ann.do(table, {"do": "close_table"})
        body = {"name": "Again", "rules": "pineapple", "like": table}
        answers = await asyncio.gather(
            *(person.http.post("/api/tables", json=body) for person in (ann, bob, ann, bob))
        )
        assert [answer.status_code for answer in answers] == [201] * 4
        assert len({answer.json()["table"] for answer in answers}) == 1


async def test_an_address_has_no_more_tries_with_every_new_guest() -> None:
    """A cookie costs nothing, so what a guest may try is held against the address too."""
    settings = QUICK._replace(trust_proxy="127.0.0.1")
    async with run_server(settings=settings) as server, server.person("Ann") as ann:
        table = await locked(ann)
        address = {"X-Forwarded-For": "203.0.113.7"}
        for _ in range(11):
            async with http_client(base_url=server.url, headers=address) as http:
                await http.get("/api/me")
                last = await http.post(f"/api/tables/{table}/enter", json={"password": "guess"})
        assert await refusal(last, 429) == ("address.too_many", "$")
        limit = last.json()["error"]["limit"]
        assert limit["key"] == "passwords"
        assert 1 <= limit["seconds"] <= 31
        assert last.headers["retry-after"] == str(limit["seconds"])
        assert last.headers["ratelimit"] == f'"passwords";r=0;t={limit["seconds"]}'
        async with http_client(base_url=server.url, headers={"X-Forwarded-For": "198.51.100.9"}) as http:
            await http.get("/api/me")
            other = await http.post(f"/api/tables/{table}/enter", json={"password": SPOKEN})
            assert other.status_code == 200
