"""The words for two players' numbers, case by case. Rules §3 and 4; the numbers themselves: test_oracle.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from triptych.scoring.jsonl.request import parse_request
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.showdown import score_deal

if TYPE_CHECKING:
    from triptych.scoring.sheet.types import SheetPair

LOW = "pineapple_27"
CLOSED = "closed_1_6"
OPEN = "pineapple"
# A wins front and middle, B wins the back.
SPLIT = ("8c8h5s/KdQc9c9h4c/TdTh7c3d2h", "JdTs6s/KcQh9s8d4s/JcJs6c6d2c")
# A wins all three rows, with 7 for the front, 2 for the middle and 4 for the back; B's front is worth 1.
SCOOP = ("QcQh5h/KdKcKh4c3h/AsJs9s5s3s", "6c6h4h/8d8h3c7d2d/TdThTc7h2h")
TIES = ("QcTh5s/KdKs9c8h4c/AhAs7c6c3d", "JdTs6s/KcKh9s8d4s/AdAc7d6d3c")
FOUL = ("KcKh5h/QdQc9h4c3h/AsJs9s5s2s", "AdJd6s/7c7h8c3d2c/8h8s6c6d2h")
BACK_FOUL = ("JcTh5h/QdQc9h4c3h/AsJs9s5s2h", "AdJd6s/7c7h8c3d2c/8h8s6c6d2s")
# B's 6 for four eights, against a board out of order with 7 in the front.
FOULED = ("QcQh5s/KdKcKh4c4h/3s4s5d6c7h", "JdTs6s/9d9c7d2d2h/8s8d8h8cAh")
BOTH_FOUL = ("AcAhAs/KdKcQs9s8h/QdQc4c3h2h", "KhKsJd/8d8c9c7d2d/TdTh5c9h2c")
ROW_DEAD = ("QcQh5s/KdKcKh4c4h/3s4s5d6c7h", "JdTs6s/8d8h9c7d2d/TdThTc9h2h")
BOTH_ROWS_DEAD = ("KdKc3s/QdQc4c3h2h/JsTs8h7c5d", "JdTh6s/8d8c9c7d2d/KhQs9h5c4d")
LOW_EQUAL = ("Qc6h3s/7d6d4c3d2d/KcKd9h8c5h", "Ad6s8s/7c6c4s3h2h/TsTh9c8h5d")
LOW_BOTH = ("AcAh3s/KdQd4c3d2d/KcKh9h8c5h", "Ad6s8s/Td5c4d3h2h/TsTh7c7h9d")
LOW_FRONT = ("AcAh3s/7d6d4c3d2d/KcKd9h8c5h", "Ad6s8s/Td5c4d3h2h/TsTh7c7h9d")
STRAIGHTS = ("9c8h5s/5h6d7c8s9h/5d6c7h8d9s", "JdTs6s/KcQs9d4d2s/JcJs6h4c2c")
SUITS = ("KcQc9c/AcKh8c6h3c/ThTc7h5h2c", "KdQd9d/AdKs8d6s3d/TdTs7s5s2d")
CLOSER = ("KcQc9c/AcKh9h6h3c/ThTc8h5h2c", "KdQd8d/AdKs8s6s3d/TdTs7s5s2d")
SIX_PAIRS = "AsAh9s9h8s8h7s7h5s5h4s4h2d"
FREE_PAIRS = "AhAdJhJd9h9d5c5d8c8s7c7s2s"  # beside the first board of SCOOP
OTHER_PAIRS = "AcAd9c9d8c8d7c7d5c5d4c4d2h"
PLAIN = "Qc9c3c/JdJcTh6s3d/KsKdTd6c2c"
DRAGON = "AdKcQhJdTh9d8c7c6c5d4d3h2c"
THREE_FLUSHES = "2c5c8c/3d6d8dTdJd/4h6h7hThAh"
WORTHLESS: dict[str, object] = {
    "preset": "closed_basic",
    "naturals.table": {"entries": [{"kind": "six_pairs", "units": 0}]},
}
LOW_CLOSER = ("AcQh3s/7d6d4c3d2d/KcKd9h8c5h", "AdJs8s/Td6c4s3h2h/KsKh7h8d5s")
LOW_MIDDLE = ("Ac5s3s/KdQd4c3d2d/KcKh9h8c5h", "Ad6s8s/Td5c4d3h2h/TsTh7c7h9d")
QUADS = ("7c5c2s/AdAc9c6c8d/4c4h4s4dJd", "6s5s2c/KdKc8c7d2h/3d3s3h3cJh")


def player(text: str) -> dict[str, Any]:
    if text == "surrender":
        return {"surrender": True}
    if "/" not in text:
        return {"natural": text}
    front, middle, back = text.split("/")
    return {"front": front, "middle": middle, "back": back}


def paired(rules: str | dict[str, object], hands: tuple[str, str]) -> SheetPair:
    document: dict[str, object] = {"rules": rules, "players": {"A": player(hands[0]), "B": player(hands[1])}}
    request = parse_request(document)
    parties = [SheetPlayer(seat, name) for seat, name in enumerate(request.names)]
    sheet = build_sheet(
        request.rules, request.hands, score_deal(request.rules, request.hands), parties, stakes={(0, 1): 1}
    )
    return sheet.pairs[0]


def by(preset: str, **rules: object) -> dict[str, object]:
    """Return a preset with other options; `scoring__rows` is `scoring.rows`."""
    return {"preset": preset, **{key.replace("__", "."): value for key, value in rules.items()}}


@pytest.mark.parametrize(
    ("rules", "hands", "cell", "points", "why"),
    [
        # Rows
        (OPEN, SPLIT, "front", 1, "A's pair of eights beats jack high"),
        (OPEN, SPLIT, "back", -1, "B's two pair, jacks and sixes beats pair of tens"),
        (
            by(OPEN, scoring__rows="custom", scoring__points=[1, 2, 5]),
            SPLIT,
            "middle",
            2,
            "A's pair of nines beats king high",
        ),
        (
            by(OPEN, scoring__rows="custom", scoring__points=[1, 2, 5]),
            SCOOP,
            "back",
            5,
            "A's flush, ace high beats three tens",
        ),
        (by(OPEN, scoring__rows="match_2_6"), SPLIT, "front", 0, "A's pair of eights beats jack high"),
        (OPEN, CLOSER, "front", 1, "Both have king high; A's side cards are higher"),
        (OPEN, TIES, "middle", 0, "Both have pair of kings: no points"),
        (LOW, LOW_EQUAL, "middle", 0, "Both have 7-6-4-3-2 low: no points"),
        (LOW, LOW_EQUAL, "front", -1, "B's ace high beats queen high"),
        (by(OPEN, foul__scope="rows"), ROW_DEAD, "front", 1, "A's pair of queens beats jack high"),
        (by(OPEN, foul__scope="rows"), ROW_DEAD, "middle", -1, "A's row breaks the order and loses"),
        (by(OPEN, foul__scope="rows"), ROW_DEAD[::-1], "back", 1, "B's row breaks the order and loses"),
        (by(OPEN, foul__scope="rows"), BOTH_ROWS_DEAD, "middle", 0, "Both rows foul"),
        (by(OPEN, foul__scope="rows"), BOTH_ROWS_DEAD, "front", -1, "A's row breaks the order and loses"),
        (OPEN, ROW_DEAD, "front", 0, "Not compared"),
        (OPEN, ROW_DEAD[::-1], "front", 0, "Not compared"),
        (CLOSED, ("surrender", SCOOP[1]), "back", 0, "Not compared"),
        # Three flushes in the rows are a natural (source 003 L14): they play no rows.
        (CLOSED, (THREE_FLUSHES, SCOOP[0]), "back", 0, "Not compared"),
        ("first_to_11", SPLIT, "front", 0, "A's pair of eights beats jack high"),
        (LOW, LOW_CLOSER, "front", 1, "Both have ace high; A's side cards are higher"),
        (LOW, LOW_CLOSER, "back", 1, "Both have pair of kings; A's side cards are higher"),
        # What the rows bring together
        (OPEN, SCOOP, "scoop", 3, "A won all three rows"),
        (OPEN, SCOOP[::-1], "scoop", -3, "A won all three rows".replace("A", "B")),
        (OPEN, SPLIT, "scoop", 0, ""),
        (OPEN, ROW_DEAD, "scoop", 0, ""),
        (by(OPEN, scoring__rows="match_1_6"), SPLIT, "scoop", 1, "A won the match, 2 rows to 1"),
        (by(OPEN, scoring__rows="match_2_6"), SPLIT[::-1], "scoop", -2, "B won the match, 2 rows to 1"),
        (by(OPEN, scoring__rows="match_1_6"), TIES, "scoop", 0, "No one won the match"),
        (by(OPEN, scoring__rows="match_1_6"), SCOOP, "scoop", 6, "A won all three rows"),
        (by(OPEN, scoring__rows="two_four"), SPLIT, "scoop", 1, "A won more rows"),
        (by(OPEN, scoring__rows="two_four"), TIES, "scoop", 0, ""),
        (by(OPEN, scoring__rows="per_row"), SCOOP, "scoop", 0, "A won all three rows"),
        ("first_to_11", SPLIT, "scoop", 0, "The best row at the table wins its point"),
        (by(OPEN, scoring__rows="custom", scoring__bonus=3), SCOOP, "scoop", 3, "A won all three rows"),
        (
            by(OPEN, scoring__rows="per_row", scoring__scoop_doubles=True),
            SCOOP,
            "scoop",
            3,
            "A won all three rows, doubled for the scoop",
        ),
        # Royalties
        (
            OPEN,
            SCOOP,
            "royalties",
            12,
            (
                "A 7 for pair of queens in the front, A 2 for three kings in the middle, "
                "A 4 for flush, ace high in the back, B 1 for pair of sixes in the front"
            ),
        ),
        (
            by(OPEN, royalties__rule="row_winner"),
            QUADS,
            "royalties",
            10,
            "Only the winner of a row is paid: A 10 for four fours in the back",
        ),
        (
            by(OPEN, royalties__rule="row_winner"),
            QUADS[::-1],
            "royalties",
            -10,
            "Only the winner of a row is paid: B 10 for four fours in the back",
        ),
        (
            by(OPEN, royalties__rule="row_winner"),
            SPLIT[::-1],
            "royalties",
            -3,
            "Only the winner of a row is paid: B 3 for pair of eights in the front",
        ),
        (by(OPEN, royalties__rule="row_winner"), TIES, "royalties", 0, ""),
        (OPEN, TIES, "royalties", 0, ""),
        (by(OPEN, foul__pays_royalties=False), FOULED, "royalties", 0, ""),
        (
            by(OPEN, foul__pays_royalties=True),
            FOULED,
            "royalties",
            -10,
            "A fouled and pays B 10 for four eights in the back",
        ),
        (
            by(OPEN, foul__pays_royalties=True),
            FOULED[::-1],
            "royalties",
            10,
            "B fouled and pays A 10 for four eights in the back",
        ),
        (by(OPEN, foul__pays_royalties=True), FOUL, "royalties", 0, ""),
        (by(OPEN, foul__pays_royalties=True), BOTH_FOUL, "royalties", 0, ""),
        (by(OPEN, foul__scope="rows"), ROW_DEAD, "royalties", 7, "A 7 for pair of queens in the front"),
        # Fouls
        (OPEN, FOUL, "other", -6, "A fouled (the front beats the middle) and pays the value of a scoop"),
        (OPEN, FOUL[::-1], "other", 6, "B fouled (the front beats the middle) and pays the value of a scoop"),
        (OPEN, BACK_FOUL, "other", -6, "A fouled (the middle beats the back) and pays the value of a scoop"),
        (
            by(OPEN, foul__points=4),
            FOUL,
            "other",
            -4,
            "A fouled (the front beats the middle) and pays the agreed points",
        ),
        (
            by(OPEN, rows__order="gt"),
            STRAIGHTS,
            "other",
            -6,
            "A fouled (the middle equals the back) and pays the value of a scoop",
        ),
        (LOW, LOW_FRONT, "other", -6, "A fouled (the front beats the back) and pays the value of a scoop"),
        (LOW, LOW_MIDDLE, "other", -6, "A fouled (the middle isn’t a ten-low) and pays the value of a scoop"),
        (
            LOW,
            LOW_BOTH,
            "other",
            -6,
            "A fouled (the middle isn’t a ten-low and the front beats the back) and pays the value of a scoop",
        ),
        (
            by(OPEN, scoring__rows="per_row", scoring__scoop_doubles=True),
            FOUL,
            "other",
            -6,
            "A fouled (the front beats the middle) and pays the value of a scoop, doubled for the scoop",
        ),
        (OPEN, BOTH_FOUL, "other", 0, "Both foul: no points"),
        (by(OPEN, foul__scope="rows"), ROW_DEAD, "other", 0, ""),
        (OPEN, SCOOP, "other", 0, ""),
        # Surrenders and naturals
        (CLOSED, ("surrender", SCOOP[1]), "other", -3, "A surrendered and pays 3"),
        (CLOSED, (SCOOP[0], "surrender"), "other", 3, "B surrendered and pays 3"),
        (CLOSED, (FOUL[0], "surrender"), "other", 0, "A surrender pays only players whose board is played and legal"),
        (CLOSED, (SIX_PAIRS, "surrender"), "royalties", 0, ""),
        (CLOSED, ("surrender", SIX_PAIRS), "royalties", 0, ""),
        (by(CLOSED, royalties__table="american"), (FREE_PAIRS, SCOOP[0]), "royalties", 0, ""),
        (by(CLOSED, royalties__table="american"), (SCOOP[0], FREE_PAIRS), "royalties", 0, ""),
        (CLOSED, (SIX_PAIRS, "surrender"), "other", 3, "A holds six pairs (3)"),
        (
            CLOSED,
            (SIX_PAIRS, OTHER_PAIRS),
            "other",
            0,
            "A holds six pairs (3); B holds six pairs (3): equal, nothing is paid",
        ),
        (
            CLOSED,
            (SIX_PAIRS, DRAGON),
            "other",
            -13,
            "A holds six pairs (3); B holds dragon (all thirteen ranks) (13)",
        ),
        # Custom rules may list a natural that only spares its holder the showdown.
        (WORTHLESS, (SIX_PAIRS, PLAIN), "other", 0, "A holds six pairs (0)"),
    ],
)
def test_why(rules: str | dict[str, object], hands: tuple[str, str], cell: str, points: int, why: str) -> None:
    result = getattr(paired(rules, hands), cell)
    assert (result.points, result.why) == (points, why)


@pytest.mark.parametrize(
    ("rules", "hands", "won"),
    [
        (OPEN, SPLIT, (1, 1, -1)),
        (OPEN, TIES, (1, 0, 0)),
        (by(OPEN, foul__scope="rows"), ROW_DEAD, (1, -1, -1)),
        (OPEN, ROW_DEAD, (0, 0, 0)),
        (OPEN, BOTH_FOUL, (0, 0, 0)),
        (CLOSED, ("surrender", SCOOP[1]), (0, 0, 0)),
    ],
)
def test_the_winner_of_each_row_is_on_the_sheet(
    rules: str | dict[str, object], hands: tuple[str, str], won: tuple[int, int, int]
) -> None:
    assert paired(rules, hands).won == won


@pytest.mark.parametrize(
    ("board", "row"),
    [
        ("QcQh2s/KdKcKh4c3h/AsJs9s5s3s", "front"),
        ("QcQh5s/2s2d2c4c3h/AsJs9s8s3s", "middle"),
        ("QcQh5s/4c2d2c3h2s/AsJs9s8s3s", "middle"),
        ("QcQh5h/KdKcKh4c3h/2sJs9s5sAs", "back"),
        ("QcQh5h/KdKcKh4c3h/AsJs9s5s2s", "back"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_the_row_that_the_deuce_of_spades_doubles_is_named(board: str, row: str, turned: bool) -> None:  # noqa: FBT001
    hands = (board, "6c6h4h/8d8h3c7d5d/TdThTc7h2h")
    pair = paired(by(OPEN, royalties__deuce_of_spades=True), hands[::-1] if turned else hands)
    assert pair.royalties.why.endswith(f"; the deuce of spades doubles the {row}")
    assert "deuce of spades" not in paired(OPEN, hands).royalties.why


def test_suits_decide_where_they_break_ties() -> None:
    """Rules §3 (`rows.tie_break = suits`): clubs are the lowest suit, diamonds the highest, in pusoy."""
    pair = paired("pusoy", SUITS)
    assert pair.front.why == "Both have king high; B's higher suit wins"
    assert pair.middle.why == "Both have ace high; B's higher suit wins"
    low = paired(by(LOW, rows__tie_break="suits"), LOW_EQUAL)
    assert "have 7-6-4-3-2 low" in low.middle.why
    assert low.middle.why.endswith("lower suit wins")


@pytest.mark.parametrize(
    ("scoops", "words"), [(True, ", doubled twice for the home-run"), (False, ", doubled for the home-run")]
)
def test_a_home_run_is_named(scoops: bool, words: str) -> None:  # noqa: FBT001 - a table
    """Source 003 L85.2: who scoops all three others."""
    boards = {
        "A": "AcAhKs/KdKcKh9d9h/TdTcTsTh3d",
        "B": "8h7s5d/JhJd9s6s4d/QcQd5s5c2c",
        "C": "Jc7c4c/6h6c5h3c2h/8s8d4s4h7h",
        "D": "Js8c7d/2d2sQs9c6d/AsAd3s3hQh",
    }
    rules = {"preset": "taiwanese", "scoring.scoop_doubles": scoops}
    request = parse_request({"rules": rules, "players": {name: player(board) for name, board in boards.items()}})
    parties = [SheetPlayer(seat, name) for seat, name in enumerate(request.names)]
    sheet = build_sheet(request.rules, request.hands, score_deal(request.rules, request.hands), parties)
    home_run = [pair.scoop.why for pair in sheet.pairs if 0 in (pair.a, pair.b)]
    assert home_run == [f"A won all three rows{words}"] * 3
