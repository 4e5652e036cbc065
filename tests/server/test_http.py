"""The HTTP interface: guests, lobby, rules, history, the page (issue 2, part 6)."""

from __future__ import annotations

import asyncio
import re

import pytest

from tests.server.in_process import RunningServer, play
from triptych.rulesets.load import preset_names, read_toml, resolve
from triptych.server.static.client_files import StaticFile

pytestmark = pytest.mark.anyio


async def test_a_guest_keeps_id_and_name(server: RunningServer) -> None:
    async with server.guest() as http:
        first = await http.get("/api/me")
        cookie = first.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert (await http.get("/api/me")).json() == first.json()
        renamed = await http.put("/api/me", json={"name": "  Ann   Lee "})
        assert renamed.json() == {"player": first.json()["player"], "name": "Ann Lee"}
        assert (await http.get("/api/me")).json()["name"] == "Ann Lee"
    async with server.guest() as other:
        assert (await other.get("/api/me")).json()["player"] != first.json()["player"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\u0000b", "a\u202eb", "a\u200bb", "\ud800"])
async def test_names_that_nobody_can_read_are_refused(server: RunningServer, name: str) -> None:
    async with server.guest() as http:
        await http.get("/api/me")
        body = '{"name":"' + name.encode("unicode_escape").decode().replace("\\x", "\\u00") + '"}'
        answer = await http.put("/api/me", content=body)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] in {"name.bad", "request.invalid", "request.json"}


async def test_a_new_name_is_seen_at_the_table(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        table = await ann.open_table()
        await ann.watch(table)
        await ann.do(table, {"do": "sit", "seat": 1, "buy_in": 100})
        await ann.http.put("/api/me", json={"name": "Anna"})
        await ann.until(lambda: bool(ann.views[table]["seats"][1]["name"] == "Anna"))


async def test_every_preset_is_listed_and_described_in_full(server: RunningServer) -> None:
    """Rules §7."""
    async with server.guest() as http:
        lines = (await http.get("/api/presets")).json()
        assert [line["preset"] for line in lines] == list(preset_names())
        for line in lines:
            detail = (await http.get(f"/api/presets/{line['preset']}")).json()
            assert detail["rules"]["name"] == line["preset"]
            assert detail["words"]
            assert all(option["text"] for option in detail["options"])
        answer = await http.get("/api/presets/nonsense")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "request.unknown")


async def test_rules_are_checked_before_a_table_opens(server: RunningServer) -> None:
    async with server.guest() as http:
        await http.get("/api/me")
        checked = (
            await http.post("/api/rules/check", json={"spec": {"preset": "pineapple", "clock.seconds": 45}})
        ).json()
        assert checked["rules"]["clock"]["seconds"] == 45
        assert checked["differences"] == ["clock.seconds = 45 (instead of 30)"]
        assert checked["problems"] == []
        four = {"preset": "pineapple", "seats.max": 4}
        problems = (await http.post("/api/rules/check", json={"spec": four})).json()["problems"]
        assert "error" in {problem["level"] for problem in problems}
        for rules, code, path in (
            (four, "rules.contradiction", "$.rules."),
            ("pinapple", "rules.preset", "$.rules"),
            ({"preset": "pineapple", "scoring.rows": "x"}, "rules.value", "$.rules.scoring.rows"),
            ({"preset": "pineapple", "scorin": 1}, "rules.unknown_key", "$.rules.scorin"),
            (7, "request.invalid", "$.rules"),
        ):
            answer = await http.post("/api/tables", json={"name": "x", "rules": rules})
            error = answer.json()["error"]
            assert (answer.status_code, error["code"]) == (400, code), error
            assert error["path"].startswith(path)


