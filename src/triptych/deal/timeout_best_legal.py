"""The time-out layout `best_legal`: legal if that can be, then the back as high as possible, the middle, the front.

That order is the one in which Rules §3 gives jokers their values; nothing is weighed against what may still come.
Rows that the player has arranged stay, the front being given up first where the board is a foul with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from msgspec.structs import replace

from triptych.board import EMPTY, ROW_CAPACITY, ROWS, Board, RowName, layout_from_board
from triptych.cards import Card
from triptych.deal.actions import ClaimNatural, Place
from triptych.deal.closed_actions import natural_of
from triptych.deal.state import DealState, HandState
from triptych.deal.timeout_layout import is_foul, kept_on_timeout
from triptych.rulesets.model import Ruleset
from triptych.scoring.partial import row_bounds

_BOARD_CARDS = sum(ROW_CAPACITY.values())


def best_legal(state: DealState, hand: int) -> Place | ClaimNatural:
    """Return the action that lays the street so; a natural is taken when held. Rule: Rules §6 (time out)."""
    held = state.hands[hand]
    if natural_of(state, held):
        return ClaimNatural(hand)
    arranged = kept_on_timeout(state.rules, held)
    layouts = dict.fromkeys([arranged, replace(arranged, front=()), Board(back=arranged.back), EMPTY])
    ways = [_best(state.rules, held, one) for one in layouts]
    legal = (laid for laid in ways if not is_foul(state.rules, held.board.merged(laid)))
    return Place(hand, layout_from_board(next(legal, ways[0])))


def _best(rules: Ruleset, held: HandState, layout: Board) -> Board:
    """Return the best layout of the street that leaves some cards where they lie."""
    if held.streets[held.street].placed == _BOARD_CARDS:
        return _whole_board(rules, held.drawn, layout)
    ways = (laid for laid in _layouts(held) if all(set(layout.row(row)) <= set(laid.row(row)) for row in ROWS))
    return max(ways, key=lambda laid: _board_value(rules, held.board.merged(laid)))


def _board_value(rules: Ruleset, board: Board) -> tuple[bool, int, int, int]:
    """Return what the better of two boards has more of: not yet a sure foul, then back, middle and front."""
    ((front, _), (middle, _), (back, _)), condemned = row_bounds(rules, board.front, board.middle, board.back)
    return not condemned, back, middle, front


def _layouts(held: HandState) -> Iterator[Board]:
    """Yield every way to lay the street's cards into free slots, the back first; at most 243."""
    street = held.streets[held.street]
    for cards in combinations(held.drawn, street.placed):
        for rows in product(reversed(ROWS), repeat=street.placed):
            laid = list(zip(cards, rows, strict=True))
            board = Board(*(tuple(card for card, row in laid if row == name) for name in ROWS))
            if all(len(board.row(name)) <= held.board.free_slots(name) for name in ROWS):
                yield board


def _whole_board(rules: Ruleset, cards: tuple[Card, ...], layout: Board) -> Board:
    """Return the board that takes the best row of what is left, row after row, none that fouls with those before it.

    A deuce-to-seven middle, which the back does not bound, goes first.
    """
    board = EMPTY
    order: tuple[RowName, ...] = ("back", "middle", "front")
    if rules.rows.middle == "deuce_to_seven":
        order = ("middle", "back", "front")
    free = tuple(card for card in cards if card not in layout.cards)
    for row in order:
        rows = _best_rows(rules, row, layout.row(row), free)
        ways = [replace(board, **{row: chosen}) for chosen in rows]
        # The best five of some cards are never below the best of fewer of them, but equal rows foul where each is to
        # be higher (`rows.order = gt`).
        board = next((way for way in ways if not is_foul(rules, way)), ways[0])
        free = tuple(card for card in free if card not in board.cards)
    return board


def _best_rows(
    rules: Ruleset, row: RowName, placed: tuple[Card, ...], cards: tuple[Card, ...]
) -> list[tuple[Card, ...]]:
    """Return every row that some cards make with those kept, the highest first."""
    at = ROWS.index(row)

    def value(chosen: tuple[Card, ...]) -> int:
        only = [chosen if name == row else () for name in ROWS]
        return row_bounds(rules, *only)[0][at][0]

    return sorted(
        (placed + more for more in combinations(cards, ROW_CAPACITY[row] - len(placed))), key=value, reverse=True
    )
