"""What training did, as a picture: foul, fantasyland, royalties and what a fantasyland is worth, over the deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean
from typing import Final

from triptych.svg_plots import Curve, document, lines
from triptych.train.selfplay import Progress

_MAX_POINTS: Final = 150


def plot(history: Sequence[Progress], title: str) -> str:
    """Return an SVG document; each point is a mean over a stretch of deals, its band the lowest and highest slice."""
    size = max(1, -(-len(history) // _MAX_POINTS))
    stretches = [history[start : start + size] for start in range(0, len(history), size)]
    deals = [stretch[-1].done / 1000 for stretch in stretches]

    def curve(label: str, value: Callable[[Progress], float]) -> Curve:
        values = [[value(one) for one in stretch] for stretch in stretches]
        return Curve(label, deals, [*map(fmean, values)], [*map(min, values)], [*map(max, values)])

    shares = [curve("foul", lambda one: 100 * one.foul), curve("fantasyland", lambda one: 100 * one.fantasyland)]
    panels = [("Per cent of boards", shares), ("Royalties a board", [curve("royalties", lambda one: one.royalties)])]
    if sizes := [size for size, value in enumerate(history[-1].land_value) if value]:
        worth = [curve(f"{size} cards", partial(_fantasyland_value, size)) for size in sizes]
        panels.append(("Points that a fantasyland is worth", worth))
    return document(
        title, [(name, [one.label for one in some], lines(name, some, "thousand deals")) for name, some in panels]
    )


def _fantasyland_value(size: int, progress: Progress) -> float:
    return progress.land_value[size]
