"""A finished deal's score and its next fantasylands; `scoring/` does the scoring."""

from __future__ import annotations

from triptych.board import ROWS
from triptych.deal.state import DealState, HandState
from triptych.rulesets.model import is_closed
from triptych.scoring.showdown import ALL_ROWS_MASK, DealScore, Kind, ScoredHand, score_deal


def scored_hands(state: DealState) -> tuple[ScoredHand, ...]:
    """Return the hands of a finished deal as the scorer takes them; a seat owns all its hands (criss-cross)."""
    return tuple(_scored(state, hand) for hand in state.hands)


def result(state: DealState) -> DealScore:
    """Return the score of a finished deal, hands and pairs in deal order, points before stakes and caps."""
    return score_deal(state.rules, scored_hands(state))


def next_fantasyland(state: DealState) -> dict[int, tuple[int, int]]:
    """Return the fantasylands of the next deal: cards, and how many in a row, by seat. Rule: Rules §5."""
    return {
        hand.seat: (score.fantasyland, hand.in_row + 1)
        for hand, score in zip(state.hands, result(state).hands, strict=True)
        if score.fantasyland
    }


def _scored(state: DealState, hand: HandState) -> ScoredHand:
    kind = _kind(hand)
    cards = hand.drawn if kind == "natural" else hand.board.cards
    return ScoredHand(
        () if kind == "surrender" else cards,
        kind,
        fantasyland=hand.fantasyland,
        in_row=hand.in_row,
        owner=hand.seat,
        declared=_declared(state, hand),
    )


def _kind(hand: HandState) -> Kind:
    if hand.natural:
        return "natural"
    if hand.surrendered:
        return "surrender"
    return "dead" if hand.dead else "board"


def _declared(state: DealState, hand: HandState) -> int:
    """Return the declared rows as bits 1, 2, 4; in an open game, and where none need be declared, all of them."""
    if hand.declared is None or not is_closed(state.rules):
        return ALL_ROWS_MASK
    return sum(1 << index for index, row in enumerate(ROWS) if row in hand.declared)
