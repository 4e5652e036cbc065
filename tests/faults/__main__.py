"""`python -m tests.faults --kills 500 --points 20 --postgres 20 --stops 100 --nats 10` makes faults, and judges.

Each kind is played at real processes under play; what was not asked for is left out. `--point NAME` chooses points.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from tests.faults.campaigns import (
    ALONE,
    TOGETHER,
    ClusterCampaigns,
    Run,
    database_killed,
    killed_at,
    killed_at_random,
)
from tests.postgres import Postgres

Campaign = Callable[[Path], Awaitable[Run]]


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Make so many faults of each kind; 1 when the judge found something."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    for name, words in (
        ("kills", "SIGKILLs of a server at random moments"),
        ("points", "SIGKILLs at each named point"),
        ("owners", "SIGKILLs of the owner of a table in a cluster of two servers"),
        ("stops", "SIGSTOPs of an owner past its lease, each with a SIGCONT"),
        ("drains", "SIGTERMs of an owner"),
        ("postgres", "ends of PostgreSQL in the mode immediate"),
        ("nats", "cuts of NATS, with the death of an owner meanwhile"),
    ):
        parser.add_argument(f"--{name}", type=int, default=0, help=words)
    parser.add_argument("--point", action="append", choices=(*ALONE, *TOGETHER), help="only this one (again: more)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="triptych-faults-", ignore_cleanup_errors=True) as folder:
        return asyncio.run(_all(args, Path(folder)))


async def _all(args: argparse.Namespace, folder: Path) -> int:
    faults = 0
    campaigns, postgres = alone(args), None
    shared = any((args.owners, args.stops, args.drains, args.postgres, args.nats))
    if shared or (args.points and set(chosen(args)) & set(TOGETHER)):
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        postgres = Postgres(folder)
        campaigns.update(together(args, postgres))
    try:
        for number, (name, campaign) in enumerate(campaigns.items()):
            place = folder / f"run{number}"
            place.mkdir()
            began = time.monotonic()
            run = await campaign(place)
            say(f"{name}, {time.monotonic() - began:.0f} s: {run}")
            for what in run.verdict.found:
                say(f"  {what}")
            faults += len(run.verdict.found)
    finally:
        if postgres is not None:
            postgres.end()
    return int(faults > 0)


def chosen(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the points that were asked for."""
    return tuple(args.point or (*ALONE, *TOGETHER))


def alone(args: argparse.Namespace) -> dict[str, Campaign]:
    """Return what is done to a server that is alone."""
    seed = args.seed
    campaigns: dict[str, Campaign] = {}
    if args.kills:
        campaigns["killed at random"] = partial(killed_at_random, kills=args.kills, seed=seed)
    for point in chosen(args) if args.points else ():
        if point in ALONE:
            campaigns[f"killed at {point}"] = partial(_killed_at, point, args.points, seed)
    return campaigns


async def _killed_at(point: str, kills: int, seed: int, folder: Path) -> Run:
    return await killed_at((point,), folder, kills, seed)


def together(args: argparse.Namespace, postgres: Postgres) -> dict[str, Campaign]:
    """Return what is done to two servers that share a database."""
    campaigns: dict[str, Campaign] = {}

    def plan(name: str, campaign: Callable[[ClusterCampaigns], Awaitable[Run]]) -> None:
        campaigns[name] = lambda folder: campaign(ClusterCampaigns(folder, postgres.database))

    for point in chosen(args) if args.points else ():
        if point in TOGETHER:
            plan(
                f"killed at {point}",
                partial(ClusterCampaigns.moved_at, points=(point,), kills=args.points, seed=args.seed),
            )
    if args.owners:
        plan("owner killed", partial(ClusterCampaigns.owners_killed, kills=args.owners))
    if args.stops:
        plan("owner stopped past its lease", partial(ClusterCampaigns.owners_stopped, stops=args.stops))
    if args.drains:
        plan("owner drained", partial(ClusterCampaigns.owners_drained, drains=args.drains))
    if args.nats:
        plan("NATS cut", partial(ClusterCampaigns.nats_cut, cuts=args.nats))
    if args.postgres:
        campaigns["PostgreSQL killed"] = partial(
            database_killed, postgres=postgres, kills=args.postgres, seed=args.seed
        )
    return campaigns


if __name__ == "__main__":
    sys.exit(main())
