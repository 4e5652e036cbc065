"""A position of a closed game: one hand of thirteen cards, and the others' boards or nothing of them."""

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
    """Return the settings of the hand that acts, the best first: `closed`, asked by a position.

    The hand is `hand`, or else the marked one.
    `*// +AsKs… | QhQd7c/QsQc9d8c2c/8c9cTcJc2d`: against the boards, all of them finished, or, where nothing lies
    there, against as many players who set unknown cards well.
    Raises SolveError, NotationError.
    """
    seen = parse_position(position) if isinstance(position, str) else position
    me = hand_to_act(seen, hand)
    mine = seen.hands[me]
    if mine.front or mine.middle or mine.back or mine.discards or mine.fantasyland:
        message = "all cards of a closed hand are still to be set: write them behind +"
        raise SolveError("position.street", message, f"$.hands[{me}]")
    others = {at: _known_rows(hand) for at, hand in enumerate(seen.hands) if at != me}
    if not others:
        raise SolveError("against.count", "1 to 3 other hands, such as // for one that is not known", "$.hands")
    lying = {at: sum(map(len, rows)) for at, rows in others.items()}
    for at, count in lying.items():
        if any(lying.values()) and count != BOARD_CARDS:
            message = f"{count} cards lie there; finish every board, or write none of them"
            raise SolveError("position.street", message, f"$.hands[{at}]")
    cards = [parse_card(text) for text in mine.drawn if text != UNKNOWN_CARD]
    boards = tuple(others.values()) if any(lying.values()) else ()
    return solve_closed(cards, rules, against=boards, opponents=len(others), top=top)


def _known_rows(hand: PositionHand) -> Rows:
    front, middle, back = (
        tuple(parse_card(text) for text in row if text != UNKNOWN_CARD)
        for row in (hand.front, hand.middle, hand.back)
    )
    return front, middle, back
