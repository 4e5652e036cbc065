"""Act for a player whose clock and time bank have run out: one function per `timeout.layout`.

The player's arrangement stays as far as it is legal; the rule places only the other cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

from msgspec.structs import replace

from triptych.board import BOARD_CARDS, EMPTY, ROW_CAPACITY, ROWS, Board, RowName, fill_in_order, layout_from_board
from triptych.cards import Card
from triptych.deal import events as e
from triptych.deal.actions import Announce, ClaimNatural, ClockAction, Declare, Forfeit, Place
from triptych.deal.closed_actions import natural_of
from triptych.deal.place import place, verify_turn
from triptych.deal.state import DealState, HandState, phase
from triptych.deal.visibility import Public
from triptych.rulesets.model import Ruleset
from triptych.scoring.partial import row_bounds

BACK_FIRST: tuple[RowName, ...] = ("back", "middle", "front")


def timeout_action(state: DealState, hand: int) -> ClockAction:
    """Return the action for a hand that is out of time; `hand` must be one of `acting_hands(state)`.

    A closed hand is played, never surrendered, and claims no royalties; a dealt natural is claimed.
    Rule: Rules §4 (naturals), 6 (time out); source 002 L31.
    """
    current_phase = phase(state)
    if current_phase == "announcing":
        return Announce(hand, play=True)
    if current_phase == "declaring":
        return Declare(hand, ())
    if natural_of(state, state.hands[hand]):
        return ClaimNatural(hand)
    return _LAYOUTS[state.rules.timeout.layout](state, hand)


def received_back_first(state: DealState, hand: int) -> Place:
    """Return the placement in the order received: back, middle, front; the last cards are the discards."""
    return _place_as_received(state, hand, arrangement_to_keep(state.rules, state.hands[hand]))


def _place_as_received(state: DealState, hand: int, layout: Board) -> Place:
    hand_state = state.hands[hand]
    remaining = tuple(card for card in hand_state.drawn if card not in layout.cards)
    placed = remaining[: hand_state.streets[hand_state.street].placed - len(layout.cards)]
    return Place(
        hand, layout_from_board(layout.merged(fill_in_order(hand_state.board.merged(layout), placed, BACK_FIRST)))
    )


def forfeit(state: DealState, action: Forfeit) -> tuple[e.DealEvent, ...]:
    """Make the board a foul and place its street in the order received, ignoring the arrangement.

    Raises DealError when it is not this hand's turn.
    """
    hand = verify_turn(state, action.hand, "placing")
    foul_events = () if hand.dead else (Public(e.Forfeited(action.hand)),)
    return (*foul_events, *place(state, _place_as_received(state, action.hand, EMPTY)))


def arrangement_to_keep(rules: Ruleset, hand: HandState) -> Board:
    """Return the arranged cards that stay: the back, the middle, the front, each unless it makes a sure foul.

    All of them where the board was a sure foul before.
    """
    if hand.pending == EMPTY or is_foul(rules, hand.board):
        return hand.pending
    layout = EMPTY
    for row in BACK_FIRST:
        candidate = replace(layout, **{row: hand.pending.row(row)})
        if not is_foul(rules, hand.board.merged(candidate)):
            layout = candidate
    return layout


def is_foul(rules: Ruleset, board: Board) -> bool:
    """Return whether a board is a foul already, whatever may still come."""
    return row_bounds(rules, board.front, board.middle, board.back)[1] != 0


def best_legal(state: DealState, hand: int) -> Place | ClaimNatural:
    """Return the best legal placement of the street; a natural is claimed instead.

    Legal if possible, then the highest back, then middle, then front; Rules §3 gives jokers their values in the same
    order. Cards to come are not considered. Rows that the player has arranged stay; where the board fouls with them,
    the front is given up first. Rule: Rules §6 (time out).
    """
    hand_state = state.hands[hand]
    if natural_of(state, hand_state):
        return ClaimNatural(hand)
    arranged = arrangement_to_keep(state.rules, hand_state)
    layouts = dict.fromkeys([arranged, replace(arranged, front=()), Board(back=arranged.back), EMPTY])
    candidates = [_best(state.rules, hand_state, layout) for layout in layouts]
    legal_layouts = (
        candidate for candidate in candidates if not is_foul(state.rules, hand_state.board.merged(candidate))
    )
    return Place(hand, layout_from_board(next(legal_layouts, candidates[0])))


def _best(rules: Ruleset, hand: HandState, layout: Board) -> Board:
    """Return the best layout of the street that keeps the arranged cards in their rows."""
    if hand.streets[hand.street].placed == BOARD_CARDS:
        return _whole_board(rules, hand.drawn, layout)
    candidates = (
        candidate
        for candidate in _layouts(hand)
        if all(set(layout.row(row)) <= set(candidate.row(row)) for row in ROWS)
    )
    return max(candidates, key=lambda candidate: _board_value(rules, hand.board.merged(candidate)))


def _board_value(rules: Ruleset, board: Board) -> tuple[bool, int, int, int]:
    """Return the sort key of a board: not a sure foul, then the values of back, middle and front."""
    ((front, _), (middle, _), (back, _)), condemned = row_bounds(rules, board.front, board.middle, board.back)
    return not condemned, back, middle, front


def _layouts(hand: HandState) -> Iterator[Board]:
    """Yield every way to lay the street's cards into free slots, the back first; at most 243."""
    street = hand.streets[hand.street]
    for cards in combinations(hand.drawn, street.placed):
        for rows in product(reversed(ROWS), repeat=street.placed):
            slots = list(zip(cards, rows, strict=True))
            board = Board(*(tuple(card for card, row in slots if row == name) for name in ROWS))
            if all(len(board.row(name)) <= hand.board.free_slots(name) for name in ROWS):
                yield board


def _whole_board(rules: Ruleset, cards: tuple[Card, ...], layout: Board) -> Board:
    """Return the board built row by row: each the best one of the remaining cards that makes no foul.

    A deuce-to-seven middle, which the back does not bound, comes first.
    """
    board = EMPTY
    order: tuple[RowName, ...] = ("middle", "back", "front") if rules.rows.middle == "deuce_to_seven" else BACK_FIRST
    free = tuple(card for card in cards if card not in layout.cards)
    for row in order:
        rows = _best_rows(rules, row, layout.row(row), free)
        candidates = [replace(board, **{row: row_cards}) for row_cards in rows]
        # The best five of some cards are never below the best of fewer of them, but equal rows foul where each must
        # be higher (`rows.order = gt`).
        board = next((candidate for candidate in candidates if not is_foul(rules, candidate)), candidates[0])
        free = tuple(card for card in free if card not in board.cards)
    return board


def _best_rows(
    rules: Ruleset, row: RowName, placed: tuple[Card, ...], cards: tuple[Card, ...]
) -> list[tuple[Card, ...]]:
    """Return every row that the cards can make with the placed ones, the highest first."""
    index = ROWS.index(row)

    def value(row_cards: tuple[Card, ...]) -> int:
        rows = [row_cards if name == row else () for name in ROWS]
        return row_bounds(rules, *rows)[0][index][0]

    return sorted(
        (placed + added for added in combinations(cards, ROW_CAPACITY[row] - len(placed))), key=value, reverse=True
    )


_LAYOUTS: dict[str, Callable[[DealState, int], ClockAction]] = {
    "received_back_first": received_back_first,
    "foul": lambda _, hand: Forfeit(hand),
    "best_legal": best_legal,
}
