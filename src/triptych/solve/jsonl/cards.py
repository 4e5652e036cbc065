"""Read cards and boards in a request to a solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from triptych.board import ROWS
from triptych.cards import Card, CardError, parse_cards
from triptych.solve.errors import SolveError

if TYPE_CHECKING:
    from triptych.solve.exact.setting import Rows


def read_cards(text: object, path: str) -> tuple[Card, ...]:
    """Return the cards of a text. Raises SolveError `line.type`, `card.unknown`, `card.duplicate`."""
    if not isinstance(text, str):
        raise SolveError("line.type", "expected cards as text, such as AhKdQs", path)
    try:
        return parse_cards(text)
    except CardError as error:
        raise SolveError(error.code, error.message, f"{path}[{error.index}]") from error


def read_rows(texts: Mapping[str, object], path: str) -> Rows:
    """Return the three rows of a table of texts. Raises SolveError."""
    for name in ROWS:
        if name not in texts:
            raise SolveError("line.missing", f"{name} is missing", f"{path}.{name}")
    front, middle, back = (read_cards(texts[name], f"{path}.{name}") for name in ROWS)
    return front, middle, back