async def test_a_table_in_the_lobby(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.guest() as stranger:
        table = await ann.open_table({"preset": "pineapple", "clock.seconds": 45})
        await ann.watch(table)
        await ann.do(table, {"do": "seat_bot", "seat": 1, "level": "fast", "buy_in": 100})
        (line,) = (await stranger.get("/api/tables")).json()
        assert (line["table"], line["name"], line["preset"]) == (table, "Test table", "pineapple")
        assert [seat and seat["bot"] for seat in line["seats"]] == [None, True, None]
        assert (line["phase"], line["watching"]) == ("waiting", 1)
        view = (await stranger.get(f"/api/tables/{table}")).json()
        assert (view["you"], view["table"]) == (None, table)
        rules = (await stranger.get(f"/api/tables/{table}/rules")).json()
        assert rules["differences"] == ["clock.seconds = 45 (instead of 30)"]
        assert read_toml(rules["toml"]) == resolve({"preset": "pineapple", "clock.seconds": 45})
        levels = [line["level"] for line in (await stranger.get("/api/levels")).json()]
        assert levels == ["random", "novice", "fast", "medium", "strong"]


async def test_history_is_newest_first_and_outlives_the_table(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table()
        for seat, person in enumerate((ann, bob)):
            await person.watch(table)
            await person.do(table, {"do": "sit", "seat": seat, "buy_in": 200})
        await asyncio.gather(play(ann, table, 2), play(bob, table, 2))
        deals = (await ann.http.get(f"/api/tables/{table}/deals")).json()
        numbers = [deal["sheet"]["deal"] for deal in deals]
        assert numbers == sorted(numbers, reverse=True)
        assert numbers[-1] == 1
        assert all(deal["match"] >= 1 for deal in deals)
        assert all(sum(pair["change"] for pair in deal["sheet"]["stacks"]) == 0 for deal in deals)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "request.unknown"),
        ("GET", "/api/tables/nowhere", 404, "table.unknown"),
        ("GET", "/api/tables/nowhere/deals", 404, "table.unknown"),
        ("GET", "/api/tables/nowhere/rules", 404, "table.unknown"),
        ("DELETE", "/api/tables", 405, "request.method"),
        ("POST", "/api/tables", 400, "request.json"),
        ("POST", "/api/rules/check", 400, "request.json"),
        ("PUT", "/api/me", 400, "request.json"),
        ("GET", "/assets/nothing.js", 404, "request.unknown"),
        ("GET", "/../pyproject.toml", 404, "request.unknown"),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd.txt", 404, "request.unknown"),
    ],
)
async def test_wrong_requests(server: RunningServer, method: str, path: str, status: int, code: str) -> None:
    async with server.guest() as http:
        answer = await http.request(method, path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert set(answer.json()["error"]) == {"code", "message", "path"}


async def test_a_body_that_is_too_large(server: RunningServer) -> None:
    async with server.guest() as http:
        await http.get("/api/me")
        answer = await http.post("/api/tables", content=b'{"name":"' + b"x" * 70_000)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "request.too_large")


async def test_the_number_of_tables_of_a_host_is_limited(server: RunningServer) -> None:
    async with server.person() as person:
        for _ in range(20):
            await person.open_table()
        answer = await person.http.post("/api/tables", json={"name": "x", "rules": "pineapple"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "table.too_many")


async def test_every_response_has_headers_against_other_sites(server: RunningServer) -> None:
    async with server.guest() as http:
        for path in ("/", "/api/tables", "/api/nothing"):
            headers = (await http.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self' 'wasm-unsafe-eval';" in policy
            assert "http" not in policy
            assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        *("/rules", "/rules/pineapple", "/analyse", "/analyse/turbo", "/solo", "/solo/pineapple"),
        *("/duplicate", "/duplicate/turbo", "/learn", "/learn/1", "/practice", "/daily", "/score"),
        *("/history", "/review", "/me", "/device"),
    ],
)
async def test_an_address_of_the_client_is_there(server: RunningServer, path: str) -> None:
    async with server.guest() as http:
        assert (await http.get(path)).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/t/nowhere",
        "/t",
        "/rules/of-nobody",
        "/analyse/of-nobody",
        "/duplicate/of-nobody",
        "/history/nowhere",
        "/history/nowhere/0",
        "/review/nowhere/x",
        "/score/of/many",
    ],
)
async def test_an_unknown_address_shows_the_page_with_status_404(server: RunningServer, path: str) -> None:
    async with server.guest() as http:
        answer = await http.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")


async def test_a_page_of_the_client_shows_what_it_is_for(server: RunningServer) -> None:
    async with server.guest() as http:
        page = (await http.get("/analyse/turbo")).text
        assert '<meta property="og:title" content="Analysis board · Triptych" />' in page
        assert '<meta property="og:title" content="Triptych" />' in (await http.get("/me")).text


