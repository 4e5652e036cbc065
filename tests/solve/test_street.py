"""The last streets against plain enumeration of every draw and layout with the scorer alone (issue 4, shown by 4)."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random
from typing import TYPE_CHECKING

import pytest

from triptych import _kernel
from triptych.cards import Card, deck, parse_cards
from triptych.rules.compile import compile_rules
from triptych.rules.load import resolve
from triptych.rules.model import Ruleset, streets
from triptych.score.deal import ScoredHand, score_deal
from triptych.solve.errors import CODES, SolveError
from triptych.solve.street import Placement, street

if TYPE_CHECKING:
    from triptych.solve.setting import Rows

LAND = 11.5
FOUL = -7.0
SIZES = (3, 5, 5)


def _worth(rules: Ruleset, rows: Rows, against: Rows | None) -> float:
    """Return the points of a whole board by the scorer, FOUL for a foul."""
    board = tuple(card for row in rows for card in row)
    if against is None:
        table = compile_rules(rules)
        values = _kernel.row_values(table, bytes(board))
        if _kernel.offending_rows(table, *values):
            return FOUL
    other = against or _other_board(set(board))
    score = score_deal(rules, (ScoredHand(board), ScoredHand(tuple(card for row in other for card in row))))
    own = score.hands[0]
    if own.offending:
        return FOUL
    points = score.pairs[0].points if against else sum(own.royalties)
    return points + (LAND if own.fantasyland else 0)


def _other_board(taken: set[Card]) -> Rows:
    free = [card for card in deck() if card not in taken]
    return tuple(free[:3]), tuple(free[3:8]), tuple(free[8:13])


def _expected(
    rules: Ruleset, rows: list[tuple[Card, ...]], number: int, unseen: tuple[Card, ...], against: Rows | None
) -> float:
    """Return the mean over all draws of the best layout, street after street."""
    plan = streets(rules)
    if number == len(plan):
        front, middle, back = rows
        return _worth(rules, (front, middle, back), against)
    draws = list(combinations(unseen, plan[number].dealt))
    total = 0.0
    for draw in draws:
        rest = tuple(card for card in unseen if card not in draw)
        total += max(
            _expected(rules, laid, number + 1, rest, against) for laid in _layouts(rows, draw, plan[number].placed)
        )
    return total / len(draws)


def _layouts(rows: list[tuple[Card, ...]], draw: tuple[Card, ...], place: int) -> list[list[tuple[Card, ...]]]:
    slots = [row for row, size in enumerate(SIZES) for _ in range(size - len(rows[row]))]
    found = {}
    for cards in permutations(draw, place):
        for chosen in set(combinations(slots, place)):
            laid = [frozenset(c for c, slot in zip(cards, chosen, strict=True) if slot == row) for row in range(3)]
            found[tuple(laid)] = [(*rows[row], *laid[row]) for row in range(3)]
    return list(found.values())


def _position(
    rules: Ruleset, random: Random, number: int, unseen: int
) -> tuple[Rows, tuple[Card, ...], tuple[Card, ...]]:
    """Return a random board at a street, its cards, and dead cards that leave `unseen` others."""
    cards = random.sample(deck(rules.deal.jokers), 52 + rules.deal.jokers)
    slots = [row for row, size in enumerate(SIZES) for _ in range(size)]
    on_board = sum(step.placed for step in streets(rules)[:number])
    chosen = random.sample(slots, on_board)
    rows = tuple(tuple(card for card, row in zip(cards, chosen, strict=False) if row == index) for index in range(3))
    dealt = streets(rules)[number].dealt
    front, middle, back = rows
    return (front, middle, back), tuple(cards[on_board : on_board + dealt]), tuple(cards[on_board + dealt + unseen :])


def _check(rules: Ruleset, random: Random, number: int, unseen: int, *, open_board: bool = False) -> None:
    rows, cards, dead = _position(rules, random, number, unseen)
    against: Rows | None = None
    if open_board:
        against, dead = (dead[:3], dead[3:8], dead[8:13]), dead[13:]
    left = tuple(
        card for card in deck(rules.deal.jokers) if card not in {*dead, *cards} | {c for row in rows for c in row}
    )
    if against:
        left = tuple(card for card in left if not any(card in row for row in against))
    found = street(rows, cards, rules, dead=dead, against=[against] if against else (), land_value=LAND, foul=FOUL)
    assert list(found) == sorted(found, key=lambda one: -one.value)
    step = streets(rules)[number]
    assert len(found) == len(_layouts(list(rows), cards, step.placed))
    for one in (found[0], found[-1], random.choice(found)):
        laid = [(*rows[0], *one.front), (*rows[1], *one.middle), (*rows[2], *one.back)]
        assert one.value == pytest.approx(_expected(rules, laid, number + 1, left, against))


CASES = [
    ("pineapple", 4, 20),
    ("pineapple", 3, 6),
    ("pineapple_27", 3, 6),
    ("pineapple_joker", 3, 5),
    ("turbo", 2, 20),
    ("ofc_american", 8, 20),
    ("ofc_american", 7, 12),
    ("ofc_american", 6, 7),
    ("ofc_finnish", 6, 6),
]


@pytest.mark.parametrize(("preset", "number", "unseen"), CASES)
def test_last_streets_equal_enumeration(preset: str, number: int, unseen: int) -> None:
    random = Random(number)
    rules = resolve(preset)
    for _ in range(3):
        _check(rules, random, number, unseen)
    _check(rules, random, number, unseen, open_board=True)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "number", "unseen"), CASES)
def test_last_streets_equal_enumeration_many_times(preset: str, number: int, unseen: int) -> None:
    random = Random(1000 + number)
    rules = resolve(preset)
    for index in range(60):
        _check(rules, random, number, unseen, open_board=index % 3 == 0)


def test_a_sure_foul_is_certain() -> None:
    """Three aces in front beat every middle that can still come (RULEBOOK 3)."""
    rows = (parse_cards("AsAhAd"), parse_cards("2s7hTd"), parse_cards("KsKhQs"))
    one: Placement = street(rows, parse_cards("5c6c7c"))[0]
    assert one.foul == pytest.approx(1)


@pytest.mark.parametrize(
    ("rows", "cards", "rules", "code", "path"),
    [
        (("AsAh", "2s3h4d", "KsKhKdQs"), "5c6c", "pineapple", "cards.count", "$.cards"),
        (("As", "2s3h4d", "KsKhKdQs"), "5c6c7c", "pineapple", "cards.count", "$"),
        (("As", "2s3h", "KsKh"), "5c6c7c", "pineapple", "street.early", "$.cards"),
        (("AsAh", "2s3h4d", "KsKhKdQs"), "5c6cAs", "pineapple", "card.duplicate", "$.cards[2]"),
        (("AsAhAdAc", "2s3h", "KsKhKd"), "5c6c7c", "pineapple", "row.size", "$.front"),
        (("", "", ""), "5c6c7c", "closed_1_6", "street.closed", "$.rules"),
    ],
)
def test_bad_positions(rows: tuple[str, str, str], cards: str, rules: str, code: str, path: str) -> None:
    front, middle, back = map(parse_cards, rows)
    with pytest.raises(SolveError) as caught:
        street((front, middle, back), parse_cards(cards), rules)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert code in CODES
