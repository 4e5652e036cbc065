"""Errors in commitments, links and proofs."""

from __future__ import annotations

from typing import Final, Literal

from triptych.errors import TriptychError

FairErrorCode = Literal[
    "fair.card",
    "fair.deck",
    "fair.form",
    "fair.link",
    "fair.path",
]

CODES: Final[dict[FairErrorCode, str]] = {
    "fair.card": "A card is proved twice, or two cards for one place in the deal.",
    "fair.deck": "A deck that was opened is not the one that was committed.",
    "fair.form": "Something has not the form that it should have.",
    "fair.link": "A link does not belong to its chain.",
    "fair.path": "The proof does not lead from the card to the commitment.",
}


class FairError(TriptychError):
    """A deal that cannot be proved fair; `path` points into the record: `$.openings[3]`."""

    def __init__(self, code: FairErrorCode, message: str, path: str = "$") -> None:
        super().__init__(code, message, path)
        self.code: FairErrorCode = code
