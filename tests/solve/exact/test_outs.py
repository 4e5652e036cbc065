"""Outs against a plain loop over every draw (native/tests/every_draw.hpp; issue 4, part 5 and shown by 4)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.solve.exact.every_draw import DrawCounts, Position, every_draw, position
from tests.solve.native_programs import build_checks
from triptych import _kernel
from triptych.cards import Card, parse_cards
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, streets
from triptych.solve.errors import CODES, SolveError
from triptych.solve.exact.outs import HIGH, LOW, SAMPLES, Outs, RowOuts, iter_outs, outs

SIZES = (3, 5, 5)
# Preset, street from 0 after which the board is looked at, cards left alive (None: as many as may be), positions in
# the slow suite: 600 in all.
CASES = [
    ("pineapple", 3, None, 100),
    ("pineapple", 2, 26, 4),
    ("pineapple", 2, 16, 40),
    ("pineapple", 1, 12, 10),
    ("pineapple_progressive", 3, None, 50),
    ("pineapple_27", 3, None, 60),
    ("pineapple_27", 2, 14, 40),
    ("pineapple_joker", 3, None, 60),
    ("pineapple_joker", 2, 12, 20),
    ("turbo", 1, 20, 60),
    ("ofc_american", 7, None, 40),
    ("ofc_american", 6, None, 60),
    ("ofc_american", 5, 25, 40),
    ("ofc_27", 6, None, 20),
]


@pytest.fixture(scope="session")
def program() -> Path:
    return build_checks()


def _ask(random: Random, rules: Ruleset, street: int, unseen: int | None) -> tuple[Position, int]:
    """Return a random position between two streets, and how many cards will come."""
    spot = position(random, rules, street + 1, 0, unseen)
    between = Position(spot.rows, (), (), (*spot.dead, *spot.cards))
    return between, sum(step.dealt for step in streets(rules)[street + 1 :])


def _names(rules: Ruleset, row: int) -> tuple[str, ...]:
    return ("no_low", *LOW) if row == 1 and rules.rows.middle == "deuce_to_seven" else HIGH


def _chances(counts: DrawCounts, rules: Ruleset) -> list[dict[str, float]]:
    return [
        {_names(rules, row)[index]: draws / counts.draws for index, draws in classes.items()}
        for row, classes in enumerate(counts.classes)
    ]


def _check(program: Path, preset: str, street: int, unseen: int | None, count: int) -> None:
    rules = resolve(preset)
    random = Random(f"{preset} {street}")
    for _ in range(count):
        spot, come = _ask(random, rules, street, unseen)
        result = outs(spot.rows, rules, dead=spot.dead, draws=SAMPLES)
        draws = every_draw(program, rules, spot, come)
        assert (result.exact, result.error, result.draws, result.cards_to_come) == (True, 0, draws.draws, come)
        assert result.foul == pytest.approx(1 - draws.legal / draws.draws)
        assert result.fantasyland == pytest.approx(draws.fantasyland / draws.draws)
        for row, expected in zip((result.front, result.middle, result.back), _chances(draws, rules), strict=True):
            assert {chance.category: chance.chance for chance in row.chances} == pytest.approx(expected)
        for index, row in enumerate((result.front, result.middle, result.back)):
            if len(spot.rows[index]) == SIZES[index] - 1:
                _check_last_slot(rules, index, spot.rows[index], spot.unseen(rules), row)


def _check_last_slot(
    rules: Ruleset, index: int, row: tuple[Card, ...], unseen: Sequence[Card], row_outs: RowOuts
) -> None:
    """With one slot free the cards of a category are those that make it: the scorer's rows of each."""
    names = _names(rules, index)
    by_category: dict[str, set[Card]] = {}
    for card in unseen:
        best = _kernel.full_row_class(compile_rules(rules), index, bytes((*row, card)))
        by_category.setdefault("no_low" if best == len(HIGH) else names[best + (names[0] == "no_low")], set()).add(
            card
        )
    order = ("no_low", "growing", *LOW) if names[0] == "no_low" else HIGH
    above = order[order.index(row_outs.now) + 1 :]
    assert {name: set(cards) for name, cards in row_outs.cards} == {
        name: cards for name, cards in by_category.items() if name in above
    }


@pytest.mark.parametrize(("preset", "street", "unseen", "count"), CASES)
def test_outs_equal_enumeration(program: Path, preset: str, street: int, unseen: int | None, count: int) -> None:
    _check(program, preset, street, min(unseen or 14, 14), min(count, 1))


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "street", "unseen", "count"), CASES)
def test_outs_equal_enumeration_of_many(
    program: Path, preset: str, street: int, unseen: int | None, count: int
) -> None:
    _check(program, preset, street, unseen, count)


