"""The figures of a match as tables for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from triptych.bots.arena.faults import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from triptych.bots.arena.report import BotReport, BotSpeed, Outcome, Run
    from triptych.bots.arena.stats import Figure

_ENDED = {
    "all": "",
    "until": ", stopped as asked: narrow enough",
    "interrupted": ", interrupted",
}
_INTERVALS = {
    "fixed": "95 % intervals over decks",
    "any_time": "95 % confidence sequence over decks, right at any stop",
}


def print_outcome(console: Console, found: Outcome, speeds: Sequence[BotSpeed], run: Run) -> None:
    """Print a match: who is stronger, how they played, how fast, and what went wrong."""
    console.print(
        f"[bold]{escape(found.preset)}[/]: {found.deals:,} of {found.planned:,} decks, each in {found.rotations} "
        f"seatings, seed {found.seed}{_ENDED[found.ended]} ({run.seconds:.1f} s). "
        f"{_INTERVALS[found.interval]}."
    )
    console.print(_points(found))
    console.print(_play(found))
    if found.land_values:
        console.print(_lands(found))
    console.print(_speed(speeds))
    for bot in found.bots:
        _print_faults(console, bot)


def _points(found: Outcome) -> Table:
    table = Table(title="points a deal", title_justify="left", box=None, pad_edge=False)
    for heading in ("", "fantasylands", "duplicate", "raw, as if without it"):
        table.add_column(heading)
    for bot in found.bots:
        for points, name in ((bot.played, "played out"), (bot.credited, "credited"), (bot.plain, "not counted")):
            if points is not None:
                table.add_row(escape(bot.bot), name, f"[bold]{signed(points.duplicate)}[/]", signed(points.raw))
    return table


def _play(found: Outcome) -> Table:
    table = Table(title="the deals themselves", title_justify="left", box=None, pad_edge=False)
    seats = [f"seat {seat + 1}" for seat in range(found.rotations)]
    seats[-1] += ", button"
    for heading in ("", "foul %", "fantasyland %", "royalties", *seats):
        table.add_column(heading)
    for bot in found.bots:
        table.add_row(
            escape(bot.bot),
            plain(bot.foul, 1),
            plain(bot.fantasyland, 1),
            plain(bot.royalties, 2),
            *(signed(seat) for seat in bot.by_seat),
        )
    return table


def _lands(found: Outcome) -> Table:
    table = Table(title="fantasylands", title_justify="left", box=None, pad_edge=False)
    for heading in ("", "cards", "value", "played", "royalties", "foul %", "repeats %"):
        table.add_column(heading, justify="right" if heading else "left")
    for bot in found.bots:
        values = {one.cards: one for one in found.land_values if one.bot == bot.bot}
        lands = {one.cards: one for one in bot.lands}
        for cards in sorted({*values, *lands}):
            value, land = values.get(cards), lands.get(cards)
            worth = (
                "" if value is None else f"{value.value:+.2f}" + (f" ± {1.96 * value.error:.2f}" * bool(value.chains))
            )
            rest = ("", "", "", "")
            if land is not None:
                rest = (f"{land.played:,}", f"{land.royalties:.2f}", f"{land.foul:.1f}", f"{land.again:.1f}")
            table.add_row(escape(bot.bot), str(cards), worth, *rest)
    return table


def _speed(speeds: Sequence[BotSpeed]) -> Table:
    table = Table(title="milliseconds a move", title_justify="left", box=None, pad_edge=False)
    for heading in ("", "moves", "CPU mean", "p50", "p99", "wall mean", "p50", "p99"):
        table.add_column(heading, justify="right" if heading else "left")
    for one in speeds:
        times = (one.cpu.mean, one.cpu.p50, one.cpu.p99, one.wall.mean, one.wall.p50, one.wall.p99)
        table.add_row(escape(one.bot), f"{one.wall.moves:,}", *(f"{time / 1000:.3f}" for time in times))
    return table


def _print_faults(console: Console, bot: BotReport) -> None:
    if not bot.faults:
        return
    console.print(f"[red]{escape(bot.bot)}[/] forfeited decisions:")
    for kind, count in bot.faults.items():
        console.print(f"  {count} × {kind}: {KINDS[kind]}")
    for example in bot.examples:
        where = f"deal {example.deal + 1}, seating {example.rotation + 1}, street {example.street}"
        after = f", fantasyland {example.step}" if example.step else ""
        console.print(f"  [dim]{where}{after}: {example.kind}, {escape(example.message)}[/]")
    if bot.forfeited_blocks:
        console.print(f"  not asked any more in {bot.forfeited_blocks} blocks of deals")


def signed(figure: Figure) -> str:
    """Return points with their sign and interval: '+1.23 ± 0.10'."""
    return f"{figure.mean:+.3f}" + (f" ± {figure.half:.3f}" if figure.half >= 0 else "")


def plain(figure: Figure, digits: int) -> str:
    """Return a figure that has no sign with its interval."""
    return f"{figure.mean:.{digits}f}" + (f" ± {figure.half:.{digits}f}" if figure.half >= 0 else "")
