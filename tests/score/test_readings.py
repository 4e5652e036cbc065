"""Where the seeds disagree: the same deal scored by both readings. Each line names its seed and line."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from triptych.score.lines.answer import answer


def board(text: str, **more: object) -> dict[str, object]:
    front, middle, back = text.split("/")
    return {"front": front, "middle": middle, "back": back, **more}


# A wins front and middle, B wins the back.
SPLIT = {"A": board("8c8h5s/KdQc9c9h4c/TdTh7c3d2h"), "B": board("JdTs6s/KcQh9s8d4s/JcJs6c6d2c")}
# A wins all three rows; A's back is a flush with the deuce of spades.
SCOOP = {"A": board("QcQh5h/KdKcKh4c3h/AsJs9s5s2s"), "B": board("6c6h4h/8d8h3c7d2d/TdThTc7h2h")}
EQUAL = {"A": board("9c8h5s/KdQc9h5c3h/KsQh9d5d3s"), "B": board("JdTs6s/KcQs9s4d2s/JcJs6c6d2c")}
FOUL = {"A": board("KcKh5h/QdQc9h4c3h/AsJs9s5s2s"), "B": board("AdJd6s/7c7h8c3d2c/8h8s6c6d2h")}
ROWS_DEAD = {"A": board("QcQh5s/KdKcKh4c4h/3s4s5d6c7h"), "B": board("JdTs6s/8d8h9c7d2d/TdThTc9h2h")}
WHEEL = {"A": board("Jc6c3s/KdKc9c8c7d/Ac2d3c4h5h"), "B": board("8h6s4s/AdAh8s7h2s/KsQdJhTs9h")}
TIES = {"A": board("QcTh5s/KdKs9c8h4c/AhAs7c6c3d"), "B": board("JdTs6s/KcKh9s8d4s/AdAc7d6d3c")}
QUADS = {"A": board("7c5c2s/AdAc9c6c8d/4c4h4s4dJd"), "B": board("6s5s2c/KdKc8c7d2h/3d3s3h3cJh")}
TRIPS = {"A": board("7c5c2s/9d9c9h6c8d/TcThTs4dJd"), "B": board("6s5s2c/KdKc8c7d2h/AdAs3h3cJh")}
LOW = {"A": board("QcQh3s/7d6d4c3d2d/KcKd9h9c5h"), "B": board("Ad6s8s/Td5c4d3h2h/TsTh7c7h9d")}
GIVE_UP = {"A": {"surrender": True}, "B": board("KhKs5h/JdJs8h8s4c/AsAcQh9d9s")}
SIX_PAIRS = {"A": {"natural": "AsAh9s9h8s8h7s7h5s5h4s4h2d"}, "B": board("QcJc3d/KhKc6d4c2c/TsTcTd6c5c")}
NO_PICTURES = {"A": {"natural": "AsAh9s9h8s8h7c6h5s5h4s3c2d"}, "B": board("QcJc3d/KhKc6d4c2c/TsTcTd6c5c")}
QUEENS = {"A": board("QcQh3s/KdKc9h8h7d/AcAhThTc5h"), "B": board("8c6s4s/AdQd8s7h2s/JhJdJs4h2h")}


@pytest.mark.parametrize(
    ("source", "players", "rules", "path", "expected"),
    [
        # Row points
        ("seed 004 L67", SPLIT, {"scoring.rows": "per_row"}, "pairs.A-B", 1),
        ("seed 004 L71: one for winning more", SPLIT, {"scoring.rows": "two_four"}, "pairs.A-B", 2),
        ("seed 004 L67: one for all three only", SPLIT, {"scoring.rows": "one_four"}, "pairs.A-B", 1),
        ("seed 000 L17: a match is one", SPLIT, {"scoring.rows": "match_1_6"}, "pairs.A-B", 1),
        ("seed 000 L213: or two", SPLIT, {"scoring.rows": "match_2_6"}, "pairs.A-B", 2),
        ("seed 002 L55: not the 1-6 method", SPLIT, {"scoring.rows": "per_row_scoop3"}, "pairs.A-B", 1),
        ("seed 004 L73: three more for a scoop", SCOOP, {"scoring.rows": "per_row_scoop3"}, "pairs.A-B", 6),
        ("seed 004 L71", SCOOP, {"scoring.rows": "two_four"}, "pairs.A-B", 4),
        ("seed 004 L67", SCOOP, {"scoring.rows": "one_four"}, "pairs.A-B", 4),
        ("seed 000 L17", SCOOP, {"scoring.rows": "match_1_6"}, "pairs.A-B", 6),
        (
            "seed 003 L85: double",
            SCOOP,
            {"scoring.rows": "per_row", "scoring.scoop_doubles": True},
            "pairs.A-B",
            6,
        ),
        ("RULEBOOK 4: one win, two ties", TIES, {"scoring.rows": "match_1_6"}, "pairs.A-B", 0),
        (
            "RULEBOOK 4: more rows win the match",
            TIES,
            {"scoring.rows": "match_1_6", "scoring.match_tied": "more_rows"},
            "pairs.A-B",
            1,
        ),
        ("seed 004 L150: the best row at the table", SPLIT, {"scoring.rows": "first_to_11"}, "totals.A", 2),
        # Order of rows and straights
        ("seed 000 L13: equality is permissible", EQUAL, {}, "legal.A", True),
        ("seed 000 L203: bottom > middle > top", EQUAL, {"rows.order": "gt"}, "legal.A", False),
        ("RULEBOOK 3: the lowest straight", WHEEL, {"scoring.rows": "per_row"}, "pairs.A-B", -1),
        (
            "seed 004 L149: the second highest",
            WHEEL,
            {"scoring.rows": "per_row", "rows.wheel": "second"},
            "pairs.A-B",
            1,
        ),
        ("seed 001 L32: no stronger than ten-high", LOW, {"preset": "pineapple_27"}, "pairs.A-B", 6 + 7 + 4),
        # Fouls
        ("seed 002 L57: all three rows", FOUL, {}, "pairs.A-B", -6),
        ("seed 004 L130: as a scoop, in 2-4", FOUL, {"scoring.rows": "two_four"}, "pairs.A-B", -4),
        ("seed 000 L215: six to each", FOUL, {"scoring.rows": "per_row", "foul.points": 6}, "pairs.A-B", -6),
        ("seed 000 L161: only the offending rows", ROWS_DEAD, {"foul.scope": "rows"}, "pairs.A-B", 1 - 2),
        ("seed 000 L19: the hand is dead", ROWS_DEAD, {}, "pairs.A-B", -6),
        # Royalties
        (
            "seed 000 L273: regardless of the row",
            QUADS,
            {"royalties.table": "russian", "scoring.rows": "match_1_6"},
            "pairs.A-B",
            6,
        ),
        (
            "seed 000 L21: the higher four takes them",
            QUADS,
            {"royalties.table": "russian", "scoring.rows": "match_1_6", "royalties.rule": "row_winner"},
            "pairs.A-B",
            14,
        ),
        ("seed 000 L38: ten", QUADS, {"royalties.table": "american"}, "royalties.A.back", 10),
        ("seed 000 L26: eight", QUADS, {"royalties.table": "russian"}, "royalties.A.back", 8),
        ("seed 004 L109: four units", QUADS, {"royalties.table": "closed_units"}, "royalties.A.back", 4),
        ("seed 000 L247: two for trips", TRIPS, {"royalties.table": "american"}, "royalties.A.middle", 2),
        ("seed 000 L237: nothing", TRIPS, {"royalties.table": "pokerstars"}, "royalties.A.middle", 0),
        ("seed 002 L59: all of a board", SCOOP, {"royalties.table": "american"}, "pairs.A-B", 6 + 7 + 2 + 4 - 1),
        (
            "seed 004 L100: one a hand",
            SCOOP,
            {"royalties.table": "american", "royalties.one_per_board": True},
            "pairs.A-B",
            6 + 7 - 1,
        ),
        (
            "seed 000 L292: doubled by 2s",
            SCOOP,
            {"royalties.table": "american", "royalties.deuce_of_spades": True},
            "pairs.A-B",
            6 + 7 + 2 + 8 - 1,
        ),
        (
            "seed 004 L86: undeclared is lost",
            SCOOP,
            {"royalties.table": "american", "royalties.declare": "must"},
            "royalties.A",
            {"front": 0, "middle": 0, "back": 0},
        ),
        # Surrender and naturals
        ("seed 004 L126", GIVE_UP, {"preset": "closed_1_6"}, "pairs.A-B", -3),
        (
            "seed 004 L126: not an option",
            GIVE_UP,
            {"preset": "closed_1_6", "surrender.points": 0},
            "error.code",
            "player.surrender",
        ),
        ("seed 004 L119", SIX_PAIRS, {"preset": "closed_1_6"}, "pairs.A-B", 3),
        ("RULEBOOK 4: thirteen-water", SIX_PAIRS, {"preset": "thirteen_water"}, "pairs.A-B", 4),
        (
            "seed 003 L53: the ace is no picture",
            NO_PICTURES,
            {"preset": "closed_1_6", "naturals.no_pictures": "no_JQK"},
            "pairs.A-B",
            3,
        ),
        (
            "seed 004 L121: the ace counts",
            NO_PICTURES,
            {"preset": "closed_1_6", "naturals.no_pictures": "no_TJQKA"},
            "error.code",
            "player.natural",
        ),
        # Fantasyland
        ("seed 002 L41", QUEENS, {}, "fantasyland.A", 14),
        ("seed 000 L287", QUEENS, {"preset": "ofc_american"}, "fantasyland.A", 13),
        ("seed 000 L285: without it", QUEENS, {"preset": "ofc_pokerstars"}, "fantasyland.A", 0),
        ("seed 000 L184: aces only", QUEENS, {"fantasyland.kind": "aces"}, "fantasyland.A", 0),
        ("seed 001 L37: kings in 2-7", LOW, {"preset": "pineapple_27"}, "fantasyland.A", 0),
    ],
)
def test_reading(
    source: str, players: dict[str, object], rules: dict[str, object], path: str, expected: object
) -> None:
    plain = {"preset": "pineapple", "royalties.table": "none"}
    spec = rules if "preset" in rules or path.startswith("fantasyland") else plain | rules
    found: Any = answer(msgspec.json.encode({"rules": spec, "players": players}))[0]
    for key in path.split("."):
        found = found[key]
    assert found == expected, source


FULL = board("6c4hQd/9s9h9d2c2s/ThKsTdKcKh")
TRIPS_IN_FRONT = board("5s5h5d/KcKsJsJdKh/3s3hAdAcAs")


@pytest.mark.parametrize(
    ("source", "preset", "hand", "cards", "in_row", "expected"),
    [
        ("seed 000 L85: full house in the middle", "ofc_russian", FULL, 13, 1, 13),
        ("seed 000 L90: no more than one repeat in a row", "ofc_russian", FULL, 13, 2, 0),
        ("seed 000 L288: may never leave", "ofc_american", FULL, 13, 5, 13),
        ("seed 000 L91: in Pineapple above a full house", "pineapple_russian", FULL, 14, 1, 0),
        ("seed 002 L41: only front trips or back quads", "pineapple", FULL, 14, 1, 0),
        ("seed 002 L43: fourteen whatever it was", "pineapple_progressive", TRIPS_IN_FRONT, 17, 1, 14),
        ("seed 002 L45: as many as before", "pineapple_ultimate", TRIPS_IN_FRONT, 17, 4, 17),
        ("seed 002 L47: none in a tournament", "pineapple_tournament", TRIPS_IN_FRONT, 16, 1, 0),
    ],
)
def test_repeats(source: str, preset: str, hand: dict[str, object], cards: int, in_row: int, expected: int) -> None:
    players = {
        "A": {**hand, "fantasyland": {"cards": cards, "in_row": in_row}},
        "B": board("7c8h2d/7d6s4c3c2h/8s8dQhJc9c"),
    }
    found: Any = answer(msgspec.json.encode({"rules": preset, "players": players}))[0]
    assert found["fantasyland"]["A"] == expected, source


HOME_RUN = {
    "A": board("AcAhKs/KdKcKh9d9h/TdTcTsTh3d"),
    "B": board("8h7s5d/JhJd9s6s4d/QcQd5s5c2c"),
    "C": board("Jc7c4c/6h6c5h3c2h/8s8d4s4h7h"),
}


@pytest.mark.parametrize(
    ("source", "fourth", "rules", "expected"),
    [
        ("seed 003 L85: three scoops, doubled twice", board("Js8c7d/2d2sQs9c6d/AsAd3s3hQh"), {}, 12),
        ("seed 003 L85: who surrendered is not scooped", {"surrender": True}, {"surrender.points": 4}, 6),
        ("seed 003 L89: a mis-set board is out", board("Js8cQs/AsAd3s3hQh/2d2s7d9c6d"), {}, 6),
        ("seed 003 L89: or still plays", board("Js8cQs/AsAd3s3h6d/2d2s7d9cQh"), {"foul.still_plays": True}, 12),
    ],
)
def test_home_run(source: str, fourth: dict[str, object], rules: dict[str, object], expected: int) -> None:
    line = {"rules": {"preset": "taiwanese", **rules}, "players": {**HOME_RUN, "D": fourth}}
    found: Any = answer(msgspec.json.encode(line))[0]
    assert [found["pairs"][key] for key in ("A-B", "A-C")] == [expected + 4 + 2] * 2, source  # royalties 4 and 2