def test_samples_say_that_they_are_samples(program: Path) -> None:
    """Too many draws to count: the shares carry their standard error."""
    rules = resolve("pineapple")
    spot, come = _ask(Random(5), rules, 0, 19)
    more: list[Outs] = list(iter_outs(spot.rows, rules, dead=spot.dead[:5], draws=8_000))
    assert [row.error for row in more] == sorted((row.error for row in more), reverse=True)
    last = more[-1]
    assert not last.exact
    assert last.draws == 8_000
    assert last.error == pytest.approx(0.5 / 8_000**0.5)
    assert last == outs(spot.rows, rules, dead=spot.dead[:5], draws=8_000)
    small, come = _ask(Random(6), rules, 1, 10)
    draws = every_draw(program, rules, small, come)
    table = compile_rules(rules)
    exact = _kernel.count_outs(table, tuple(map(bytes, small.rows)), bytes(small.unseen(rules)), come, 1, 100_000, 0)
    assert (exact.draws, exact.legal) == (draws.draws, draws.legal)


@pytest.mark.parametrize("preset", ["pineapple", "pineapple_27", "pineapple_joker", "ofc_american"])
def test_samples_agree_with_the_count(preset: str) -> None:
    """Every share of 2,000 draws lies within four standard errors of the share of all draws."""
    rules = resolve(preset)
    spot, come = _ask(Random(preset), rules, 1 if "pineapple" in preset else 3, 16)
    packed = compile_rules(rules), tuple(map(bytes, spot.rows)), bytes(spot.unseen(rules)), come
    exact = _kernel.count_outs(*packed, samples=1, effort=SAMPLES, seed=0)
    sampled = _kernel.count_outs(*packed, samples=2_000, effort=0, seed=5)
    assert (exact.exact, sampled.exact, sampled.draws) == (True, False, 2_000)
    counts = [(exact.legal, sampled.legal), (exact.fantasyland, sampled.fantasyland)]
    for row, other in zip(exact.classes, sampled.classes, strict=True):
        counts += zip(row, other, strict=True)
    for all_draws, some in counts:
        share = all_draws / exact.draws
        assert abs(some / 2_000 - share) <= 4 * (share * (1 - share) / 2_000) ** 0.5


def test_a_full_board_with_cards_to_come_is_counted_as_it_stands() -> None:
    """Found by the fuzz of the bindings (issue 27.1): no slot is free, and cards come."""
    rows = tuple(bytes(parse_cards(row)) for row in ("QhQd7c", "KsKc9d8c2c", "AcAdTcJc2d"))
    unseen = bytes(parse_cards("3s4s5s6s7s"))
    draws = _kernel.count_outs(compile_rules(resolve("pineapple")), rows, unseen, 2, 20, 20, 1)
    assert (draws.draws, draws.exact, draws.legal, draws.fantasyland) == (10, True, 10, 10)
    assert all(sum(row) == 10 and max(row) == 10 for row in draws.classes)


def test_the_cards_that_do_it() -> None:
    """A pair and a slot: its rank makes trips. Four to a flush: nine cards make it, others pair."""
    result = outs((parse_cards("QhQd"), parse_cards("9d8c2c4s"), parse_cards("ThJhKh2h2s")), dead=parse_cards("Qs"))
    front = dict(result.front.cards)
    assert front == {"trips": parse_cards("Qc")}
    result = outs((parse_cards("QhQd7c"), parse_cards("9d8c2c4s"), parse_cards("ThJhKh2h")))
    cards = dict(result.back.cards)
    assert len(cards["flush"]) == 8  # 13 less four in the row and the queen in front
    assert len(cards["pair"]) == 11  # three each of ten, jack, king, deuce; the deuce of clubs lies in the middle
    assert result.cards_to_come == 3


ANY_LOW: dict[str, object] = {"preset": "pineapple_27", "rows.low_limit": "none"}


@pytest.mark.parametrize(
    ("rows", "rules", "code", "path"),
    [
        (("AsAh", "2s3h4d", "KsKhKd"), "pineapple", "cards.count", "$"),
        (("AsAhAdAc", "", "Ks"), "pineapple", "row.size", "$.front"),
        (("AsAs", "2s3h", "Ks"), "pineapple", "card.duplicate", "$.front[1]"),
        (("", "", ""), "closed_1_6", "street.closed", "$.rules"),
        (("2s3h4d", "KsKh", ""), ANY_LOW, "rules.low_limit", "$.rules.rows.low_limit"),
    ],
)
def test_bad_positions(rows: tuple[str, str, str], rules: str | dict[str, object], code: str, path: str) -> None:
    front, middle, back = (parse_cards(row, unique=False) for row in rows)
    with pytest.raises(SolveError) as caught:
        outs((front, middle, back), rules)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert code in CODES
