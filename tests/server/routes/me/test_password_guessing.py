"""Passwords are guessed from many addresses, and the account's own device gets in (issue 27.17)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest

from tests.server.in_process import QUICK, RunningServer, http_client, run_server
from tests.server.routes.me.test_me import KNOWN
from triptych.server.edge.guesses import ACCOUNT, TABLE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.anyio

ADDRESSES = 36


class LongDelay(NamedTuple):
    """A delay that no machine is too slow for: how it grows is tested in tests/server/edge/test_guesses.py."""

    free: int

    def after(self, tries: int) -> float:
        return 0.0 if tries < self.free else 3600.0


@pytest.fixture(autouse=True)
def _long_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.server.routes.account_proof.ACCOUNT", LongDelay(ACCOUNT.free))
    monkeypatch.setattr("triptych.server.routes.table_access.TABLE", LongDelay(TABLE.free))


@pytest.fixture
async def behind_a_proxy() -> AsyncIterator[RunningServer]:
    async with run_server(settings=QUICK._replace(trust_proxy="127.0.0.1")) as instance:
        yield instance


def at(server: RunningServer, number: int) -> httpx.AsyncClient:
    """Return a browser at an address of its own."""
    return http_client(base_url=server.url, headers={"X-Forwarded-For": f"198.18.0.{number}"})


async def guessed(server: RunningServer, path: str, body: dict[str, Any]) -> list[str]:
    """Return how guesses of as many guests at as many addresses were refused, one each."""
    codes = []
    for number in range(ADDRESSES):
        async with at(server, number) as http:
            await http.get("/api/me")
            answer = await http.post(path, json=body)
            codes.append(answer.json()["error"]["code"])
    return codes


@pytest.mark.parametrize("name", [KNOWN["name"], "Nobody"])
async def test_an_account_is_guessed_a_few_times(behind_a_proxy: RunningServer, name: str) -> None:
    """60 tries by 60 addresses were 60 tries. A name that nobody has is refused just so."""
    server = behind_a_proxy
    async with at(server, 100) as ann:
        await ann.get("/api/me")
        await ann.post("/api/me/keys", json=KNOWN)
        codes = await guessed(server, "/api/signin", {"name": name.upper(), "password": "guessed one"})
    assert codes == ["identity.wrong"] * 10 + ["password.too_many"] * (ADDRESSES - 10)


async def test_a_known_device_gets_in_though_others_guess(behind_a_proxy: RunningServer) -> None:
    """Also at an address from which too much came; a device that is known for somebody else is not."""
    server = behind_a_proxy
    async with at(server, 1) as device, at(server, 2) as other, at(server, 101) as new:
        for http in (device, other, new):
            await http.get("/api/me")
        player = (await device.get("/api/me")).json()["player"]
        await device.post("/api/me/keys", json=KNOWN)
        await other.post("/api/me/keys", json={"name": "Other", "password": "another word"})
        await guessed(server, "/api/signin", {**KNOWN, "password": "guessed one"})
        for _ in range(3):  # so often as one likes
            await device.post("/api/signout")
            assert (await device.get("/api/me")).json()["player"] != player
            async with at(server, 1) as guesser:
                await guesser.get("/api/me")
                for _ in range(12):
                    refused = await guesser.post("/api/signin", json={"name": "Other", "password": "x"})
                assert refused.json()["error"]["code"] == "address.too_many"
            assert (await device.post("/api/signin", json=KNOWN)).json()["player"] == player
        for http in (other, new):
            refused = await http.post("/api/signin", json=KNOWN)
            assert (refused.status_code, refused.json()["error"]["code"]) == (429, "password.too_many")
            assert int(refused.headers["Retry-After"]) == refused.json()["error"]["limit"]["seconds"] > 0


async def test_a_known_device_that_was_stolen_is_guessed_at_a_few_times_too(behind_a_proxy: RunningServer) -> None:
    server = behind_a_proxy
    async with at(server, 1) as device:
        await device.get("/api/me")
        await device.post("/api/me/keys", json=KNOWN)
        await device.post("/api/signout")
        wrong = [await device.post("/api/signin", json={**KNOWN, "password": "guessed one"}) for _ in range(14)]
        codes = [answer.json()["error"]["code"] for answer in wrong]
        assert codes == ["identity.wrong"] * 10 + ["password.too_many"] * 4


async def test_the_proof_is_guessed_a_few_times_and_keeps_nobody_from_signing_in(
    behind_a_proxy: RunningServer,
) -> None:
    """By whoever has a copy of the cookie, from as many addresses as they like."""
    server = behind_a_proxy
    async with at(server, 100) as ann:
        player = (await ann.get("/api/me")).json()["player"]
        await ann.post("/api/me/keys", json=KNOWN)
        codes = []
        for number in range(ADDRESSES):
            async with at(server, number) as thief:
                thief.cookies.set("triptych_guest", ann.cookies["triptych_guest"])
                body = {"name": "Mine", "password": "my own word", "proof": {"password": f"guess {number}"}}
                codes.append((await thief.post("/api/me/keys", json=body)).json()["error"]["code"])
        assert codes[:10] == ["proof.wrong"] * 10
        assert set(codes[10:]) <= {"address.too_many", "password.too_many"}  # the first of the two: by guest
        async with at(server, 101) as phone:
            await phone.get("/api/me")
            assert (await phone.post("/api/signin", json=KNOWN)).json()["player"] == player
        # And the owner's device proves it all the same.
        body = {**KNOWN, "proof": {"password": KNOWN["password"]}}
        assert (await ann.post("/api/me/keys", json=body)).status_code == 200


async def test_a_tables_password_is_guessed_a_few_times(behind_a_proxy: RunningServer) -> None:
    server = behind_a_proxy
    async with at(server, 100) as ann:
        await ann.get("/api/me")
        answer = await ann.post("/api/tables", json={"name": "Ours", "rules": "pineapple", "password": "three rows"})
        table = answer.json()["table"]
        codes = await guessed(server, f"/api/tables/{table}/enter", {"password": "guessed"})
        assert codes == ["password.wrong"] * 30 + ["password.too_many"] * (ADDRESSES - 30)
        # Who was let in is not asked.
        assert (await ann.post(f"/api/tables/{table}/enter", json={"password": ""})).status_code == 200
