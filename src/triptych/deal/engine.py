"""One deal from the shuffled deck to the showdown: start, decide, evolve. Pure, for every game of the rulebook.

`decide` returns the events of an action and the state after them, or raises DealError; `evolve` (evolve.py) makes
the same state of stored events.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triptych.cards import Card, card_text
from triptych.deal import actions as a
from triptych.deal import events as e
from triptych.deal.closed_actions import announce, claim_natural, confirm, declare
from triptych.deal.errors import DealError
from triptych.deal.evolve import evolve
from triptych.deal.place import arrange
from triptych.deal.result import next_fantasyland, result
from triptych.deal.state import DealState, HandStart, acting_hands, finished, hand_streets
from triptych.deal.timeout import forfeit, timeout_action
from triptych.deal.transitions import Transition, with_automatic_events
from triptych.deal.visibility import Public, Sealed
from triptych.rulesets.model import Ruleset

__all__ = [
    "Transition",
    "acting_hands",
    "decide",
    "evolve",
    "finished",
    "next_fantasyland",
    "result",
    "start",
    "timeout_action",
]


def start(rules: Ruleset, number: int, hands: tuple[HandStart, ...], deck: tuple[Card, ...]) -> Transition:
    """Begin a deal and deal the first cards; `hands[0]` sits left of the button, the last one on it.

    `deck`: the shuffled deck, top card first. Raises DealError (`deal.hands`, `deal.deck`).
    """
    _verify_hands(hands)
    _verify_deck(rules, hands, deck)
    first = Public(e.DealStarted(number, rules, hands))
    shuffled = Sealed(e.DeckShuffled(tuple(map(card_text, deck))))
    events, state = with_automatic_events(evolve(None, first), (shuffled,))
    return Transition((first, *events), state)


def decide(state: DealState, action: a.ClockAction) -> Transition:
    """Return an action's events and all that follow before the next choice. Raises DealError."""
    return with_automatic_events(state, _DECISIONS[type(action)](state, action))


_DECISIONS: dict[type, Callable[[DealState, Any], tuple[e.DealEvent, ...]]] = {
    a.Arrange: arrange,
    a.Place: confirm,
    a.Announce: announce,
    a.Declare: declare,
    a.ClaimNatural: claim_natural,
    a.Forfeit: forfeit,
}


def _verify_hands(hands: tuple[HandStart, ...]) -> None:
    if not 2 <= len(hands) <= 4:
        raise DealError("deal.hands", f"a deal has 2 to 4 hands, not {len(hands)}", "$.hands")
    for index, hand in enumerate(hands):
        if hand.fantasyland and not 13 <= hand.fantasyland <= 17:
            message = f"a fantasyland has 13 to 17 cards, not {hand.fantasyland}"
            raise DealError("deal.hands", message, f"$.hands[{index}].fantasyland")


def _verify_deck(rules: Ruleset, hands: tuple[HandStart, ...], deck: tuple[Card, ...]) -> None:
    size = 52 + rules.deal.jokers
    if len(set(deck)) != len(deck) or (deck and not 0 <= min(deck) <= max(deck) < size):
        raise DealError("deal.deck", f"the deck must hold different cards, all of the {size} in play", "$.deck")
    needed = sum(street.dealt for hand in hands for street in hand_streets(rules, hand.fantasyland))
    if len(deck) < needed:
        message = f"these hands need {needed} cards and the deck has {len(deck)}"
        raise DealError("deal.deck", message, "$.deck")
