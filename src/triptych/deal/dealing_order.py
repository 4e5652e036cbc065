"""The order in which hands receive cards: one function per `fantasyland.order`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from triptych.deal.state import DealingOrder, DealState, HandStart
from triptych.rulesets.model import Ruleset, is_closed

Hands = tuple[int, ...]


def dealing_order(rules: Ruleset, hands: Sequence[HandStart]) -> DealingOrder:
    """Return the order of a deal. Rule: Rules §2 (turn order)."""
    all_hands = tuple(range(len(hands)))
    if is_closed(rules):
        return DealingOrder(at_start=all_hands, in_turn=(), at_end=(), face_down=all_hands)
    fantasylands = tuple(i for i in all_hands if hands[i].fantasyland)
    return _ORDERS[rules.fantasyland.order](fantasylands, tuple(i for i in all_hands if i not in fantasylands))


def _after_others(fantasylands: Hands, others: Hands) -> DealingOrder:
    """Return the order in which the others play openly first; a single other hand plays face down.

    Rule: source 002 L37 (all except for one).
    """
    if not others:
        return DealingOrder(at_start=fantasylands, in_turn=(), at_end=(), face_down=fantasylands)
    single_hand = others if fantasylands and len(others) == 1 else ()
    return DealingOrder(at_start=(), in_turn=others, at_end=fantasylands, face_down=fantasylands + single_hand)


def _at_start_hidden(fantasylands: Hands, others: Hands) -> DealingOrder:
    """Return the order in which fantasylands are dealt first and the others play as usual. Rule: source 001 L39."""
    return DealingOrder(at_start=fantasylands, in_turn=others, at_end=(), face_down=fantasylands)


_ORDERS: dict[str, Callable[[Hands, Hands], DealingOrder]] = {
    "after_others": _after_others,
    "at_start_hidden": _at_start_hidden,
}


def hands_to_deal(state: DealState) -> Hands:
    """Return the hands that receive their next street now, in dealing order.

    Under `deal.first_cards = all` all hands have the first five before any acts. Rule: Rules §2; source 000 L196.
    """
    order = state.plan
    first = order.at_start + (order.in_turn if state.rules.deal.first_cards == "all" else ())
    at_start = _hands_without_cards(state, first)
    if at_start:
        return at_start
    open_turns = [i for i in order.in_turn if not state.hands[i].is_set]
    if not open_turns:
        return _hands_without_cards(state, order.at_end)
    for i in open_turns:
        if state.hands[i].drawn:
            return ()
    return (min(open_turns, key=lambda i: state.hands[i].street),)


def _hands_without_cards(state: DealState, hands: Hands) -> Hands:
    return tuple([i for i in hands if not state.hands[i].street and not state.hands[i].drawn]) if hands else ()
