"""Boards and placements on a terminal, cards in four colours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from triptych.board import ROWS
from triptych.cards import Card, card_text
from triptych.rulesets.model import Ruleset
from triptych.scoring.partial import row_status

if TYPE_CHECKING:
    from triptych.solve.exact.setting import Rows, Setting
    from triptych.solve.exact.street import Placement

_COLOURS = {"c": "green", "d": "blue", "h": "red", "s": "default"}


def print_setting(rules: Ruleset, setting: Setting, *, against: bool) -> None:
    """Print a setting, its discards and its value."""
    points = "points against these boards" if against else "points"
    repeat = ", repeats fantasyland" if setting.repeat else ""
    value = f"Royalties {setting.royalties}{repeat}; worth [bold]{setting.value:g}[/] {points}."
    if not setting.legal:
        value = f"[red]Every setting of these cards fouls[/]: {setting.value:g} {points}."
    discards = f"[dim]left    {coloured_cards(setting.discards)}[/]\n" if setting.discards else ""
    print_rows(rules, (setting.front, setting.middle, setting.back), discards + value)


def print_rows(rules: Ruleset, rows: Rows, footer: str) -> None:
    """Print the three rows of a complete board with their names and royalties, then a line of rich text."""
    console = Console(highlight=False)
    status = row_status(rules, *rows)
    for name, cards in zip(ROWS, rows, strict=True):
        partial = getattr(status, name)
        royalty = f"  +{partial.royalty}" if partial.royalty else ""
        pad = " " * (15 - 3 * len(cards))
        console.print(f"[bold]{name:6}[/]  {coloured_cards(cards)}{pad} {escape(partial.name)}[green]{royalty}[/]")
    console.print(footer)


def print_placement(placement: Placement) -> None:
    """Print one placement on a line: value, chance to foul, where the cards go."""
    parts = [
        f"{name} {coloured_cards(getattr(placement, name))}"
        for name in (*ROWS, "discards")
        if getattr(placement, name)
    ]
    Console(highlight=False).print(
        f"[bold]{placement.value:+8.3f}[/]  foul {placement.foul:5.1%}  {', '.join(parts)}"
    )


def coloured_cards(cards: Iterable[Card]) -> str:
    """Return cards in four colours."""
    texts = map(card_text, cards)
    return " ".join(f"[{_COLOURS.get(text[1], 'magenta')}]{text}[/]" for text in texts)
