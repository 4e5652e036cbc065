"""Phrases for descriptions: names of tables, titles, and points by rank."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from triptych.cards import RANKS
from triptych.i18n.messages import Message, catalogue, has_message, message_names


def table_text(name: str) -> str:
    """Return the name of a table of royalties, naturals or fantasyland: "closed units"; a custom name as it is."""
    key = name.replace(" ", "_")
    return Message(f"rules.table.{key}") if has_message(f"rules.table.{key}") else name.replace("_", " ")


def title_text(title: str) -> str:
    """Return the title of rules: a preset's as a message, a custom one as it is."""
    preset = _presets().get(title)
    return title if preset is None else Message(f"preset.{preset}")


@cache
def _presets() -> dict[str, str]:
    return {catalogue("en")[f"preset.{name}"]: name for name in message_names("preset.")}


def points_by_rank(points: Sequence[int], count: int) -> list[str]:
    """Return points by rank (2 to A) of `count` equal cards as `66 to AA 1 to 9`; runs of equal steps are joined."""
    entries = [(rank, value) for rank, value in enumerate(points) if value]
    runs: list[list[tuple[int, int]]] = []
    for entry in entries:
        if runs and _continues_run(runs[-1], entry):
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return [_run(run, count) for run in runs]


def _continues_run(run: list[tuple[int, int]], entry: tuple[int, int]) -> bool:
    *_, last = run
    steps = {later[1] - earlier[1] for earlier, later in pairwise([*run, entry])}
    return entry[0] == last[0] + 1 and len(steps) == 1 and steps <= {0, 1}


def _run(run: list[tuple[int, int]], count: int) -> str:
    (first, low), (last, high) = run[0], run[-1]
    names = {"first": RANKS[first] * count, "last": RANKS[last] * count}
    if first == last:
        return Message("rules.royalties.ranks", ranks=RANKS[first] * count, points=low)
    if low == high:
        return Message("rules.royalties.ranks_range", points=low, **names)
    return Message("rules.royalties.ranks_steps", least=low, most=high, **names)
