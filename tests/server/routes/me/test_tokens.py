"""Tokens for programs: made, shown, within their scopes, taken back (issue 15, part 5)."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any, cast

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, Person, RunningServer, http_client, play, run_server
from triptych.server.edge.api_tokens import TokenAuthenticator, new_token
from triptych.server.edge.guests import Guests
from triptych.server.edge.rate_limits import TOKENS, AddressLimiter
from triptych.server.routes.api_tokens import MAX_TOKENS
from triptych.server.wire.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from triptych.store.interface import EventStore

pytestmark = pytest.mark.anyio


async def made(http: httpx.AsyncClient, *scopes: str, label: str = "my bot") -> dict[str, Any]:
    answer = await http.post("/api/me/tokens", json={"label": label, "scopes": scopes})
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    token: dict[str, Any] = answer.json()
    return token


def bearing(server: RunningServer, secret: str) -> httpx.AsyncClient:
    """A program: it has a token and no cookie."""
    return http_client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"})


def refused(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert set(error) >= {"code", "message", "path"}
    return str(error["code"])


@contextlib.asynccontextmanager
async def program(server: RunningServer, secret: str) -> AsyncIterator[Person]:
    async with bearing(server, secret) as http, server.socket(http, Authorization=f"Bearer {secret}") as person:
        yield person


async def test_a_token_is_shown_once_and_stored_as_a_hash() -> None:
    store = MemoryStore()
    async with run_server(store) as server, server.person("Ann") as ann:
        token = await made(ann.http, "play", "host", "play")
        assert token["line"]["scopes"] == ["host", "play"]
        listed = (await ann.http.get("/api/me/tokens")).json()
        assert listed == [token["line"]]
        assert token["secret"] not in json.dumps(listed)
        (credential,) = await store.credentials.credentials(ann.player)
        assert token["secret"].encode() not in credential.name.encode() + credential.payload
        assert token["secret"] not in repr(credential)
        assert (await ann.http.get("/api/me/keys")).json() == {"name": None, "passkeys": []}


async def test_a_program_is_the_guest_without_becoming_a_browser(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        token = await made(ann.http)
        async with bearing(server, token["secret"]) as bot:
            me = await bot.get("/api/me")
            assert me.json() == {"player": ann.player, "name": "Ann"}
            assert "set-cookie" not in me.headers
            assert (await bot.get("/api/me/results")).status_code == 200
            # A cookie beside it does not make it more than the token.
            with_cookie = {"Cookie": "; ".join(f"{key}={value}" for key, value in ann.http.cookies.items())}
            assert refused(await bot.put("/api/me", json={"name": "Eve"}, headers=with_cookie), 403) == "token.scope"


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [((), ()), (("play",), ("enter",)), (("host",), ("open", "cup")), (("play", "host"), ("enter", "open", "cup"))],
)
async def test_http_keeps_to_the_scopes(server: RunningServer, scopes: Sequence[str], allowed: Sequence[str]) -> None:
    """What a scope allows is answered as for the guest; all else is `token.scope`, also what no token may do."""
    async with server.person("Ann") as ann:
        table = await ann.open_table()
        token = await made(ann.http, *scopes)
        tournament = {"name": "C", "rules": "pineapple", "stack": 100, "levels": [10], "level_kind": "deals"}
        tournament |= {"level_length": 2, "most": 4}
        requests = {
            "enter": ("POST", f"/api/tables/{table}/enter", {"password": ""}),
            "open": ("POST", "/api/tables", {"name": "T", "rules": "pineapple"}),
            "cup": ("POST", "/api/cups", tournament),
            "name": ("PUT", "/api/me", {"name": "Eve"}),
            "tokens": ("GET", "/api/me/tokens", None),
            "token": ("POST", "/api/me/tokens", {"label": "more", "scopes": ["host"]}),
            "back": ("DELETE", f"/api/me/tokens/{token['line']['token']}", None),
            "keys": ("POST", "/api/me/keys", {"name": "Ann", "password": "three rows, one table"}),
            "device": ("POST", "/api/me/device", None),
            "out": ("POST", "/api/signout", None),
            "play": ("POST", "/api/play", None),
            "gone": ("DELETE", "/api/me", None),
        }
        async with bearing(server, token["secret"]) as bot:
            for name, (method, path, body) in requests.items():
                answer = await bot.request(method, path, json=body)
                if name in allowed:
                    assert answer.is_success, (name, answer.text)
                else:
                    assert refused(answer, 403) == "token.scope", name
            assert (await bot.get(f"/api/tables/{table}")).status_code == 200
        assert (await ann.http.get("/api/me")).json()["name"] == "Ann"


async def test_the_socket_keeps_to_the_scopes(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        table = await ann.open_table()
        looks, plays, hosts = [await made(ann.http, *scopes) for scopes in ((), ("play",), ("host",))]
        sit, close = {"do": "sit", "seat": 1, "buy_in": 100}, {"do": "close_table"}
        for token, may in ((looks, ()), (plays, (sit,)), (hosts, (close,))):
            async with program(server, token["secret"]) as bot:
                assert (await bot.received("hello"))["player"] == ann.player
                await bot.watch(table)
                for action in (sit, close):
                    answer = await bot.do(table, action)
                    if action in may:
                        assert answer["t"] == "ack"
                    else:
                        assert (answer["error"]["code"], answer["error"]["path"]) == ("token.scope", "$.action")


async def test_a_player_with_a_token_is_shown_as_a_bot(server: RunningServer) -> None:
    """And plays; a person's own seat is not a program's to play."""
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table()
        token = await made(ann.http, "play")
        async with program(server, token["secret"]) as bot:
            await bot.watch(table)
            await bot.do(table, {"do": "sit", "seat": 0, "buy_in": 100})
            await bob.watch(table)
            await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100})
            seats = await bob.until(lambda: bob.views[table]["seats"] if bob.views[table]["deal"] else None)
            assert [seat["program"] for seat in seats[:2]] == [True, False]
            (line,) = [line for line in (await bob.http.get("/api/tables")).json() if line["table"] == table]
            assert [seat["bot"] for seat in line["seats"][:2]] == [True, False]
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(play(bot, table, 1), play(bob, table, 1))
        his = await made(bob.http, "play")
        async with program(server, his["secret"]) as bot:
            await bot.watch(table)
            for action in ({"do": "say", "text": "hi"}, {"do": "leave"}):
                answer = await bot.do(table, action)
                assert (answer["t"], answer["error"]["code"]) == ("refused", "token.seat")


async def test_one_that_is_taken_back_counts_no_more(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        token, other = await made(ann.http, "play"), await made(ann.http, "play", label="other")
        async with program(server, token["secret"]) as bot, program(server, other["secret"]) as stays:
            await bot.received("hello")
            await stays.received("hello")
            left = await ann.http.delete(f"/api/me/tokens/{token['line']['token']}")
            assert left.json() == [other["line"]]
            assert (await bot.ended())[0] == 4401
            assert stays.closed is None
            assert refused(await bot.http.get("/api/me"), 401) == "token.unknown"
            assert (await stays.http.get("/api/me")).status_code == 200
        async with connect(
            server.url.replace("http", "ws") + "/ws",
            additional_headers={"Authorization": f"Bearer {token['secret']}"},
            proxy=None,
        ) as line:
            assert json.loads(await line.recv())["error"]["code"] == "token.unknown"
            await line.wait_closed()
            assert line.close_code == 4401
        again = await ann.http.delete(f"/api/me/tokens/{token['line']['token']}")
        assert refused(again, 404) == "token.unknown"


@pytest.mark.parametrize("token", ["x", "tt_", "tt_" + "x" * 43, "x" * 5000, "tt_é"])
async def test_a_bad_token_is_refused(server: RunningServer, token: str) -> None:
    async with server.guest() as http:
        await http.get("/api/me")
        header = f"Bearer {token}".encode()
        answer = await http.get("/api/tables", headers=[(b"Authorization", header)])
        assert refused(answer, 401) == "token.unknown"
        assert answer.json()["error"]["path"] == "$.headers.authorization"
        # What a proxy's own password brings is not a token.
        assert (await http.get("/api/me", headers={"Authorization": "Basic abc"})).status_code == 200


async def test_an_address_can_try_few_bad_tokens() -> None:
    store = MemoryStore()
    token = TokenAuthenticator(store, Guests(store), AddressLimiter(lambda: 100.0))
    headers = {"authorization": f"Bearer {new_token()}"}
    for _ in range(TOKENS.burst):
        with pytest.raises(ApiError) as none:
            await token.authenticate(headers, "192.0.2.7")
        assert none.value.status == 401
    with pytest.raises(ApiError) as enough:
        await token.authenticate(headers, "192.0.2.7")
    limit = enough.value.limit
    assert (enough.value.status, limit and limit.key, limit and limit.seconds) == (429, "tokens", 3)


async def test_there_are_not_too_many_and_each_has_a_name(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        for body, path in (
            ({"label": "", "scopes": []}, "$.label"),
            ({"label": "\u200b"}, "$.label"),
            ({"label": "x", "scopes": ["all"]}, "$.scopes[0]"),
            ({"label": "x", "owner": "bob"}, "$.owner"),
        ):
            answer = await ann.http.post("/api/me/tokens", json=body)
            assert (answer.status_code, answer.json()["error"]["path"]) == (400, path)
        for number in range(MAX_TOKENS):
            await made(ann.http, label=f"bot {number}")
        answer = await ann.http.post("/api/me/tokens", json={"label": "one more"})
        assert refused(answer, 409) == "token.too_many"
    async with server.guest() as nobody:
        assert refused(await nobody.get("/api/me/tokens"), 401) == "identity.missing"
        answer = await nobody.post("/api/me/tokens", json={"label": "x"}, headers={"Origin": "https://evil.example"})
        assert refused(answer, 403) == "request.origin"


async def test_forgotten_with_its_guest(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        token = await made(ann.http, "play")
        await ann.http.delete("/api/me")
    async with bearing(server, token["secret"]) as bot:
        assert refused(await bot.get("/api/me"), 401) == "token.unknown"


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_it_is_kept_over_a_restart(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    from triptych.server.bootstrap import store_from_url  # noqa: PLC0415 - databases are opened here only

    where = str(tmp_path / "room.db") if kind == "sqlite" else request.getfixturevalue("postgres")("tokens")
    async with run_server(cast("EventStore", store_from_url(where))) as server, server.person("Ann") as ann:
        token, player = await made(ann.http, "play"), ann.player
    async with (
        run_server(cast("EventStore", store_from_url(where))) as server,
        bearing(server, token["secret"]) as bot,
    ):
        assert (await bot.get("/api/me")).json()["player"] == player
