"""The errors of a line of the scoring contract, and the bounds of its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triptych.arguments import describe_value
from triptych.json_input import CODES as LINE_CODES
from triptych.json_input import JsonInputError, verify_integer, verify_number

if TYPE_CHECKING:
    from triptych.scoring.settle import Amount

CODES: Final = {
    **LINE_CODES,
    "line.size": "The line is longer than a deal can be.",
    "card.unknown": "A text is not a card.",
    "card.duplicate": "A card is in two places.",
    "card.joker": "The rules are played without this joker.",
    "row.size": "A row does not have its 3 or 5 cards, or a natural its 13.",
    "players.count": "A deal has two to four players.",
    "players.name": "A name is empty, or two pairs would be called the same.",
    "player.unknown": "A name in order, stakes, stacks, owners or pairs is not a player's.",
    "player.duplicate": "A name or a pair is given twice.",
    "player.fields": "A hand is either three rows, a surrender, or a natural.",
    "player.surrender": "The rules do not allow to surrender.",
    "player.natural": "The 13 cards are not a natural under these rules.",
    "points.sum": "The points of the players do not sum to zero.",
}

MAX_AMOUNT: Final = 10**12


class RequestError(JsonInputError):
    """A line that cannot be scored; `code` is one of CODES or of the rules' own codes."""


def verify_amount(value: object, path: str, minimum: int) -> Amount:
    """Return a finite number of points. Raises JsonInputError `line.type`, `value.range`."""
    amount = verify_number(value, path)
    if not minimum <= amount <= MAX_AMOUNT:
        raise RequestError("value.range", f"expected a number from {minimum} to {MAX_AMOUNT}", path)
    return amount


def verify_count(value: object, path: str, allowed: range) -> int:
    """Return a whole number within bounds. Raises JsonInputError `line.type`, `value.range`."""
    number = verify_integer(value, path)
    if number not in allowed:
        maximum = allowed.stop - 1
        raise RequestError(
            "value.range", f"expected {allowed.start} to {maximum}, not {describe_value(number)}", path
        )
    return number
