"""What a server loads before it is open: a host waits for it (issue 12: playable within a second after a crash)."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """Return what is loaded when a server could open; asked once, for it takes seconds."""
    code = (
        "import sys, triptych.cli.main, triptych.cli.server_process;"
        "import triptych.server.bootstrap, triptych.store.sqlite.store;"
        "print(*sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(told.stdout.split())


@pytest.mark.parametrize("heavy", ["numpy", "alembic", "asyncpg", "nats", "argon2", "scipy"])
def test_what_a_session_may_not_need_is_not_loaded_at_the_start(heavy: str, loaded: set[str]) -> None:
    assert "triptych.server.bootstrap" in loaded
    assert heavy not in loaded
