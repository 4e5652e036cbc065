"""The words of the score sheet for worked cases; the sums are held in test_properties.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.score.lines.request import read
from triptych.score.sheet.fill import Party, explain
from triptych.score.sheet.shapes import ScoreSheet
from triptych.score.showdown import score_deal

FOLDER = Path(__file__).parents[2] / "cases"
LINES = [line for file in ("rulebook.jsonl", "counts.jsonl") for line in (FOLDER / file).read_text().splitlines()]
CASES = {case["id"]: case for case in (json.loads(line)["in"] for line in LINES)}


def sheet(case: str, *stacks: int, stake: int = 1) -> ScoreSheet:
    request = read(CASES[case])
    parties = [Party(seat, name) for seat, name in enumerate(request.names)]
    score = score_deal(request.rules, request.hands)
    return explain(
        request.rules,
        request.hands,
        score,
        parties,
        stakes={(0, 1): stake},
        stacks=dict(enumerate(stacks)) if stacks else None,
    )


@pytest.mark.parametrize(
    ("case", "cell", "points", "why"),
    [
        ("H03", "back", 1, "Ivey's full house, threes over deuces beats flush, king high"),
        ("H13", "scoop", 6, "A won all three rows"),
        ("H13", "royalties", 6, "A 10 for four tens in the back, B 4 for flush, queen high in the back"),
        ("H15", "royalties", 8, "Only the winner of a row is paid: A 8 for four fours in the back"),
        ("H17", "front", 1, "Both have pair of threes; A's side cards are higher"),
        ("H17", "middle", 0, "Both have pair of kings: no points"),
        ("H19", "royalties", 8, "A 4 for flush, ace high in the back; the deuce of spades doubles the back"),
        ("H21", "other", 6, "B fouled (the front beats the middle) and pays the value of a scoop"),
        ("H23", "other", 0, "Both fouled: nothing is paid"),
        ("H49", "scoop", 3, "A won all three rows, doubled for the scoop"),
        ("H57", "other", -3, "A surrendered and pays 3"),
        ("N04", "other", 36, "A holds dragon (all thirteen ranks) (36)"),
        ("K10", "middle", 2, "P1's full house, fives over nines beats two pair, queens and jacks"),
        ("K10", "scoop", 4, "P1 won all three rows"),
        ("K11", "other", 5, "P2 fouled (the front beats the middle) and pays the agreed points"),
        ("K01", "scoop", 3, "P1 won all three rows, doubled for the scoop"),
        (
            "K01",
            "royalties",
            12,
            (
                "Only the winner of a row is paid: P1 2 for three deuces in the front, P1 1 for full house, fives "
                "over nines in the middle, P1 3 for four eights in the back, doubled for the scoop"
            ),
        ),
    ],
)
def test_why(case: str, cell: str, points: int, why: str) -> None:
    found = getattr(sheet(case).pairs[0], cell)
    assert (found.points, found.why) == (points, why)


@pytest.mark.parametrize(("case", "won"), [("H13", (1, 1, 1)), ("H23", (0, 0, 0)), ("N04", (0, 0, 0))])
def test_the_sheet_says_who_won_a_row_also_where_rows_have_no_points(case: str, won: tuple[int, int, int]) -> None:
    """RULEBOOK 4 (`match_1_6`): two rows won are the match; a fouled or a natural's rows are not compared."""
    assert sheet(case).pairs[0].won == won


def test_the_settlement_is_explained() -> None:
    """Seed 002 L7.3: no more than the opponent brought."""
    short = sheet("H13", 5, 40)
    assert (short.pairs[0].moved.points, short.pairs[0].moved.why) == (5, "12 were due; table stakes let 5 be paid")
    assert [(stack.before, stack.change, stack.after) for stack in short.stacks] == [(5, 5, 10), (40, -5, 35)]
    assert [(stack.seat, stack.player) for stack in short.stacks] == [(0, "A"), (1, "B")]
    assert [(hand.hand, hand.seat, hand.player) for hand in short.hands] == [(0, 0, "A"), (1, 1, "B")]
    assert sheet("H13", stake=10).pairs[0].moved.why == "12 points at a stake of 10"
    assert sheet("H13").stacks == ()


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("F02", "Fantasyland with 14 cards next: three deuces in the front"),
        ("F16", "Stays in fantasyland with 14 cards: four nines in the back"),
        ("F20", "Leaves fantasyland: nothing that repeats it"),
        ("F24", "Fantasyland with 15 cards next: pair of kings in the front and 7-5-4-3-2 low in the middle"),
        ("F04", ""),
    ],
)
def test_fantasyland_is_explained(case: str, why: str) -> None:
    assert sheet(case).hands[0].fantasyland_why == why


def test_a_pair_without_a_stake_of_its_own_plays_for_one() -> None:
    request = read(CASES["H13"])
    parties = [Party(seat, name) for seat, name in enumerate(request.names)]
    found = explain(request.rules, request.hands, score_deal(request.rules, request.hands), parties, stakes={})
    assert (found.pairs[0].stake, found.pairs[0].moved) == (1, sheet("H13").pairs[0].moved)


def test_each_row_of_a_hand_is_shown_in_its_place() -> None:
    """The cards as they lie, with the name and the royalty of their own row."""
    found = sheet("K01").hands[0]
    assert found.front is not None
    assert found.middle is not None
    assert found.back is not None
    assert [row.name for row in (found.front, found.middle, found.back)] == [
        "Three deuces",
        "Full house, fives over nines",
        "Four eights",
    ]
    assert [len(row.cards) for row in (found.front, found.middle, found.back)] == [3, 5, 5]
    assert found.royalties == sum(row.royalty for row in (found.front, found.middle, found.back))


def test_only_pairs_that_play_each_other_stand_on_the_sheet() -> None:
    """RULEBOOK 4, `scoring.pairs = banker`: P4 has the button and the bank."""
    assert [(pair.a, pair.b) for pair in sheet("K06").pairs] == [(0, 3), (1, 3), (2, 3)]
