"""One stranger does not stop the house: others play on, memory stays bounded (issue 10, part 3, point 1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.attack import siege

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc"),
]

DOTTED = ".".join("a" * 16_380) + " = 1"
LONG_DOTTED = ".".join("a" * 29_900) + " = 1"
BY_HEADER = "[" + ".".join("a" * 7_000) + "]\n" + "b = 1\n" * 3_000
DEEP = "a = " + "[" * 15_000
INLINE = "a = " + "{a=" * 5_000
DIGITS = "a = " + "9" * 5_000
ATTACKS = (
    ("/api/rules/read", {"toml": DOTTED}),
    ("/api/rules/read", {"toml": BY_HEADER}),
    ("/api/rules/read", {"toml": DEEP}),
    ("/api/rules/read", {"toml": INLINE}),
    ("/api/rules/read", {"toml": DIGITS}),
    ("/api/history/replay", {"text": LONG_DOTTED}),
)


async def test_others_play_on(tmp_path: Path) -> None:
    async with siege(tmp_path) as besieged:
        for path, body in ATTACKS:
            told = await besieged.strike(lambda stranger, path=path, body=body: stranger.post(path, json=body))  # type: ignore[misc]
            assert {answer.status_code for answer in told} <= {400, 429}, told[0].text
