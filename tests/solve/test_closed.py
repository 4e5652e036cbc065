"""The closed solver against the scorer, and the strategy against its own best response (issue 4, part 3)."""

from __future__ import annotations

from random import Random

import pytest

from triptych import _kernel
from triptych.cards import Card, deck, parse_cards
from triptych.rules.compile import compile_rules
from triptych.rules.load import resolve
from triptych.rules.model import Ruleset
from triptych.score.deal import ScoredHand, score_deal
from triptych.solve.closed import ALL_SETTINGS, ClosedSetting, closed, population
from triptych.solve.errors import SolveError
from triptych.solve.setting import Rows

SPECS = [
    "closed_1_6",
    "closed_2_4",
    "closed_basic",
    "closed_low_middle",
    "malayan",
    "taiwanese",
    {"preset": "closed_1_6", "scoring.rows": "match_2_6", "scoring.match_tied": "more_rows"},
    {"preset": "closed_1_6", "royalties.table": "american", "royalties.deuce_of_spades": True},
]


def _rows(board: tuple[Card, ...]) -> Rows:
    return board[:3], board[3:8], board[8:]


def _mean(rules: Ruleset, setting: ClosedSetting, boards: list[tuple[Card, ...]]) -> float:
    """Return the mean of the scorer's points, deal by deal."""
    own = ScoredHand((*setting.front, *setting.middle, *setting.back))
    return sum(score_deal(rules, (own, ScoredHand(board))).pairs[0].points for board in boards) / len(boards)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_every_setting_is_worth_what_the_scorer_says(spec: str | dict[str, object]) -> None:
    rules = resolve(spec)
    random = Random(4)
    for _ in range(2):
        drawn = random.sample(deck(), 52)
        boards = [tuple(random.sample(drawn[13:], 13)) for _ in range(3)]
        boards += [
            tuple(map(Card, _kernel.closed_settings(_sample(rules, boards), bytes(drawn[at : at + 13]), 1)[0][0]))
            for at in (13, 26)
        ]
        found = closed(drawn[:13], rules, against=[_rows(board) for board in boards], limit=ALL_SETTINGS)
        assert len(found) > 100
        assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
        for one in (found[0], found[-1], *random.sample(found, 40)):
            assert one.value == pytest.approx(_mean(rules, one, boards))


def _sample(rules: Ruleset, boards: list[tuple[Card, ...]]) -> _kernel.BoardSample:
    return _kernel.BoardSample(compile_rules(rules), [bytes(board) for board in boards])


def test_all_legal_settings_are_ranked() -> None:
    """No other legal setting exists: counted with the scorer."""
    rules = resolve("closed_basic")
    table = compile_rules(rules)
    cards = Random(9).sample(deck(), 13)
    found = {(one.front, one.middle, one.back) for one in closed(cards, rules, limit=ALL_SETTINGS)}
    random = Random(10)
    for _ in range(2000):
        board = random.sample(cards, 13)
        legal = _kernel.offending_rows(table, *_kernel.row_values(table, bytes(board))) == 0
        key = tuple(tuple(sorted(row, reverse=True)) for row in _rows(tuple(board)))
        assert (key in found) == legal


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["closed_1_6", "closed_2_4", "taiwanese"])
def test_a_best_response_gains_little_against_typical_boards(preset: str) -> None:
    """Fresh deals, fresh boards of the same strategy: the mean gain of its best response is small."""
    rules = resolve(preset)
    table = compile_rules(rules)
    strategy = _kernel.BoardSample(table, population(rules))
    rival = _kernel.BoardSample(table, population(rules, seed=1))
    random = Random(77)
    deals, gain, squares = 1000, 0.0, 0.0
    for _ in range(deals):
        drawn = random.sample(deck(), 26)
        ours, theirs = (_kernel.closed_settings(strategy, bytes(part), 1)[0][0] for part in (drawn[:13], drawn[13:]))
        answer = _kernel.closed_settings(rival, bytes(drawn[:13]), 1)[0][0]
        points = [
            score_deal(rules, (ScoredHand(tuple(map(Card, board))), ScoredHand(tuple(map(Card, theirs)))))
            .pairs[0]
            .points
            for board in (answer, ours)
        ]
        gain += points[0] - points[1]
        squares += (points[0] - points[1]) ** 2
    error = (squares / deals / deals) ** 0.5
    assert gain / deals < 0.05 + 2 * error


@pytest.mark.parametrize(
    ("cards", "against", "code", "path"),
    [
        ("AhKh", [], "cards.count", "$.cards"),
        ("AhKhQhJhTh9s9d9c5s5d2c2dAh", [], "card.duplicate", "$.cards[12]"),
        ("AhKhQhJhTh9s9d9c5s5d2c2d3h", [("AsKs", "", "")], "row.size", "$.against[0]"),
    ],
)
def test_bad_questions(cards: str, against: list[tuple[str, str, str]], code: str, path: str) -> None:
    boards = [(parse_cards(front), parse_cards(middle), parse_cards(back)) for front, middle, back in against]
    with pytest.raises(SolveError) as caught:
        closed(parse_cards(cards, unique=False), against=boards)
    assert (caught.value.code, caught.value.path) == (code, path)
