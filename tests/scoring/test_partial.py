"""Boards as they grow: names, royalties made, certain fouls. Rules §3."""

from __future__ import annotations

import random

import pytest

from tests.case_sample import sample_cases
from tests.oracle.board import Rows, offenders
from tests.scoring.deals import random_rules
from triptych.cards import Card, parse_cards
from triptych.rulesets.load import preset_names, resolve
from triptych.scoring.partial import row_status


@pytest.mark.parametrize(
    ("preset", "board", "names"),
    [
        ("pineapple", "//", ("", "", "")),
        ("pineapple", "Qh/Kh Kd/8c 9c Tc Jc", ("Queen high", "Pair of kings", "4 to a straight flush")),
        ("pineapple", "2c/5h 5d 5c/Ah 2h 4h", ("Deuce high", "Three fives", "3 to a straight flush")),
        ("pineapple", "/Kh 9h 4h/Ah 2d 3c 5s", ("", "3 to a flush", "4 to a straight")),
        ("pineapple", "QhQd7c/5h5d6c6s2h/8c8d8h3s3c", None),
        ("pineapple", "Ah/Ac Ad 3h 3c/Ks Js 7d", ("Ace high", "Two pair, aces and threes", "King high")),
        ("pineapple", "//AsKsQsJsTs", ("", "", "Royal flush")),
        ("pineapple", "//KsQsJsTs9s", ("", "", "Straight flush, king high")),
        ("pineapple", "//5s 7h Tc 9d", ("", "", "Ten high")),
        ("pineapple", "//6s 7h Tc 9d", ("", "", "4 to a straight")),
        ("pineapple_joker", "X1/Kd X2/", ("Joker", "Pair of kings (with joker)", "")),
        ("pineapple_joker", "X1 Qd 7c/5h 5d 6c/", ("Pair of queens (with joker)", "Pair of fives", "")),
        (
            "pineapple_joker",
            "X1Qd7c/5h5d6c6s2h/8c8d8h3s3c",
            ("Pair of queens", "Two pair, sixes and fives", "Full house, eights over threes"),
        ),
        ("pineapple_27", "KhKd/8h 6d 4c 3s 2s/", ("Pair of kings", "8-6-4-3-2 low", "")),
        ("pineapple_27", "/7h 5d 2c/", ("", "7-5-2", "")),
    ],
)
def test_names(preset: str, board: str, names: tuple[str, str, str] | None) -> None:
    names = names or ("Pair of queens", "Two pair, sixes and fives", "Full house, eights over threes")
    front, middle, back = map(parse_cards, board.split("/"))
    status = row_status(resolve(preset), front, middle, back)
    assert (status.front.name, status.middle.name, status.back.name) == names


@pytest.mark.parametrize(
    ("board", "fouled", "warnings"),
    [
        ("/9h 9d 9c/8c 8d 3s", False, ("", "", "")),  # a full house is still possible
        ("/9h 9d 9c/8c 8d 3s 2h", True, ("", "the middle beats the back", "")),
        ("/9h 9d 9c/8c 7d 3s 2h", True, ("", "the middle beats the back", "")),
        ("KhKdKc/AhAd2c3d/", False, ("", "", "")),
        ("AhAdAc/Kh9d2c3d/", True, ("the front beats the middle", "", "")),
        ("QhQd7c/QsQc9d8d2c/8c9cTcJc2h", True, ("the front beats the back", "the middle beats the back", "")),
    ],
)
def test_certain_fouls(board: str, fouled: bool, warnings: tuple[str, str, str]) -> None:  # noqa: FBT001 - a table
    front, middle, back = map(parse_cards, board.split("/"))
    status = row_status(resolve("pineapple"), front, middle, back)
    assert status.fouled == fouled
    assert (status.front.warning, status.middle.warning, status.back.warning) == warnings


@pytest.mark.parametrize(
    ("board", "royalties"),
    [
        ("QhQd//", (7, 0, 0)),
        ("//9h9d9c9s", (0, 0, 10)),
        ("/9h9d9c/", (0, 2, 0)),
        ("6h6d/9h9d9c/Th9s8s", (1, 2, 0)),
    ],
)
def test_royalties_are_those_made_whatever_still_comes(board: str, royalties: tuple[int, int, int]) -> None:
    """Rules §4: not those that a row may still make."""
    status = row_status(resolve("pineapple"), *map(parse_cards, board.split("/")))
    assert (status.front.royalty, status.middle.royalty, status.back.royalty) == royalties


@pytest.mark.parametrize(("row", "pair", "third"), [(0, "QhQd", "Qc"), (1, "9h9d", "9c"), (2, "KhKd", "Kc")])
def test_the_least_that_a_row_can_still_be_grows_with_it_alone(row: int, pair: str, third: str) -> None:
    def least(text: str) -> tuple[int, int, int]:
        rows = ["", "", ""]
        rows[row] = text
        return row_status(resolve("pineapple"), *map(parse_cards, rows)).min_values

    empty, two, three = least(""), least(pair), least(pair + third)
    assert empty[row] < two[row] < three[row]
    for other in {0, 1, 2} - {row}:
        assert empty[other] == two[other] == three[other]


@pytest.mark.parametrize(("order", "fouled"), [("ge", False), ("gt", True)])
def test_equal_rows_foul_only_where_each_row_must_be_weaker(order: str, fouled: bool) -> None:  # noqa: FBT001
    """Rules §3 (rows.order): `ge` lets rows be equal, under `gt` each is weaker than the one below."""
    rules = resolve({"preset": "pineapple", "rows.order": order})
    status = row_status(rules, (), parse_cards("5h6d7c8s9h"), parse_cards("5d6c7h8d9s"))
    assert status.fouled == fouled
    assert status.middle.warning == ("the middle beats the back" if fouled else "")


