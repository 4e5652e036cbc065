"""Which cards of a history are proved: they lay where they were dealt from before the deal began (docs: fairness)."""

from __future__ import annotations

from msgspec import Struct

from triptych.board import ROWS
from triptych.cards import UNKNOWN_CARD, Card, parse_card
from triptych.fair.errors import FairError
from triptych.fair.record import verify
from triptych.notation.history.model import History, Step


class ProofResult(Struct, frozen=True):
    """Of each hand the cards that the reader knows, those proved and those that are not; `closed`: unseen ones.

    `links`: the seats whose players added to the deck.
    """

    proved: tuple[tuple[Card, ...], ...]
    unproved: tuple[tuple[Card, ...], ...]
    undisclosed: int
    links: tuple[int, ...]


def verify_history(history: History) -> ProofResult:
    """Return which of the known cards are proved. Raises FairError at what does not hold."""
    record = history.fair
    if record is None:
        raise FairError("fair.form", "this deal's deck was not committed before it was dealt", "$.fair")
    held = verify(record)
    places = _dealt_cards(history)
    proved: list[tuple[Card, ...]] = []
    unproved: list[tuple[Card, ...]] = []
    for hand, shown in enumerate(_known(history)):
        mine = {held[at] for at, (owner, _) in enumerate(places) if owner == hand and at in held}
        if foreign := mine - shown:
            raise FairError(
                "fair.card", f"{len(foreign)} cards are proved that this hand never had", "$.fair.openings"
            )
        proved.append(tuple(sorted(mine)))
        unproved.append(tuple(sorted(shown - mine)))
    for at, (_, text) in enumerate(places):
        if text != UNKNOWN_CARD and at in held and held[at] != parse_card(text):
            raise FairError(
                "fair.card", f"place {at} of the deck held another card than was dealt", "$.fair.openings"
            )
    if any(at >= len(places) for at in held):
        raise FairError("fair.card", "a card is proved that was never dealt", "$.fair.openings")
    seen = sum(map(len, proved)) + sum(map(len, unproved))
    return ProofResult(tuple(proved), tuple(unproved), record.size - seen, tuple(one.seat for one in record.links))


def _dealt_cards(history: History) -> list[tuple[int, str]]:
    """Return, from the top of the deck, the hand to which each card was dealt, and the card."""
    return [(step.hand, card) for step in history.steps if step.verb == "deal" for card in step.cards]


def _known(history: History) -> list[set[Card]]:
    """Return the cards of each hand that the reader knows."""
    cards: list[set[Card]] = [set() for _ in history.hands]
    for step in history.steps:
        cards[step.hand] |= {parse_card(text) for text in _texts(step) if text != UNKNOWN_CARD}
    return cards


def _texts(step: Step) -> tuple[str, ...]:
    return (*step.cards, *(card for row in ROWS for card in getattr(step.layout, row)), *step.discards)
