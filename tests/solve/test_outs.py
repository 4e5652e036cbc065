"""Outs against plain enumeration with the scorer (issue 4, part 5 and shown by 4)."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest

from triptych import _kernel
from triptych.cards import Card, deck, parse_cards
from triptych.rules.load import resolve
from triptych.rules.model import Ruleset, streets
from triptych.score.deal import ScoredHand, score_deal
from triptych.solve.errors import CODES, SolveError
from triptych.solve.outs import HIGH, LOW, outs

if TYPE_CHECKING:
    from triptych.solve.setting import Rows

SIZES = (3, 5, 5)


def _class(rules: Ruleset, row: int, cards: tuple[Card, ...]) -> str:
    """Return the category of a full row without jokers by the scorer's rank."""
    if row == 0:
        return HIGH[_kernel.rank3(*cards) >> 20]
    value = _kernel.rank5(*cards)
    if row == 1 and rules.rows.middle == "deuce_to_seven":
        order = _kernel.low_order(value)
        if not _kernel.is_low(order):
            return "no_low"
        names = {"6-4-3-2-1": "best_low"}
        slots = "-".join(str(_kernel.from_low_order(order) >> shift & 15) for shift in (16, 12, 8, 4, 0))
        return names.get(slots, LOW[9 - int(slots.split("-")[0])])
    return "royal_flush" if value == 8 << 20 | 13 << 16 else HIGH[value >> 20]


def _enumerated(
    rules: Ruleset, rows: Rows, unseen: tuple[Card, ...], come: int
) -> tuple[list[dict[str, float]], float, float]:
    """Return the chances of each row, of a certain foul and of fantasyland by trying everything."""
    order = ("no_low", *LOW), HIGH
    chances: list[dict[str, float]] = [{}, {}, {}]
    fouls = lands = 0
    draws = list(combinations(unseen, come))
    for draw in draws:
        for row, fixed in enumerate(rows):
            names = order[0] if row == 1 and rules.rows.middle == "deuce_to_seven" else order[1]
            free = SIZES[row] - len(fixed)
            best = max((_class(rules, row, (*fixed, *more)) for more in combinations(draw, free)), key=names.index)
            chances[row][best] = chances[row].get(best, 0) + 1 / len(draws)
        boards = [_result(rules, board) for board in _boards(rows, draw)]
        fouls += not any(legal for legal, _ in boards)
        lands += any(land for legal, land in boards if legal)
    return chances, fouls / len(draws), lands / len(draws)


def _boards(rows: Rows, draw: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    found = []
    for front in combinations(draw, SIZES[0] - len(rows[0])):
        after_front = [card for card in draw if card not in front]
        for middle in combinations(after_front, SIZES[1] - len(rows[1])):
            rest = [card for card in after_front if card not in middle]
            found += [
                (*rows[0], *front, *rows[1], *middle, *rows[2], *back)
                for back in combinations(rest, SIZES[2] - len(rows[2]))
            ]
    return found


def _result(rules: Ruleset, board: tuple[Card, ...]) -> tuple[bool, bool]:
    other = tuple(card for card in deck() if card not in board)[:13]
    hand = score_deal(rules, (ScoredHand(board), ScoredHand(other))).hands[0]
    return hand.offending == 0, hand.fantasyland > 0


@pytest.mark.parametrize(
    ("preset", "street", "unseen"),
    [("pineapple", 3, 9), ("pineapple", 2, 8), ("pineapple_27", 3, 9), ("ofc_american", 7, 9), ("turbo", 1, 8)],
)
def test_outs_equal_enumeration(preset: str, street: int, unseen: int) -> None:
    rules = resolve(preset)
    random = Random(street)
    plan = streets(rules)
    come = sum(step.dealt for step in plan[street + 1 :])
    for _ in range(4):
        cards = random.sample(deck(), 52)
        slots = random.sample([row for row, size in enumerate(SIZES) for _ in range(size)], 13)
        on_board = sum(step.placed for step in plan[: street + 1])
        front, middle, back = (
            tuple(card for card, row in zip(cards[:on_board], slots, strict=False) if row == index)
            for index in range(3)
        )
        rows = (front, middle, back)
        live = tuple(sorted(cards[on_board : on_board + unseen]))
        found = outs(rows, rules, dead=cards[on_board + unseen :])
        chances, foul, land = _enumerated(rules, rows, live, come)
        assert found.exact
        assert found.foul == pytest.approx(foul)
        assert found.fantasyland == pytest.approx(land)
        for row, expected in zip((found.front, found.middle, found.back), chances, strict=True):
            assert {one.category: one.chance for one in row.chances} == pytest.approx(expected)


def test_the_cards_that_do_it() -> None:
    """A pair and a slot: its rank makes trips. Four to a flush: nine cards make it, others pair."""
    found = outs((parse_cards("QhQd"), parse_cards("9d8c2c4s"), parse_cards("ThJhKh2h2s")), dead=parse_cards("Qs"))
    front = dict(found.front.cards)
    assert front == {"trips": parse_cards("Qc")}
    found = outs((parse_cards("QhQd7c"), parse_cards("9d8c2c4s"), parse_cards("ThJhKh2h")))
    cards = dict(found.back.cards)
    assert len(cards["flush"]) == 8  # 13 less four in the row and the queen in front
    assert len(cards["pair"]) == 11  # three each of ten, jack, king, deuce; the deuce of clubs lies in the middle
    assert found.come == 3


@pytest.mark.parametrize(
    ("rows", "rules", "code", "path"),
    [
        (("AsAh", "2s3h4d", "KsKhKd"), "pineapple", "cards.count", "$"),
        (("AsAhAdAc", "", "Ks"), "pineapple", "row.size", "$.front"),
        (("AsAs", "2s3h", "Ks"), "pineapple", "card.duplicate", "$.front[1]"),
        (("", "", ""), "closed_1_6", "street.closed", "$.rules"),
    ],
)
def test_bad_positions(rows: tuple[str, str, str], rules: str, code: str, path: str) -> None:
    front, middle, back = (parse_cards(row, unique=False) for row in rows)
    with pytest.raises(SolveError) as caught:
        outs((front, middle, back), rules)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert code in CODES
