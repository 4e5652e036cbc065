"""What a seat at a table sees, as an observation, is what the environments show: the same cards, step by step."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.deal.play import shuffled
from triptych import _kernel
from triptych.arena.contender import Entrant
from triptych.arena.match import Plan, make_entrants, play_in_process
from triptych.arena.report import match_result
from triptych.arena.tally import MatchAccumulator
from triptych.board import ROWS, Layout
from triptych.deal.actions import Announce, ClaimNatural, Declare, Place
from triptych.deal.engine import acting_hands, decide, finished, start
from triptych.deal.project import view
from triptych.deal.state import HandStart
from triptych.envs.actions import ACTIONS, legal_actions
from triptych.envs.policy import PolicyBot, legal_actions_for, observe
from triptych.envs.shape import game_shape
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import max_fantasyland_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triptych.deal.actions import Action
    from triptych.deal.view_types import DealView, Task


def _compared(game: _kernel.Game, player: int, deal_view: DealView, task: Task, rng: Random) -> Action:
    """Go through a task in the kernel card by card, comparing what is seen and legal before each."""
    handled: list[int] = []
    rows: dict[str, tuple[str, ...]] = dict.fromkeys(ROWS, ())
    while True:
        assert observe(deal_view, task.hand, handled).tobytes() == game.observe(player)
        legal = legal_actions(game.legal)
        assert legal_actions_for(task, handled) == legal
        choice = rng.choice(legal)
        game.step(choice)
        if ACTIONS[choice] in ("play", "surrender"):
            return Announce(task.hand, ACTIONS[choice] == "play")
        if ACTIONS[choice] == "natural":
            return ClaimNatural(task.hand)
        if ACTIONS[choice] != "discard":
            rows[ACTIONS[choice]] += (task.cards[len(handled)],)
        handled.append(choice)
        if len(handled) == len(task.cards):
            return Place(task.hand, Layout(**rows))


@pytest.mark.parametrize("name", preset_names())
def test_a_view_is_observed_as_the_environments_show_it(name: str) -> None:
    rules = resolve(name)
    players = rules.seats.min
    hands = players * (2 if rules.deal.game == "criss_cross" else 1)
    # Set at the start, a fantasyland is set before there is anything to see; here the kernel's order is followed.
    most = max_fantasyland_cards(rules) if rules.fantasyland.order == "after_others" else 0
    rng = Random(name)
    for number in range(20):
        fantasylands = [rng.choice((0, most)) if most else 0 for _ in range(hands)]
        starts = tuple(
            HandStart(h % players, fantasyland, int(fantasyland > 0)) for h, fantasyland in enumerate(fantasylands)
        )
        state = start(rules, number, starts, tuple(shuffled(rules, rng.randrange(1 << 30)))).state
        game = _kernel.make_game(compile_rules(rules), game_shape(rules, players), fantasylands)
        while not finished(state):
            hand = game.turn if not game.over else acting_hands(state)[0]
            deal_view = view(state, state.hands[hand].seat)
            task = next(task for task in deal_view.tasks if task.hand == hand)
            if task.kind == "declare":
                state = decide(state, Declare(hand, ROWS)).state
                continue
            if game.wanted:
                game.deal_cards(bytes(state.hands[hand].drawn))
            state = decide(state, _compared(game, game.player, deal_view, task, rng)).state


def _first(_: NDArray[np.uint8], legal: Sequence[int]) -> int:
    return legal[-1]


@pytest.mark.parametrize("name", ["pineapple", "ofc_american", "closed_2_4", "criss_cross", "pineapple_joker"])
def test_a_policy_plays_in_the_arena(name: str) -> None:
    entrants, objects = make_entrants([PolicyBot(_first), "random"])
    assert entrants[0] == Entrant("policy")
    plan = Plan(resolve(name), entrants, 6, seed="1")
    tally = MatchAccumulator(plan)
    for block in play_in_process(plan, objects):
        tally.add(block)
    assert match_result(tally, "all").bots[0].faults == {}


def test_a_policy_that_chooses_an_illegal_action_gets_an_error() -> None:
    rules = resolve("pineapple")
    state = start(rules, 1, (HandStart(0), HandStart(1)), tuple(shuffled(rules, 1))).state
    deal_view = view(state, 0)
    with pytest.raises(ValueError, match=r"chose action 3, legal are \[0, 1, 2\]"):
        PolicyBot(lambda _seen, _legal: 3).choose(rules, deal_view, deal_view.tasks[0])
