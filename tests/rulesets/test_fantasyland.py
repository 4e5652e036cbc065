"""Fantasyland as lists of conditions: hands by name, words, files. Rules §5; issue 10, 1.7."""

from __future__ import annotations

import re

import pytest

from tests.rulesets.example_rules import EXAMPLES, FOLDER, example_ruleset
from triptych import _kernel
from triptych.board import ROWS
from triptych.cards import parse_cards
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.describe.sections import describe
from triptych.rulesets.diff import overrides
from triptych.rulesets.hand_names import describe_hand, is_hand, min_value
from triptych.rulesets.load import parse_set, read_toml, resolve
from triptych.rulesets.model import fantasyland_sizes
from triptych.rulesets.text import to_toml
from triptych.rulesets.validate import check


def values(board: str, rules: str = "pineapple") -> dict[str, int]:
    front, middle, back = _kernel.row_values(
        compile_rules(resolve(rules)), bytes(parse_cards(board.replace("/", "")))
    )
    return dict(zip(ROWS, (front, middle, back), strict=True))


# A least hand, its row, a board whose row just reaches it, one whose row just does not (Rules §3, 5).
REACHED = [
    ("QQ", "front", "QhQd2c/KhKdAc3s4s/AhAdAs5h6h", "JhJdAc/KhKdQc3s4s/AhAdAs5h6h"),
    ("777", "front", "7h7d7c/8h8d8c3s4s/AhAdAs5h5d", "6h6d6c/8h8d8c3s4s/AhAdAs5h5d"),
    ("trips", "front", "2h2d2c/8h8d8c3s4s/AhAdAs5h5d", "AcAd2c/8h8d8c3s4s/KhKdKs5h5d"),
    ("pair", "front", "2h2d3c/8h8d8c3s4s/AhAdAs5h5d", "AcKd2c/8h8d8c3s4s/QhQdQs5h5d"),
    ("TT", "middle", "2h2d3c/ThTd2s3s4s/AhAdAs5h5d", "2h2d3c/9h9dAsKsQs/AhAcAd5h5d"),
    ("KKQQ", "middle", "2h2d3c/KhKdQsQc4s/AhAdAs5h5d", "2h2d3c/KhKdJsJcAc/AhAdAs5h5d"),
    ("QQKK", "middle", "2h2d3c/KhKdQsQc4s/AhAdAs5h5d", "2h2d3c/KhKdJsJcAc/AhAdAs5h5d"),
    ("two_pair", "middle", "2h2d3c/3h3d4s4c5s/AhAdAs5h5d", "2h2d3c/AhAcKs4cQs/KhKdKc5h5d"),
    ("straight", "back", "2h2d3c/3h3d4s4c5s/Ah2s3s4h5d", "2h2d3c/3h3d4s4c5s/AhAsAcKhQd"),
    ("flush", "back", "2h2d3s/3h3d4s4h5s/2c3c4c5c7c", "2h2d3c/3h3d4s4c5s/AhKdQcJcTc"),
    ("full_house", "middle", "2h2d4c/3h3d3s2c2s/AhAdAsKhKd", "2h2d3d/Ac3c4c5c7c/AhAdAsKhKd"),
    ("KKK22", "middle", "2h2d3c/KhKdKs2c2s/AhAdAsThTd", "2h2d3c/QhQdQsKcKs/AhAdAsThTd"),
    ("quads", "back", "2h2d3c/3h3d3s2c2s/4h4d4s4c5d", "2h2d3c/3h3d3s2c2s/AhAdAsKhKd"),
    ("TTTT", "back", "2h2d3c/3h3d3s2c2s/ThTdTsTc5d", "2h2d3c/3h3d3s2c2s/9h9d9s9cAd"),
    ("straight_flush", "back", "2h2d4h/3h3d3s6h6s/Ac2c3c4c5c", "2h2d3c/3h3d3s2c2s/AhAdAsAcKd"),
    ("royal", "back", "2h2d3c/3h3d3s2c2s/TcJcQcKcAc", "2h2d3c/3h3d3s2c2s/9cTcJcQcKc"),
]
LOWS = [
    ("75432", "2h2d3c/7h5d4s3s2s/AhAdAs5h5c", "2h2d3c/7h6d4s3s2c/AhAdAs5h5c"),
    ("86432", "2h2d3c/8h6d4s3s2s/AhAdAs5h5c", "2h2d3c/8h6d5s3s2c/AhAdAs5h5c"),
    ("86432", "2h2d3c/7h6d5s3s2s/AhAdAs5h5c", "2h2d3c/9h5d4s3s2c/AhAdAs5h5c"),
    ("98765", "2h2d3c/9h8d7s6s4c/AhAdAs5h5c", "2h2d3c/Th5d4s3s2c/AhAdAs5h5c"),
]


@pytest.mark.parametrize(("hand", "row", "reaches", "misses"), REACHED)
def test_a_least_hand_is_the_lowest_row_that_counts(hand: str, row: str, reaches: str, misses: str) -> None:
    least = min_value(hand, row, low=False)  # type: ignore[arg-type]
    assert least is not None
    assert values(reaches)[row] >= least > values(misses)[row]


