"""In which order the whole suite is run, so that its workers end at nearly the same time."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# The folders that each worker begins with: one waits for browsers, one for servers, one computes. So three workers
# keep two cores busy, and none is left alone with the longest tests at the end; the others' last tests are taken over
# by whoever is free (`--dist=worksteal`).
FIRST: Final = (("browser",), ("faults", "server", "conformance"), ("solve", "bots", "train"))
WORKERS: Final = len(FIRST)


def shares(count: int) -> list[int]:
    """Return how many of so many tests each worker gets at first, as worksteal deals them out."""
    counts: list[int] = []
    for at in range(WORKERS):
        counts.append((count - sum(counts)) // (WORKERS - at))
    return counts


def order(names: Sequence[str]) -> list[int]:
    """Return the places of tests, by their names, in the order in which each share begins with its own folders."""
    own: list[list[int]] = [[] for _ in FIRST]
    rest: list[int] = []
    for place, name in enumerate(names):
        worker = next((at for at, folders in enumerate(FIRST) if {*folders} & {*name.split("/")}), None)
        (rest if worker is None else own[worker]).append(place)
    sizes = shares(len(names))
    for places, size in zip(own, sizes, strict=True):
        rest += places[size:]
        del places[size:]
    others = iter(rest)
    return [
        place
        for places, size in zip(own, sizes, strict=True)
        for place in (*places, *islice(others, size - len(places)))
    ]