async def test_a_table_has_an_address(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        table = await ann.open_table()
        assert (await ann.http.get(f"/t/{table}")).status_code == 200


async def test_head_is_get_without_the_body(server: RunningServer) -> None:
    """RFC 9110 9.3.2."""
    async with server.guest() as http:
        for path in ("/", "/api/tables", "/api/nothing"):
            whole, head = await http.get(path), await http.head(path)
            assert (head.status_code, head.content) == (whole.status_code, b"")
            assert head.headers["content-type"] == whole.headers["content-type"]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip;q=0.8, *", "gzip"), ("br;q=0, gzip", "gzip"), ("identity", ""), ("", "")],
)
def test_a_file_is_sent_as_small_as_the_browser_takes_it(accepted: str, encoding: str) -> None:
    """RFC 9110 12.5.3."""
    file = StaticFile(b"whole", "text/css", "1", "no-cache", {"br": b"b", "gzip": b"g"})
    assert file.encoded(accepted) == (encoding, {"br": b"b", "gzip": b"g", "": b"whole"}[encoding])


async def test_the_first_page_travels_compressed(server: RunningServer) -> None:
    async with server.guest() as http:
        page = await http.get("/", headers={"Accept-Encoding": "gzip"})
        scripts = re.findall(r'/assets/[^"]+', page.text)
        whole = sent = 0
        for path in scripts:
            plain = await http.get(path, headers={"Accept-Encoding": "identity"})
            small = await http.get(path, headers={"Accept-Encoding": "gzip"})
            assert (small.headers["content-encoding"], small.content) == ("gzip", plain.content)
            whole += len(plain.content)
            sent += int(small.headers["content-length"])
            assert "Accept-Encoding" in small.headers["vary"]
            assert small.headers["etag"] != plain.headers["etag"]
        assert 0 < sent < 0.4 * whole


@pytest.mark.parametrize("path", ["/favicon.ico", "/manifest.webmanifest", "/apple-touch-icon.png", "/icon.svg"])
async def test_files_that_every_browser_requests_are_served(server: RunningServer, path: str) -> None:
    async with server.guest() as http:
        assert (await http.get(path)).status_code == 200


async def test_an_unchanged_page_is_not_sent_again(server: RunningServer) -> None:
    async with server.guest() as http:
        first = await http.get("/")
        if first.status_code == 404:
            assert first.json()["error"]["code"] == "server.not_built"
            return
        assert first.headers["cache-control"] == "no-cache"
        again = await http.get("/", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/", "/t/abc"])
async def test_a_page_names_the_files_of_its_own_at_once(server: RunningServer, path: str) -> None:
    """Issue 11, 1.11: code that is asked for beside the first script; each file is there, as what it is named as."""
    async with server.guest() as http:
        page = await http.get(path)
        if page.status_code == 404 and page.headers["content-type"].startswith("application/json"):
            assert page.json()["error"]["code"] == "server.not_built"
            return
        named = re.findall(r'<link rel="(modulepreload|preload)"[^>]* href="([^"]+)"', page.text)
        assert {rel for rel, _ in named} == {"modulepreload", "preload"}
        for rel, file in named:
            kind = (await http.get(file)).raise_for_status().headers["content-type"]
            assert kind.startswith("text/javascript" if rel == "modulepreload" else "text/css")


async def test_the_lobby_lists_my_tables_first_and_says_when_it_is_my_turn(server: RunningServer) -> None:
    """Issue 11, 1.8: in mid-deal the lobby said "Watch" at one's own table."""
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.guest() as stranger:
        table = await ann.open_table()
        for seat, person in enumerate((ann, bob)):
            await person.watch(table)
            await person.do(table, {"do": "sit", "seat": seat, "buy_in": 200})
        other = await bob.open_table()
        await ann.until(lambda: bool(ann.views[table]["deal"]))
        turn = {person.name: bool(person.views[table]["deal"]["tasks"]) for person in (ann, bob)}
        assert sorted(turn.values()) == [False, True]
        for person in (ann, bob):
            lines = (await person.http.get("/api/tables")).json()
            line = next(line for line in lines if line["table"] == table)
            assert (line["mine"], line["turn"]) == (True, turn[person.name])
            assert lines[0]["table"] == table or not turn[person.name]
        lines = (await stranger.get("/api/tables")).json()
        assert [(line["table"], line["mine"], line["turn"]) for line in lines] == [
            (other, False, False),
            (table, False, False),
        ]
        assert [line["table"] for line in (await ann.http.get("/api/tables")).json()] == [table, other]
