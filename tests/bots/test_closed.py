"""The bot of closed games: what it sets, takes, announces and declares. Rules §2 to 4; issue 4, part 3."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.bots.play import after, begin, hands, played, question, shuffled
from triptych import _kernel
from triptych.bots.closed import ClosedBot
from triptych.cards import deck, parse_cards
from triptych.deal.actions import Announce, ClaimNatural, Declare, Place
from triptych.deal.state import finished
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import is_closed
from triptych.solve.closed.settings import solve_closed
from triptych.solve.closed.strategy import nearest_strategy, relevant_opponent_counts
from triptych.solve.closed.training import best_response, deal_decks, measure, pack_hands

if TYPE_CHECKING:
    from triptych.deal.state import DealState
    from triptych.rulesets.model import Ruleset

PRESETS = [name for name in preset_names() if is_closed(resolve(name))]
BOT = ClosedBot()
NEAREST = (("mau_binh", 1), ("mau_binh", 3), ("banker", 1))

STRONG = "AhAdAcKdKcKsQhQdQcJdJc9s2c"
GOOD = "AsQsTsThTd9h9c9d8s8h8c7h7d"
WEAK = "2d2s3s4d4s5c5d6d7c8dTcJhKh"
SIX_PAIRS = "2c2d4c4d6c6d8c8dTcTdQcQs3h"
TWO_QUADS = "AhAdAcAsKhKdKcKs4c4d3h3s2c"


def dealt(rules: Ruleset, *texts: str, seats: int = 2) -> DealState:
    """Return a deal whose first seats hold these cards, the others whatever is left."""
    first = [card for text in texts for card in parse_cards(text)]
    rest = [card for card in deck(rules.deal.jokers) if card not in first]
    Random(1).shuffle(rest)
    return begin(rules, hands(rules, seats), (*first, *rest))


def choice(state: DealState) -> object:
    deal_view, task = question(state)
    return BOT.choose(state.rules, deal_view, task)


def to_announcing(state: DealState) -> DealState:
    """Return the deal after all have set; boards, not naturals."""
    while question(state)[1].kind == "place":
        deal_view, task = question(state)
        action = BOT.choose(state.rules, deal_view, task)
        assert isinstance(action, Place)
        state = after(state, action)
    return state


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_deals_by_the_rules_and_without_fouls(preset: str) -> None:
    """The engine refuses what is not legal; no preset pays for a foul, but not every low middle can be made."""
    rules = resolve(preset)
    for seed in range(4):
        seats = 2 + seed % (rules.seats.max - 1)
        deal = begin(rules, hands(rules, seats), shuffled(rules, seed))
        *_, (_, _, _, last) = played([BOT] * 4, deal)
        assert finished(last)
        table = compile_rules(rules)
        for hand in last.hands:
            if len(hand.board.cards) == 13:
                legal = _kernel.offending_rows(table, *_kernel.row_values(table, bytes(hand.board.cards))) == 0
                assert legal or solve_closed(hand.board.cards, rules).legal == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_sets_what_the_solver_ranks_first(preset: str) -> None:
    rules = resolve(preset)
    cards = Random(12).sample(deck(), 13)
    best = solve_closed(cards, rules, opponents=1 if rules.deal.game != "criss_cross" else 2).settings[0]
    state = begin(rules, hands(rules, 2), (*cards, *(card for card in deck() if card not in cards)))
    action = choice(state)
    assert best.legal
    assert isinstance(action, Place)
    laid = after(state, action).hands[0].board
    table = compile_rules(rules)
    rows = (*best.front, *best.middle, *best.back)
    assert _kernel.row_values(table, bytes(laid.cards)) == _kernel.row_values(table, bytes(rows))


def test_a_natural_is_taken_where_it_pays_more_than_the_board() -> None:
    """Six pairs are 3 points; two quads in the same table of naturals win more (source 004 L118)."""
    rules = resolve("closed_1_6")
    assert isinstance(choice(dealt(rules, SIX_PAIRS)), ClaimNatural)
    assert isinstance(choice(dealt(rules, TWO_QUADS)), Place)


def test_a_dragon_is_never_set() -> None:
    rules = resolve("closed_1_6")
    assert isinstance(choice(dealt(rules, "AsKhQdJcTs9h8d7c6s5h4d3c2s")), ClaimNatural)


@pytest.mark.parametrize(("first", "plays"), [(WEAK, False), (STRONG, True)])
def test_gives_up_a_hopeless_hand_and_plays_a_strong_one(first: str, plays: bool) -> None:  # noqa: FBT001 - a case
    """Surrender is 3 points, less than a scoop (Rules §4)."""
    state = to_announcing(dealt(resolve("closed_1_6"), first))
    assert question(state)[1].hand == 0
    assert choice(state) == Announce(0, play=plays)


def test_a_dear_surrender_is_never_chosen() -> None:
    """At 12 points a pair even a scoop with royalties costs less, as a mean."""
    state = to_announcing(dealt(resolve({"preset": "closed_1_6", "surrender.points": 12}), WEAK))
    assert choice(state) == Announce(0, play=True)


def test_nobody_gives_up_to_those_who_gave_up() -> None:
    """A surrender pays only boards that are played: the last of three plays anything when the others have gone."""
    state = to_announcing(dealt(resolve("closed_1_6"), STRONG, GOOD, WEAK, seats=3))
    for hand in (0, 1):
        state = after(state, Announce(hand, play=False))
    assert question(state)[1].hand == 2
    assert choice(state) == Announce(2, play=True)
    third = to_announcing(dealt(resolve("closed_1_6"), STRONG, GOOD, WEAK, seats=3))
    for hand in (0, 1):
        third = after(third, Announce(hand, play=True))
    assert choice(third) == Announce(2, play=False)


def test_every_royalty_is_declared() -> None:
    """Where an undeclared royalty is lost (`royalties.declare = must`)."""
    rules = resolve({"preset": "closed_1_6", "royalties.declare": "must", "surrender.points": 0})
    state = to_announcing(dealt(rules, TWO_QUADS))
    deal_view, task = question(state)
    assert (task.kind, task.hand) == ("declare", 0)
    own = deal_view.boards[0]
    royal = tuple(row for row in task.rows if getattr(own, row).royalty)
    assert royal
    assert choice(state) == Declare(0, royal)


@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_that_lies_hidden_changes_a_decision(preset: str) -> None:
    """Cards of the other player and of the stub are exchanged; the own ones and what is shown stay."""
    rules = resolve(preset)
    cards = shuffled(rules, 5)
    decided = set()
    for seed in range(3):
        own = (
            {card for at in (0, 26) for card in cards[at : at + 13]}
            if rules.deal.game == "criss_cross"
            else {*cards[:13]}
        )
        hidden = [card for card in cards if card not in own]
        Random(seed).shuffle(hidden)
        mixed = iter(hidden)
        order = tuple(card if card in own else next(mixed) for card in cards)
        decided.add(repr(choice(begin(rules, hands(rules, 2), order))))
    assert len(decided) == 1


@pytest.mark.parametrize(
    "preset", ["closed_1_6", "closed_2_4", "taiwanese", "closed_basic", "closed_low_middle", "criss_cross"]
)
def test_a_packaged_strategy_says_what_was_measured(preset: str) -> None:
    """A best response gains at most 0.02 points a deal."""
    rules = resolve(preset)
    for opponents in relevant_opponent_counts(rules):
        head = nearest_strategy(rules, opponents).head
        assert (head.name, head.opponents) == (preset, opponents)
        assert head.deals >= 100_000
        assert 0 < head.interval < 0.02
        assert head.gain <= 0.02


def test_a_preset_without_a_strategy_of_its_own_takes_the_nearest() -> None:
    """Against the bank a hand is set as against anyone; against three at Mậu Binh's table as against one."""
    single, three, bank = (nearest_strategy(resolve(name), seats).head for name, seats in NEAREST)
    assert (single.name, three.name, bank.name) == ("mau_binh", "mau_binh", "malayan")
    assert single.deals >= 100_000
    assert single.gain <= 0.02


