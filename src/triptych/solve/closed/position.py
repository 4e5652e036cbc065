"""Solve a position of a closed game: one hand of thirteen cards against known or unknown boards."""

from __future__ import annotations

from triptych.board import BOARD_CARDS
from triptych.cards import UNKNOWN_CARD, parse_card
from triptych.notation.position import Position, PositionHand, parse_position
from triptych.rulesets.model import Ruleset
from triptych.solve.closed.settings import ClosedSolution, solve_closed
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import Rows
from triptych.solve.position_hand import hand_to_act


def closed_position(
    position: Position | str, rules: Ruleset, *, hand: int | None = None, top: int = 1
) -> ClosedSolution:
    """Return the settings of the hand that acts, the best first, as `solve_closed`.

    The hand is `hand`, or else the marked one. `*// +AsKs… | QhQd7c/QsQc9d8c2c/8c9cTcJc2d`: against these boards, all
    of them finished; where all are empty, against that number of good players with unknown cards.
    Raises SolveError, NotationError.
    """
    parsed = parse_position(position) if isinstance(position, str) else position
    me = hand_to_act(parsed, hand)
    own_hand = parsed.hands[me]
    if own_hand.front or own_hand.middle or own_hand.back or own_hand.discards or own_hand.fantasyland:
        message = "all cards of a closed hand are still to be set: write them behind +"
        raise SolveError("position.street", message, f"$.hands[{me}]")
    others = {index: _known_rows(hand) for index, hand in enumerate(parsed.hands) if index != me}
    if not others:
        raise SolveError("against.count", "1 to 3 other hands, such as // for one that is not known", "$.hands")
    card_counts = {index: sum(map(len, rows)) for index, rows in others.items()}
    for index, count in card_counts.items():
        if any(card_counts.values()) and count != BOARD_CARDS:
            message = f"{count} cards lie there; finish every board, or write none of them"
            raise SolveError("position.street", message, f"$.hands[{index}]")
    cards = [parse_card(text) for text in own_hand.drawn if text != UNKNOWN_CARD]
    boards = tuple(others.values()) if any(card_counts.values()) else ()
    return solve_closed(cards, rules, against=boards, opponents=len(others), top=top)


def _known_rows(hand: PositionHand) -> Rows:
    front, middle, back = (
        tuple(parse_card(text) for text in row if text != UNKNOWN_CARD)
        for row in (hand.front, hand.middle, hand.back)
    )
    return front, middle, back
