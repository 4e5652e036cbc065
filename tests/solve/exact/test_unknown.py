"""Fantasylands against boards that are not known, and under table stakes, against a plain loop over every setting.

Issue 4, part 2: best response to finished boards with caps, and to a sampled or given distribution.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.case_sample import sample_cases
from tests.rulesets.example_rules import example_ruleset
from tests.solve.exact.every_fantasyland import scored
from triptych.cards import Card, deck, parse_cards
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.scoring.settle import Due, settle
from triptych.scoring.showdown import ScoredHand, score_deal
from triptych.solve.errors import CODES, SolveError
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.exact.setting import Rows
from triptych.solve.exact.stakes import Stakes
from triptych.solve.exact.unknown import OpponentSample
from triptych.solve.value.sampled import sample_opponent_boards

Spec = str | dict[str, object]


def rows(cards: list[Card]) -> Rows:
    return tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:])


def boards(rules: Ruleset, cards: list[Card], count: int, random: Random) -> tuple[Rows, ...]:
    """Return boards of other cards: well set ones, and now and then one as the cards came, which mostly fouls."""
    rest = [card for card in deck(rules.deal.jokers) if card not in cards]
    drawn = random.sample(rest, 13 * count)
    other_boards = []
    for at in range(count):
        theirs = drawn[13 * at : 13 * at + 13]
        best = fantasyland(theirs, rules)
        other_boards.append(rows(theirs) if random.random() < 0.2 else (best.front, best.middle, best.back))
    return tuple(other_boards)


UNKNOWN: list[tuple[Spec, int, int]] = [
    ("pineapple", 14, 1),
    ("pineapple", 13, 2),
    ("pineapple_progressive", 13, 1),
    ("pineapple_russian", 14, 1),
    ("pineapple_27", 14, 1),
    ("ofc_american", 13, 2),
    ("pineapple_joker", 14, 1),
    ({"preset": "pineapple", "rows.order": "gt", "rows.wheel": "second"}, 14, 1),
    ({"preset": "pineapple", "royalties.rule": "row_winner", "scoring.rows": "two_four"}, 13, 2),
    ({"preset": "pineapple", "foul.points": 2, "foul.pays_royalties": False}, 13, 1),
]
OFTEN = [UNKNOWN[at] for at in (1, 4, 8, 9)]


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("spec", "size", "opponents"), sample_cases(UNKNOWN, OFTEN), ids=str)
def test_the_best_mean_over_weighted_samples(spec: Spec, size: int, opponents: int, seed: int) -> None:
    rules = resolve(spec)
    random = Random(seed)
    cards = random.sample(deck(), size)
    if rules.deal.jokers:
        cards[: 1 + seed] = [Card(52), Card(53)][: 1 + seed]
    weights = (1.0, 2.5, 0.5)
    samples = [OpponentSample(boards(rules, cards, opponents, random), weight) for weight in weights]
    solution = fantasyland(cards, rules, samples=samples, repeat_value=7.5)
    best = -np.inf
    for scores in zip(*(scored(rules, cards, sample.boards) for sample in samples), strict=True):
        points = sum(weight * pairs.sum(axis=1) for weight, (pairs, _, _) in zip(weights, scores, strict=True))
        value = points / sum(weights) + 7.5 * (scores[0][2] > 0)
        best = max(best, value[scores[0][1]].max(initial=-np.inf))
    assert solution.legal
    assert solution.value == pytest.approx(best, abs=1e-9)
    mean = 0.0
    for sample, weight in zip(samples, weights, strict=True):
        hands = [ScoredHand((*front, *middle, *back)) for front, middle, back in sample.boards]
        own = ScoredHand((*solution.front, *solution.middle, *solution.back), fantasyland=size, in_row=1)
        mean += (
            weight / sum(weights) * sum(pair.points for pair in score_deal(rules, (own, *hands)).pairs[:opponents])
        )
    assert solution.value == pytest.approx(mean + 7.5 * solution.repeat)


WORTH = {13: 4.0, 14: 9.5, 15: 14.0, 16: 18.5, 17: 30.0}


@pytest.mark.parametrize("seed", sample_cases(range(3), [0]))
@pytest.mark.parametrize(("name", "size"), [("every_row", 14), ("royalties", 13), ("low_ladder", 14)])
def test_the_next_one_is_worth_what_its_cards_are(name: str, size: int, seed: int) -> None:
    """Lists of conditions that bring several sizes (docs/examples/rules): against samples, a board, and nothing."""
    rules = example_ruleset(name)
    random = Random(seed)
    cards = random.sample(deck(), size)
    theirs = [boards(rules, cards, 1, random) for _ in range(3)]
    unknown = fantasyland(cards, rules, samples=[OpponentSample(held) for held in theirs], repeat_value=WORTH)
    against = fantasyland(cards, rules, against=theirs[0], repeat_value=WORTH)
    worth = np.zeros(18)
    worth[13:] = list(WORTH.values())
    mean = value_against = -np.inf
    for scores in zip(*(scored(rules, cards, held) for held in theirs), strict=True):
        _, legal, following = scores[0]
        points = [pairs[:, 0] + worth[following] for pairs, _, _ in scores]
        mean = max(mean, (sum(points) / 3)[legal].max(initial=-np.inf))
        value_against = max(value_against, points[0][legal].max(initial=-np.inf))
    assert (unknown.legal, against.legal) == (mean > -np.inf, value_against > -np.inf)
    if unknown.legal:
        assert unknown.value == pytest.approx(mean, abs=1e-9)
        assert against.value == pytest.approx(value_against, abs=1e-9)


STAKES: list[tuple[Spec, int, tuple[float, ...], int]] = [
    ("pineapple", 1, (8, 30), 0),
    ("pineapple", 1, (40, 5), 1),
    ("pineapple", 2, (9, 25, 4), 1),
    ({"preset": "pineapple", "settlement.cap": "min_current"}, 2, (12, 7, 20), 2),
    ({"preset": "pineapple", "settlement.cap": "none", "settlement.after_bust": "stop"}, 2, (3, 9, 0), 0),
    (
        {"preset": "ofc_american", "settlement.cap": "min_stack_at_start", "settlement.after_bust": "stop"},
        2,
        (6, 6, 2),
        1,
    ),
]


@pytest.mark.parametrize("seed", sample_cases(range(3), [0]))
@pytest.mark.parametrize(("spec", "opponents", "stacks", "place"), STAKES, ids=str)
def test_the_settlement_limited_by_stacks_is_maximised(
    spec: Spec, opponents: int, stacks: tuple[float, ...], place: int, seed: int
) -> None:
    """The points that the settlement really pays are made as large as they can be (Rules §6)."""
    rules = resolve(spec)
    random = Random(seed)
    cards = random.sample(deck(), 13)
    theirs = boards(rules, cards, opponents, random)
    solution = fantasyland(cards, rules, against=theirs, stakes=Stakes(stacks, place), repeat_value=2)
    order = [*range(1, place + 1), 0, *range(place + 1, opponents + 1)]
    between = {}
    if opponents == 2:
        between[1, 2] = score_deal(rules, [ScoredHand((*a, *b, *c)) for a, b, c in theirs]).pairs[0].points

    def moved(points: tuple[int, ...]) -> float:
        owed = {**between, **{(0, seat): amount for seat, amount in enumerate(points, 1)}}
        pairs = [(a, b) for at, a in enumerate(order) for b in order[at + 1 :]]
        dues = [Due(a, b, owed[a, b] if (a, b) in owed else -owed[b, a]) for a, b in pairs]
        after = settle(dues, stacks, rules.settlement).stacks[0]
        assert after is not None
        return after - stacks[0]

    best = -np.inf
    for pairs, legal, repeats in scored(rules, cards, theirs):
        kinds, which = np.unique(pairs, axis=0, return_inverse=True)
        value = np.array([moved(tuple(map(int, kind))) for kind in kinds])[which.ravel()] + 2.0 * (repeats > 0)
        best = max(best, value[legal].max(initial=-np.inf))
    assert solution.value == pytest.approx(best)


def test_a_cap_changes_the_best_setting() -> None:
    """With two points to win there is no use in royalties: the repeat alone counts (source 002 L7)."""
    cards = parse_cards("KdQhQc9s9h9d9c8s8c7s6s4s2h2c")
    theirs: Rows = (parse_cards("TsTh3c"), parse_cards("AcKhKcQs8h"), parse_cards("AdQd6d4d3d"))
    rich = fantasyland(cards, against=[theirs], repeat_value=3)
    poor = fantasyland(cards, against=[theirs], repeat_value=3, stakes=Stakes((100, 2)))
    assert (rich.repeat, poor.repeat, poor.value) == (False, True, 5)


def test_samples_of_learned_play_follow_from_the_seed() -> None:
    rules = resolve("pineapple")
    cards = Random(4).sample(deck(), 14)
    boards = sample_opponent_boards(rules, cards, count=40, opponents=2, seed=3)
    assert boards == sample_opponent_boards(rules, cards, count=40, opponents=2, seed=3)
    assert boards != sample_opponent_boards(rules, cards, count=40, opponents=2, seed=4)
    legal = 0
    for sample in boards:
        held = [card for board in sample.boards for row in board for card in row]
        assert len({*held, *cards}) == 26 + 14
        score = score_deal(rules, [ScoredHand((*a, *b, *c)) for a, b, c in sample.boards])
        legal += sum(hand.status == "legal" for hand in score.hands)
    assert legal > 40  # of 80: players who know the game
    assert fantasyland(cards, rules, samples=boards).legal


STRONG: Rows = (parse_cards("AhAdAc"), parse_cards("KhKdKcQhQd"), parse_cards("JhJdJcJsTh"))
LONGER = [{"row": "back", "least": "quads", "cards": 14}, {"row": "back", "least": "royal", "cards": 15}]
LOW = "2c3d4h5s7c8d9hTs2h3s6cQc8s5d"


@pytest.mark.parametrize(
    ("options", "code", "path"),
    [
        (
            {"samples": [OpponentSample((STRONG,)), OpponentSample((STRONG, STRONG))]},
            "against.count",
            "$.distribution[1].boards",
        ),
        ({"samples": [OpponentSample(())]}, "against.count", "$.distribution[0].boards"),
        ({"samples": [OpponentSample((STRONG,), -1.0)]}, "value.range", "$.distribution[0].weight"),
        ({"samples": [OpponentSample((STRONG,), float("nan"))]}, "value.range", "$.distribution[0].weight"),
        ({"samples": [OpponentSample((STRONG,), 0.0)]}, "value.range", "$.distribution"),
        ({"samples": [OpponentSample((STRONG,))], "against": [STRONG]}, "against.count", "$.distribution"),
        ({"samples": [OpponentSample((STRONG,))], "repeat_value": -1.0}, "value.range", "$.repeat_value"),
        ({"samples": [OpponentSample((STRONG,))], "repeat_value": {14: -1.0}}, "value.range", "$.repeat_value"),
        (
            {
                "samples": [OpponentSample((STRONG,))],
                "repeat_value": {14: 9.0, 15: 8.0},
                "rules": {"preset": "pineapple", "fantasyland.repeat": LONGER},
            },
            "value.range",
            "$.repeat_value",
        ),
        ({"repeat_value": {12: 1.0}}, "cards.count", "$.repeat_value.12"),
        ({"repeat_value": {14: float("inf")}}, "value.range", "$.repeat_value.14"),
        (
            {"samples": [OpponentSample(((STRONG[0][:2], *STRONG[1:]),))]},
            "row.size",
            "$.distribution[0].boards[0].front",
        ),
        (
            {"samples": [OpponentSample(((parse_cards("AhAd2c"), *STRONG[1:]),))]},
            "card.duplicate",
            "$.distribution[0].boards[0].front[2]",
        ),
        (
            {
                "samples": [OpponentSample((STRONG,))],
                "rules": {"preset": "pineapple", "royalties.deuce_of_spades": True},
            },
            "unknown.rules",
            "$.rules",
        ),
        ({"stakes": Stakes((5, 5))}, "stacks.count", "$.stacks"),
        ({"against": [STRONG], "stakes": Stakes((5, 5, 5))}, "stacks.count", "$.stacks"),
        ({"against": [STRONG], "stakes": Stakes((5, -1))}, "value.range", "$.stacks[1]"),
        ({"against": [STRONG], "stakes": Stakes((5, 1), 2)}, "value.range", "$.place"),
    ],
)
def test_bad_questions(options: dict[str, object], code: str, path: str) -> None:
    with pytest.raises(SolveError) as caught:
        fantasyland(parse_cards(LOW), **options)  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.path) == (code, path)
    assert code in CODES


@pytest.mark.parametrize(
    ("preset", "options", "code"),
    [
        ("closed_1_6", {"count": 5}, "value.none"),
        ("pineapple", {"count": 0}, "against.count"),
        ("pineapple", {"count": 5, "opponents": 4}, "against.count"),
        ("pineapple", {"count": 5, "opponents": 3}, "cards.count"),
    ],
)
def test_bad_samples(preset: str, options: dict[str, int], code: str) -> None:
    with pytest.raises(SolveError) as caught:
        sample_opponent_boards(resolve(preset), parse_cards(LOW), **options)
    assert caught.value.code == code
