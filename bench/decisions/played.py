"""The fixed positions judged by deals that are played out.

By triptych.arena.referee, which shares no shortcut with the search. What the levels choose and what analysis shows as
best is played, the same deals for each placement. The file gets a line a position and is no part of the repository; a
stopped run goes on, and what a level chooses otherwise later is added. It is to be removed when `medium` changes, by
which everybody goes on in these deals.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np
from msgspec import Struct

from bench.decisions.positions import EACH, PRESET, Spot, seen_by
from triptych.arena.referee import Referee
from triptych.board import ROWS, Layout
from triptych.bots.levels import get_level
from triptych.cards import parse_card
from triptych.deal.actions import Place
from triptych.notation.position import parse_position
from triptych.rulesets.load import resolve
from triptych.solve.analysis.analyse import analyse
from triptych.stats import estimate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

FILE: Final = Path(__file__).with_name("played.jsonl")
SEED: Final = 20_261_123
HEAD: Final = ("level", "street", "positions", "points lost a placement")
ANALYSIS_HEAD: Final = ("street", "analyses", "inside 95 %", "shown less played", "referee's error")


class JudgedPosition(Struct, frozen=True):
    """A position: who chose what, what analysis showed of its best with its standard error, and the deals' points.

    `points`: by placement as text, a figure a deal.
    """

    position: str
    street: int
    chosen: dict[str, str]
    shown: tuple[float, float]
    points: dict[str, tuple[float, ...]]

    def table(self) -> tuple[list[str], NDArray[np.float64]]:
        """Return the placements and the points, (deals, placements)."""
        return list(self.points), np.array(list(self.points.values())).T


def fill(file: Path, spots: Sequence[Spot], levels: Sequence[str], deals: int) -> Iterator[tuple[int, int]]:
    """Play what the file does not have yet, street about; yield how many positions are done, and of how many."""
    by_position = load(file)
    for done, spot in enumerate(sorted(spots, key=lambda spot: spot.number % EACH), start=1):
        before = by_position.get(spot.text)
        now = judge(spot, levels, deals, before)
        if now != before:
            with file.open("ab") as out:
                out.write(msgspec.json.encode(now) + b"\n")
        yield done, len(spots)


def load(file: Path = FILE) -> dict[str, JudgedPosition]:
    """Return what the file says of each position; the last line of a position counts."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    records = (msgspec.json.decode(line, type=JudgedPosition) for line in lines if line.endswith(b"\n"))
    return {record.position: record for record in records}


def judge(spot: Spot, levels: Sequence[str], deals: int, previous: JudgedPosition | None = None) -> JudgedPosition:
    """Return a position with all its placements played; those in `previous` are not played again."""
    rules = resolve(PRESET)
    view, task = seen_by(spot.text)
    best = analyse(spot.text, rules, seed=SEED + spot.number).placements[0]
    layouts = {_text(best): Layout(best.front, best.middle, best.back)}
    chosen = {"analysis": _text(best)}
    for name in levels:
        action = get_level(name).factory(1).choose(rules, view, task)
        if not isinstance(action, Place):
            raise TypeError(f"{name} did not place its cards")
        chosen[name] = _text(action.layout)
        layouts.setdefault(chosen[name], action.layout)
    points = {text: own for text, own in (previous.points if previous else {}).items() if len(own) == deals}
    missing = [text for text in layouts if text not in points]
    if missing:
        referee = Referee(rules, parse_position(spot.text))
        played = referee.points([layouts[text] for text in missing], SEED + spot.number, 0, deals)
        points |= {text: tuple(played[:, at].round(4).tolist()) for at, text in enumerate(missing)}
    return JudgedPosition(spot.text, spot.street, chosen, (round(best.value, 4), round(best.error, 4)), points)


def _text(layout: object) -> str:
    return "/".join("".join(sorted(getattr(layout, row), key=parse_card)) for row in ROWS)


def points_lost(judged: JudgedPosition, name: str) -> float:
    """Return how far a level's placement is behind the best.

    One half of the deals says which that is, the other half by how much, so that luck makes none the best.
    """
    texts, points = judged.table()
    mine = texts.index(judged.chosen[name])
    halves = points[::2].mean(axis=0), points[1::2].mean(axis=0)
    pairs = (halves, halves[::-1])
    return fmean(float(says[finds.argmax()] - says[mine]) for finds, says in pairs)


def rows_of(judgments: Sequence[JudgedPosition], levels: Sequence[str]) -> list[tuple[str, ...]]:
    """Return what each level loses, by street and in all."""
    rows: list[tuple[str, ...]] = [HEAD]
    for name in (*levels, "analysis"):
        by_street: dict[str, list[float]] = defaultdict(list)
        for judgment in judgments:
            if name in judgment.chosen:
                value = points_lost(judgment, name)
                by_street[str(judgment.street)].append(value)
                by_street["all"].append(value)
        for street, values in sorted(by_street.items()):
            text = estimate(np.array(values))
            rows.append((name, street, str(len(values)), f"{text.mean:+.3f} ± {text.half:.3f}"))
    return rows


def analysis_rows(judgments: Sequence[JudgedPosition]) -> list[tuple[str, ...]]:
    """Return how often analysis' interval of its best placement holds what the deals brought, by street."""
    by_street: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for judgment in judgments:
        own = np.array(judgment.points[judgment.chosen["analysis"]])
        error = float(own.std(ddof=1)) / len(own) ** 0.5
        off = judgment.shown[0] - float(own.mean())
        row = (off, (judgment.shown[1] ** 2 + error**2) ** 0.5, error)
        by_street[str(judgment.street)].append(row)
        by_street["all"].append(row)
    rows: list[tuple[str, ...]] = [ANALYSIS_HEAD]
    for street, values in sorted(by_street.items()):
        inside = [abs(off) <= max(1.96 * both, 1e-3) for off, both, _ in values]
        text = estimate(np.array([off for off, _, _ in values]))
        rows.append(
            (
                street,
                str(len(values)),
                f"{sum(inside)} of {len(values)}: {fmean(inside):.1%}",
                f"{text.mean:+.3f} ± {text.half:.3f}",
                f"{fmean(error for *_, error in values):.2f}",
            )
        )
    return rows