@pytest.mark.slow
def test_the_measure_finds_a_weak_strategy() -> None:
    """Boards with the best rows at the back, never given up: the first step of training loses to its response."""
    rules = resolve("closed_1_6")
    cards = deal_decks(np.random.default_rng(3), 250)
    nobody = _kernel.HandPool(compile_rules(rules), pack_hands(np.array([1], dtype=np.uint8), cards[:1]))
    first = best_response(nobody, cards, 1)
    weak = _kernel.HandPool(compile_rules(rules), pack_hands(np.zeros_like(first.kinds), first.cards))
    *_, gain = measure(rules, weak, 300, 2, deals=500, seed=4)
    assert gain.mean - gain.half_width > 0.02


@pytest.mark.slow
@pytest.mark.timeout(1800)  # minutes each, on a machine that is free
@pytest.mark.parametrize("preset", ["closed_1_6", "closed_2_4", "taiwanese"])
def test_a_best_response_gains_little(preset: str) -> None:
    """Issue 4, shown by 5, on fewer deals: what is certain to 99.9 % stays below the target."""
    rules = resolve(preset)
    strategy = nearest_strategy(rules, 1)
    *_, gain = measure(rules, strategy.kernel, strategy.size, 2, deals=8_000, seed=20)
    assert gain.mean - 1.6 * gain.half_width < 0.02
    assert gain.half_width < 0.02
