"""One stranger does not stop the server: others play on, memory stays bounded (issue 10, part 3, point 1)."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.attacked_server import server_under_attack
from triptych.server.edge.rate_limits import NAMES

pytestmark = [
    pytest.mark.anyio,
    # It measures how long others wait, which a busy machine changes; test_floods.py counts instead.
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc"),
]

DOTTED = ".".join("a" * 16_380) + " = 1"
LONG_DOTTED = ".".join("a" * 29_900) + " = 1"
BY_HEADER = "[" + ".".join("a" * 7_000) + "]\n" + "b = 1\n" * 3_000
DEEP = "a = " + "[" * 15_000
INLINE = "a = " + "{a=" * 5_000
DIGITS = "a = " + "9" * 5_000
HAND = {"front": "KsJs5d", "middle": "2d3c4c6c7d", "back": "2h6h9cTd3h"}
OTHER = {"front": "AhAd2s", "middle": "4d4s5s5c9d", "back": "7h7s7c8d8c"}
SESSION = {"deals": [{"rules": "closed_1_6", "players": {"Ann": HAND, "Bob": OTHER}}] * 100}
WIDE = {"spec": {"preset": "pineapple", **{f"scoring.x{number}": number for number in range(2_000)}}}
ATTACKS: tuple[tuple[str, str | bytes], ...] = (
    ("/api/rules/read", json.dumps({"toml": DOTTED})),
    ("/api/rules/read", json.dumps({"toml": BY_HEADER})),
    ("/api/rules/read", json.dumps({"toml": DEEP})),
    ("/api/rules/read", json.dumps({"toml": INLINE})),
    ("/api/rules/read", json.dumps({"toml": DIGITS})),
    ("/api/history/replay", json.dumps({"text": LONG_DOTTED})),
    ("/api/rules/edit", json.dumps(WIDE)),
    ("/api/rules/check", b'{"spec":' + b"[" * 60_000),
    ("/api/score/evening", json.dumps(SESSION)),
)
IDLE = 25
MESSAGES = 200
FLOODED = 4429


async def test_others_play_on_while_strangers_ask_for_much(tmp_path: Path) -> None:
    async with server_under_attack(tmp_path) as besieged:
        for path, body in ATTACKS:

            async def attack(stranger: httpx.AsyncClient, path: str = path, body: str | bytes = body) -> int:
                return (await stranger.post(path, content=body)).status_code

            assert set(await besieged.strike(attack)) <= {200, 400, 429}


async def test_others_play_on_while_strangers_crowd_in(tmp_path: Path) -> None:
    """Connections that say nothing, guests without end, messages without end, tables that are not there."""
    async with server_under_attack(tmp_path) as besieged:
        url = besieged.running.url.removeprefix("http://").split(":")

        async def attack(stranger: httpx.AsyncClient) -> int:
            lines = [await asyncio.open_connection(url[0], int(url[1])) for _ in range(IDLE)]
            for _, writer in lines:
                writer.write(b"GET /api/me HTTP/1.1\r\nHo")
            for number in range(IDLE):
                stranger.cookies.clear()
                await stranger.get("/api/me")
                await stranger.get(f"/api/tables/nowhere{number}")
            renamed = [(await stranger.put("/api/me", json={"name": f"Eve {n}"})).status_code for n in range(IDLE)]
            assert renamed == [200] * NAMES.burst + [429] * (IDLE - NAMES.burst)
            async with besieged.running.socket(stranger) as person:
                for number in range(MESSAGES):
                    action = {"do": "say", "text": "hello"}
                    message = {
                        "t": "do",
                        "cmd_id": f"c{number}",
                        "table": besieged.table,
                        "seen": 0,
                        "action": action,
                    }
                    with contextlib.suppress(ConnectionClosed):
                        await person.send(message)
                code, _ = await person.ended()
            for _, writer in lines:
                writer.close()
            return code

        assert set(await besieged.strike(attack)) == {FLOODED}
