"""The kernel's simulated game against the deal engine: the same cards and placements, step by step, every preset.

The engine is the server's (Rules §2, 5); the kernel's game must ask the same hands for the same choices and pay the
same points.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.deal.moves import after
from tests.deal.play import shuffled
from tests.rulesets.example_rules import EXAMPLES, example_ruleset
from triptych import _kernel
from triptych.board import ROWS, Layout
from triptych.cards import UNKNOWN_CARD, Card, card_text, parse_cards
from triptych.deal.actions import Announce, ClaimNatural, Declare, Place
from triptych.deal.engine import acting_hands, decide, finished, result, start
from triptych.deal.project import view
from triptych.deal.state import DealState, HandStart, phase
from triptych.envs.actions import ACTIONS, CARD_LOCATIONS, OBSERVED_CARDS, legal_actions
from triptych.envs.shape import game_shape
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, max_fantasyland_cards


def _fantasylands(rules: Ruleset, hands: int, rng: Random) -> list[int]:
    most = max_fantasyland_cards(rules)
    return [rng.choice((0, most)) if most else 0 for _ in range(hands)]


def _seats(rules: Ruleset, fantasylands: list[int]) -> tuple[HandStart, ...]:
    players = 2 if rules.deal.game == "criss_cross" else len(fantasylands)
    return tuple(
        HandStart(h % players, fantasyland, int(fantasyland > 0)) for h, fantasyland in enumerate(fantasylands)
    )


def _declare_all(state: DealState) -> DealState:
    while not finished(state) and phase(state) == "declaring":
        state = after(state, decide(state, Declare(acting_hands(state)[0], ROWS)).events)
    return state


def _follow(state: DealState, game: _kernel.Game, rng: Random) -> DealState:
    """Let the hand in turn play one street or say one word, in both."""
    hand = game.turn
    assert hand in acting_hands(state)
    choice = rng.choice(legal_actions(game.legal))
    if ACTIONS[choice] in ("play", "surrender"):
        game.step(choice)
        return after(state, decide(state, Announce(hand, ACTIONS[choice] == "play")).events)
    drawn = state.hands[hand].drawn
    placed: dict[str, tuple[str, ...]] = dict.fromkeys(ROWS, ())
    for card in drawn:
        if ACTIONS[choice] == "natural":
            game.step(choice)
            return after(state, decide(state, ClaimNatural(hand)).events)
        if ACTIONS[choice] != "discard":
            placed[ACTIONS[choice]] += (card_text(card),)
        game.step(choice)
        if not game.over and not game.wanted:
            choice = rng.choice([action for action in legal_actions(game.legal) if ACTIONS[action] != "natural"])
    return after(state, decide(state, Place(hand, Layout(**placed))).events)


@pytest.mark.parametrize("name", [*preset_names(), *EXAMPLES])
def test_same_turns_and_points(name: str) -> None:
    rules = example_ruleset(name) if name in EXAMPLES else resolve(name)
    players = rules.seats.min
    hands = players * (2 if rules.deal.game == "criss_cross" else 1)
    rng = Random(name)
    for number in range(40):
        fantasylands = _fantasylands(rules, hands, rng)
        deck = list(shuffled(rules, rng.randrange(1 << 30)))
        state = after(None, start(rules, number, _seats(rules, fantasylands), tuple(deck)).events)
        game = _kernel.make_game(compile_rules(rules), game_shape(rules, players), fantasylands)
        while not finished(state):
            cards = state.hands[game.turn].drawn
            if game.wanted:
                assert len(cards) == game.wanted
                game.deal_cards(bytes(cards))
            state = _declare_all(_follow(state, game, rng))
        assert game.over
        totals = result(state).totals()
        if rules.scoring.rows == "first_to_11":
            assert game.total == list(totals)
            continue
        expected = [0] * players
        for h, points in enumerate(totals):
            expected[h % players] += points
        assert game.total == expected


@pytest.mark.parametrize(("name", "hidden"), [("pineapple", True), ("ofc_american", False)])
def test_the_only_hand_outside_fantasyland_lies_as_the_rules_have_it(name: str, *, hidden: bool) -> None:
    """Face down where fantasyland comes after the others (source 002 L37), openly if it is dealt first (001 L39)."""
    rules = resolve(name)
    fantasylands = [0, max_fantasyland_cards(rules)]
    state = after(None, start(rules, 1, _seats(rules, fantasylands), shuffled(rules, 1)).events)
    game = _kernel.make_game(compile_rules(rules), game_shape(rules, 2), fantasylands)
    rng = Random(name)
    while not state.hands[0].street:
        game.deal_cards(bytes(state.hands[game.turn].drawn[: game.wanted]))
        state = _follow(state, game, rng)
    board = view(state, 1).boards[0]
    board_cards = {card for row in ROWS for card in getattr(board, row).cards if card != UNKNOWN_CARD}
    observed = game.observe(1)[:OBSERVED_CARDS]
    assert board_cards == {
        card_text(Card(card)) for card, place in enumerate(observed) if place >= len(CARD_LOCATIONS)
    }
    assert hidden == (not board_cards)


@pytest.mark.parametrize(("claim", "must_announce"), [("auto", False), ("must", True)])
def test_three_flushes_set_as_rows(claim: str, *, must_announce: bool) -> None:
    """Source 003 L14: they are a natural, so nobody is left to announce.

    Where they must be claimed, both announce.
    """
    rules = resolve({"preset": "closed_1_6", "naturals.claim": claim})
    cards = [bytes(parse_cards("2c5c8c3d6d8dJdKd4h7hThQhAh")), bytes(parse_cards("3c7s9sTc2h4s5d8sTsJcKcAcQd"))]
    game = _kernel.make_game(compile_rules(rules), game_shape(rules, 2), [0, 0])
    for hand in range(2):
        assert game.turn == hand
        game.deal_cards(cards[hand])
        points = [0, 0]
        for row, size in zip(ROWS, (3, 5, 5), strict=True):
            for _ in range(size):
                points = game.step(ACTIONS.index(row))
    assert game.over == (not must_announce)
    if not must_announce:
        assert points == [3, -3]


def test_a_chain_of_fantasylands_goes_on_as_its_conditions_say() -> None:
    """Rules §5: fifteen royalties with queens bring fifteen cards under docs/examples/rules/royalties.toml."""
    rules = example_ruleset("royalties")
    deal = bytes(parse_cards("QhQd2c8h8d" + "8c3s9c" + "4hTh9d" + "TdTs9h" + "5c5h9s"))
    other = bytes(parse_cards("2d3d4d5d6d" + "7c2hJd" + "Kc3cJs" + "Ah6cJh" + "Jc7hKd"))
    game = _kernel.make_game(compile_rules(rules), game_shape(rules, 2, chain=True))
    rows = {0: "fffmm" + "mmd" + "mbd" + "bbd" + "bbd", 1: "bbbbb" + "mmd" + "mmd" + "fmd" + "ffd"}
    names = {"f": "front", "m": "middle", "b": "back", "d": "discard"}
    dealt = [0, 0]
    for _ in range(10):
        hand = game.turn
        cards = (deal, other)[hand][dealt[hand] : dealt[hand] + game.wanted]
        game.deal_cards(cards)
        for letter in rows[hand][dealt[hand] : dealt[hand] + len(cards)]:
            game.step(ACTIONS.index(names[letter]))
        dealt[hand] += len(cards)
    assert not game.over
