r"""What an action costs this room beside that of another checkout, in turns in one run: a busy machine tells it too.

uv run python -m bench.room_paired ../other/.venv/bin/python COMMIT [--tables 200] [--turns 16] [--actions 400] \
    [--at-once 8]

Each turn plays so many actions, a few of them at a time (64: as fast as a busy room), at one of the two servers. All
processor time of a server between the first turn and a while after the last one counts, so what is done behind the
commits is in it.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.report import write
from bench.room_load import Load, seated
from bench.servers import BEHIND_SECONDS, ServerGroup, over_sqlite

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = "uv run python -m bench.room_paired ../other/.venv/bin/python"
AT_ONCE = 8


async def play(load: Load, actions: int, at_once: int) -> None:
    """Play actions, each as soon as fewer than `at_once` wait for their answer."""
    began, sent = load.acks, 0
    while load.acks - began < actions:
        while sent < actions and sent - (load.acks - began) < at_once and load.ready:
            table, seat = load.ready.popleft()
            sent += await table.act(seat)
        await asyncio.sleep(0.0005)


async def measure(
    groups: Sequence[ServerGroup], tables: int, turns: int, actions: int, at_once: int
) -> list[tuple[float, float]]:
    """Return the microseconds an action of each group: of all its time, and the median of its turns."""
    loads = [Load() for _ in groups]
    spent: list[list[float]] = [[] for _ in groups]
    async with AsyncExitStack() as stack:
        for group, load in zip(groups, loads, strict=True):
            await stack.enter_async_context(seated(group.urls, load, tables))
            await play(load, actions, at_once)
        await asyncio.sleep(BEHIND_SECONDS)
        before = [group.cpu() for group in groups]
        for turn in range(turns):
            for which in (0, 1) if turn % 2 else (1, 0):
                began = groups[which].cpu()
                await play(loads[which], actions, at_once)
                spent[which].append(groups[which].cpu() - began)
        await asyncio.sleep(BEHIND_SECONDS)
        all_spent = [group.cpu() - began for group, began in zip(groups, before, strict=True)]
    if any(load.refused for load in loads):
        raise SystemExit("actions were refused")
    return [
        (whole / turns / actions * 1e6, median(each) / actions * 1e6)
        for whole, each in zip(all_spent, spent, strict=True)
    ]


def main() -> None:
    """Start both servers, load them in turns, and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", type=Path, help="of the other checkout's environment")
    parser.add_argument("name", help="the other checkout's commit, to be named beside the figures")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--turns", type=int, default=16)
    parser.add_argument("--actions", type=int, default=400)
    parser.add_argument("--at-once", type=int, default=AT_ONCE)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        groups = []
        for name, python in (("other", args.python.absolute()), ("this", None)):
            folder = Path(place) / name
            folder.mkdir()
            groups.append(stack.enter_context(over_sqlite(folder, python)))
        measured = measure(groups, args.tables, args.turns, args.actions, args.at_once)
        (other, other_turn), (ours, our_turn) = asyncio.run(measured)
    head = ("room", "µs an action", "to the other", "median of its turns", "to the other")
    rows = (
        (args.name, f"{other:,.0f}", "1.00", f"{other_turn:,.0f}", "1.00"),
        ("this one", f"{ours:,.0f}", f"{ours / other:.2f}", f"{our_turn:,.0f}", f"{our_turn / other_turn:.2f}"),
    )
    turns = f"{args.turns} turns of {args.actions} actions each, {args.at_once} at once"
    note = f"{args.tables} tables of three, {turns}"
    options = f"--tables {args.tables} --turns {args.turns} --actions {args.actions} --at-once {args.at_once}"
    write("Room beside another checkout’s", f"{COMMAND} {args.name} {options}", [head, *rows], note)


if __name__ == "__main__":
    main()
