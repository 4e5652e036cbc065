"""Every bench, one after the other; each writes its own section of results.md.

uv run python -m bench
"""

from __future__ import annotations

from runpy import run_module

# Not closed_fields, which makes the fields that are shipped, nor closed_gain, which takes its presets as arguments.
BENCHES = ("kernel", "solve", "decisions", "envs", "score", "room")


def main() -> None:
    """Run them all."""
    for name in BENCHES:
        run_module(f"bench.{name}", run_name="__main__")


if __name__ == "__main__":
    main()
