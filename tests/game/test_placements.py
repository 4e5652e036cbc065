"""All placements of a street: counted, made one by one, the same ones as trying every way."""

from __future__ import annotations

import types
from itertools import combinations, product
from math import factorial
from random import Random

import pytest

import triptych
from tests.case_notes import case
from triptych.cards import card_text, deck

CARDS = tuple(map(card_text, deck()))


def every_way(cards: tuple[str, ...], free: tuple[int, int, int], count: int) -> set[triptych.Placement]:
    """Return every placement, found by trying each row for each card."""
    placements = set()
    for choice in combinations(cards, count):
        for rows in product(range(3), repeat=count):
            front, middle, back = (
                tuple(card for card, row in zip(choice, rows, strict=True) if row == at) for at in range(3)
            )
            if all(len(row) <= size for row, size in zip((front, middle, back), free, strict=True)):
                left = tuple(card for card in cards if card not in choice)
                placements.add(triptych.Placement(front, middle, back, left))
    return placements


@pytest.mark.parametrize(
    ("dealt", "count", "free"),
    [
        (5, 5, (3, 5, 5)),
        (3, 2, (2, 1, 0)),
        (3, 2, (0, 2, 3)),
        (1, 1, (0, 0, 1)),
        (4, 4, (1, 2, 2)),
        (6, 5, (1, 3, 1)),
        (7, 6, (2, 4, 3)),
    ],
)
def test_they_are_all_ways(dealt: int, count: int, free: tuple[int, int, int]) -> None:
    cards = CARDS[10 : 10 + dealt]
    placements = triptych.LegalPlacements(cards, free, count)
    listed = list(placements)
    assert len(placements) == len(listed) == len({*listed})
    assert {*listed} == every_way(cards, free, count)
    assert listed == [placements[number] for number in range(len(placements))]
    assert all(placement in placements for placement in listed)
    assert (placements[-1], placements[1:3]) == (listed[-1], listed[1:3])


def test_of_a_whole_board_each_is_made_alone() -> None:
    """13! / (3! 5! 5!) = 72,072 ways to set thirteen cards, for each choice of those that are left over."""
    for dealt, choices in ((13, 1), (14, 14), (17, 2380)):
        with case(dealt):
            placements = triptych.LegalPlacements(CARDS[:dealt], (3, 5, 5), 13)
            assert len(placements) == choices * factorial(13) // (6 * 120 * 120)
            iterator = iter(placements)
            assert [next(iterator) for _ in range(300)] == [placements[number] for number in range(300)]
            some = Random(4).sample(range(len(placements)), 20)
            assert len({placements[number] for number in some}) == 20
            assert all(placements[number] in placements for number in some)
            assert list(triptych.LegalPlacements(CARDS[:13], (3, 5, 5), 13)[72_069:]) == [
                triptych.LegalPlacements(CARDS[:13], (3, 5, 5), 13)[number] for number in range(72_069, 72_072)
            ]


def test_other_placements_are_not_legal_placements_of_the_street() -> None:
    placements = triptych.LegalPlacements(("Qc", "4s", "9h"), (2, 1, 0), 2)
    others: tuple[object, ...] = (
        "Qc4s// -8h",
        "Qc//4s",
        "Qc/4s9h/",
        "Qc8h//",
        "QcQc//",
        "Qc//",
        "Qc",
        7,
        "/Qc4s/",
        triptych.Placement(("Qc", "Qc")),
    )
    same: tuple[object, ...] = ("Qc4s//", "4sQc// -9h")
    assert all(placement in placements for placement in same)
    for other in others:
        with case(other):
            assert other not in placements
    with pytest.raises(IndexError):
        _ = placements[len(placements)]


def test_it_is_laid_on_a_board_and_made_an_action() -> None:
    placement = triptych.Placement.of("Kd/7s7h/ -2c")
    assert placement == triptych.Placement(("Kd",), ("7s", "7h"), (), ("2c",))
    assert str(placement.on("Ac//2c3c")) == "AcKd/7s7h/2c3c"
    assert (placement.action(1).hand, placement.action(1).layout) == (1, placement.layout)
    assert triptych.Placement.of(triptych.Board.from_text("Kd//")) == triptych.Placement(("Kd",))
    for wrong in (
        types.SimpleNamespace(front="Kd", middle=(), back=()),
        types.SimpleNamespace(front=7, middle=(), back=()),
    ):
        with case(wrong), pytest.raises(triptych.TriptychError, match=r"\$\.placement\.front: expected cards"):
            triptych.Placement.of(wrong)


def test_it_is_read_at_a_glance() -> None:
    placements = triptych.LegalPlacements(("Qc", "4s", "9h"), (2, 1, 0), 2)
    assert repr(placements) == "<LegalPlacements 9 of Qc4s9h>"
    assert str(placements[0]) == "Qc/4s/ -9h"
    placement = triptych.Placement(("Qc",), discards=("9h",))
    assert "discards 9h" in placement._repr_html_()
    assert placement._repr_html_().count("dashed") == 12
