"""A thousand random deals of every preset hold together. Issue 3, shown by 2."""

from __future__ import annotations

import pytest

from tests.deal.play import seats_for, steps
from triptych.cards import deck
from triptych.deal.engine import result
from triptych.deal.state import HandStart, hand_streets
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, is_closed, max_fantasyland_cards


def hands_for(rules: Ruleset, seed: int) -> tuple[HandStart, ...]:
    """Return hands in turn of every number of seats; in one deal of three somebody is in fantasyland."""
    seats = rules.seats.min + seed % (rules.seats.max - rules.seats.min + 1)
    hands = seats_for(rules, seats)
    if seed % 3 == 0 and max_fantasyland_cards(rules) and not is_closed(rules):
        lucky = seed // 3 % len(hands)
        fantasyland = HandStart(hands[lucky].seat, max_fantasyland_cards(rules), 1)
        hands = (*hands[:lucky], fantasyland, *hands[lucky + 1 :])
    cards = sum(street.dealt for hand in hands for street in hand_streets(rules, hand.fantasyland))
    return hands if cards <= 52 + rules.deal.jokers else hands_for(rules, seed - 1)


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_a_thousand_deals(preset: str) -> None:
    rules = resolve(preset)
    whole = list(deck(rules.deal.jokers))
    for seed in range(1000):
        for _, _, state in steps(rules, hands_for(rules, seed), seed):
            hands = [card for hand in state.hands for card in (*hand.board.cards, *hand.drawn, *hand.discards)]
            assert sorted([*state.deck, *hands]) == whole
        score = result(state)
        assert sum(score.totals()) == sum(hand.table_points for hand in score.hands)
        fouls = [hand.status == "foul" for hand in score.hands]
        assert not any(hand.fantasyland for hand, foul in zip(score.hands, fouls, strict=True) if foul)
