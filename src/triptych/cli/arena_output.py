"""The figures of a match as tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.table import Table

from triptych.arena.faults import KINDS
from triptych.arena.words import (
    fantasyland_rows,
    points_by_fantasyland_mode,
    speed_row,
    summary,
    verdict,
)
from triptych.stats import signed, unsigned

if TYPE_CHECKING:
    from rich.console import Console

    from triptych.arena.report import BotReport, BotSpeed, MatchResult

    Rows = Sequence[Sequence[str]]

_UNLIMITED_WIDTH: Final = 1000
_FANTASYLAND_COLUMNS: Final = ("fantasylands", "cards", "value", "played", "royalties", "foul %", "repeats %")
_SPEED_COLUMNS: Final = ("ms a move", "moves", "CPU mean", "p50", "p99", "wall mean", "p50", "p99")


def print_outcome(console: Console, result: MatchResult, speeds: Sequence[BotSpeed]) -> None:
    """Print a match: the verdict, points, statistics of deals, speeds and faults."""
    piped = not console.is_terminal  # programs read unwrapped lines
    console.print(f"[bold]{escape(verdict(result))}[/]", soft_wrap=piped)
    console.print(escape(summary(result)), soft_wrap=piped)
    console.print()
    _print_table(console, *_points(result))
    _print_table(console, *_deals(result))
    if any(bot.fantasyland_stats for bot in result.bots):
        _print_table(console, _FANTASYLAND_COLUMNS, fantasyland_rows(result))
    _print_table(console, _SPEED_COLUMNS, [speed_row(speed) for speed in speeds])
    for bot in result.bots:
        if bot.faults or bot.forfeited_blocks:
            _print_faults(console, bot)


def _points(result: MatchResult) -> tuple[Sequence[str], Rows]:
    rows = [
        (bot.bot, name, signed(points.duplicate), signed(points.raw))
        for bot in result.bots
        for name, points in points_by_fantasyland_mode(bot)
    ]
    return ("points a deal", "fantasylands", "duplicate", "raw"), rows


def _deals(result: MatchResult) -> tuple[Sequence[str], Rows]:
    seats = [f"seat {seat + 1}" for seat in range(result.rotations - 1)]
    rows = [
        (
            bot.bot,
            unsigned(bot.foul, 1),
            unsigned(bot.fantasyland, 1),
            unsigned(bot.royalties, 2),
            *(f"{seat.mean:+.2f}" for seat in bot.by_seat),
        )
        for bot in result.bots
    ]
    return ("the deals", "foul %", "fant.land %", "royalties", *seats, "button"), rows


def _print_table(console: Console, headings: Sequence[str], rows: Rows) -> None:
    """Print a table, or each row as several lines if the terminal is too narrow."""
    table = Table(box=None, pad_edge=False, show_edge=False)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == headings[0] else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, row))
    if not console.is_terminal or _width(console, table) <= console.width:
        console.print(table, soft_wrap=not console.is_terminal)
    else:
        for row in rows:
            console.print(f"[bold]{escape(row[0])}[/] [dim]{headings[0]}[/]")
            for heading, cell in zip(headings[1:], row[1:], strict=True):
                if cell:
                    console.print(f"  {heading} {escape(cell)}")
    console.print()


def _width(console: Console, table: Table) -> int:
    """Return a table's width without wrapping."""
    return console.measure(table, options=console.options.update_width(_UNLIMITED_WIDTH)).maximum


def _print_faults(console: Console, bot: BotReport) -> None:
    console.print(f"[red]{escape(bot.bot)}[/] forfeited decisions:")
    for kind, count in bot.faults.items():
        console.print(f"  {count} × {kind}: {KINDS[kind]}")
    for example in bot.examples:
        place = f"deal {example.deal + 1}, seating {example.rotation + 1}, street {example.street}"
        step = f", fantasyland {example.step}" if example.step else ""
        console.print(f"  [dim]{place}{step}: {example.kind}, {escape(example.message)}[/]", soft_wrap=True)
    if bot.forfeited_blocks:
        console.print(f"  not asked any more in {bot.forfeited_blocks} blocks of deals")
