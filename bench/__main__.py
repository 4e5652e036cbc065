"""Every bench, one after the other; each writes its own page of bench/results.

uv run --group bench python -m bench [NAME ...]
"""

from __future__ import annotations

import argparse
import sys
from runpy import run_module

# Not closed_strategies, which trains the strategies that are shipped, nor closed_gain: they take minutes a preset.
BENCHES = (
    "kernel",
    "library",
    "solve",
    "means",
    "decisions",
    "calibration",
    "envs",
    "closed",
    "score",
    "web",
    "chromium",
    "room",
)


def main() -> None:
    """Run those that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="*", default=BENCHES, help=", ".join(BENCHES))
    names = parser.parse_args().name
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        parser.error(f"no bench is called {unknown[0]}; there are {', '.join(BENCHES)}")
    sys.argv[1:] = []  # each bench reads its own options
    for name in names:
        run_module(f"bench.{name}", run_name="__main__")


if __name__ == "__main__":
    main()
