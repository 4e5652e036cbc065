"""What the guide proposes: `medium`'s choice in open games, the exact one in closed games (issue 28.6)."""

from __future__ import annotations

import pytest

from triptych.arena.seeds import deck_for
from triptych.bots.closed import ClosedBot
from triptych.bots.levels import get_level
from triptych.deal.engine import decide, start
from triptych.deal.project import view
from triptych.deal.state import HandStart, acting_hands, finished
from triptych.rulesets.load import resolve


@pytest.mark.parametrize("preset", ["pineapple", "turbo", "pineapple_27", "closed_2_4", "closed_low_middle"])
def test_the_guide_proposes_what_the_best_quick_level_plays(preset: str) -> None:
    rules = resolve(preset)
    guide = get_level("guide").factory(1)
    peer = ClosedBot() if preset.startswith("closed") else get_level("medium").factory(1)
    for deal in range(2):
        state = start(rules, 1, (HandStart(0), HandStart(1)), deck_for(rules.deal.jokers, "guide", deal, 0)).state
        while not finished(state):
            hand = acting_hands(state)[0]
            deal_view = view(state, state.hands[hand].seat)
            task = next(task for task in deal_view.tasks if task.hand == hand)
            proposal = guide.choose(rules, deal_view, task)
            assert proposal == peer.choose(rules, deal_view, task)
            state = decide(state, proposal).state
