"""The time-out layout `best_legal`: legal if that can be, then the back as high as possible, the middle, the front.

That order is the one in which RULEBOOK 3 gives jokers their values; nothing is weighed against what may still come.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from triptych.board import CAPACITY, ROWS, Board, RowName, layout_of
from triptych.deal.actions import ClaimNatural, Place
from triptych.deal.closed import natural_of
from triptych.score.partial import row_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.cards import Card
    from triptych.deal.state import DealState, HandState
    from triptych.rules.model import Ruleset

_WHOLE = sum(CAPACITY.values())


def best_legal(state: DealState, hand: int) -> Place | ClaimNatural:
    """Return the action that lays the street so; a natural is taken when held. Rule: RULEBOOK 6 (time out)."""
    held = state.hands[hand]
    if natural_of(state, held):
        return ClaimNatural(hand)
    if held.streets[held.street].placed == _WHOLE:
        return Place(hand, layout_of(_whole_board(state.rules, held.drawn)))
    best = max(_layouts(held), key=lambda laid: _worth(state.rules, held.board.plus(laid)))
    return Place(hand, layout_of(best))


def _worth(rules: Ruleset, board: Board) -> tuple[bool, int, int, int]:
    """Return what the better of two boards has more of: not yet a sure foul, then back, middle and front."""
    status = row_status(rules, board.front, board.middle, board.back)
    front, middle, back = status.least
    return not status.fouled, back, middle, front


def _layouts(held: HandState) -> Iterator[Board]:
    """Yield every way to lay the street's cards into free slots, the back first; at most 243."""
    street = held.streets[held.street]
    for cards in combinations(held.drawn, street.placed):
        for rows in product(reversed(ROWS), repeat=street.placed):
            laid = list(zip(cards, rows, strict=True))
            board = Board(*(tuple(card for card, row in laid if row == name) for name in ROWS))
            if all(len(board.row(name)) <= held.board.free(name) for name in ROWS):
                yield board


def _whole_board(rules: Ruleset, cards: tuple[Card, ...]) -> Board:
    """Return the board that takes the best row of what is left, row after row: legal by construction.

    The best five of some cards are never below the best of fewer of them. A deuce-to-seven middle, which the back
    does not bound, goes first.
    """
    rows: dict[RowName, tuple[Card, ...]] = {}
    order: tuple[RowName, ...] = ("back", "middle", "front")
    if rules.rows.middle == "deuce_to_seven":
        order = ("middle", "back", "front")
    for row in order:
        rows[row] = _best_row(rules, row, cards)
        cards = tuple(card for card in cards if card not in rows[row])
    return Board(**rows)


def _best_row(rules: Ruleset, row: RowName, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    at = ROWS.index(row)

    def value(chosen: tuple[Card, ...]) -> int:
        only = [chosen if name == row else () for name in ROWS]
        return row_status(rules, *only).least[at]

    return max(combinations(cards, CAPACITY[row]), key=value)
