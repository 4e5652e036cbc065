"""The last streets against a plain loop over every draw and placement (every_draw.hpp; issue 4, shown by 4)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.solve.exact.every_draw import every_placement, position
from tests.solve.native_programs import build_checks
from triptych.cards import parse_cards
from triptych.rulesets.load import resolve
from triptych.solve.errors import CODES, SolveError
from triptych.solve.exact.street import Placement, solve_street

LAND = 11.5
# Preset, street from 0, finished boards to beat, positions in the slow suite: 660 in all, streets 4 and 5 of
# Pineapple and the last cards of classic and Turbo.
CASES = [
    ("pineapple", 4, 0, 40),
    ("pineapple", 4, 2, 20),
    ("pineapple", 3, 0, 60),
    ("pineapple", 3, 1, 40),
    ("pineapple", 3, 2, 20),
    ("pineapple_progressive", 3, 0, 40),
    ("pineapple_27", 4, 1, 20),
    ("pineapple_27", 3, 0, 40),
    ("pineapple_27", 3, 1, 40),
    ("pineapple_joker", 4, 1, 20),
    ("pineapple_joker", 3, 0, 40),
    ("pineapple_joker", 3, 1, 20),
    ("turbo", 2, 0, 20),
    ("turbo", 2, 1, 20),
    ("ofc_american", 8, 1, 40),
    ("ofc_american", 7, 0, 40),
    ("ofc_american", 7, 1, 20),
    ("ofc_american", 6, 0, 40),
    ("ofc_american", 6, 1, 40),
    ("ofc_27", 6, 0, 20),
    ("ofc_finnish", 6, 2, 20),
]


@pytest.fixture(scope="session")
def program() -> Path:
    return build_checks()


def _check(program: Path, preset: str, number: int, opponents: int, count: int, unseen: int | None = None) -> None:
    """Hold every placement of random positions against the loop over all draws and all ways to play on."""
    rules = resolve(preset)
    random = Random(f"{preset} {number} {opponents}")
    for _ in range(count):
        spot = position(random, rules, number, opponents, unseen)
        foul = random.choice((-6.0, -10.25))
        placements = solve_street(
            spot.rows,
            spot.cards,
            rules,
            dead=spot.dead,
            against=spot.against,
            land_value=LAND,
            foul=foul,
        )
        expected = every_placement(program, rules, spot, number, LAND, foul)
        assert {
            (placement.front, placement.middle, placement.back): placement.value for placement in placements
        } == pytest.approx({placed: value for placed, (value, _) in expected.items()})
        assert list(placements) == sorted(placements, key=lambda placement: -placement.value)
        for placement in placements:
            assert placement.foul == pytest.approx(expected[placement.front, placement.middle, placement.back][1])
            assert sorted((*placement.front, *placement.middle, *placement.back, *placement.discards)) == sorted(
                spot.cards
            )


@pytest.mark.parametrize(("preset", "number", "opponents", "count"), CASES)
def test_last_streets_equal_enumeration(program: Path, preset: str, number: int, opponents: int, count: int) -> None:
    _check(program, preset, number, opponents, min(count, 1), unseen=9)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "number", "opponents", "count"), CASES)
def test_last_streets_equal_enumeration_of_whole_decks(
    program: Path, preset: str, number: int, opponents: int, count: int
) -> None:
    _check(program, preset, number, opponents, count)


def test_a_sure_foul_is_certain() -> None:
    """Three aces in front beat every middle that can still come (Rules §3)."""
    rows = (parse_cards("AsAhAd"), parse_cards("2s7hTd"), parse_cards("KsKhQs"))
    placement: Placement = solve_street(rows, parse_cards("5c6c7c"))[0]
    assert placement.foul == pytest.approx(1)


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
        solve_street((front, middle, back), parse_cards(cards), rules)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert code in CODES
