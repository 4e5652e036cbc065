"""Proofs of the cards that a viewer is shown, and of no others: what the viewer's own view holds decides.

A board that was set face down street by street is proved to its owner alone: the places of its cards in the deck
would tell the others in which street each came.
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
    """How the deck of deal number `deal` came about, with proofs of the cards that the reader is shown.

    `order`: the hand that each card went to, from the top of the dealt deck.
    """

    deal: int
    order: tuple[int, ...]
    record: DeckRecord


def proofs(fair: DealtDeck, deal: DealState, seen: DealView, seat: int | None) -> Proofs:
    """Return the proofs of the cards in a deal's view, made for the player in `seat` (None: a spectator)."""
    record = _record(fair)
    cards = cut_deck(bytes.fromhex(fair.seed), draw_of(record).cut)
    places = {card: at for at, card in enumerate(cards)}
    held = {places[card]: index for index, hand in enumerate(deal.hands) for card in _held(hand)}
    return Proofs(
        deal=deal.number,
        order=tuple(hand for _, hand in sorted(held.items())),
        record=_with(record, fair, _shown(deal, seen, seat)),
    )


def history_proofs(fair: DealtDeck | None, deal: DealState, seen_by: Viewer) -> DeckRecord | None:
    """Return how a finished deal's deck came about, with proofs of the cards that its reader knows."""
    if fair is None:
        return None
    if seen_by == "all":
        cards = {card for hand in deal.hands for card in _held(hand)}
    else:
        cards = _shown(deal, deal_view(deal, seen_by), seen_by)
    return _with(_record(fair), fair, cards)


def _record(fair: DealtDeck) -> DeckRecord:
    return DeckRecord(fair.table, fair.number, fair.size, fair.roots, fair.links, fair.seeds)


def _with(record: DeckRecord, fair: DealtDeck, cards: Iterable[Card]) -> DeckRecord:
    return replace(record, openings=openings(record, bytes.fromhex(fair.seed), cards))


def _held(hand: HandState) -> tuple[Card, ...]:
    return (*hand.board.cards, *hand.drawn, *hand.discards)


def _shown(deal: DealState, seen: DealView, seat: int | None) -> set[Card]:
    result: set[Card] = set()
    for board in seen.boards:
        hand = deal.hands[board.hand]
        streets_covered = board.hand in deal.plan.face_down and len(hand.streets) > 1
        if streets_covered and hand.seat != seat:
            continue
        rows = (*board.front.cards, *board.middle.cards, *board.back.cards)
        texts = (*rows, *board.draws, *board.discards)
        result |= {parse_card(text) for text in texts if text != UNKNOWN_CARD}
    return result
