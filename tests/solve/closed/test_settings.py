"""The closed solver against every setting, valued by the scorer alone (issue 4, part 3; Rules §3 and 4)."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.solve.exact.every_fantasyland import every_setting
from triptych import _kernel
from triptych.cards import Card, deck, parse_cards
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import Kind, ScoredHand, score_deal
from triptych.solve.closed.settings import (
    ALL_SETTINGS,
    ClosedSetting,
    kernel_table,
    solve_closed,
)
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Board = tuple[Card, ...]
Spec = str | dict[str, object]

SPECS: list[Spec] = [
    "closed_1_6",
    "closed_2_4",
    "closed_basic",
    "closed_low_middle",
    "malayan",
    "taiwanese",
    {"preset": "closed_1_6", "scoring.rows": "match_2_6", "scoring.match_tied": "more_rows", "rows.wheel": "second"},
    {"preset": "closed_1_6", "foul.scope": "rows", "rows.order": "gt"},
    {"preset": "taiwanese", "royalties.deuce_of_spades": True, "foul.pays_royalties": True},
    {"preset": "taiwanese", "foul.still_plays": True},
    {"preset": "malayan", "royalties.one_per_board": True, "scoring.rows": "one_four"},
    {"preset": "closed_1_6", "foul.points": 0},
    {"preset": "closed_1_6", "scoring.rows": "custom", "scoring.points": [3, 1, 2], "scoring.bonus": 2},
    "mau_binh",
    {"preset": "mau_binh", "royalties.rule": "difference", "foul.pays_royalties": True, "foul.still_plays": True},
    {"preset": "mau_binh", "royalties.deuce_of_spades": True, "foul.pays_royalties": True, "foul.points": 4},
    {"preset": "mau_binh", "foul.scope": "rows", "royalties.rule": "difference"},
]
KINDS: tuple[Kind, ...] = ("board", "board", "surrender", "natural", "dead")


def rows(board: Board) -> Rows:
    return board[:3], board[3:8], board[8:]


def key(board: Board) -> tuple[frozenset[Card], ...]:
    return tuple(frozenset(row) for row in rows(board))


def cards_of(setting: ClosedSetting) -> Board:
    return (*setting.front, *setting.middle, *setting.back)


def a_board(rules: Ruleset, cards: list[Card], random: Random) -> Board:
    """Return a well set board, or now and then the cards as they came, which mostly foul."""
    board = tuple(cards)
    if random.random() < 0.7:
        table = kernel_table(rules, board, [[rows(tuple(random.sample(_without(board), 13)))]])
        board = tuple(map(Card, table.best(bytes(board)).board))
    return board


def _without(cards: tuple[Card, ...]) -> list[Card]:
    return [card for card in deck() if card not in cards]


def random_samples(rules: Ruleset, opponents: int, samples: int, seed: int) -> tuple[list[Card], list[list[Board]]]:
    random = Random(seed)
    cards = random.sample(deck(), 13)
    boards = []
    for _ in range(samples):
        others = random.sample(_without(tuple(cards)), 13 * opponents)
        boards.append([a_board(rules, others[13 * i : 13 * i + 13], random) for i in range(opponents)])
    return cards, boards


# Two seconds each: one of every kind of table stays in the quick suite.
COMMON = ((SPECS[3], 1), (SPECS[7], 1), (SPECS[12], 1), (SPECS[14], 3))
CASES = [
    pytest.param(
        spec, opponents, marks=() if (spec, opponents) in COMMON else pytest.mark.slow, id=f"{spec}-{opponents}"
    )
    for spec in SPECS
    for opponents in (1, 3)
]


@pytest.mark.parametrize(("spec", "opponents"), CASES)
def test_every_setting_is_worth_what_the_scorer_says(spec: Spec, opponents: int) -> None:
    rules = resolve(spec)
    cards, samples = random_samples(rules, opponents, samples=3, seed=opponents)
    assert_every_setting(rules, cards, samples)


def in_order(
    boards: NDArray[np.uint8], values: NDArray[np.float64]
) -> tuple[NDArray[np.bytes_], NDArray[np.float64]]:
    """Return boards, each as one key in which the order inside a row does not count, and their values, by key."""
    rows = [np.sort(boards[:, start:end], axis=1) for start, end in ((0, 3), (3, 8), (8, 13))]
    keys: NDArray[np.bytes_] = np.ascontiguousarray(np.concatenate(rows, axis=1)).view("S13").ravel()
    order = np.argsort(keys)
    return keys[order], values[order]


def _boards(settings: Sequence[tuple[bytes, *tuple[object, ...]]]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(bytes(setting[0]) for setting in settings), dtype=np.uint8).reshape(-1, 13)


def assert_every_setting(rules: Ruleset, cards: list[Card], samples: list[list[Board]], step: int = 1) -> None:
    """Compare what all settings are worth with what the scorer pays, and the best one.

    `step`: of every so many settings the scorer is asked about one.
    """
    table = compile_rules(rules)
    opponents = len(samples[0])
    stakes = (1.0, 2.0, 5.0)[:opponents]
    settings = np.array(cards, dtype=np.uint8)[every_setting()]
    scored = settings[::step]
    worth = np.zeros(len(scored))
    for boards in samples:
        deals = np.repeat(np.array([[[0] * 13, *boards]], dtype=np.uint8), len(scored), axis=0)
        deals[:, 0] = scored
        pairs = _kernel.score_batch(table, deals)[0]
        worth += pairs[:, :opponents] @ np.array(stakes)
    closed_table = kernel_table(rules, cards, [[rows(board) for board in boards] for boards in samples], stakes)
    count, _, ranking = closed_table.rank(bytes(cards), ALL_SETTINGS)
    assert count == len(ranking) == ALL_SETTINGS
    keys, values = in_order(scored, worth / len(samples))
    ranked_keys, ranked_values = in_order(_boards(ranking), np.array([setting[2] for setting in ranking]))
    assert len(set(ranked_keys.tolist())) == ALL_SETTINGS
    places = np.searchsorted(ranked_keys, keys)
    assert (ranked_keys[places] == keys).all()
    assert np.abs(ranked_values[places] - values).max() < 1e-9
    board, legal, value, *_ = closed_table.best(bytes(cards))
    assert (value, legal) == (ranking[0][2], ranking[0][1])
    table_of = {key(tuple(map(Card, setting[0]))): setting for setting in ranking[:1]}
    order = [_kernel.row_values(table, setting)[::-1] for setting in (board, ranking[0][0])]
    assert key(tuple(map(Card, board))) in table_of or order[0] == order[1] or not legal


BLACK = "AcAsKsQc9c9s8s7c6s5s4c3s2c"
RED = "AdAhKhQd9d9h8h7d6h5h4d3h2d"
SUITS = {"rows.tie_break": "suits"}
BROKEN = {"royalties.broken_up": "paid"}
# Rules, own cards, opponents' cards that are set well: hands in which the option decides something.
HOUSES: list[tuple[dict[str, object], str, list[str]]] = [
    ({"preset": "closed_1_6", **SUITS}, BLACK, [RED]),
    ({"preset": "closed_2_4", **SUITS, "rows.suits": "dchs", "rows.wheel": "second"}, RED, [BLACK]),
    ({"preset": "closed_low_middle", **SUITS}, BLACK, [RED]),
    ({"preset": "closed_1_6", **SUITS, "foul.scope": "rows"}, BLACK, [RED]),
    ({"preset": "closed_1_6", **BROKEN}, "7c7d7h7s2c4h5h6h8hKcKd9cJd", ["AcAsKsQcTcTs8s3c6s5s4c3s2s"]),
    (
        {"preset": "malayan", **BROKEN, "royalties.one_per_board": True},
        "7c7d7h7s2cTsJsQsKsAsKdJd9c",
        ["AdAhKhQd9d9h8h8d6h5h4d3h2d"],
    ),
    ({"preset": "closed_1_6"}, "2c5c8c3d6d8dJdKd4h7hThQhAh", ["AcAsKsQc9c9s8s7c6s5s4c3sTs"]),
    ({"preset": "taiwanese"}, "JcQdKh6s7c8d9hTs5c2d3h4s6h", ["2c5h8c3d6d8hJdKd4h7hThQhAh"]),
]


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 13])  # scoring all takes seconds
@pytest.mark.parametrize(("spec", "own", "others"), HOUSES)
def test_settings_follow_custom_rules_of_rows_and_naturals(
    spec: Spec, own: str, others: list[str], step: int
) -> None:
    """Rules §3 and 4: equal rows by suit, quads and straight flushes broken up, three flushes set as rows."""
    rules = resolve(spec)
    boards = [cards_of(solve_closed(parse_cards(cards), rules).settings[0]) for cards in others]
    assert_every_setting(rules, list(parse_cards(own)), [boards], step)


def test_a_hand_pool_stands_for_every_suit_where_suits_break_ties() -> None:
    """Against a pool of one hand: the mean over its suit permutations that the own cards leave possible."""
    rules = resolve({"preset": "closed_1_6", **SUITS})
    own, hand = list(parse_cards(BLACK)), cards_of(solve_closed(parse_cards(RED), rules).settings[0])
    turned = [tuple(Card(card // 4 * 4 + to[card % 4]) for card in hand) for to in permutations(range(4))]
    possible = [[board] for board in turned if not set(board) & set(own)]
    assert len(possible) > 1
    pool = _kernel.HandPool(compile_rules(rules), bytes((0, 7, 0, 0, 0, *hand)))
    closed_table = kernel_table(rules, own, [[rows(board) for board in boards] for boards in possible])
    _, _, (_, _, ranking) = pool.choose(bytes(own), b"", [0], ALL_SETTINGS)
    _, _, expected = closed_table.rank(bytes(own), ALL_SETTINGS)
    assert len(expected) == len(ranking) > 1000
    keys, values = in_order(_boards(ranking), np.array([setting[2] for setting in ranking]))
    expected_keys, expected_values = in_order(_boards(expected), np.array([setting[2] for setting in expected]))
    assert (keys == expected_keys).all()
    assert values == pytest.approx(expected_values)


@pytest.mark.parametrize("opponents", [1, 2, 3])
@pytest.mark.parametrize(
    "spec",
    [
        {"preset": "closed_1_6", "naturals.no_pictures": "no_JQK"},
        "thirteen_water",
        "first_to_11",
        {"preset": "first_to_11", "surrender.points": 2, "foul.scope": "rows"},
    ],
    ids=str,
)
def test_surrenders_naturals_and_the_table_count_as_the_scorer_says(spec: Spec, opponents: int) -> None:
    """Whole deals, one by one: own settings, own surrender, own natural, against hands of every kind."""
    rules = resolve(spec)
    table = compile_rules(rules)
    random = Random(opponents)
    six_pairs = parse_cards("AcAdKcKdQcQdJcJdTcTd9c9d2s") if opponents == 3 else tuple(random.sample(deck(), 13))
    samples: list[list[ScoredHand]] = []
    for _ in range(4):
        others = random.sample(_without(six_pairs), 13 * opponents)
        hands = []
        for i in range(opponents):
            kind = random.choice(KINDS)
            if kind == "surrender" and not rules.surrender.points:
                kind = "board"
            board = a_board(rules, others[13 * i : 13 * i + 13], random)
            natural = _kernel.best_natural(table, bytes(board))[0] >= 0
            hands.append(ScoredHand(board, "board" if kind == "natural" and not natural else kind, owner=i + 1))
        samples.append(hands)
    packed = b"".join(
        bytes((("board", "surrender", "natural", "dead").index(hand.kind), 7, 0, 0, i + 1, *hand.cards))
        for hands in samples
        for i, hand in enumerate(hands)
    )
    closed_table = _kernel.OpponentSamples(table, packed, [1.0] * opponents)

    def mean(own: ScoredHand) -> float:
        total = 0.0
        for hands in samples:
            score = score_deal(rules, (own, *hands))
            total += sum(pair.points for pair in score.pairs if pair.a == 0) + score.hands[0].table_points
            total -= sum(hand.table_points for hand in score.hands[1:]) / opponents
        return total / len(samples)

    _, _, ranking = closed_table.rank(bytes(six_pairs), ALL_SETTINGS)
    for laid, _, value, *_ in (ranking[0], ranking[-1], *random.sample(ranking, 60)):
        assert value == pytest.approx(mean(ScoredHand(tuple(map(Card, laid)), owner=0)))
    if rules.surrender.points:
        assert closed_table.surrender() == pytest.approx(mean(ScoredHand((), "surrender", owner=0)))
    if _kernel.best_natural(table, bytes(six_pairs))[0] >= 0:
        assert closed_table.natural(bytes(six_pairs)) == pytest.approx(
            mean(ScoredHand(six_pairs, "natural", owner=0))
        )


def test_jokers_of_custom_rules() -> None:
    """A joker stands for the card that the scorer chooses, in every setting."""
    rules = resolve({"preset": "closed_2_4", "deal.jokers": 1})
    cards = (*Random(3).sample(deck(), 12), Card(52))
    others = [tuple(Random(seed).sample(_without(cards), 13)) for seed in range(2)]
    closed_table = kernel_table(rules, cards, [[rows(board)] for board in others])
    _, _, ranking = closed_table.rank(bytes(cards), ALL_SETTINGS)
    assert closed_table.best(bytes(cards))[2] == ranking[0][2]
    for board, legal, value, *_ in Random(1).sample(ranking, 60):
        own = ScoredHand(tuple(map(Card, board)))
        scores = [score_deal(rules, (own, ScoredHand(other))) for other in others]
        assert value == pytest.approx(sum(score.pairs[0].points for score in scores) / 2)
        assert legal == (scores[0].hands[0].status == "legal")


@pytest.mark.parametrize("preset", ["closed_1_6", "closed_low_middle"])
def test_legal_settings_are_counted(preset: str) -> None:
    rules = resolve(preset)
    table = compile_rules(rules)
    cards = Random(8).sample(deck(), 13)
    settings = np.array(cards, dtype=np.uint8)[every_setting()]
    deals = np.stack((settings, settings), axis=1)
    assert solve_closed(cards, rules).legal == int(_kernel.score_batch(table, deals)[2][:, 0].sum())


def test_chances_are_shares_of_the_samples() -> None:
    rules = resolve("closed_1_6")
    cards, samples = random_samples(rules, 1, samples=40, seed=5)
    boards = [[rows(board) for board in boards] for boards in samples]
    best = solve_closed(cards, rules, samples=boards, top=3).settings[0]
    scores = [score_deal(rules, (ScoredHand(cards_of(best)), ScoredHand(sample[0]))) for sample in samples]
    legal = [score for score in scores if score.hands[1].status == "legal"]
    for row in range(3):
        assert best.won[row] == pytest.approx(sum(score.pairs[0].results[row] > 0 for score in legal) / 40)
        assert best.lost[row] == pytest.approx(sum(score.pairs[0].results[row] < 0 for score in legal) / 40)
    assert best.scoops == pytest.approx(sum(score.pairs[0].results == (1, 1, 1) for score in legal) / 40)
    assert best.scooped == pytest.approx(sum(score.pairs[0].results == (-1, -1, -1) for score in legal) / 40)


STRONG: Rows = (parse_cards("AhAdAc"), parse_cards("KhKdKcQhQd"), parse_cards("JhJdJcJsTh"))
WEAK = parse_cards("2c3d4h5s7c8d9hTs2h3s6cQc8s")


def test_surrender_is_advised_where_a_scoop_costs_more() -> None:
    """Rules §4: 3 instead of 6 and royalties."""
    solution = solve_closed(WEAK, "closed_1_6", against=[STRONG])
    assert solution.surrender == -3
    assert solution.settings[0].value < -3
    assert solution.advice == "surrender"
    assert solve_closed(WEAK, {"preset": "closed_1_6", "surrender.points": 0}, against=[STRONG]).advice == "set"


def test_a_natural_is_taken_only_where_it_pays() -> None:
    """Six pairs are 3 from each opponent; the same cards with two quads win more (source 004 L118)."""
    pairs = parse_cards("2c2d4c4d6c6d8c8dTcTdQcQs3h")
    solution = solve_closed(pairs, "closed_1_6", against=[STRONG])
    assert (solution.natural_kind, solution.natural, solution.advice) == ("six_pairs", 3, "natural")
    quads = parse_cards("AhAdAcAsKhKdKcKs4c4d3h3s2c")
    weak: Rows = (parse_cards("2d5h6s"), parse_cards("7c8d9hTsQc"), parse_cards("JcJdTh8h5c"))
    solution = solve_closed(quads, "closed_1_6", against=[weak])
    assert solution.natural == 3
    assert solution.advice == "set"


def test_a_foul_on_purpose_is_found() -> None:
    """Where a foul costs nothing and every legal setting loses."""
    solution = solve_closed(WEAK, {"preset": "closed_basic", "foul.points": 0}, against=[STRONG])
    assert (solution.settings[0].legal, solution.settings[0].value) == (False, 0)


@pytest.mark.parametrize("preset", ["closed_1_6", "taiwanese", "first_to_11"])
def test_suits_do_not_matter_against_a_strategy(preset: str) -> None:
    """A hand and the same hand in other suits are worth the same; a hand pool stands for all suit permutations."""
    random = Random(6)
    cards = random.sample(deck(), 13)
    turned = [Card(card ^ 3) for card in cards]
    original, other = solve_closed(cards, preset, top=5), solve_closed(turned, preset, top=5)
    assert [round(setting.value, 9) for setting in original.settings] == [round(s.value, 9) for s in other.settings]


def test_a_hand_pool_leaves_out_known_cards() -> None:
    """Who holds all aces never meets the pool's hand with an ace, whatever its suits."""
    rules = compile_rules(resolve("closed_basic"))
    ace, low = (STRONG, (parse_cards("2d5h6s"), parse_cards("7c8d9hTsQc"), parse_cards("JcJdTh8h5c")))
    hands = [bytes((0, 7, 0, 0, 0, *board[0], *board[1], *board[2])) for board in (ace, low)]
    cards = bytes(parse_cards("AhAdAcAs2h3c4s5d6c7h8sKdKh"))
    both, alone = (_kernel.HandPool(rules, b"".join(some)) for some in (hands, hands[1:]))
    assert both.choose(cards, b"", [0], 0)[2] == alone.choose(cards, b"", [0], 0)[2]
    other = bytes(parse_cards("2h3c4s5d6c7h8s9dTh3s4c5s7d"))
    assert both.choose(other, b"", [0], 0)[2] != alone.choose(other, b"", [0], 0)[2]


