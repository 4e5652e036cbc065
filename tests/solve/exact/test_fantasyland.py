"""The face of the fantasyland solver: known settings, the tie rule, the JSON form of issue 4, and bad questions."""

from __future__ import annotations

import json
from random import Random

import pytest

from triptych import _kernel
from triptych.cards import cards_text, deck, parse_cards
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.solve.errors import CODES, SolveError
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.jsonl.fantasyland import process_line

ROYAL = "AhKhQhJhTh9s9d9c5s5d2c2d2h3c"


def test_royalties_of_a_known_setting() -> None:
    """Royal flush 25, full house in the middle 12, three nines in front 17 (Rules §4, american)."""
    best = fantasyland(parse_cards(ROYAL))
    assert cards_text(best.front) == "9s9d9c"
    assert cards_text(best.middle) == "5s5d2h2d2c"
    assert cards_text(best.back) == "AhKhQhJhTh"
    assert cards_text(best.discards) == "3c"
    assert (best.royalties, best.repeat, best.value) == (25 + 12 + 17, True, 54)


def test_a_repeat_outweighs_royalties_when_it_is_worth_enough() -> None:
    """Quads in the back repeat (Rules §5): a full house and a flush pay more than they do here."""
    cards = parse_cards("AcKcQd8h8s8d8cJcTc9c7c5h4h3d")
    poor, rich = fantasyland(cards), fantasyland(cards, repeat_value=50)
    assert rich.repeat
    assert rich.value == rich.royalties + 50
    assert rich.royalties <= poor.royalties


def test_each_size_of_the_next_one_has_its_value() -> None:
    """Quads in the back repeat with 14 cards, a royal flush with 17: what is set follows from their values."""
    repeat = [{"row": "back", "least": "quads", "cards": 14}, {"row": "back", "least": "royal", "cards": 17}]
    rules = {"preset": "pineapple", "fantasyland.repeat": repeat}
    line = {"cards": "AhKhQhJhThTdTsTc5s5d2c2d3c", "rules": rules, "repeat_value": {"14": 60, "17": 1}}
    short, _ = process_line(json.dumps(line))
    long, _ = process_line(json.dumps({**line, "repeat_value": {"14": 1, "17": 60}}))
    assert (str(short["back"]).count("T"), long["back"]) == (4, "AhKhQhJhTh")
    assert (short["repeat"], long["repeat"]) == (True, True)


def test_against_a_board_it_counts_rows_scoop_and_royalties() -> None:
    """A scoop pays 6 (per_row_scoop3) and both royalties are paid (Rules §4)."""
    front, middle, back = parse_cards("QdQs7c"), parse_cards("7s7h4d4c3d"), parse_cards("6s6h8s8d8h")
    best = fantasyland(parse_cards(ROYAL), against=[(front, middle, back)], repeat_value=11)
    assert best.value == 6 + 54 - (7 + 6) + 11


def test_equal_settings_take_the_highest_back() -> None:
    """Nothing pays under `none`: only the stated rule decides."""
    best = fantasyland(parse_cards("AsAhKdKcQs9d8h7c6s4d3h2c2s"), {"preset": "pineapple", "royalties.table": "none"})
    assert cards_text(best.back).startswith("AsAhKdKc")
    assert best.value == 0


def test_cards_that_cannot_be_set_without_a_foul() -> None:
    """A deuce-to-seven middle needs five different ranks up to ten (Rules §3)."""
    best = fantasyland(parse_cards("AhAsAdAcKhKsKdKcQhQsQdQcJh"), "pineapple_27")
    assert not best.legal
    assert (best.royalties, best.repeat) == (0, False)
    assert len({*best.front, *best.middle, *best.back}) == 13


@pytest.mark.parametrize(
    ("cards", "rules", "code", "path"),
    [
        ("AhKh", "pineapple", "cards.count", "$.cards"),
        ("AhKhQhJhTh9s9d9c5s5d2c2dX1", "pineapple", "card.joker", "$.cards[12]"),
        # What closed games count and this solver does not.
        ("AhKhQhJhTh9s9d9c5s5d2c2d3s", "pusoy", "rules.suits", "$.rules.rows.tie_break"),
        (
            "AhKhQhJhTh9s9d9c5s5d2c2d3s",
            {"preset": "closed_1_6", "royalties.broken_up": "paid"},
            "rules.broken_up",
            "$.rules.royalties.broken_up",
        ),
    ],
)
def test_bad_questions(cards: str, rules: str | dict[str, object], code: str, path: str) -> None:
    with pytest.raises(SolveError) as caught:
        fantasyland(parse_cards(cards), rules)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert code in CODES


