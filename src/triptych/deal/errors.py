"""The errors of deal actions, and their codes."""

from __future__ import annotations

from typing import Final, Literal

from triptych.errors import TriptychError

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

CODES: Final[dict[DealErrorCode, str]] = {
    "card.unknown": "Invalid card.",
    "card.duplicate": "A card is given twice.",
    "deal.deck": "The deck has too few cards, a card twice, or a card that is not in play.",
    "deal.hands": "A deal has two to four hands, a fantasyland 13 to 17 cards.",
    "deal.over": "The deal is over; nothing more can be done in it.",
    "deal.unknown_hand": "The deal has no hand of that number.",
    "deal.not_your_turn": "Nothing is awaited from that hand now.",
    "deal.wrong_phase": "The deal waits for something else: placing, announcing or declaring.",
    "deal.card_not_held": "A card is not among those of the street.",
    "deal.card_placed": "A card was placed or discarded in an earlier street and stays there.",
    "deal.row_full": "A row has too few free slots for these cards.",
    "deal.wrong_count": "Too few or too many cards of the street lie in rows.",
    "deal.no_natural": "The cards hold no natural under these rules.",
    "deal.row_twice": "A row is declared twice.",
}


class DealError(TriptychError):
    """An action that the deal does not allow; the state is unchanged.

    `path` points into the action: `$.layout.front[2]`.
    """

    def __init__(self, code: DealErrorCode, message: str, path: str = "$") -> None:
        super().__init__(code, message, path)
        self.code: DealErrorCode = code
