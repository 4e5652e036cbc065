"""The words of the score sheet for worked cases; the sums are held in test_properties.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych.cards import parse_cards
from triptych.rulesets.load import resolve
from triptych.scoring.jsonl.request import parse_request
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.sheet.types import ScoreSheet
from triptych.scoring.showdown import ScoredHand, score_deal

FOLDER = Path(__file__).parents[2] / "cases"
LINES = [line for file in ("rulebook.jsonl", "counts.jsonl") for line in (FOLDER / file).read_text().splitlines()]
CASES = {case["id"]: case for case in (json.loads(line)["in"] for line in LINES)}


def sheet(case: str, *stacks: int, stake: int = 1) -> ScoreSheet:
    request = parse_request(CASES[case])
    parties = [SheetPlayer(seat, name) for seat, name in enumerate(request.names)]
    score = score_deal(request.rules, request.hands)
    return build_sheet(
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
        ("H23", "other", 0, "Both foul: no points"),
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
    result = getattr(sheet(case).pairs[0], cell)
    assert (result.points, result.why) == (points, why)


@pytest.mark.parametrize(("case", "won"), [("H13", (1, 1, 1)), ("H23", (0, 0, 0)), ("N04", (0, 0, 0))])
def test_the_sheet_says_who_won_a_row_also_where_rows_have_no_points(case: str, won: tuple[int, int, int]) -> None:
    """Rules §4 (`match_1_6`): two rows won are the match; a fouled or a natural's rows are not compared."""
    assert sheet(case).pairs[0].won == won


def test_the_settlement_is_explained() -> None:
    """Source 002 L7.3: no more than the opponent brought."""
    short = sheet("H13", 5, 40)
    assert (short.pairs[0].moved.points, short.pairs[0].moved.why) == (
        5,
        "12 were due; no more than the smaller of the two stacks, 5, is paid",
    )
    assert [(stack.before, stack.change, stack.after) for stack in short.stacks] == [(5, 5, 10), (40, -5, 35)]
    assert [(stack.seat, stack.player) for stack in short.stacks] == [(0, "A"), (1, "B")]
    assert [(hand.hand, hand.seat, hand.player) for hand in short.hands] == [(0, 0, "A"), (1, 1, "B")]
    assert [pair.moved.why for pair in (sheet("H13", 12, 40).pairs[0], sheet("H13").pairs[0])] == ["Paid in full"] * 2
    assert sheet("H13", 0, 40).pairs[0].moved.why == "12 were due; A had nothing to play for and wins nothing"
    assert sheet("H13", 40, 7).pairs[0].moved.why == "12 were due; B had 7 left"
    assert sheet("H13", 40, 0).pairs[0].moved.why == "12 were due; B had nothing left"
    assert sheet("H23").pairs[0].moved.why == "Nothing to pay"
    assert sheet("H13", stake=10).pairs[0].moved.why == "12 points at a stake of 10"
    assert sheet("H13").stacks == ()


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("F02", "Fantasyland with 14 cards next: three deuces in the front"),
        ("F16", "Stays in fantasyland with 14 cards: four nines in the back"),
        ("F20", "Fantasyland ends: no repeat hand"),
        ("F24", "Fantasyland with 15 cards next: pair of kings in the front and 7-5-4-3-2 low in the middle"),
        ("F04", ""),
    ],
)
def test_fantasyland_is_explained(case: str, why: str) -> None:
    assert sheet(case).hands[0].fantasyland_why == why


def test_a_pair_without_a_stake_of_its_own_plays_for_one() -> None:
    request = parse_request(CASES["H13"])
    parties = [SheetPlayer(seat, name) for seat, name in enumerate(request.names)]
    deal_sheet = build_sheet(
        request.rules, request.hands, score_deal(request.rules, request.hands), parties, stakes={}
    )
    assert (deal_sheet.pairs[0].stake, deal_sheet.pairs[0].moved) == (1, sheet("H13").pairs[0].moved)


def test_each_row_of_a_hand_is_shown_in_its_place() -> None:
    """The cards as they lie, with the name and the royalty of their own row."""
    sheet_hand = sheet("K01").hands[0]
    assert sheet_hand.front is not None
    assert sheet_hand.middle is not None
    assert sheet_hand.back is not None
    assert [row.name for row in (sheet_hand.front, sheet_hand.middle, sheet_hand.back)] == [
        "Three deuces",
        "Full house, fives over nines",
        "Four eights",
    ]
    assert [len(row.cards) for row in (sheet_hand.front, sheet_hand.middle, sheet_hand.back)] == [3, 5, 5]
    assert sheet_hand.royalties == sum(row.royalty for row in (sheet_hand.front, sheet_hand.middle, sheet_hand.back))


