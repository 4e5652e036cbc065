"""A stolen cookie can be revoked, and changes nothing by itself (issue 27.16)."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import Person, RunningServer, run_server
from tests.server.routes.me.authenticator import Authenticator
from tests.server.routes.me.test_me import KNOWN, SPOKEN, me, refusal
from triptych.server.edge.guests import Guests, SignedIn

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.anyio

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/19.0 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
async def browser(server: RunningServer) -> AsyncIterator[httpx.AsyncClient]:
    """Another browser, with a guest of its own."""
    async with server.guest() as http:
        http.headers["User-Agent"] = IPHONE
        await http.get("/api/me")
        yield http


def copy_of(http: httpx.AsyncClient, server: RunningServer) -> httpx.AsyncClient:
    """Return a thief's browser: it has the guest's cookie, and nothing else."""
    thief = server.guest()
    thief.cookies.set("triptych_guest", cookie_of(http))
    return thief


def cookie_of(http: httpx.AsyncClient) -> str:
    (value,) = [cookie.value for cookie in http.cookies.jar if cookie.name == "triptych_guest"]
    assert value is not None
    return value


async def devices(http: httpx.AsyncClient) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = (await http.get("/api/me/devices")).json()
    return lines


async def changed(http: httpx.AsyncClient, path: str, **body: object) -> httpx.Response:
    return await http.request("DELETE" if path.count("/") == 4 else "POST", path, json=body)


async def test_signing_out_ends_copies_of_the_cookie_too(server: RunningServer) -> None:
    async with server.person("Ann") as ann, copy_of(ann.http, server) as thief, server.socket(thief) as line:
        await line.received("hello")
        assert await me(thief) == ann.player
        await ann.http.post("/api/signout")
        assert (await ann.ended())[0] == 1001
        assert await line.ended()
        assert await me(thief) != ann.player


async def test_signing_out_everywhere_leaves_this_browser_alone(
    server: RunningServer, browser: httpx.AsyncClient
) -> None:
    """Copies of its own cookie end with all others, and tokens, links and open sockets."""
    async with server.person("Ann") as ann, copy_of(ann.http, server) as thief, server.guest() as program:
        await ann.http.post("/api/me/keys", json=KNOWN)
        await browser.post("/api/signin", json=KNOWN)
        token = (await thief.post("/api/me/tokens", json={"label": "mine"})).json()["secret"]
        program.headers["Authorization"] = f"Bearer {token}"
        link = (await thief.post("/api/me/device")).json()["link"].partition("#")[2]
        old = cookie_of(ann.http)
        async with server.socket(browser) as phone, server.socket(program, Authorization=f"Bearer {token}") as bot:
            for line in (phone, bot):
                await line.received("hello")
            everywhere = await ann.http.delete("/api/me/devices")
            assert everywhere.json() == {"player": ann.player, "name": "Ann"}
            for line in (phone, bot, ann):
                assert (await line.ended())[0] == 4401
        assert cookie_of(ann.http) != old
        assert await me(ann.http) == ann.player
        assert [line["here"] for line in await devices(ann.http)] == [True]
        assert refusal(await program.get("/api/me"), 401)[0] == "token.unknown"
        assert await me(browser) != ann.player
        assert await me(thief) != ann.player
        assert refusal(await thief.post("/api/me/device/take", json={"token": link}), 410)
        async with server.socket(ann.http) as back:
            assert (await back.received("hello"))["player"] == ann.player
        # And back on the other device by what she is known by.
        assert (await browser.post("/api/signin", json=KNOWN)).json()["player"] == ann.player


async def test_one_device_is_signed_out_from_another_one(server: RunningServer, browser: httpx.AsyncClient) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        ann.http.headers["User-Agent"] = FIREFOX
        assert [line["here"] for line in await devices(ann.http)] == [True]
        link = (await ann.http.post("/api/me/device")).json()["link"].partition("#")[2]
        # Who it signs in is said before it is used, and it still counts.
        assert (await browser.post("/api/me/device/owner", json={"token": link})).json() == {"name": "Ann"}
        await browser.post("/api/me/device/take", json={"token": link})
        assert refusal(await browser.post("/api/me/device/owner", json={"token": link}), 410)
        here, phone = await devices(ann.http)
        assert [here["browser"], here["system"], here["here"]] == ["Firefox", "Linux", True]
        assert [phone["browser"], phone["system"], phone["here"]] == ["Safari", "iPhone", False]
        assert [line["device"] for line in await devices(browser)] == [phone["device"], here["device"]]
        # Nobody else's, not this one, and none that is none.
        for other in (here["device"], "nothing", (await devices(bob.http))[0]["device"]):
            refused = await ann.http.delete(f"/api/me/devices/{other}")
            assert refusal(refused, 404) == ("device.unknown", "$.device")
        async with server.socket(browser) as line:
            await line.received("hello")
            left = await ann.http.delete(f"/api/me/devices/{phone['device']}")
            assert [session["device"] for session in left.json()] == [here["device"]]
            assert (await line.ended())[0] == 4401
        assert await me(browser) != ann.player
        assert await me(ann.http) == ann.player
        assert ann.closed is None


async def test_signing_in_ends_the_session_that_the_browser_had(
    server: RunningServer, browser: httpx.AsyncClient
) -> None:
    async with server.person("Ann") as ann, copy_of(browser, server) as thief:
        stranger = await me(browser)
        await ann.http.post("/api/me/keys", json=KNOWN)
        for _ in range(2):
            await browser.post("/api/signin", json=KNOWN)
        assert len(await devices(ann.http)) == 2
        assert await me(thief) != stranger


async def test_nothing_is_kept_of_a_guest_who_has_one_browser(server: RunningServer) -> None:
    async with server.person() as ann:
        for _ in range(3):
            await ann.http.get("/api/me")
        assert await server.store.credentials.sessions(ann.player) == ()
        await ann.http.post("/api/me/device")
        assert [session.player for session in await server.store.credentials.sessions(ann.player)] == [ann.player]


async def test_the_number_of_devices_is_limited(
    server: RunningServer, browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one ends that was not seen for longest; the table of sessions is bounded."""
    monkeypatch.setattr("triptych.server.routes.browsers.MAX_SESSIONS", 8)
    async with server.person("Ann") as ann:
        for _ in range(9):
            link = (await ann.http.post("/api/me/device")).json()["link"].partition("#")[2]
            await browser.post("/api/me/device/take", json={"token": link})
            browser.cookies.clear()
            await browser.get("/api/me")
        assert len(await server.store.credentials.sessions(ann.player)) == 8
        assert await me(ann.http) == ann.player


