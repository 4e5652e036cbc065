"""The figures of a match, for the terminal, the JSON file and the HTML page."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from typing import Final, Literal

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from triptych.arena.credit import FantasylandValue
from triptych.arena.faults import Fault, FaultKind
from triptych.arena.records import BotStats, FantasylandRecord
from triptych.arena.speed import LatencyHistogram, Speed
from triptych.arena.tally import Kind, MatchAccumulator
from triptych.board_svg import table_html
from triptych.rulesets.model import hands_per_seat, max_fantasyland_cards
from triptych.stats import Estimate, IntervalKind, estimate, signed, widen

StopReason = Literal["all", "until", "interrupted"]

_MAX_EXAMPLES: Final = 12


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    """Points a deal. `duplicate`: over decks, each played in every seating. `raw`: as if each had its own deck."""

    duplicate: Estimate
    raw: Estimate


class FantasylandStats(Struct, frozen=True, forbid_unknown_fields=True):
    """The fantasylands of a bot: how many, mean royalties, per cent fouled, per cent repeated."""

    cards: int
    played: int
    royalties: float
    foul: float
    again: float


class BotReport(Struct, frozen=True, forbid_unknown_fields=True):
    """One bot's figures. `plain`, `foul`, `fantasyland`, `royalties` and `by_seat` are of the deals themselves.

    `plain` counts fantasylands as 0; `credited` adds their value, `played` the points of those that followed (null
    where not requested, and under rules without fantasylands). `foul`: per cent of boards, `fantasyland`: of deals.
    `by_seat`: seat 0 is left of the button. `decisions`: the bot's decisions, `forfeited`: those placed for it.
    `faults`: by kind. `forfeited_blocks`: batches of deals from which the bot was excluded.
    """

    bot: str
    plain: Points
    credited: Points | None
    played: Points | None
    foul: Estimate
    fantasyland: Estimate
    royalties: Estimate
    by_seat: tuple[Estimate, ...]
    fantasyland_stats: tuple[FantasylandStats, ...] = field(name="lands")
    faults: dict[FaultKind, int]
    examples: tuple[Fault, ...]
    forfeited_blocks: int
    decisions: int
    forfeited: int

    @property
    def is_unrated(self) -> bool:
        """Return whether more than half of its decisions were placed for it: its points say nothing about it."""
        return 2 * self.forfeited > self.decisions


class BotSpeed(Struct, frozen=True, forbid_unknown_fields=True):
    """Microseconds a move; `cpu` is of the arena's own process, so only `wall` is meaningful for a program."""

    bot: str
    cpu: Speed
    wall: Speed


