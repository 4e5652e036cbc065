"""How a match's figures are said, in the terminal and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from triptych.arena.credit import FantasylandValue
    from triptych.arena.report import BotReport, BotSpeed, MatchResult, Points
    from triptych.stats import Estimate

_STOP_TEXTS: Final = {"all": "", "until": ", stopped when narrow enough", "interrupted": ", interrupted"}
_INTERVALS: Final = {
    "fixed": "Intervals: 95 %, over decks.",
    "any_time": "Intervals: 95 % confidence sequences over decks, right at whatever moment one stops.",
}


def summary(result: MatchResult) -> str:
    """Return what was played, and what the intervals are."""
    return (
        f"{result.preset}: {result.deals:,} of {result.planned:,} decks, each in {result.rotations} seatings, "
        f"seed {result.seed}{_STOP_TEXTS[result.ended]}. {_INTERVALS[result.interval]}"
    )


def verdict(result: MatchResult) -> str:
    """Return who is stronger: two bots are compared, of more the first one is named.

    Nobody is where one of them let most of its decisions be laid for it.
    """
    absent = [bot for bot in result.bots if bot.is_unrated]
    if absent:
        whose = "; ".join(f"{bot.bot} forfeited {bot.forfeited:,} of {bot.decisions:,} decisions" for bot in absent)
        return f"No verdict: {whose}."
    ranked = sorted(result.bots, key=lambda bot: -points_by_fantasyland_mode(bot)[0][1].duplicate.mean)
    best = points_by_fantasyland_mode(ranked[0])[0][1].duplicate
    if len(ranked) > 2:
        return f"{ranked[0].bot} makes the most points: {signed(best)} a deal."
    if best.half < 0 or best.low <= 0:
        return f"These decks do not tell {ranked[0].bot} and {ranked[1].bot} apart: {signed(best)} points a deal."
    return f"{ranked[0].bot} is stronger than {ranked[1].bot}: {signed(best)} points a deal."


def signed(figure: Estimate, digits: int = 3) -> str:
    """Return points with their sign and interval: '+1.230 ± 0.100'."""
    return f"{figure.mean:+.{digits}f}" + (f" ± {figure.half:.{digits}f}" if figure.half >= 0 else "")


def unsigned(figure: Estimate, digits: int) -> str:
    """Return a figure that has no sign with its interval."""
    return f"{figure.mean:.{digits}f}" + (f" ± {figure.half:.{digits}f}" if figure.half >= 0 else "")


def points_by_fantasyland_mode(bot: BotReport) -> list[tuple[str, Points]]:
    """Return a bot's points, and how they count fantasylands."""
    every = (("played out", bot.played), ("credited", bot.credited), ("not counted", bot.plain))
    return [(name, points) for name, points in every if points is not None]


def fantasyland_rows(result: MatchResult) -> list[tuple[str, ...]]:
    """Return a row a bot and size: bot, cards, value, played, royalties, foul %, repeats %."""
    values = {(one.bot, one.cards): one for one in result.land_values}
    lands = {(bot.bot, land.cards): land for bot in result.bots for land in bot.lands}
    rows: list[tuple[str, ...]] = []
    for bot, cards in sorted({*values, *lands}):
        value, land = values.get((bot, cards)), lands.get((bot, cards))
        rest = ("", "", "", "")
        if land is not None:
            rest = (f"{land.played:,}", f"{land.royalties:.2f}", f"{land.foul:.1f}", f"{land.again:.1f}")
        rows.append((bot, str(cards), "" if value is None else _value_text(value), *rest))
    return rows


def speed_row(speed: BotSpeed) -> tuple[str, ...]:
    """Return bot, moves, then CPU and wall milliseconds: mean, median, 99th percentile."""
    times = (
        speed.cpu.mean,
        speed.cpu.p50,
        speed.cpu.p99,
        speed.wall.mean,
        speed.wall.p50,
        speed.wall.p99,
    )
    return speed.bot, f"{speed.wall.moves:,}", *(f"{time / 1000:.3f}" for time in times)


def _value_text(value: FantasylandValue) -> str:
    if not value.chains:
        return f"{value.value:+.2f} (given)"
    if value.error < 0.002:  # so few chains fit exactly, which says nothing of how far off they are
        return f"{value.value:+.2f} ({value.chains} played)"
    return f"{value.value:+.2f} ± {1.96 * value.error:.2f}"
