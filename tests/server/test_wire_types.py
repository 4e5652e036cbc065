"""The client's types say what the server's say (DESIGN 1: `wire/` is generated from the server's types)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_generated_types_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "wire_types.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
