"""Who one is: kept by a passkey or by a name and a password, on another device, no more (issue 11, part 3)."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import segno

from tests.memory_store.store import MemoryStore
from tests.server.in_process import Person, RunningServer, http_client, run_server
from tests.server.routes.me.authenticator import Authenticator
from triptych.server.edge.one_time_tokens import OneTimeTokens
from triptych.server.routes.devices import qr_code
from triptych.server.wire.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.anyio

SPOKEN = "three rows, one table"
KNOWN = {"name": "Ann of the North", "password": SPOKEN}


@pytest.fixture
async def browser(server: RunningServer) -> AsyncIterator[httpx.AsyncClient]:
    """Another browser, with a guest of its own."""
    async with http_client(base_url=server.url) as http:
        await http.get("/api/me")
        yield http


async def me(http: httpx.AsyncClient) -> str:
    player: str = (await http.get("/api/me")).json()["player"]
    return player


def refusal(answer: httpx.Response, status: int) -> tuple[str, str]:
    assert answer.status_code == status, answer.text
    return answer.json()["error"]["code"], answer.json()["error"]["path"]


async def test_a_name_and_a_password_bring_the_seat_back(server: RunningServer, browser: httpx.AsyncClient) -> None:
    async with server.person("Ann") as ann:
        table = await ann.open_table()
        await ann.watch(table)
        await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100})
        assert (await ann.http.get("/api/me/keys")).json() == {"name": None, "passkeys": []}
        answer = await ann.http.post("/api/me/keys", json=KNOWN)
        assert answer.json() == {"name": "Ann of the North", "passkeys": []}
        stranger = await me(browser)
        assert stranger != ann.player
        back = await browser.post("/api/signin", json={"name": "ANN of the north", "password": SPOKEN})
        assert back.json() == {"player": ann.player, "name": "Ann"}
        assert (await browser.get(f"/api/tables/{table}")).json()["you"] == 0
        cookie = back.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie


async def test_it_outlives_the_server_and_says_nothing_in_its_repr() -> None:
    store = MemoryStore()
    async with run_server(store) as first, first.person("Ann") as ann:
        await ann.http.post("/api/me/keys", json=KNOWN)
        (credential,) = await store.credentials.credentials(ann.player)
        assert SPOKEN.encode() not in credential.payload
        assert b"$argon2id$" in credential.payload
        assert "argon2" not in repr(credential)
    async with run_server(store) as second, http_client(base_url=second.url) as http:
        await http.get("/api/me")
        assert (await http.post("/api/signin", json=KNOWN)).json()["player"] == ann.player


async def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(
    server: RunningServer, browser: httpx.AsyncClient
) -> None:
    async with server.person("Ann") as ann:
        await ann.http.post("/api/me/keys", json=KNOWN)
        wrong = [
            await browser.post("/api/signin", json=body)
            for body in ({**KNOWN, "password": "something"}, {**KNOWN, "name": "Nobody"}, {**KNOWN, "name": "\0"})
        ]
        assert {refusal(answer, 403) for answer in wrong} == {("identity.wrong", "$.password")}
        assert len({answer.text for answer in wrong}) == 1
        for _ in range(7):
            await browser.post("/api/signin", json={**KNOWN, "password": "guess"})
        assert refusal(await browser.post("/api/signin", json=KNOWN), 429) == ("address.too_many", "$")


async def test_a_name_is_one_guests_and_is_changed_or_given_up(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        await ann.http.post("/api/me/keys", json=KNOWN)
        taken = await bob.http.post("/api/me/keys", json={**KNOWN, "name": "ann of the north"})
        assert refusal(taken, 409) == ("identity.name", "$.name")
        short = await bob.http.post("/api/me/keys", json={"name": "Bob", "password": "1234567"})
        assert refusal(short, 400) == ("password.short", "$.password")
        proof = {"proof": {"password": SPOKEN}}
        other = await ann.http.post("/api/me/keys", json={"name": "Ann", "password": SPOKEN, **proof})
        assert other.json()["name"] == "Ann"
        freed = await bob.http.post("/api/me/keys", json=KNOWN)
        assert freed.json()["name"] == "Ann of the North"
        dropped = await ann.http.request("DELETE", "/api/me/keys/name", json=proof)
        assert dropped.json()["name"] is None
        assert refusal(await ann.http.delete("/api/me/keys/name"), 404) == ("identity.unknown", "$.key")
        assert refusal(await bob.http.post("/api/signin", json={"name": "Ann", "password": SPOKEN}), 403)


async def test_signing_out_makes_a_new_guest_and_open_pages_reconnect(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        table = await ann.open_table()
        await ann.watch(table)
        out = await ann.http.post("/api/signout")
        assert out.json()["player"] != ann.player
        assert (await ann.ended())[0] == 1001
        assert await me(ann.http) == out.json()["player"]


async def test_a_deleted_guest_no_longer_exists(server: RunningServer, browser: httpx.AsyncClient) -> None:
    async with server.person("Ann") as ann:
        table = await ann.open_table()
        await ann.http.post("/api/me/keys", json=KNOWN)
        await browser.post("/api/signin", json=KNOWN)
        await ann.watch(table)
        await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100})
        assert refusal(await ann.http.delete("/api/me"), 409) == ("identity.seated", "$")
        await ann.do(table, {"do": "leave"})
        cookie = ann.http.cookies["triptych_guest"]
        gone = await ann.http.delete("/api/me")
        assert gone.status_code == 200
        # The other browser's cookie was signed for the guest who is gone.
        assert await me(browser) not in {ann.player, gone.json()["player"]}
        assert refusal(await browser.post("/api/signin", json=KNOWN), 403)[0] == "identity.wrong"
    async with run_server(server.store) as later, http_client(base_url=later.url) as http:
        http.cookies.set("triptych_guest", cookie)
        assert await me(http) != ann.player


# ---- another device ----


async def device(ann: Person) -> tuple[str, dict[str, Any]]:
    answer = await ann.http.post("/api/me/device", headers={"Origin": str(ann.http.base_url).rstrip("/")})
    assert answer.status_code == 201, answer.text
    body = answer.json()
    return body["link"].partition("#")[2], body


async def test_a_link_makes_another_device_the_same_guest_once(
    server: RunningServer, browser: httpx.AsyncClient
) -> None:
    async with server.person("Ann") as ann:
        token, body = await device(ann)
        assert body["link"].startswith(f"{server.url}/device#")
        assert body["seconds"] == 300
        assert (await ann.http.get("/api/me/device")).json() == {"fate": "waiting"}
        taken = await browser.post("/api/me/device/take", json={"token": token})
        assert taken.json() == {"player": ann.player, "name": "Ann"}
        assert await me(browser) == ann.player
        assert (await ann.http.get("/api/me/device")).json() == {"fate": "used"}
        again = await browser.post("/api/me/device/take", json={"token": token})
        assert refusal(again, 410) == ("ticket.unknown", "$")


async def test_two_browsers_take_the_same_link_at_once(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.person("Cid") as cid:
        token, _ = await device(ann)
        answers = await asyncio.gather(
            *(person.http.post("/api/me/device/take", json={"token": token}) for person in (bob, cid))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 410]


async def test_a_newer_link_ends_the_one_before(server: RunningServer, browser: httpx.AsyncClient) -> None:
    async with server.person("Ann") as ann:
        first, _ = await device(ann)
        second, _ = await device(ann)
        assert refusal(await browser.post("/api/me/device/take", json={"token": first}), 410)
        assert (await browser.post("/api/me/device/take", json={"token": second})).status_code == 200


@pytest.mark.parametrize("sent", ["", "x", "\u00e9", "A" * 32, "x" * 33_000])
async def test_no_such_link(browser: httpx.AsyncClient, sent: str) -> None:
    answer = await browser.post("/api/me/device/take", json={"token": sent})
    assert answer.status_code in (400, 410)
    code = answer.json()["error"]["code"]
    assert code == ("request.invalid" if len(sent) > 64 else "ticket.unknown")
    broken = await browser.post("/api/me/device/take", content=b'{"token":"\\ud800"}')
    assert broken.status_code in (400, 410)


def test_a_one_time_token_expires() -> None:
    now = 0.0
    tickets = OneTimeTokens(lambda: now)
    secret = tickets.issue("device", "p1", 300)
    now = 299.0
    assert tickets.status("device", "p1") == "waiting"
    now = 300.0
    assert tickets.status("device", "p1") == "over"
    with pytest.raises(ApiError) as refused:
        tickets.redeem("device", secret)
    assert refused.value.code == "ticket.unknown"
    with pytest.raises(ApiError):  # of another kind
        tickets.redeem("signin", tickets.issue("device", "p1", 300))


def test_the_number_of_one_time_tokens_is_limited() -> None:
    now = 0.0
    tickets = OneTimeTokens(lambda: now)
    for number in range(10_000):
        tickets.issue("signin", f"p{number}", 300)
    with pytest.raises(ApiError) as refused:
        tickets.issue("signin", "late", 300)
    assert refused.value.code == "server.busy"
    now = 300.0
    tickets.issue("signin", "late", 300)


# ---- passkeys ----


async def passkey(ann: Person, origin: str) -> Authenticator:
    authenticator = Authenticator()
    headers = {"Origin": origin}
    options = (await ann.http.post("/api/me/keys/passkey/options", headers=headers)).json()["options"]
    assert options["user"]["name"] == "Ann"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    answer = await ann.http.post(
        "/api/me/keys/passkey", json={"credential": authenticator.make(options, origin)}, headers=headers
    )
    assert answer.status_code == 201, answer.text
    assert len(answer.json()["passkeys"]) == 1
    return authenticator


async def sign_in_options(http: httpx.AsyncClient, origin: str) -> dict[str, Any]:
    options: dict[str, Any] = (await http.post("/api/signin/passkey/options", headers={"Origin": origin})).json()[
        "options"
    ]
    return options


async def show(http: httpx.AsyncClient, credential: object, origin: str) -> httpx.Response:
    return await http.post("/api/signin/passkey", json={"credential": credential}, headers={"Origin": origin})


async def test_a_passkey_brings_the_guest_back_and_counts_once(
    server: RunningServer, browser: httpx.AsyncClient
) -> None:
    async with server.person("Ann") as ann:
        authenticator = await passkey(ann, server.url)
        assertion = authenticator.show(await sign_in_options(browser, server.url), server.url)
        answer = await show(browser, assertion, server.url)
        assert answer.json() == {"player": ann.player, "name": "Ann"}
        # The same answer again, by the same browser and by another one: its challenge was used.
        assert refusal(await show(browser, assertion, server.url), 410) == ("ticket.unknown", "$")
        assert refusal(await show(ann.http, assertion, server.url), 410) == ("ticket.unknown", "$")
        # A copy of the key that counts fewer uses than the server saw.
        authenticator.used = 0
        old = authenticator.show(await sign_in_options(browser, server.url), server.url)
        assert refusal(await show(browser, old, server.url), 403) == ("passkey.invalid", "$.credential")
        (line,) = (await ann.http.get("/api/me/keys")).json()["passkeys"]
        proof = {
            "passkey": {"credential": authenticator.show(await sign_in_options(ann.http, server.url), server.url)}
        }
        dropped = await ann.http.request(
            "DELETE", f"/api/me/keys/{line['key']}", json={"proof": proof}, headers={"Origin": server.url}
        )
        assert dropped.json()["passkeys"] == []
        late = authenticator.show(await sign_in_options(browser, server.url), server.url)
        assert refusal(await show(browser, late, server.url), 403)[0] == "identity.unknown"


async def test_passkeys_that_prove_nothing(server: RunningServer, browser: httpx.AsyncClient) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        authenticator = await passkey(ann, server.url)
        invalid = ("passkey.invalid", "$.credential")
        elsewhere = authenticator.show(await sign_in_options(browser, server.url), "https://evil.example")
        assert refusal(await show(browser, elsewhere, server.url), 403) == invalid
        thief = Authenticator(id=authenticator.id, used=7)
        assert (
            refusal(
                await show(browser, thief.show(await sign_in_options(browser, server.url), server.url), server.url),
                403,
            )
            == invalid
        )
        of_bob = authenticator.show(await sign_in_options(bob.http, server.url), server.url)
        assert refusal(await show(browser, of_bob, server.url), 403) == invalid
        nonsense: tuple[object, ...] = (
            {},
            [],
            "x",
            None,
            {"rawId": "é", "response": {"clientDataJSON": "e30"}},
            {"rawId": 1},
        )
        for credential in nonsense:
            assert refusal(await show(browser, credential, server.url), 403) == invalid
        twice = await bob.http.post("/api/me/keys/passkey/options", headers={"Origin": server.url})
        stolen = Authenticator(id=authenticator.id).make(twice.json()["options"], server.url)
        answer = await bob.http.post(
            "/api/me/keys/passkey", json={"credential": stolen}, headers={"Origin": server.url}
        )
        assert refusal(answer, 403) == invalid
        large = await show(browser, "x" * 70_000, server.url)
        assert refusal(large, 413)[0] == "request.too_large"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/me/keys"),
        ("POST", "/api/signin"),
        ("POST", "/api/signin/passkey"),
        ("POST", "/api/signin/passkey/options"),
        ("POST", "/api/me/keys/passkey"),
        ("POST", "/api/me/keys/passkey/options"),
        ("DELETE", "/api/me/keys/name"),
        ("POST", "/api/me/device"),
        ("POST", "/api/me/device/take"),
        ("POST", "/api/signout"),
        ("DELETE", "/api/me"),
    ],
)
async def test_other_sites_and_strangers_are_refused(server: RunningServer, method: str, path: str) -> None:
    async with server.person("Ann") as ann:
        body = (
            {**KNOWN}
            if path.endswith(("keys", "signin"))
            else {"token": "x"}
            if "take" in path
            else {"credential": 1}
        )
        other = await ann.http.request(method, path, json=body, headers={"Origin": "https://evil.example"})
        assert refusal(other, 403) == ("request.origin", "$")
        ann.http.cookies.clear()
        nobody = await ann.http.request(method, path, json=body)
        assert refusal(nobody, 401) == ("identity.missing", "$")
        ann.http.cookies.clear()
        long = await ann.http.request(method, path, json={**body, "name": "x" * 33_000})
        assert long.status_code in (400, 401)


def test_the_qr_code_is_the_librarys_module_by_module() -> None:
    text = "http://triptych.lan:8313/device#0123456789abcdef0123456789abcdef"
    drawn = qr_code(text)
    dark = set()
    for x, y, wide in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", drawn.path):
        dark |= {(int(x) + step, int(y)) for step in range(int(wide))}
    wanted = [[bool(module) for module in row] for row in segno.make_qr(text, error="m").matrix]
    assert drawn.size == len(wanted)
    assert dark == {(x, y) for y, row in enumerate(wanted) for x, module in enumerate(row) if module}
