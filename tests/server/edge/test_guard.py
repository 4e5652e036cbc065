"""Under which names a server answers, whom it believes, and what it logs of that (issue 27.18 to 27.20)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import structlog
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.browser.servers import serve
from tests.server.in_process import PATIENCE, QUICK, run_server
from triptych.cli.main import app
from triptych.server.edge.hosts import AllowedHosts, host_name, machine_names
from triptych.server.edge.rate_limits import FLOODS, TABLES

pytestmark = pytest.mark.anyio
EVIL = "evil.example:8313"
HOSTNAME = socket.gethostname().lower().partition(".")[0]
HOSTS = AllowedHosts(("0.0.0.0", "http://room1:8313", *machine_names()), ("cards.example.org",))  # noqa: S104 - a name
NAMED = QUICK._replace(hosts=AllowedHosts(("127.0.0.1",)))


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1:8313", "127.8.9.1", "[::1]:8313", "localhost", "LOCALHOST.:80", "me.localhost:8313"),
        *(HOSTNAME, f"{HOSTNAME}.local:8313", f"{HOSTNAME}.lan", "192.168.1.20:8313", "[::ffff:192.168.1.20]"),
        *("room1:8313", "Cards.Example.org", "cards.example.org.:443", "0.0.0.0:8313"),
    ],
)
def test_a_server_answers_to_its_own_names_and_addresses(host: str) -> None:
    assert HOSTS.allows(host, "192.168.1.20")


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "cards.example.org.evil.example", "localhost.evil.example", "xlocalhost", "192.168.1.21"),
        *("", "a b", "user@localhost", "localhost/", "[::1", "2130706433", "0x7f.1", f"{HOSTNAME}.evil.example"),
        *("[2001:db8::1]", "localhost:8313:1", "127.0.0.1.evil.example", "127.0.0.1@evil.example"),
    ],
)
def test_and_to_no_other(host: str) -> None:
    assert not HOSTS.allows(host, "192.168.1.20")


def test_a_name_is_read_however_it_is_given() -> None:
    texts = ("https://Cards.example.org:443/x", "cards.example.org", "2001:DB8::1", "[2001:db8::1]", "fe80::1%eth0")
    assert list(map(host_name, texts)) == ["cards.example.org"] * 2 + ["2001:db8::1"] * 2 + ["fe80::1"]


def status(url: str, **headers: str) -> tuple[int, dict[str, object]]:
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - our own server
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - as above
            return answer.status, {}
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["error"]


def test_the_command_keeps_strangers_names_out_and_takes_names(tmp_path: Path) -> None:
    with serve(tmp_path, "--allowed-host", "cards.example.org", "--allowed-host", "nas.example") as server:
        for host in ("cards.example.org", "nas.example:8313", "localhost", f"{HOSTNAME}.local"):
            assert status(server.url + "/api/me", Host=host)[0] == 200
        for path in ("/", "/api/me", "/readyz", "/metrics"):
            code, error = status(server.url + path, Host=EVIL)
            assert (code, error["code"]) == (421, "request.host")
        assert "--allowed-host evil.example" in str(error["message"])
        assert status(server.url, Host=EVIL, **{"Accept-Language": "es"})[1]["message"] != error["message"]
    assert "evil.example" in server.log.read_text()


def test_a_bad_host_name_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        app(["--no-browser", "--port", "0", "--allowed-host", "a b"], result_action="return_value")
    assert "--allowed-host a b: expected a host name" in capsys.readouterr().err


async def test_a_websocket_under_a_strangers_name_is_refused() -> None:
    async with run_server(settings=NAMED) as server:
        port = int(server.url.rpartition(":")[2])
        with pytest.raises(InvalidStatus) as caught:
            async with connect(f"ws://{EVIL}/ws", host="127.0.0.1", port=port, proxy=None):
                pass
        assert caught.value.response.status_code == 421


@pytest.mark.parametrize(
    ("names", "host", "code"),
    [
        ((), "any.example", 200),
        (("cards.example.org",), "cards.example.org", 200),
        (("cards.example.org",), EVIL, 421),
    ],
)
async def test_a_trusted_proxy_passes_on_its_names(names: tuple[str, ...], host: str, code: int) -> None:
    """All of them, unless some were given; `X-Forwarded-Host` is the host for whatever follows."""
    settings = QUICK._replace(trust_proxy="127.0.0.1", hosts=AllowedHosts((), names))
    async with run_server(settings=settings) as server, server.guest() as http:
        forwarded = {"X-Forwarded-For": "203.0.113.9"}
        assert (await http.get("/api/me", headers={**forwarded, "Host": host})).status_code == code
        own_page = {**forwarded, "X-Forwarded-Host": host, "Origin": f"https://{host}"}
        assert (await http.post("/api/signout", headers=own_page)).status_code == code
        # Who does not come through it is asked as ever.
        assert (await http.get("/api/me", headers={"Host": EVIL})).status_code == 421


async def test_nobody_else_passes_on_names() -> None:
    async with run_server(settings=NAMED) as server, server.guest() as http:
        for headers in ({"Host": EVIL}, {"X-Forwarded-Host": EVIL, "Origin": f"http://{EVIL}"}):
            answer = await http.post("/api/signout", headers={"X-Forwarded-For": "203.0.113.9", **headers})
            assert answer.status_code in (403, 421)


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Host", "CF-Connecting-IP"]
)
async def test_a_proxy_that_is_not_trusted_is_warned_of_once(header: str) -> None:
    async with run_server() as server, server.guest() as http:
        with structlog.testing.capture_logs() as lines:
            await http.get("/api/me")
            assert lines == []
            for _ in range(3):
                await http.get("/api/me", headers={header: "127.0.0.1"})
    (line,) = lines
    assert line["log_level"] == "warning"
    assert "--trust-proxy 127.0.0.1" in line["hint"]


@pytest.mark.parametrize("trusted", ["", "127.0.0.1"])
async def test_a_client_behind_a_proxy_is_never_the_host(trusted: str) -> None:
    """Not even where a trusted one says so: a tunnel before it comes from this machine.

    60 of 60 tables were opened.
    """
    body = {"name": "x", "rules": "pineapple"}
    async with run_server(settings=QUICK._replace(trust_proxy=trusted)) as server, server.guest() as http:
        codes = []
        for number in range(TABLES.burst + 5):
            if number % 5 == 0:  # a guest may have a few
                http.cookies.clear()
                await http.get("/api/me")
            answer = await http.post("/api/tables", json=body, headers={"X-Forwarded-For": "127.0.0.1"})
            codes.append(answer.status_code)
        assert codes == [201] * TABLES.burst + [429] * 5


@pytest.mark.parametrize("messages", [False, True])
async def test_a_flooding_client_gets_no_new_connection_for_a_while(
    monkeypatch: pytest.MonkeyPatch, *, messages: bool
) -> None:
    """Its address pays (issue 27.13); everybody here comes from loopback, so that it is taken for a stranger's."""
    for module in ("rate_limits", "guard"):
        monkeypatch.setattr(f"triptych.server.edge.{module}.network_key", lambda address: address)
    for module in ("websocket_protocol", "guard"):
        monkeypatch.setattr(f"triptych.server.edge.{module}.FLOODS", FLOODS._replace(burst=3))
    monkeypatch.setattr("triptych.server.edge.websocket_protocol.LINGER_SECONDS", 0.1)
    async with run_server(settings=QUICK._replace(rate=1)) as server, server.guest() as http:
        await http.get("/api/me")
        for _ in range(3):
            async with server.socket(http) as line:
                await line.received("hello")
                with contextlib.suppress(ConnectionError):
                    for _ in range(30):
                        await (line.send({"t": "ping"}) if messages else line.line.ping())
                await line.ended()
        with pytest.raises(InvalidStatus) as caught:
            async with server.socket(http):
                pass
        assert caught.value.response.status_code == 429
        assert caught.value.response.headers["RateLimit"].startswith('"floods"')
        assert (await http.get("/api/me")).status_code == 200  # who shares the address may look on


