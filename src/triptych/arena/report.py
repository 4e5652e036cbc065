"""The figures of a match: what the command prints, writes as JSON, and shows on its page."""

from __future__ import annotations

import platform
from collections import Counter
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from msgspec import Struct

from triptych.arena.credit import LandValue
from triptych.arena.faults import Fault, FaultKind
from triptych.arena.speed import Speed, Times
from triptych.rulesets.model import max_fantasyland
from triptych.stats import Figure, IntervalKind, doubted, figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triptych.arena.records import Conduct, LandRecord
    from triptych.arena.tally import Kind, Tally

Ending = Literal["all", "until", "interrupted"]

_EXAMPLES: Final = 12


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    """Points a deal. `duplicate`: over decks, each played in every seating. `raw`: as if each had its own deck."""

    duplicate: Figure
    raw: Figure


class Lands(Struct, frozen=True, forbid_unknown_fields=True):
    """The fantasylands that a bot played: how many, royalties of one, per cent fouled, per cent that repeated."""

    cards: int
    played: int
    royalties: float
    foul: float
    again: float


class BotReport(Struct, frozen=True, forbid_unknown_fields=True):
    """One bot's figures. `plain`, `foul`, `fantasyland`, `royalties` and `by_seat` are of the deals themselves.

    `plain` counts fantasylands as nothing; `credited` adds their value, `played` the points of those that followed
    (null where not asked for, and under rules that have none). `foul`: per cent of boards, `fantasyland`: of deals.
    `by_seat`: seat 0 is left of the button. `decisions`: how many were the bot's, `forfeited`: those laid for it.
    `faults`: by kind. `forfeited_blocks`: blocks of deals in which the bot was no longer asked.
    """

    bot: str
    plain: Points
    credited: Points | None
    played: Points | None
    foul: Figure
    fantasyland: Figure
    royalties: Figure
    by_seat: tuple[Figure, ...]
    lands: tuple[Lands, ...]
    faults: dict[FaultKind, int]
    examples: tuple[Fault, ...]
    forfeited_blocks: int
    decisions: int
    forfeited: int

    @property
    def mostly_absent(self) -> bool:
        """Tell whether more than half of its decisions were laid for it: its points say nothing about it."""
        return 2 * self.forfeited > self.decisions


class BotSpeed(Struct, frozen=True, forbid_unknown_fields=True):
    """Microseconds a move; `cpu` of the arena's own process, so only `wall` says anything about a program."""

    bot: str
    cpu: Speed
    wall: Speed


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """What a match came to: a function of the plan alone, speeds apart. `deals`: decks played in every seating."""

    preset: str
    seed: str
    deals: int
    planned: int
    rotations: int
    ended: Ending
    interval: IntervalKind
    bots: tuple[BotReport, ...]
    land_values: tuple[LandValue, ...]


class Run(Struct, frozen=True, forbid_unknown_fields=True):
    """How a match was played: what may differ between two runs of one plan."""

    command: str
    triptych: str
    python: str
    machine: str
    jobs: int
    seconds: float

    @classmethod
    def now(cls, command: str, jobs: int, seconds: float) -> Run:
        """Return this run's facts."""
        machine = f"{platform.system()} {platform.machine()}"
        return cls(command, version("triptych"), platform.python_version(), machine, jobs, round(seconds, 2))


def outcome(tally: Tally, ended: Ending) -> Outcome:
    """Return the figures of what was played; sequential intervals where the match was allowed to stop on them."""
    plan = tally.plan
    interval: IntervalKind = "any_time" if plan.until else "fixed"
    return Outcome(
        preset=plan.rules.name,
        seed=plan.seed,
        deals=len(tally.units),
        planned=plan.deals,
        rotations=len(plan.entrants),
        ended=ended,
        interval=interval,
        bots=tuple(_bot(tally, player, interval) for player in range(len(tally.labels))),
        land_values=tally.values(),
    )


def speeds(tally: Tally) -> tuple[BotSpeed, ...]:
    """Return how fast each bot moved."""
    return tuple(_speed(label, parts) for label, parts in zip(tally.labels, tally.conduct, strict=True))


def _bot(tally: Tally, player: int, interval: IntervalKind) -> BotReport:
    planned = tally.plan.deals
    boards = 2 if tally.plan.rules.deal.game == "criss_cross" else 1

    def points(kind: Kind) -> Points:
        by_deal = tally.points(kind)[:, :, player]
        doubt = tally.doubt(player) if kind == "credited" else 0.0
        return Points(
            doubted(figure(by_deal.mean(axis=1), interval, planned), doubt),
            doubted(figure(by_deal.reshape(-1), interval, planned * by_deal.shape[1]), doubt),
        )

    def share(values: NDArray[np.float64], factor: float = 1.0) -> Figure:
        by_deck: NDArray[np.float64] = factor * values[:, :, player].mean(axis=1)
        return figure(by_deck, interval, planned)

    lands_exist = max_fantasyland(tally.plan.rules) > 0
    seats = tally.counts("seats")[:, :, player]
    plain = tally.points("plain")[:, :, player]
    lands = [land for unit in tally.units for one in unit.seatings for land in one.lands_played]
    faults: Counter[FaultKind] = Counter()
    for conduct in tally.conduct[player]:
        faults.update(conduct.faults)
    return BotReport(
        bot=tally.labels[player],
        plain=points("plain"),
        credited=points("credited") if lands_exist and tally.plan.chains != "played" else None,
        played=points("played") if lands_exist and tally.plan.chains != "credited" else None,
        foul=share(tally.counts("fouls"), 100 / boards),
        fantasyland=share(np.sign(tally.counts("lands")), 100.0),
        royalties=share(tally.counts("royalties")),
        by_seat=tuple(figure(plain[seats == seat], interval, planned) for seat in range(len(tally.labels))),
        lands=_lands([land for land in lands if land.player == player]),
        faults=dict(sorted(faults.items())),
        examples=tuple(example for conduct in tally.conduct[player] for example in conduct.examples)[:_EXAMPLES],
        forfeited_blocks=sum(conduct.out for conduct in tally.conduct[player]),
        decisions=sum(sum(conduct.wall.values()) + conduct.skipped for conduct in tally.conduct[player]),
        forfeited=faults.total() + sum(conduct.skipped for conduct in tally.conduct[player]),
    )


def _lands(played: Sequence[LandRecord]) -> tuple[Lands, ...]:
    sizes = sorted({land.cards for land in played})
    return tuple(_lands_of(cards, [land for land in played if land.cards == cards]) for cards in sizes)


def _lands_of(cards: int, played: Sequence[LandRecord]) -> Lands:
    count = len(played)
    return Lands(
        cards,
        count,
        sum(land.royalties for land in played) / count,
        100 * sum(land.fouled for land in played) / count,
        100 * sum(land.again for land in played) / count,
    )


def _speed(label: str, parts: Sequence[Conduct]) -> BotSpeed:
    cpu, wall = Times(), Times()
    for part in parts:
        cpu.merge(part.cpu, part.cpu_total)
        wall.merge(part.wall, part.wall_total)
    return BotSpeed(label, cpu.speed(), wall.speed())
