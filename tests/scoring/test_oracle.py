"""The kernel against the slow scorer of tests/oracle: presets, random options, jokers. Rules §3 to 5."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.oracle.deal import ROWS, score
from tests.scoring.deals import (
    SLOW_BOARDS,
    five_hands,
    mirrored_hands,
    random_hands,
    random_rules,
    shown_hands,
    strong_hands,
)
from triptych.rulesets.load import preset_names, resolve
from triptych.scoring.showdown import score_deal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triptych.rulesets.model import Ruleset
    from triptych.scoring.showdown import ScoredHand


def assert_same(rules: Ruleset, hands: Sequence[ScoredHand]) -> None:
    """Compare every number of a deal."""
    players, pairs = score(rules, hands)
    deal_score = score_deal(rules, hands)
    for hand, player in zip(deal_score.hands, players, strict=True):
        assert (hand.status == "natural") == (player.kind == "natural")
        if player.kind == "board":
            assert {row for bit, row in enumerate(ROWS) if hand.violated_rows >> bit & 1} == player.bad
            assert dict(zip(ROWS, hand.royalties, strict=True)) == player.royalties
            assert hand.fantasyland == player.fantasyland
        assert hand.table_points == player.table_points
    assert {(pair.a, pair.b): pair.points for pair in deal_score.pairs} == pairs


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset(preset: str) -> None:
    rules = resolve(preset)
    chance = random.Random(preset)
    for _ in range(30 if rules.deal.jokers else 100):
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


FIVES = {"rows.five_of_a_kind": True, "royalties.table.back.five_of_a_kind": 40}
# Each option with the rules around it that it meets, and hands in which it decides something.
OPTIONS: dict[str, tuple[list[dict[str, object]], Callable[[Ruleset, random.Random], list[ScoredHand]]]] = {
    "rows.tie_break": (
        [
            {"preset": "closed_1_6", "rows.tie_break": "suits", "naturals": {"claim": "must"}},
            {"preset": "closed_2_4", "rows.tie_break": "suits", "rows.suits": "dchs", "rows.wheel": "second"},
            {"preset": "closed_low_middle", "rows.tie_break": "suits", "rows.low_limit": "ten"},
            {"preset": "closed_low_middle", "rows.tie_break": "suits"},
            {"preset": "first_to_11", "rows.tie_break": "suits", "rows.order": "gt"},
        ],
        mirrored_hands,
    ),
    "rows.low_limit": (
        [
            {"preset": "closed_low_middle"},
            {"preset": "closed_low_middle", "royalties.table": "american", "foul.scope": "rows"},
            {"preset": "pineapple_27", "rows.low_limit": "none"},
        ],
        random_hands,
    ),
    "royalties.broken_up": (
        [
            {"preset": "closed_1_6", "royalties.broken_up": "paid"},
            {"preset": "malayan", "royalties.broken_up": "paid", "royalties.one_per_board": True},
            {"preset": "closed_2_4", "royalties.broken_up": "paid", "royalties.declare": "must"},
            {"preset": "closed_1_6", "royalties.broken_up": "paid", "royalties.deuce_of_spades": True},
        ],
        strong_hands,
    ),
    "naturals.claim": (
        [
            {"preset": "closed_1_6"},
            {"preset": "taiwanese"},
            {"preset": "malayan"},
            {"preset": "thirteen_water", "naturals.claim": "must"},
        ],
        shown_hands,
    ),
    "five_of_a_kind": (
        [
            {"preset": "pineapple_joker", **FIVES},
            {"preset": "pineapple_joker", "rows.five_of_a_kind": True},
            {"preset": "pineapple_joker", **FIVES, "rows.joker_value": "best_total"},
        ],
        five_hands,
    ),
    "scoring.rows = custom": (
        [
            {"preset": "closed_1_6", "scoring.rows": "custom", "scoring.points": [3, 1, 2], "scoring.bonus": 4},
            {"preset": "taiwanese", "scoring.rows": "custom", "scoring.points": [0, 2, 5], "scoring.bonus": 1},
        ],
        random_hands,
    ),
    "scoring.pairs": (
        [
            {"preset": "closed_1_6", "scoring.pairs": "banker"},
            {"preset": "thirteen_water", "scoring.pairs": "banker"},
            {"preset": "criss_cross", "scoring.pairs": "banker"},
            {"preset": "pineapple", "scoring.pairs": "banker"},
        ],
        random_hands,
    ),
    "scoring.doubles": (
        [
            {"preset": "taiwanese", "scoring.doubles": "all", "foul.pays_royalties": True},
            {"preset": "mau_binh", "royalties.rule": "difference", "foul.scope": "rows"},
            {
                "preset": "mau_binh",
                "foul.still_plays": True,
                "foul.pays_royalties": True,
                "royalties.deuce_of_spades": True,
            },
        ],
        random_hands,
    ),
    "foul.points": ([{"preset": "taiwanese", "foul.points": 4, "foul.pays_royalties": True}], random_hands),
}


def assert_option(option: str, boards: int) -> None:
    """Compare so many boards under each of the option's rules in turn."""
    specs, hands_of = OPTIONS[option]
    rules = [resolve(spec) for spec in specs]
    chance = random.Random(f"{option} {boards}")
    done = 0
    while done < boards:
        for ruleset in rules:
            hands = hands_of(ruleset, chance)
            assert_same(ruleset, hands)
            done += len(hands)


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_of_the_amended_rulebook(option: str) -> None:
    assert_option(option, 300 if option == "five_of_a_kind" else 1000)


@pytest.mark.slow
@pytest.mark.parametrize("option", OPTIONS)
def test_many_boards_of_an_option(option: str) -> None:
    assert_option(option, SLOW_BOARDS)


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_many_boards_of_every_preset(preset: str) -> None:
    rules = resolve(preset)
    chance = random.Random(f"{preset} slow")
    boards = 0
    while boards < SLOW_BOARDS:
        hands = random_hands(rules, chance)
        assert_same(rules, hands)
        boards += len(hands)
