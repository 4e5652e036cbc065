"""What the kernel says a rival gains, against the same deals played step by step through the scorer (issue 4, 5)."""

from __future__ import annotations

import numpy as np
import pytest

from triptych import _kernel
from triptych.cards import Card
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import Kind, ScoredHand, score_deal
from triptych.solve.closed.strategy import nearest_strategy
from triptych.solve.closed.training import deal_decks

Spec = str | dict[str, object]


class Player:
    """One hand with the hand pool that decides for it."""

    def __init__(self, rules: Ruleset, pool: _kernel.HandPool, cards: bytes, known_cards: bytes, rivals: int) -> None:
        self.pool = pool
        surrender, natural, (_, _, best) = pool.choose(cards, known_cards, [0] * rivals, 0)
        plays = max(best[0][2], surrender) if rules.surrender.points else best[0][2]
        holds = _kernel.best_natural(compile_rules(rules), cards)[0] >= 0
        self.kind: Kind = "natural" if holds and natural >= plays else "board"
        self.board = cards if self.kind == "natural" else best[0][0]


def rivals_of(rules: Ruleset, owners: list[int], hand: int) -> list[int]:
    """Return the hands that a hand plays; the last one has the button, and the bank where there is one."""
    banks = rules.scoring.pairs == "banker"
    return [
        other
        for other, owner in enumerate(owners)
        if owner != owners[hand] and (not banks or owners[-1] in (owner, owners[hand]))
    ]


def announced(rules: Ruleset, hands: list[Player], owners: list[int]) -> list[Kind]:
    """Naturals are shown; then each in turn plays or gives up, whatever it thought before."""
    kinds = [hand.kind for hand in hands]
    if not rules.surrender.points or kinds.count("board") < 2:
        return kinds
    cards = b"".join(hand.board for hand in hands if hand.kind == "natural")
    for at, hand in enumerate(hands):
        others = [other for other in rivals_of(rules, owners, at) if hands[other].kind == "board"]
        states = [2 if other < at else 1 for other in others if kinds[other] == "board"]
        if hand.kind == "natural" or not states:
            continue
        plays, surrender = hand.pool.announce(hand.board, cards, states)
        if plays + rules.surrender.points * (len(others) - len(states)) < surrender:
            kinds[at] = "surrender"
    return kinds


def won(rules: Ruleset, hands: list[Player], owners: list[int], place: int) -> float:
    """Points of a player; under first_to_11 of the lead over the mean of the others."""
    kinds = announced(rules, hands, owners)
    scored = [
        ScoredHand(tuple(map(Card, hand.board)), kind, owner=owner)
        for hand, kind, owner in zip(hands, kinds, owners, strict=True)
    ]
    score = score_deal(rules, scored)
    total = float(sum(pair.points * ((owners[pair.a] == place) - (owners[pair.b] == place)) for pair in score.pairs))
    for owner, hand in zip(owners, score.hands, strict=True):
        total += hand.table_points * (1 if owner == place else -1 / (len(set(owners)) - 1))
    return total


@pytest.mark.parametrize(
    ("spec", "players", "per_deal"),
    [
        ("closed_1_6", 2, 2),
        ("closed_2_4", 4, 4),
        ({"preset": "closed_1_6", "surrender.points": 2}, 3, 3),
        ("taiwanese", 4, 4),
        ("first_to_11", 3, 3),
        ("criss_cross", 2, 4),
        ("malayan", 2, 2),
        ("mau_binh", 4, 4),
        ("banker", 3, 3),
        ({"preset": "banker", "surrender.points": 2}, 4, 4),
        ("pusoy", 2, 2),
        ({"preset": "closed_1_6", "royalties.broken_up": "paid"}, 2, 2),
    ],
    ids=str,
)
def test_a_gain_is_what_the_scorer_says(spec: Spec, players: int, per_deal: int) -> None:
    rules = resolve(spec)
    pool = nearest_strategy(rules, per_deal - per_deal // players).kernel
    # The rival answers another game's strategy, so that it sets and announces otherwise.
    rival = nearest_strategy(resolve({"preset": "closed_basic", "surrender.points": 1}), 1)
    other = _kernel.HandPool(compile_rules(rules), _packed_of(rules, rival.kernel))
    deals = 24 if spec == "banker" else 12
    cards = deal_decks(np.random.default_rng(11), deals).reshape(deals, 4, 13)[:, :per_deal]
    gains = pool.gains(other, np.ascontiguousarray(cards.reshape(-1, 13)), players, per_deal)
    owners = [hand % players for hand in range(per_deal)]
    rivals = [len(rivals_of(rules, owners, hand)) for hand in range(per_deal)]
    expected = []
    for number in range(deals):
        place = number % players
        rows = [row.tobytes() for row in cards[number]]
        before, after = (
            [
                Player(rules, used, rows[hand], b"".join(_same(rows, owners, hand)), rivals[hand])
                for hand, used in enumerate([taken if owner == place else pool for owner in owners])
            ]
            for taken in (pool, other)
        )
        expected.append(won(rules, after, owners, place) - won(rules, before, owners, place))
    assert gains.tolist() == pytest.approx(expected)
    assert any(expected)


def _same(rows: list[bytes], owners: list[int], hand: int) -> list[bytes]:
    return [row for at, row in enumerate(rows) if at != hand and owners[at] == owners[hand]]


def _packed_of(rules: Ruleset, pool: _kernel.HandPool) -> bytes:
    """Return hands as another strategy plays them; naturals that these rules do not know become boards."""
    hands = deal_decks(np.random.default_rng(2), 40)
    kinds, boards, _ = pool.play(hands, 1)
    natural = [_kernel.best_natural(compile_rules(rules), cards.tobytes())[0] >= 0 for cards in boards]
    return b"".join(
        bytes((kind if kind < 2 or holds else 0, 7, 0, 0, 0)) + cards.tobytes()
        for kind, cards, holds in zip(kinds.tolist(), boards, natural, strict=True)
    )
