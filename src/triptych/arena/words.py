"""The texts of a match's figures, for the terminal and the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triptych.stats import signed

if TYPE_CHECKING:
    from triptych.arena.credit import FantasylandValue
    from triptych.arena.report import BotReport, BotSpeed, MatchResult, Points

_STOP_TEXTS: Final = {"all": "", "until": ", stopped when narrow enough", "interrupted": ", interrupted"}
_INTERVALS: Final = {
    "fixed": "Intervals: 95 %, over decks.",
    "any_time": "Intervals: 95 % confidence sequences over decks, right at whatever moment one stops.",
}


def summary(result: MatchResult) -> str:
    """Return the facts of the match and the kind of its intervals."""
    return (
        f"{result.preset}: {result.deals:,} of {result.planned:,} decks, each in {result.rotations} seatings, "
        f"seed {result.seed}{_STOP_TEXTS[result.ended]}. {_INTERVALS[result.interval]}"
    )


def verdict(result: MatchResult) -> str:
    """Return which bot is stronger: two bots are compared, of more only the best is named.

    No bot is where one of them forfeited most of its decisions.
    """
    unrated = [bot for bot in result.bots if bot.is_unrated]
    if unrated:
        reasons = "; ".join(
            f"{bot.bot} forfeited {bot.forfeited:,} of {bot.decisions:,} decisions" for bot in unrated
        )
        return f"No verdict: {reasons}."
    ranked = sorted(result.bots, key=lambda bot: -points_by_fantasyland_mode(bot)[0][1].duplicate.mean)
    best = points_by_fantasyland_mode(ranked[0])[0][1].duplicate
    if len(ranked) > 2:
        return f"{ranked[0].bot} makes the most points: {signed(best)} a deal."
    if best.half < 0 or best.low <= 0:
        return f"These decks do not tell {ranked[0].bot} and {ranked[1].bot} apart: {signed(best)} points a deal."
    return f"{ranked[0].bot} is stronger than {ranked[1].bot}: {signed(best)} points a deal."


def points_by_fantasyland_mode(bot: BotReport) -> list[tuple[str, Points]]:
    """Return a bot's points by how they count fantasylands."""
    modes = (("played out", bot.played), ("credited", bot.credited), ("not counted", bot.plain))
    return [(name, points) for name, points in modes if points is not None]


def fantasyland_rows(result: MatchResult) -> list[tuple[str, ...]]:
    """Return one row for each bot and size: bot, cards, value, played, royalties, foul %, repeats %."""
    values = {(entry.bot, entry.cards): entry for entry in result.fantasyland_values}
    stats_by_size = {(bot.bot, stats.cards): stats for bot in result.bots for stats in bot.fantasyland_stats}
    rows: list[tuple[str, ...]] = []
    for bot, cards in sorted({*values, *stats_by_size}):
        value, stats = values.get((bot, cards)), stats_by_size.get((bot, cards))
        figures = ("", "", "", "")
        if stats is not None:
            figures = (f"{stats.played:,}", f"{stats.royalties:.2f}", f"{stats.foul:.1f}", f"{stats.again:.1f}")
        rows.append((bot, str(cards), "" if value is None else _value_text(value), *figures))
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
    if value.error < 0.002:  # so few chains fit exactly, so the error is not known
        return f"{value.value:+.2f} ({value.chains} played)"
    return f"{value.value:+.2f} ± {1.96 * value.error:.2f}"
