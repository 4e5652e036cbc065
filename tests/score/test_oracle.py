"""The kernel against the slow scorer of tests/oracle: presets, random options, jokers. RULEBOOK 3 to 5."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.oracle.deal import ROWS, score
from tests.score.deals import random_hands, random_rules
from triptych.rules.load import preset_names, resolve
from triptych.score.showdown import score_deal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.rules.model import Ruleset
    from triptych.score.showdown import ScoredHand


def assert_same(rules: Ruleset, hands: Sequence[ScoredHand]) -> None:
    """Compare every number of a deal."""
    players, pairs = score(rules, hands)
    found = score_deal(rules, hands)
    for hand, player in zip(found.hands, players, strict=True):
        if player.kind == "board":
            assert {row for bit, row in enumerate(ROWS) if hand.offending >> bit & 1} == player.bad
            assert dict(zip(ROWS, hand.royalties, strict=True)) == player.royalties
            assert hand.fantasyland == player.fantasyland
        assert hand.table_points == player.table_points
    assert {(pair.a, pair.b): pair.points for pair in found.pairs} == pairs


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset(preset: str) -> None:
    rules = resolve(preset)
    chance = random.Random(preset)
    for _ in range(40 if rules.deal.jokers else 150):
        assert_same(rules, random_hands(rules, chance))


@pytest.mark.parametrize("seed", range(12))
def test_random_options(seed: int) -> None:
    chance = random.Random(seed)
    plain = [name for name in preset_names() if not resolve(name).deal.jokers]
    for _ in range(40):
        rules = random_rules(resolve(chance.choice(plain)), chance)
        for _ in range(3):
            assert_same(rules, random_hands(rules, chance))


@pytest.mark.parametrize("seed", range(6))
def test_random_options_with_jokers(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        rules = random_rules(resolve("pineapple_joker"), chance)
        assert_same(rules, random_hands(rules, chance))


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_100_000_boards_of_every_preset(preset: str) -> None:
    rules = resolve(preset)
    chance = random.Random(f"{preset} slow")
    boards = 0
    while boards < (20_000 if rules.deal.jokers else 100_000):
        hands = random_hands(rules, chance)
        assert_same(rules, hands)
        boards += len(hands)
