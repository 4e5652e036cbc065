"""Proofs of the cards in a viewer's own view, and of no others.

A board that was set face down street by street is proved only to its owner: the positions of its cards in the deck
would reveal to the others in which street each was dealt.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from triptych.cards import UNKNOWN_CARD, Card, parse_card
from triptych.deal.project import view as deal_view
from triptych.deal.state import DealState, HandState
from triptych.deal.view_types import DealView
from triptych.fair.decks import cut_deck
from triptych.fair.record import DeckRecord, draw_of, openings
from triptych.table.commitment_state import DealtDeck

if TYPE_CHECKING:
    from triptych.notation.history.model import Viewer


class Proofs(Struct, frozen=True, gc=False):
    """The record of how a deal's deck was made, with proofs of the cards that the viewer sees.

    `order`: the hand that each card went to, from the top of the dealt deck.
    """

    deal: int
    order: tuple[int, ...]
    record: DeckRecord


def proofs(fair: DealtDeck, deal: DealState, view: DealView, seat: int | None) -> Proofs:
    """Return the proofs of the cards in the deal's view of the player in `seat` (None: a spectator)."""
    record = _record(fair)
    cards = cut_deck(bytes.fromhex(fair.seed), draw_of(record).cut)
    positions = {card: position for position, card in enumerate(cards)}
    hand_by_position = {positions[card]: index for index, hand in enumerate(deal.hands) for card in _all_cards(hand)}
    return Proofs(
        deal=deal.number,
        order=tuple(hand for _, hand in sorted(hand_by_position.items())),
        record=_with_openings(record, fair, _visible_cards(deal, view, seat)),
    )


def history_proofs(fair: DealtDeck | None, deal: DealState, seen_by: Viewer) -> DeckRecord | None:
    """Return the record of a finished deal's deck, with proofs of the cards that its reader knows."""
    if fair is None:
        return None
    if seen_by == "all":
        cards = {card for hand in deal.hands for card in _all_cards(hand)}
    else:
        cards = _visible_cards(deal, deal_view(deal, seen_by), seen_by)
    return _with_openings(_record(fair), fair, cards)


def _record(fair: DealtDeck) -> DeckRecord:
    return DeckRecord(fair.table, fair.number, fair.size, fair.roots, fair.links, fair.seeds)


def _with_openings(record: DeckRecord, fair: DealtDeck, cards: Iterable[Card]) -> DeckRecord:
    return replace(record, openings=openings(record, bytes.fromhex(fair.seed), cards))


def _all_cards(hand: HandState) -> tuple[Card, ...]:
    return (*hand.board.cards, *hand.drawn, *hand.discards)


def _visible_cards(deal: DealState, view: DealView, seat: int | None) -> set[Card]:
    result: set[Card] = set()
    for board in view.boards:
        hand = deal.hands[board.hand]
        has_hidden_streets = board.hand in deal.plan.face_down and len(hand.streets) > 1
        if has_hidden_streets and hand.seat != seat:
            continue
        rows = (*board.front.cards, *board.middle.cards, *board.back.cards)
        texts = (*rows, *board.draws, *board.discards)
        result |= {parse_card(text) for text in texts if text != UNKNOWN_CARD}
    return result
