"""Verify the proofs in a history: proved cards had their places in the deck before the deal (docs: fairness)."""

from __future__ import annotations

from msgspec import Struct

from triptych.board import ROWS
from triptych.cards import UNKNOWN_CARD, Card, parse_card
from triptych.fair.errors import FairError
from triptych.fair.record import verify
from triptych.notation.history.model import History, Step


class ProofResult(Struct, frozen=True):
    """The known cards of each hand, proved and unproved; `undisclosed`: the number of unknown cards of the deck.

    `links`: the seats whose players cut the deck.
    """

    proved: tuple[tuple[Card, ...], ...]
    unproved: tuple[tuple[Card, ...], ...]
    undisclosed: int
    links: tuple[int, ...]


def verify_history(history: History) -> ProofResult:
    """Return the proved and the unproved known cards. Raises FairError for an invalid proof."""
    record = history.fair
    if record is None:
        raise FairError("fair.form", "this deal's deck was not committed before it was dealt", "$.fair")
    proved_cards = verify(record)
    dealt_cards = _dealt_cards(history)
    proved: list[tuple[Card, ...]] = []
    unproved: list[tuple[Card, ...]] = []
    for hand, known_cards in enumerate(_known_cards(history)):
        own = {
            proved_cards[index]
            for index, (owner, _) in enumerate(dealt_cards)
            if owner == hand and index in proved_cards
        }
        if foreign := own - known_cards:
            raise FairError(
                "fair.card", f"{len(foreign)} cards are proved that this hand never had", "$.fair.openings"
            )
        proved.append(tuple(sorted(own)))
        unproved.append(tuple(sorted(known_cards - own)))
    for index, (_, text) in enumerate(dealt_cards):
        if text != UNKNOWN_CARD and index in proved_cards and proved_cards[index] != parse_card(text):
            raise FairError(
                "fair.card", f"place {index} of the deck held another card than was dealt", "$.fair.openings"
            )
    if any(index >= len(dealt_cards) for index in proved_cards):
        raise FairError("fair.card", "a card is proved that was never dealt", "$.fair.openings")
    disclosed = sum(map(len, proved)) + sum(map(len, unproved))
    seats = tuple(link.seat for link in record.links)
    return ProofResult(tuple(proved), tuple(unproved), record.size - disclosed, seats)


def _dealt_cards(history: History) -> list[tuple[int, str]]:
    """Return, from the top of the deck, the hand to which each card was dealt, and the card."""
    return [(step.hand, card) for step in history.steps if step.verb == "deal" for card in step.cards]


def _known_cards(history: History) -> list[set[Card]]:
    cards: list[set[Card]] = [set() for _ in history.hands]
    for step in history.steps:
        cards[step.hand] |= {parse_card(text) for text in _card_texts(step) if text != UNKNOWN_CARD}
    return cards


def _card_texts(step: Step) -> tuple[str, ...]:
    return (*step.cards, *(card for row in ROWS for card in getattr(step.layout, row)), *step.discards)