class MatchResult(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a match: a function of the plan alone, except speeds. `deals`: decks played in every seating."""

    preset: str
    seed: str
    deals: int
    planned: int
    rotations: int
    ended: StopReason
    interval: IntervalKind
    bots: tuple[BotReport, ...]
    fantasyland_values: tuple[FantasylandValue, ...] = field(name="land_values")

    def __repr__(self) -> str:
        means = ", ".join(f"{bot.bot} {signed(bot.plain.duplicate, 2)}" for bot in self.bots)
        return f"<MatchResult of {self.deals} decks of {self.preset}: {means}>"

    def _repr_html_(self) -> str:
        rows = [
            (
                bot.bot,
                signed(bot.plain.duplicate, 2),
                f"{bot.foul.mean:.1f} %",
                f"{bot.fantasyland.mean:.1f} %",
                f"{bot.royalties.mean:.2f}",
                str(sum(bot.faults.values())),
            )
            for bot in self.bots
        ]
        return table_html(("bot", "points a deal", "fouls", "fantasyland", "royalties", "faults"), rows)


class RunInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of a run that may differ between two runs of one plan."""

    command: str
    triptych: str
    python: str
    machine: str
    jobs: int
    seconds: float

    @classmethod
    def collect(cls, command: str, jobs: int, seconds: float) -> RunInfo:
        """Return this run's facts."""
        machine = f"{platform.system()} {platform.machine()}"
        return cls(command, version("triptych"), platform.python_version(), machine, jobs, round(seconds, 2))


def match_result(tally: MatchAccumulator, ended: StopReason) -> MatchResult:
    """Return the figures of a match; sequential intervals where the match was allowed to stop on them."""
    plan = tally.plan
    interval: IntervalKind = "any_time" if plan.until else "fixed"
    return MatchResult(
        preset=plan.rules.name,
        seed=plan.seed,
        deals=len(tally.duplicate_deals),
        planned=plan.deals,
        rotations=len(plan.entrants),
        ended=ended,
        interval=interval,
        bots=tuple(_bot(tally, player, interval) for player in range(len(tally.labels))),
        fantasyland_values=tally.values(),
    )


def speeds(tally: MatchAccumulator) -> tuple[BotSpeed, ...]:
    """Return the speed of each bot."""
    return tuple(_speed(label, batches) for label, batches in zip(tally.labels, tally.bot_stats, strict=True))


def _bot(tally: MatchAccumulator, player: int, interval: IntervalKind) -> BotReport:
    planned = tally.plan.deals
    boards = hands_per_seat(tally.plan.rules)

    def points(kind: Kind) -> Points:
        by_deal = tally.points(kind)[:, :, player]
        fit_error = tally.fit_error(player) if kind == "credited" else 0.0
        return Points(
            widen(estimate(by_deal.mean(axis=1), interval, planned), fit_error),
            widen(estimate(by_deal.reshape(-1), interval, planned * by_deal.shape[1]), fit_error),
        )

    def share(values: NDArray[np.float64], factor: float = 1.0) -> Estimate:
        by_deck: NDArray[np.float64] = factor * values[:, :, player].mean(axis=1)
        return estimate(by_deck, interval, planned)

    has_fantasyland = max_fantasyland_cards(tally.plan.rules) > 0
    seats = tally.counts("seats")[:, :, player]
    plain = tally.points("plain")[:, :, player]
    fantasylands = [
        record for unit in tally.duplicate_deals for seating in unit.seatings for record in seating.fantasylands
    ]
    faults: Counter[FaultKind] = Counter()
    for stats in tally.bot_stats[player]:
        faults.update(stats.faults)
    return BotReport(
        bot=tally.labels[player],
        plain=points("plain"),
        credited=points("credited") if has_fantasyland and tally.plan.chains != "played" else None,
        played=points("played") if has_fantasyland and tally.plan.chains != "credited" else None,
        foul=share(tally.counts("fouls"), 100 / boards),
        fantasyland=share(np.sign(tally.counts("next_fantasylands")), 100.0),
        royalties=share(tally.counts("royalties")),
        by_seat=tuple(estimate(plain[seats == seat], interval, planned) for seat in range(len(tally.labels))),
        fantasyland_stats=_fantasyland_stats([record for record in fantasylands if record.player == player]),
        faults=dict(sorted(faults.items())),
        examples=tuple(example for stats in tally.bot_stats[player] for example in stats.examples)[:_MAX_EXAMPLES],
        forfeited_blocks=sum(stats.excluded for stats in tally.bot_stats[player]),
        decisions=sum(sum(stats.wall.values()) + stats.skipped for stats in tally.bot_stats[player]),
        forfeited=faults.total() + sum(stats.skipped for stats in tally.bot_stats[player]),
    )


def _fantasyland_stats(records: Sequence[FantasylandRecord]) -> tuple[FantasylandStats, ...]:
    sizes = sorted({record.cards for record in records})
    return tuple(
        _fantasyland_stats_for_size(cards, [record for record in records if record.cards == cards]) for cards in sizes
    )


def _fantasyland_stats_for_size(cards: int, records: Sequence[FantasylandRecord]) -> FantasylandStats:
    count = len(records)
    return FantasylandStats(
        cards,
        count,
        sum(record.royalties for record in records) / count,
        100 * sum(record.fouled for record in records) / count,
        100 * sum(record.repeated for record in records) / count,
    )


def _speed(label: str, batches: Sequence[BotStats]) -> BotSpeed:
    cpu, wall = LatencyHistogram(), LatencyHistogram()
    for batch in batches:
        cpu.merge(batch.cpu, batch.cpu_total)
        wall.merge(batch.wall, batch.wall_total)
    return BotSpeed(label, cpu.speed(), wall.speed())
