"""Write every generated file that is in the repository: `uv run python -m scripts.generate`.

With `--check` nothing is written; exits with 1 when a file is stale (`scripts.check generated`). What each script
writes: docs/contributing/testing.md.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
# Pages quote what stands before them in this list: the HTTP page the protocol's, help the rules.
SCRIPTS: Final = (
    "hand_messages",
    "wire_types",
    "client_routes",
    "protocol_pages",
    "rules_reference",
    "seeds_reference",
    "reference_pages",
    "help_pages",
    "kernel_types",
)


def main() -> int:
    """Run every script, with `--check` where this is asked; 1 when one of them fails."""
    commands = [(sys.executable, "-m", f"scripts.{script}", *sys.argv[1:]) for script in SCRIPTS]
    statuses = [subprocess.run(command, cwd=ROOT, check=False).returncode for command in commands]
    return 1 if any(statuses) else 0


if __name__ == "__main__":
    sys.exit(main())