def test_the_json_form() -> None:
    """The form of issue 4, part 7."""
    body, good = process_line(
        json.dumps({"id": "a", "cards": ROYAL, "rules": {"preset": "pineapple"}, "repeat_value": 1.5})
    )
    assert good
    assert body == {
        "id": "a",
        "front": "9s9d9c",
        "middle": "5s5d2h2d2c",
        "back": "AhKhQhJhTh",
        "discards": "3c",
        "royalties": 54,
        "repeat": True,
        "value": 55.5,
    }


BOARD = {"front": "QdQs7c", "middle": "7s7h4d4c3d", "back": "6s6h8s8d8h"}


@pytest.mark.parametrize(
    ("line", "code", "path"),
    [
        ("nonsense", "line.json", "$"),
        ("[1]", "line.type", "$"),
        ({}, "line.missing", "$.cards"),
        ({"cards": 4}, "line.type", "$.cards"),
        ({"cards": ROYAL, "more": 1}, "line.unknown_key", "$.more"),
        ({"cards": ROYAL.replace("3c", "3z")}, "card.unknown", "$.cards[13]"),
        ({"cards": ROYAL.replace("3c", "Ah")}, "card.duplicate", "$.cards[13]"),
        ({"cards": ROYAL, "rules": {"preset": "nope"}}, "rules.preset", "$.rules.preset"),
        ({"cards": ROYAL, "rules": 5}, "line.type", "$.rules"),
        ({"cards": ROYAL, "repeat_value": "x"}, "line.type", "$.repeat_value"),
        ({"cards": ROYAL, "repeat_value": {"x": 1}}, "line.type", "$.repeat_value.x"),
        ({"cards": ROYAL, "repeat_value": {"14": "x"}}, "line.type", "$.repeat_value.14"),
        ({"cards": ROYAL, "repeat_value": {"18": 1}}, "cards.count", "$.repeat_value.18"),
        ({"cards": ROYAL, "repeat_value": 1e300}, "value.range", "$.repeat_value"),
        ({"cards": ROYAL, "in_row": 0}, "value.range", "$.in_row"),
        ({"cards": ROYAL, "against": {}}, "line.type", "$.against"),
        ({"cards": ROYAL, "against": [BOARD] * 4}, "against.count", "$.against"),
        ({"cards": ROYAL, "against": [{**BOARD, "front": "QdQs"}]}, "row.size", "$.against[0].front"),
        ({"cards": ROYAL, "against": [{**BOARD, "front": "QdQsAh"}]}, "card.duplicate", "$.against[0].front[2]"),
        ({"cards": ROYAL, "against": [{"front": "QdQs7c"}]}, "line.missing", "$.against[0].middle"),
        ({"cards": ROYAL, "against": [{**BOARD, "top": ""}]}, "line.unknown_key", "$.against[0].top"),
    ],
)
def test_bad_lines(line: object, code: str, path: str) -> None:
    body, good = process_line(line if isinstance(line, str) else json.dumps({"id": 9, **line}))  # type: ignore[dict-item]
    assert not good
    error = body["error"]
    assert isinstance(error, dict)
    assert (error["code"], error["path"]) == (code, path)
    assert body["id"] == (9 if isinstance(line, dict) else None)


# Mean of the most royalties and greatest share that can repeat, with standard errors.
REFERENCE = [
    (13, "ofc_american", 8.911, 0.031, 0.0826, 0.0018),
    (14, "pineapple", 12.354, 0.020, 0.1042, 0.0011),
    (15, "pineapple", 16.300, 0.052, 0.1959, 0.0032),
    (16, "pineapple", 20.303, 0.054, 0.3475, 0.0037),
    (17, "pineapple", 24.341, 0.078, 0.5420, 0.0054),
]
DEALS = 20_000


@pytest.mark.slow
@pytest.mark.parametrize(("size", "preset", "mean", "mean_error", "share", "share_error"), REFERENCE)
def test_reference_means(
    size: int, preset: str, mean: float, mean_error: float, share: float, share_error: float
) -> None:
    """Within three standard errors of both samples together."""
    rules = compile_rules(resolve(preset))
    royalties = _kernel.Objective(rules, size, 1, [0.0] * 18)
    repeats = _kernel.Objective(rules, size, 1, [1000.0] * 18)
    random = Random(size)
    deals = [bytes(random.sample(deck(), size)) for _ in range(DEALS)]
    most = [_kernel.complete(royalties, (b"", b"", b""), deal).value for deal in deals]
    again = sum(_kernel.complete(repeats, (b"", b"", b""), deal).value >= 1000 for deal in deals) / DEALS
    average = sum(most) / DEALS
    own_error = (sum((value - average) ** 2 for value in most) / DEALS / DEALS) ** 0.5
    assert abs(average - mean) < 3 * (mean_error**2 + own_error**2) ** 0.5
    assert abs(again - share) < 3 * (share_error**2 + again * (1 - again) / DEALS) ** 0.5