@pytest.mark.parametrize(("hand", "reaches", "misses"), LOWS)
def test_a_low_is_at_most_as_high(hand: str, reaches: str, misses: str) -> None:
    least = min_value(hand, "middle", low=True)
    assert least is not None
    assert values(reaches, "pineapple_27")["middle"] >= least > values(misses, "pineapple_27")["middle"]


@pytest.mark.parametrize(
    "name", ["", "Q", "QJ", "QQJ", "QQQQQ", "QQQQJ", "qq", "1010", "full house", "AAAKKK", "7543"]
)
def test_no_hand(name: str) -> None:
    assert not is_hand(name)


@pytest.mark.parametrize(
    ("hand", "row", "low"),
    [
        ("straight", "front", False),
        ("KKQQ", "front", False),
        ("QQQQ", "front", False),
        ("75432", "middle", False),
        ("75432", "back", True),
        ("quads", "middle", True),
        ("75432", "front", True),
    ],
)
def test_a_row_that_is_never_the_hand(hand: str, row: str, *, low: bool) -> None:
    assert is_hand(hand)
    assert min_value(hand, row, low=low) is None  # type: ignore[arg-type]


def test_hands_in_words() -> None:
    assert describe_hand("QQ", "front") == "QQ or better in front"
    assert describe_hand("trips", "front") == "trips in front"
    assert describe_hand("full_house", "middle") == "a full house or better in the middle"
    assert describe_hand("86432", "middle") == "86432 or lower in the middle"
    assert describe_hand("75432", "middle") == "75432 in the middle"
    assert describe_hand("royal", "back") == "a royal flush in the back"


def test_every_example_is_shipped_and_tried() -> None:
    assert {file.stem for file in FOLDER.glob("*.toml")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_contradicts_nothing_and_reads_back(name: str) -> None:
    rules = example_ruleset(name)
    assert check(rules) == ()
    assert read_toml(to_toml(rules)) == rules
    assert read_toml(to_toml(rules, "pineapple")) == rules
    changes = {key: value for key, value in overrides(rules, resolve("pineapple")).items() if key != "name"}
    again = resolve({"preset": "pineapple", **changes})
    assert again.fantasyland == rules.fantasyland


def test_the_sizes_of_the_examples() -> None:
    assert [fantasyland_sizes(example_ruleset(name)) for name in EXAMPLES] == [
        (14, 15, 16, 17),
        (13, 14, 15),
        (13, 14, 15),
    ]


EVERY_ROW = (
    "It is earned by QQ or better in front (14 cards), four of a kind or better in the middle (14 cards), a "
    "straight flush or better in the back (14 cards), AA or better in front with a full house or better in the "
    "middle (16 cards) or 777 or better in front with TTTT or better in the back (17 cards); of several the most "
    "cards count."
)
EVERY_ROW_AGAIN = (
    "Repeat fantasyland by trips in front (as many cards as at first), KKK22 or better in the middle (15 cards) or "
    "four of a kind or better in the back (14 cards); of several the most cards count."
)
ROYALTIES = (
    "It is earned by 12 points of royalties or more (13 cards), 18 points of royalties or more (14 cards), 25 "
    "points of royalties or more (15 cards) or QQ or better in front with 14 points of royalties or more (15 "
    "cards); of several the most cards count."
)
ROYALTIES_AGAIN = "Repeat fantasyland with 14 cards by 25 points of royalties or more."
LOW_LADDER = (
    "It is earned by 85432 or lower in the middle (13 cards), 76432 or lower in the middle (14 cards), 75432 in "
    "the middle (15 cards) or 86532 or lower in the middle with QQ or better in front (15 cards); of several the "
    "most cards count."
)
SAID = {
    "every_row": (EVERY_ROW, EVERY_ROW_AGAIN, "At most 3 repeats in a row."),
    "royalties": (ROYALTIES, ROYALTIES_AGAIN, "At most 1 repeat in a row."),
    "low_ladder": (LOW_LADDER,),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_in_words(name: str) -> None:
    sentences = describe(example_ruleset(name))
    assert set(SAID[name]) <= set(sentences)
    assert not re.search(
        r"\bNone\b|_|\{", " ".join(sentence for sentence in sentences if "fantasyland" in sentence.lower())
    )


def test_lists_on_the_command_line() -> None:
    changes = parse_set(
        [
            "fantasyland.kind=custom",
            'fantasyland.entry=[{row="middle", least="quads", cards=14}]',
            'fantasyland.repeat=[{all=[{row="front", least="22"}, {royalties=9}], cards="same"}]',
        ]
    )
    fantasyland = resolve({"preset": "pineapple", **changes}).fantasyland
    assert [(condition.row, condition.least, condition.cards) for condition in fantasyland.entry] == [
        ("middle", "quads", 14)
    ]
    ((both,), cards) = ([condition.all for condition in fantasyland.repeat], fantasyland.repeat[0].cards)
    assert [(part.row, part.least, part.royalties) for part in both] == [("front", "22", 0), ("", "", 9)]
    assert cards == "same"
