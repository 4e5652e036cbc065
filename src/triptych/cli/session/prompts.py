"""Ask for the boards of a deal, one after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from rich.console import Console
from rich.markup import escape

from triptych.cli.session.file import read_hand
from triptych.errors import TriptychError
from triptych.scoring.errors import RequestError

_NUMBER: Final = re.compile(r"[+\-−]?\d+(\.\d+)?")


def seats_of(document: dict[str, Any]) -> tuple[str, ...]:
    """Return the seats of a deal as they are prompted: `Ann`, or `Ann:1` for one of two boards.

    Raises RequestError `line.missing` when the deal has no players.
    """
    owners: dict[str, str] = document.get("owners", {})
    names: list[str] = document.get("order", list(document.get("players", {})))
    if not names:
        raise RequestError("line.missing", "name the players: triptych session play FILE Ann Bob", "$.players")
    return tuple(
        f"{owners[name]}:{name.removeprefix(owners[name]).strip()}" if name in owners else name for name in names
    )


def ask_hands(seats: Sequence[str], number: int) -> list[str] | None:
    """Return a hand for each seat, or points, as `add` takes them; None when an empty line ends the session."""
    console = Console(highlight=False)
    console.print(f"\n[bold]Deal {number}[/] [dim]front/middle/back, surrender, natural:…, points; empty to end[/]")
    hands: list[str] = []
    while len(hands) < len(seats):
        try:
            text = console.input(f"  {escape(seats[len(hands)])}: ").strip()
        except EOFError:
            return None
        if text == "back":
            del hands[-1:]
        elif not text:
            return None
        elif not hands and "=" in text:
            return text.split()
        elif _NUMBER.fullmatch(text):
            # Points belong to a player, not to a board.
            seats = list(dict.fromkeys(seat.partition(":")[0] for seat in seats))
            hands.append(f"{seats[len(hands)]}={text}")
        elif _is_valid(console, hand := f"{seats[len(hands)]}={text}"):
            hands.append(hand)
    return hands


def _is_valid(console: Console, hand: str) -> bool:
    """Return whether a hand can be parsed; print the error otherwise."""
    try:
        read_hand(hand)
    except TriptychError as error:
        console.print(f"  [red]{escape(error.message)}[/]")
        return False
    return True
