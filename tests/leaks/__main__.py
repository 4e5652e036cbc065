"""`python -m tests.leaks --pairs 20000` plays twin sessions; `--planted` says which seed finds which leak."""

from __future__ import annotations

import argparse
import sys
import time

from tests.leaks.planted import PLANTED, find
from tests.leaks.twins import pairs


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Play so many pairs; 1 when a viewer could tell twins apart, or a planted leak was not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.leaks", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e9, help="of processor time, at most")
    parser.add_argument("--planted", action="store_true")
    args = parser.parse_args()
    if args.planted:
        findings = {name: find(name, range(args.seed, args.seed + 100)) for name in PLANTED}
        for name, finding in findings.items():
            say(f"{name}: {'NOT FOUND' if finding is None else finding[1]}")
        return int(None in findings.values())
    began = time.process_time()
    seed, played, compared, bad = args.seed, 0, 0, 0
    while played < args.pairs and time.process_time() - began < args.seconds:
        done = pairs(seed)
        played, compared = played + done.pairs, compared + done.compared
        for what in done.found:
            say(what)
        bad += bool(done.found)
        seed += 1
    spent = time.process_time() - began
    say(
        f"{played} pairs of {seed - args.seed} sessions, {compared / 1e6:.0f} MB compared, {bad} told apart; "
        f"{spent:.0f} s of processor, {played / spent:.0f} pairs a second"
    )
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