def test_only_pairs_that_play_each_other_stand_on_the_sheet() -> None:
    """Rules §4, `scoring.pairs = banker`: P4 has the button and the bank."""
    assert [(pair.a, pair.b) for pair in sheet("K06").pairs] == [(0, 3), (1, 3), (2, 3)]


def test_two_boards_of_one_player_do_not_stand_on_the_sheet_as_a_pair() -> None:
    """Rules §2 (criss-cross): each of the two boards plays both of the other player's."""
    boards = ["Qh Qd 7c", "8c 8d Ts Th 2c", "Ah Ac Ad 9d 9h", "Ks Js 5d", "2d 3c 4c 6c 7d", "2h 6h 9c Td 3h"]
    boards += ["5h 5s 4d", "7h 7s 6d 6s 3d", "Jd Jh Jc 4h 4s", "As 5c 2s", "8h 8s 9s Tc 3s", "Kc Kd Kh Qc Qs"]
    hands = [ScoredHand(parse_cards("".join(boards[at : at + 3])), owner=at // 3 % 2) for at in range(0, 12, 3)]
    parties = [SheetPlayer(seat, name) for seat, name in ((0, "X"), (1, "Y"), (0, "X"), (1, "Y"))]
    rules = resolve("criss_cross")
    deal_sheet = build_sheet(rules, hands, score_deal(rules, hands), parties)
    assert [(pair.a, pair.b) for pair in deal_sheet.pairs] == [(0, 1), (0, 3), (1, 2), (2, 3)]


def filled(rules: object, hands: list[ScoredHand], **more: Any) -> ScoreSheet:
    chosen = resolve(rules)  # type: ignore[arg-type]
    parties = [SheetPlayer(seat, name) for seat, name in enumerate("ABCD"[: len(hands)])]
    return build_sheet(chosen, hands, score_deal(chosen, hands), parties, **more)


def hand(text: str, **more: Any) -> ScoredHand:
    return ScoredHand(parse_cards(text.replace("/", "")), **more)


SIX_PAIRS = "AsAh9s9h8s8h7s7h5s5h4s4h2d"
THREE_FLUSHES = "2c5c8c/3d6d8dJdTd/4h7hThQhAh"
PLAIN = "6c6s2s/7c7dJs9c2h/KcKs9dQd3s"


def test_only_a_board_has_rows_on_the_sheet() -> None:
    """Rules §4: who surrenders shows nothing, who holds a natural sets nothing; its cards stand there by name."""
    sheet_hands = filled("closed_1_6", [hand(PLAIN), ScoredHand(kind="surrender"), hand(THREE_FLUSHES)]).hands
    assert [bool(hand.front) for hand in sheet_hands] == [True, False, False]
    assert [hand.front is hand.middle is hand.back is None for hand in sheet_hands] == [False, True, True]
    assert [hand.natural for hand in sheet_hands] == ["", "", "Three flushes"]
    assert filled("closed_1_6", [hand(PLAIN), hand(SIX_PAIRS, kind="natural")]).hands[1].back is None


def test_a_low_middle_is_named_as_a_low() -> None:
    deal_sheet = filled("pineapple_27", [hand("6c6s2s/7c5d4s3c2h/KcKs9dQd3s"), hand("AcKd8h/TcTs8s5h4h/QhQsQc9s9h")])
    assert deal_sheet.hands[0].middle is not None
    assert deal_sheet.hands[0].middle.name == "7-5-4-3-2 low"
    assert deal_sheet.hands[1].middle is not None
    assert deal_sheet.hands[1].middle.name == "Not a low: pair of tens"


def test_naturals_are_paid_first_on_the_sheet() -> None:
    """Rules §4; source 003 L41, by hand: B brings 4 and loses 6 to A (all rows) and 3 to C (six pairs)."""
    best = "AcAdQd/KcKdKh6d6c/JdJcJhJs8d"
    pairs = hand("AsAhTsTh8s8h7s7h5s5h4s4h2d", kind="natural")
    hands = [hand(best), hand("Td3c2c/9c9d4c3d2s/QcQhTc6s3h"), pairs]
    deal_sheet = filled({"preset": "closed_1_6", "royalties.table": "none"}, hands, stacks={0: 50, 1: 4, 2: 50})
    assert [(pair.a, pair.b, pair.points, pair.moved.points) for pair in deal_sheet.pairs] == [
        (0, 1, 6, 1),
        (0, 2, -3, -3),
        (1, 2, -3, -3),
    ]
    assert [stack.after for stack in deal_sheet.stacks] == [48, 0, 56]


@pytest.mark.parametrize(
    ("limit", "moved", "why"),
    [
        (5, 5, "12 were due; that nobody loses more than 5 points in a deal lets 5 be paid"),
        (1, 1, "12 were due; that nobody loses more than 1 point in a deal lets 1 be paid"),
        (12, 12, "Paid in full"),
    ],
)
def test_the_loss_limit_is_named(limit: int, moved: int, why: str) -> None:
    """Rules §4 (`settlement.loss_limit`): H13, where A is owed 12."""
    case = CASES["H13"]
    request = parse_request({**case, "rules": {**case["rules"], "settlement.loss_limit": limit}})
    parties = [SheetPlayer(seat, name) for seat, name in enumerate(request.names)]
    (pair,) = build_sheet(request.rules, request.hands, score_deal(request.rules, request.hands), parties).pairs
    assert (pair.moved.points, pair.moved.why) == (moved, why)


TRIPS = "6c6s6d/7c7d7hJs9h/KcKsKdQd3s"
QUADS = "QcQs2s/7c7d7hJs9h/KcKsKdKh3s"
OTHER = "Ac8h5h/TdTs8s5s4s/QhJhJd4d4c"


@pytest.mark.parametrize(
    ("rules", "board", "fantasyland", "why"),
    [
        # One repeat in a row is all that these rules allow.
        ("ofc_russian", TRIPS, (13, 1), "Stays in fantasyland with 13 cards: three sixes in the front"),
        ("ofc_russian", TRIPS, (13, 2), "Fantasyland ends: limit of 2 in a row"),
        ("ofc_russian", PLAIN, (13, 2), "Fantasyland ends: no repeat hand"),
        ("pineapple", PLAIN, (14, 1), "Fantasyland ends: no repeat hand"),
        # As many cards as before, or the number that the condition names.
        ("pineapple_ultimate", TRIPS, (16, 1), "Stays in fantasyland with 16 cards: three sixes in the front"),
        ("pineapple_progressive", TRIPS, (16, 1), "Stays in fantasyland with 14 cards: three sixes in the front"),
        (
            {
                "preset": "pineapple",
                "fantasyland.repeat": [
                    {"row": "back", "least": "trips", "cards": 15},
                    {"row": "front", "least": "trips", "cards": "same"},
                ],
            },
            TRIPS,
            (14, 1),
            "Stays in fantasyland with 15 cards: three kings in the back",
        ),
        (
            {
                "preset": "pineapple",
                "fantasyland.repeat": [
                    {"row": "back", "least": "trips", "cards": 13},
                    {"row": "front", "least": "trips", "cards": "same"},
                ],
            },
            TRIPS,
            (14, 1),
            "Stays in fantasyland with 14 cards: three sixes in the front",
        ),
        # Of the conditions that are met, that of most cards; each row that alone is enough is named.
        (
            {
                "preset": "pineapple",
                "fantasyland.kind": "custom",
                "fantasyland.entry": [
                    {"row": "front", "least": "QQ", "cards": 14},
                    {"row": "back", "least": "quads", "cards": 15},
                ],
            },
            QUADS,
            (0, 0),
            "Fantasyland with 15 cards next: four kings in the back",
        ),
        (
            {
                "preset": "pineapple",
                "fantasyland.kind": "custom",
                "fantasyland.entry": [
                    {"row": "front", "least": "QQ", "cards": 14},
                    {"row": "back", "least": "quads", "cards": 14},
                    {"royalties": 19, "cards": 14},
                ],
            },
            QUADS,
            (0, 0),
            (
                "Fantasyland with 14 cards next: pair of queens in the front, four kings in the back "
                "and royalties of 19"
            ),
        ),
        (
            {
                "preset": "pineapple",
                "fantasyland.kind": "custom",
                "fantasyland.entry": [{"royalties": 19, "cards": 14}, {"row": "front", "least": "AA", "cards": 14}],
            },
            QUADS,
            (0, 0),
            "Fantasyland with 14 cards next: royalties of 19",
        ),
    ],
)
def test_why_a_hand_comes_to_fantasyland(rules: object, board: str, fantasyland: tuple[int, int], why: str) -> None:
    """Rules §5. American royalties: queens in front 7, trips in the middle 2, quads in the back 10."""
    hands = [hand(board, fantasyland=fantasyland[0], in_row=fantasyland[1]), hand(OTHER)]
    assert filled(rules, hands).hands[0].fantasyland_why == why


def test_a_notebook_shows_the_boards_and_what_was_paid_for() -> None:
    """H13: the match to A, 10 royalties against 4; what brings nothing has no line."""
    html = sheet("H13")._repr_html_()
    for text in ("A won all three rows", "A – B", "+6", "A +12", "B -12", "pair", "points", "why"):
        assert text in html
    assert html.count("♥") > 1
    assert "+0" not in html
    assert "Nobody" not in html
