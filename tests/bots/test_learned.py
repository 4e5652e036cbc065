"""The learned bots: legal, blind to hidden cards, the same answer for the same position (issue 5, shown by 5)."""

from __future__ import annotations

from random import Random

import pytest

from tests.deal.moves import after
from tests.deal.play import seats_for, shuffled
from triptych.bots.learned.bot import LearnedBot, SearchSettings
from triptych.bots.levels import SEARCH_SETTINGS
from triptych.cards import Card, parse_cards
from triptych.deal.engine import acting_hands, decide, finished, result, start
from triptych.deal.project import view
from triptych.deal.state import DealState
from triptych.notation.position import parse_position, position_from_view
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.solve.analysis.decision import Decision
from triptych.solve.value.weights import packaged, packaged_file

RULES = resolve("pineapple")
assert packaged_file(RULES, "base") is not None, "these tests are about learned weights"


def _played(rules: Ruleset, cards: tuple[Card, ...], bots: list[LearnedBot], stop: int = 99) -> DealState:
    state = after(None, start(rules, 1, seats_for(rules, len(bots)), cards).events)
    for _ in range(stop):
        if finished(state):
            break
        hand = acting_hands(state)[0]
        deal_view = view(state, hand)
        task = next(task for task in deal_view.tasks if task.hand == hand)
        state = after(state, decide(state, bots[hand].choose(rules, deal_view, task)).events)
    return state


@pytest.mark.parametrize(
    ("position", "best", "minimum"),
    [
        # The next best is less than a point behind, the error half a point: five of ten seeds find it.
        pytest.param("*// +KdTc6hJsKs | // | //", ("KdKs", "6h", "TcJs"), 2, marks=pytest.mark.slow),
        ("*// +QsQd9h6h3h | // =14", ("QsQd", "", "9h6h3h"), 4),
        pytest.param("*// +QsQd9h6h3h | // | // =14", ("QsQd", "", "9h6h3h"), 4, marks=pytest.mark.slow),
    ],
)
def test_plays_for_fantasyland_are_not_cut_off(position: str, best: tuple[str, str, str], minimum: int) -> None:
    """Issue 13: the learned value ranks them 25th and 22nd of 232, rollouts first."""
    weights = packaged(RULES)
    assert weights is not None
    strong, wanted = SEARCH_SETTINGS["strong"], [sorted(parse_cards(row)) for row in best]
    chosen = 0
    for seed in range(1, 5):
        search = Decision.from_position(RULES, parse_position(position), 0).analysis(
            weights[1], weights[0].fantasyland_values
        )
        search.run(strong.width, strong.rollouts, seed)
        rows = [[sorted(row) for row in placed[:3]] for placed in search.table() if placed[4]]
        assert wanted in rows
        chosen += rows[0] == wanted
    assert chosen >= minimum


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("effort", [SearchSettings(), SearchSettings(width=4, rollouts=40)])
def test_whole_deals_are_legal_and_rarely_foul(effort: SearchSettings, players: int) -> None:
    bots = [LearnedBot("bot", effort, "base") for _ in range(players)]
    fouls = 0
    for seed in range(25):
        state = _played(RULES, shuffled(RULES, seed), bots)
        fouls += sum(hand.status == "foul" for hand in result(state).hands)
    assert fouls < 25 * players / 2


@pytest.mark.parametrize("effort", [SearchSettings(), SearchSettings(width=4, rollouts=40)])
def test_cards_hidden_from_the_seat_do_not_matter(effort: SearchSettings) -> None:
    """Other discards, other cards to come: the same view, so the same choice."""
    rng = Random(5)
    bots = [LearnedBot("bot", effort, "base")] * 2
    for seed in range(12):
        cards = shuffled(RULES, seed)
        state = _played(RULES, cards, bots, stop=5)
        hand = acting_hands(state)[0]
        deal_view = view(state, hand)
        dealt = 10 + 3 * 4
        hidden = [card for index, card in enumerate(cards) if index >= dealt]
        rng.shuffle(hidden)
        other = _played(RULES, (*cards[:dealt], *hidden), bots, stop=5)
        again = view(other, hand)
        assert again == deal_view
        assert bots[0].choose(RULES, again, again.tasks[0]) == bots[0].choose(RULES, deal_view, deal_view.tasks[0])


def test_a_decision_holds_no_card_that_is_not_in_the_view() -> None:
    state = _played(RULES, shuffled(RULES, 8), [LearnedBot("bot", SearchSettings(), "base")] * 3, stop=7)
    hand = acting_hands(state)[0]
    deal_view = view(state, hand)
    decision = Decision.from_position(RULES, position_from_view(deal_view), hand)
    open_cards = {card for board in decision.hands for row in board[:3] for card in row}
    assert decision.unseen.bit_count() + len(open_cards | set(decision.cards)) <= 52
    assert not any(decision.unseen >> card & 1 for card in (*open_cards, *decision.cards))


def test_a_searching_bot_finds_what_a_greedy_one_finds_on_a_last_street_with_all_known() -> None:
    """The last to act on the last street knows all that matters: one rollout is exact."""
    for seed in range(8):
        state = _played(RULES, shuffled(RULES, seed), [LearnedBot("bot", SearchSettings(), "base")] * 2, stop=9)
        hand = acting_hands(state)[0]
        deal_view = view(state, hand)
        task = deal_view.tasks[0]
        points = []
        for bot in (
            LearnedBot("a", SearchSettings(width=27, rollouts=27), "base"),
            LearnedBot("b", SearchSettings(), "base"),
        ):
            done = after(state, decide(state, bot.choose(RULES, deal_view, task)).events)
            score = result(done)
            points.append(score.totals()[hand] + 11.5 * (score.hands[hand].fantasyland > 0))
        assert points[0] >= points[1]
