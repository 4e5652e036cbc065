"""What a server loads before it is open: a host waits for it (issue 12: playable within a second after a crash)."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "alembic", "asyncpg", "nats", "argon2", "scipy")


def test_what_a_session_may_not_need_is_not_loaded_at_the_start() -> None:
    code = (
        "import sys, triptych.cli.main, triptych.cli.server_process;"
        "import triptych.server.bootstrap, triptych.store.sqlite.store;"
        "print(*sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(told.stdout.split())
    assert "triptych.server.bootstrap" in loaded
    assert not loaded & {*HEAVY}
