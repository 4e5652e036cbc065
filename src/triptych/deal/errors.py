"""What the deal refuses, and why."""

from __future__ import annotations

from typing import Literal

DealErrorCode = Literal[
    "card.unknown",
    "card.duplicate",
    "deal.deck",
    "deal.hands",
    "deal.over",
    "deal.unknown_hand",
    "deal.not_your_turn",
    "deal.wrong_phase",
    "deal.card_not_held",
    "deal.card_placed",
    "deal.row_full",
    "deal.wrong_count",
    "deal.no_natural",
    "deal.row_twice",
]


class DealError(ValueError):
    """An action that the deal does not allow; the state is as it was.

    `path` points into the action: `$.layout.front[2]`.
    """

    def __init__(self, code: DealErrorCode, message: str, path: str = "$") -> None:
        super().__init__(message)
        self.code: DealErrorCode = code
        self.message = message
        self.path = path