@pytest.mark.parametrize(
    ("cards", "options", "code", "path"),
    [
        ("AhKh", {}, "cards.count", "$.cards"),
        ("AhKhQhJhTh9s9d9c5s5d2c2dAh", {}, "card.duplicate", "$.cards[12]"),
        ("AhKhQhJhTh9s9d9c5s5d2c2dX1", {}, "card.joker", "$.cards[12]"),
        (
            "AhKhQhJhTh9s9d9c5s5d2c2d3h",
            {"against": [(parse_cards("AsKs"), (), ())]},
            "row.size",
            "$.against[0].front",
        ),
        ("AhKhQhJhTh9s9d9c5s5d2c2d3h", {"against": [STRONG]}, "card.duplicate", "$.against[0].front[0]"),
        ("AhKhQhJhTh9s9d9c5s5d2c2d3h", {"against": [STRONG] * 4}, "against.count", "$.against"),
        ("2c3d4h5s7c8d9hTs2h3s6cQc8s", {"samples": [[STRONG], [STRONG, STRONG]]}, "against.count", "$.samples[1]"),
        ("2c3d4h5s7c8d9hTs2h3s6cQc8s", {"opponents": 4}, "against.count", "$.opponents"),
        ("2c3d4h5s7c8d9hTs2h3s6cQc8s", {"against": [STRONG], "stakes": (1.0, 2.0)}, "against.count", "$.stakes"),
        ("2c3d4h5s7c8d9hTs2h3s6cQc8s", {"against": [STRONG], "stakes": (-1.0,)}, "value.range", "$.stakes[0]"),
        ("2c3d4h5s7c8d9hTs2h3s6cQc8s", {"rules": "pineapple"}, "game.open", "$.rules"),
    ],
)
def test_bad_questions(cards: str, options: dict[str, object], code: str, path: str) -> None:
    with pytest.raises(SolveError) as caught:
        solve_closed(parse_cards(cards, unique=False), **options)  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.path) == (code, path)
