"""`python -m tests.simulation --seed 1 --deals 200000` plays faulty deals; `--planted` says which seed finds what."""

from __future__ import annotations

import argparse
import sys
import time

from tests.simulation.episode import play
from tests.simulation.planted import PLANTED, find


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Play until so many deals are over; 1 when something did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first episode's")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--length", type=int, default=3, help="deals of an episode's faults")
    parser.add_argument("--look", type=float, default=0.1, help="share of views held against the truth")
    parser.add_argument("--seconds", type=float, default=1e9, help="of processor time, at most")
    parser.add_argument("--planted", action="store_true")
    args = parser.parse_args()
    if args.planted:
        return planted(args.seed)
    began = time.process_time()
    seed, deals, commands, crashes, views, bad = args.seed, 0, 0, 0, 0, 0
    while deals < args.deals and time.process_time() - began < args.seconds:
        done = play(seed, args.length, args.look)
        deals, commands = deals + done.deals, commands + done.commands
        crashes, views = crashes + done.crashes, views + done.shown
        for what in done.found:
            say(f"seed {seed}: {what}")
        bad += bool(done.found)
        seed += 1
        if seed % 200 == 0:
            say(f"{seed - args.seed} episodes, {deals} deals, {bad} with a finding")
    spent = time.process_time() - began
    say(
        f"{deals} deals in {seed - args.seed} episodes, {commands} commands, {crashes} crashes, {views} views "
        f"compared; {bad} episodes with a finding; {spent:.0f} s of processor, {deals / spent:.0f} deals a second"
    )
    return int(bad > 0)


def planted(seed: int) -> int:
    """Say by which seed each planted fault is found."""
    missed = 0
    for name in PLANTED:
        finding = find(name, range(seed, seed + 200))
        missed += finding is None
        say(f"{name}: " + ("NOT FOUND" if finding is None else f"seed {finding[0]}: {finding[1]}"))
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