async def test_half_sent_bodies_are_one_line_a_second_with_their_count() -> None:
    count = 300
    with structlog.testing.capture_logs() as lines:
        async with run_server() as server:
            host, port = server.url.removeprefix("http://").split(":")
            for _ in range(count):
                _, writer = await asyncio.open_connection(host, int(port))
                writer.write(b"PUT /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
                await writer.drain()
                writer.close()

            def logged() -> int:
                return sum(1 + line.get("left_out", 0) for line in lines)

            async with asyncio.timeout(PATIENCE):
                while logged() < count:  # noqa: ASYNC110 - a plain list is what is filled
                    await asyncio.sleep(0.05)
    assert len(lines) <= 2 + count // 20
    assert {line["log_level"] for line in lines} == {"warning"}


async def test_a_refused_page_leaves_a_line() -> None:
    with structlog.testing.capture_logs() as lines:
        async with run_server() as server, server.guest() as http:
            await http.get("/api/me")
            async with server.socket(http, Origin="http://elsewhere.example") as line:
                await line.ended()
    (logged,) = [each for each in lines if "origin" in each]
    assert logged["origin"] == "http://elsewhere.example"


async def test_browsers_get_strict_transport_security_over_tls() -> None:
    async with run_server(settings=QUICK._replace(trust_proxy="127.0.0.1")) as server, server.guest() as http:

        async def strict(**headers: str) -> str:
            return str((await http.get("/api/me", headers=headers)).headers.get("Strict-Transport-Security"))

        forwarded = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
        assert await strict(**forwarded, Host="cards.example.org") == "max-age=31536000"
        # On one's own machine other servers go without.
        assert await strict(**forwarded, Host="localhost:8443") == "None"
        assert await strict(Host="cards.example.org") == "None"