@pytest.mark.parametrize(
    ("order", "board", "warnings"),
    [
        # The middle is no higher than the back, equal or below it: only the front is out of order.
        ("ge", "QhQd7c/Kh9d7h5s3c/Kd9c7d5h3s", ("the front beats the middle", "")),
        ("gt", "QhQd7c/Kh9d7h5s3c/AdAc8d6h4s", ("the front beats the middle", "")),
        # Equal rows beside a foul break the order only where each row must be weaker.
        ("gt", "QhQd7c/Kh9d7h5s3c/Kd9c7d5h3s", ("the front beats the middle", "the middle beats the back")),
        ("gt", "Jh9s7s/QdQcKhKs8d/Ah9d7h5s3c", ("", "the middle beats the back")),
    ],
)
def test_a_warning_stands_at_the_row_that_is_out_of_order(order: str, board: str, warnings: tuple[str, str]) -> None:
    """Rules §3."""
    status = row_status(resolve({"preset": "pineapple", "rows.order": order}), *map(parse_cards, board.split("/")))
    assert status.fouled
    assert (status.front.warning, status.middle.warning) == warnings


def test_a_front_above_the_back_beside_a_good_low() -> None:
    """Rules §3 (`deuce_to_seven`): the front may outrank the middle, not the back."""
    status = row_status(resolve("pineapple_27"), *map(parse_cards, ["AhAdKc", "7h5d4s3c2d", "KhKd9s8c6h"]))
    assert status.fouled
    assert (status.front.warning, status.middle.warning) == ("the front beats the back", "")
    status = row_status(resolve("pineapple_27"), *map(parse_cards, ["AhAdAc", "KhKdQc4s2d", ""]))
    assert (status.front.warning, status.middle.warning) == ("", "the middle can no longer be a ten-low")


@pytest.mark.parametrize("preset", preset_names())
def test_an_empty_board_is_warned_of_nothing(preset: str) -> None:
    status = row_status(resolve(preset), (), (), ())
    assert not status.fouled
    assert not any((status.front.warning, status.middle.warning, status.back.warning))


@pytest.mark.parametrize(
    ("middle", "fouled"),
    [("", False), ("7d", False), ("Td9c", False), ("7d7c", True), ("Jd", True), ("As", True), ("7d5c4h3s2d", False)],
)
def test_a_low_middle_is_ten_low_or_fouls(middle: str, fouled: bool) -> None:  # noqa: FBT001 - a table
    """Rules §3 (`deuce_to_seven`): ten-low or better without a pair; an ace is high."""
    status = row_status(resolve("pineapple_27"), (), parse_cards(middle), ())
    assert status.fouled == fouled
    assert status.middle.warning == ("the middle can no longer be a ten-low" if fouled else "")


@pytest.mark.parametrize(
    ("board", "change", "fouled"),
    [
        # Only a joker makes a fifth deuce: where none is in the deck, or both lie elsewhere on the board, it is over.
        ("/3h3d3c3s4h/2h2d2c2s", {}, False),
        ("X1/3h3d3c3s4h/2h2d2c2s", {}, False),
        ("X1 X2/3h3d3c3s4h/2h2d2c2s", {}, True),
        ("/3h3d3c3s4h/2h2d2c2s", {"rows.five_of_a_kind": False}, True),
        ("/3h3d3c3s4h/2h2d2c2s", {"rows.joker_domain": "not_on_own_board"}, True),
        # A joker mends no row that is full.
        ("AhAdAc/Kh9d2c3d4s/", {}, True),
    ],
)
def test_a_joker_that_may_still_come_mends_a_row(board: str, change: dict[str, object], fouled: bool) -> None:  # noqa: FBT001
    """Rules §3: a joker stands for any card, also for one that lies there; source 002 L5 has two of them."""
    rules = resolve({"preset": "pineapple_joker", "rows.five_of_a_kind": True, **change})
    assert row_status(rules, *map(parse_cards, board.split("/"))).fouled == fouled


@pytest.mark.parametrize("seed", sample_cases(range(8), range(4)))
def test_a_board_called_fouled_has_no_legal_end(seed: int) -> None:
    """And a full board is called fouled exactly when it is; royalties made are never lost."""
    chance = random.Random(seed)
    presets = [name for name in preset_names() if not resolve(name).deal.jokers]
    called = 0
    for _ in range(60):
        rules = random_rules(resolve(chance.choice(presets)), chance)
        deck = [Card(card) for card in chance.sample(range(52), 52)]
        board, rest = deck[:13], deck[13:]
        board.sort(key=lambda card: (card // 4, card % 4))
        rows = [board[:3], board[3:8], board[8:]]
        for row in rows:
            for _ in range(chance.choice([0, 0, 1, 1, 2])):
                rest.append(row.pop(chance.randrange(len(row))))
        if chance.random() < 0.5:
            rows[1], rows[2] = rows[2], rows[1]
        status = row_status(rules, *rows)
        called += status.fouled
        for _ in range(60):
            chance.shuffle(rest)
            unused = iter(rest)
            full = [
                (*row, *(next(unused) for _ in range(size - len(row))))
                for row, size in zip(rows, (3, 5, 5), strict=True)
            ]
            bad = offenders(rules, Rows(*full))
            assert bad or not status.fouled
            whole = row_status(rules, *full)
            assert whole.fouled == bool(bad)
            assert bool(whole.front.warning or whole.middle.warning) == bool(bad)
            if rules.rows.middle == "high":
                assert whole.middle.royalty >= status.middle.royalty
            assert whole.front.royalty >= status.front.royalty
            assert whole.back.royalty >= status.back.royalty
    assert called