# ---- cookies and databases of before ----


def old_cookie(guests: Guests, player: str) -> str:
    """Return a cookie as it was before there were sessions."""
    return f"{player}.{hmac.new(guests._secret, player.encode(), hashlib.sha256).hexdigest()}"


async def test_a_cookie_of_before_counts_until_it_is_revoked() -> None:
    store = MemoryStore()
    guests = Guests(store)
    await guests.open()
    async with (
        run_server(store) as server,
        server.guest() as laptop,
        server.guest() as phone,
        server.guest() as thief,
    ):
        player = guests.new_id().player
        for http in (laptop, phone, thief):
            http.cookies.set("triptych_guest", old_cookie(guests, player), domain="127.0.0.1")
        async with server.socket(phone) as line:
            await line.received("hello")
            for http in (laptop, phone):
                http.headers["User-Agent"] = FIREFOX if http is laptop else IPHONE
                assert await me(http) == player
            await laptop.post("/api/me/keys", json=KNOWN)
            assert await me(phone) == player
            assert len(await devices(laptop)) == 2
            await phone.post("/api/signout")
            assert await line.ended()
        assert await me(laptop) == player
        await laptop.delete("/api/me/devices")
        assert await me(thief) != player
        assert await me(laptop) == player
    async with run_server(store) as later, later.guest() as http:
        http.cookies.set("triptych_guest", old_cookie(guests, player))
        assert await me(http) != player


