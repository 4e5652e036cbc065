"""Strategies: deals of every preset and example file, with every mixture of fantasylands that the deck allows."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.deal.play import seats_for
from tests.rulesets.example_rules import EXAMPLES, lists
from triptych.deal.state import HandStart, hand_streets
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, is_closed, max_fantasyland_cards

Deal = tuple[Ruleset, tuple[HandStart, ...], int]


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """A ruleset, its hands, and a seed for shuffle and play."""
    changes = {
        "deal.first_street": draw(st.sampled_from(["live", "on_confirm"])),
        "deal.first_cards": draw(st.sampled_from(["at_turn", "all"])),
        "fantasyland.order": draw(st.sampled_from(["after_others", "at_start_hidden"])),
        "royalties.declare": draw(st.sampled_from(["auto", "must"])),
        "timeout.layout": draw(st.sampled_from(["received_back_first", "foul", "best_legal"])),
    }
    name = draw(st.sampled_from([*preset_names(), *EXAMPLES]))
    rules = resolve({**(lists(name) if name in EXAMPLES else {"preset": name}), **changes})
    hands = seats_for(rules, draw(st.integers(rules.seats.min, rules.seats.max)))
    if not is_closed(rules) and max_fantasyland_cards(rules):
        hands = tuple(
            HandStart(hand.seat, cards, int(cards > 0))
            for hand in hands
            for cards in [draw(st.sampled_from([0, 0, *range(13, max_fantasyland_cards(rules) + 1)]))]
        )
    while sum(street.dealt for hand in hands for street in hand_streets(rules, hand.fantasyland)) > 52:
        hands = hands[1:]
    return rules, hands, draw(st.integers(0, 2**32))
