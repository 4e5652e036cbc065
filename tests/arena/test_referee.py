"""The referee that plays deals out: hidden cards are dealt, and it agrees where the answer is known. Issue 13."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from triptych.arena.moves import play_out
from triptych.arena.referee import Referee, deal_values
from triptych.arena.seeds import deck_for
from triptych.board import Layout
from triptych.bots.levels import get_level
from triptych.cards import card_text
from triptych.deal.engine import start
from triptych.deal.project import view
from triptych.deal.state import HandStart
from triptych.notation.position import parse_position, position_from_view
from triptych.rulesets.load import resolve
from triptych.solve.analysis.analyse import SearchBudget, analyse
from triptych.solve.analysis.discards import discard_beliefs

if TYPE_CHECKING:
    from triptych.solve.analysis.analyse import PlacementValue

RULES = resolve("pineapple")
MIDDLE = "2s6c/7dAd/5h8hQsAc4s -???? | *Ah/5d8s7h/3d3hJs +QcKd5s -Qd"
LAST = "*Qc6c8h/Ks3d4hJs/TsTd5dKd +5sAc3c -9d3s2d | Ah4s/8sTc6h8c/Qh7hQs7cQd -??????"
WHOLE = "Ah4s2h/8sTc6h8c9h/Qh7hQs7cQd -???????? | *Qc6c8h/Ks3d4hJs/TsTd5dKd +5sAc3c -9d3s2d"
LAND = "*// +KdQc4s9h3s | // =14"


def _layout(value: PlacementValue) -> Layout:
    return Layout(value.front, value.middle, value.back)


@pytest.mark.parametrize("text", [MIDDLE, LAST, WHOLE])
def test_the_hand_to_act_cannot_distinguish_the_deals_from_its_own(text: str) -> None:
    position = parse_position(text)
    referee = Referee(RULES, position)
    deals = [referee.sample_hidden_cards(Random(number)) for number in range(20)]
    for state in deals:
        assert position_from_view(view(state, position.acting[0])) == position
        cards = [card for hand in state.hands for card in (*hand.board.cards, *hand.drawn, *hand.discards)]
        assert sorted([*cards, *state.deck]) == list(range(52))
    assert len({state.hands[1 - position.acting[0]].discards for state in deals}) > 1


def test_hidden_discards_are_sampled_by_their_beliefs() -> None:
    """What `triptych.solve.analysis.discards` says: the two discards of a hand are drawn apart."""
    referee = Referee(RULES, parse_position(MIDDLE))
    chances = discard_beliefs(MIDDLE, RULES)[0].chances
    likely = list(chances)[:10]
    discarded = [
        card_text(referee.sample_hidden_cards(Random(number)).hands[0].discards[0]) for number in range(2_000)
    ]
    share = sum(card in likely for card in discarded) / len(discarded)
    assert share == pytest.approx(sum(chances[card] for card in likely), abs=0.045)
    assert share > 1.3 * len(likely) / len(chances)


def test_a_finished_table_is_worth_what_the_scorer_says() -> None:
    """Nothing is left to chance: every deal brings what the exact answer says, of every placement."""
    answer = analyse(WHOLE, RULES)
    assert answer.exact
    referee = Referee(RULES, parse_position(WHOLE))
    points = referee.points([_layout(placement) for placement in answer.placements], 1, 0, 3)
    assert points == pytest.approx(np.array([[placement.value for placement in answer.placements]] * 3), abs=1e-4)


def test_the_last_street_agrees_with_all_draws_counted() -> None:
    answer = analyse(LAST, RULES, SearchBudget(max_error=0.02))
    chosen = (answer.placements[0], answer.placements[-1])
    points = Referee(RULES, parse_position(LAST)).points([_layout(placement) for placement in chosen], 1, 0, 800)
    for at, placement in enumerate(chosen):
        error = max(points[:, at].std() / 800**0.5, 0.05)
        assert points[:, at].mean() == pytest.approx(placement.value, abs=4 * error)


def test_deals_go_on_where_they_ended_and_fantasylands_are_played() -> None:
    position = parse_position(LAND)
    layouts = [
        _layout(placement)
        for placement in analyse(position, RULES, SearchBudget(max_slices=1, screening_rollouts=400)).placements[:2]
    ]
    referee = Referee(RULES, position, "fast")
    whole = referee.points(layouts, 5, 0, 4)
    assert (referee.points(layouts, 5, 2, 2) == whole[2:]).all()
    assert np.ptp(whole) > 0


@pytest.mark.parametrize(("preset", "seats"), [("pineapple", 3), ("ofc_american", 2)])
def test_the_values_of_the_hands_of_a_deal_sum_to_zero(preset: str, seats: int) -> None:
    """Rules §4: what one wins another loses; so do the next fantasylands."""
    rules = resolve(preset)
    for number in range(5):
        deck = deck_for(rules.deal.jokers, "sum", number, 0)
        state = start(rules, 1, tuple(map(HandStart, range(seats))), deck).state
        *_, last = play_out(state, [get_level("fast").factory(seat) for seat in range(seats)])
        assert sum(deal_values(last.transition.state, [8.0] * 18)) == pytest.approx(0, abs=1e-9)