async def test_a_revoked_session_stays_revoked_after_a_restart() -> None:
    store = MemoryStore()
    async with run_server(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        out, everywhere = cookie_of(ann.http), cookie_of(bob.http)
        await ann.http.post("/api/signout")
        await bob.http.delete("/api/me/devices")
        new_cookie = cookie_of(bob.http)
    async with run_server(store) as server:
        for cookie, player in ((out, None), (everywhere, None), (new_cookie, bob.player)):
            async with server.guest() as http:
                http.cookies.set("triptych_guest", cookie)
                assert (await me(http) == player) is (player is not None)


@pytest.mark.parametrize(
    "template",
    ["{player}", "{player}.0.{session}", "{player}.1.{session}", "device {player}.{session}", "..", "a.b.c.d.e"],
)
async def test_no_other_signature_makes_a_cookie(template: str) -> None:
    store = MemoryStore()
    guests = Guests(store)
    await guests.open()
    device = guests.device_cookie("p1")
    signature = device.rpartition(".")[2]
    content = template.format(player="p1", session=device.split(".")[1])
    assert guests.verify_cookie(f"{content}.{signature}") is None
    assert guests.verify_cookie(f"{content}.") is None
    assert guests.verify_cookie(device) is None
    assert guests.verify_cookie(guests.sign_cookie(SignedIn("p1", "s", 0))) == SignedIn("p1", "s", 0)
    assert guests.known_device(guests.sign_cookie(SignedIn("p1", "s", 0)), "p1") is None
    assert guests.known_device(device, "p1") is not None
    assert guests.known_device(device, "p2") is None


# ---- what one is known by changes with a proof only ----


async def passkey_of(
    ann: Person, server: RunningServer, proof: object = None
) -> tuple[Authenticator, httpx.Response]:
    authenticator = Authenticator()
    ann.http.headers["Origin"] = server.url
    options = (await ann.http.post("/api/me/keys/passkey/options")).json()["options"]
    body = {"credential": authenticator.make(options, server.url)} | ({} if proof is None else {"proof": proof})
    return authenticator, await ann.http.post("/api/me/keys/passkey", json=body)


async def test_a_cookie_alone_changes_nothing_that_one_is_known_by(server: RunningServer) -> None:
    """Issue 27.16: the password was replaced, and a passkey added, without the old one."""
    async with server.person("Ann") as ann:
        await ann.http.post("/api/me/keys", json=KNOWN)
        new = {"name": "Ann", "password": "another word"}
        missing, wrong = ("proof.missing", "$.proof"), ("proof.wrong", "$.proof.password")
        assert refusal(await ann.http.post("/api/me/keys", json=new), 403) == missing
        assert refusal(await ann.http.delete("/api/me/keys/name"), 403) == missing
        _, refused = await passkey_of(ann, server)
        assert refusal(refused, 403) == missing
        guess = {"proof": {"password": "guessed one"}}
        assert refusal(await ann.http.post("/api/me/keys", json={**new, **guess}), 403) == wrong
        assert refusal(await ann.http.request("DELETE", "/api/me/keys/name", json=guess), 403) == wrong
        _, refused = await passkey_of(ann, server, guess["proof"])
        assert refusal(refused, 403) == wrong
        assert (await ann.http.get("/api/me/keys")).json() == {"name": "Ann of the North", "passkeys": []}
        proof = {"proof": {"password": SPOKEN}}
        assert (await ann.http.post("/api/me/keys", json={**new, **proof})).json()["name"] == "Ann"
        assert refusal(await ann.http.request("DELETE", "/api/me/keys/name", json=proof), 403) == wrong
        proof = {"proof": {"password": "another word"}}
        assert (await ann.http.request("DELETE", "/api/me/keys/name", json=proof)).json()["name"] is None
        # Known by nothing again, she needs no proof.
        assert (await ann.http.post("/api/me/keys", json=KNOWN)).status_code == 200


async def test_a_passkey_is_a_proof_too(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        mine, answer = await passkey_of(ann, server)
        assert answer.status_code == 201
        theirs, _ = await passkey_of(bob, server)

        async def proof(by: Authenticator) -> dict[str, Any]:
            options = (await ann.http.post("/api/signin/passkey/options")).json()["options"]
            return {"proof": {"passkey": {"credential": by.show(options, server.url)}}}

        assert refusal(await ann.http.post("/api/me/keys", json=KNOWN), 403)[0] == "proof.missing"
        other = await ann.http.post("/api/me/keys", json={**KNOWN, **await proof(theirs)})
        assert refusal(other, 403)[0] == "passkey.invalid"
        nobody = await ann.http.post("/api/me/keys", json={**KNOWN, "proof": {"password": "a password"}})
        assert refusal(nobody, 403)[0] == "proof.wrong"
        once = await proof(mine)
        assert (await ann.http.post("/api/me/keys", json={**KNOWN, **once})).json()["name"] == "Ann of the North"
        (key,) = answer.json()["passkeys"]
        again = await ann.http.request("DELETE", f"/api/me/keys/{key['key']}", json=once)
        assert refusal(again, 410)[0] == "ticket.unknown"
        dropped = await ann.http.request("DELETE", f"/api/me/keys/{key['key']}", json=await proof(mine))
        assert dropped.json()["passkeys"] == []


async def test_two_guests_set_the_first_password_at_once(server: RunningServer) -> None:
    """Between the question whether there is one and the answer nobody else sets it."""
    async with server.person("Ann") as ann, copy_of(ann.http, server) as thief:
        answers = await asyncio.gather(
            ann.http.post("/api/me/keys", json=KNOWN),
            thief.post("/api/me/keys", json={"name": "Thief", "password": "my own word"}),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 403]
