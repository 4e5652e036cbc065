"""Where the seeds disagree: the same deal scored by both readings. Each line names its seed and line."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.case_notes import case
from triptych.scoring.jsonl.answer import process_line


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
NONE = {"front": 0, "middle": 0, "back": 0}
GIVE_UP = {"A": {"surrender": True}, "B": board("KhKs5h/JdJs8h8s4c/AsAcQh9d9s")}
SIX_PAIRS = {"A": {"natural": "AsAh9s9h8s8h7s7h5s5h4s4h2d"}, "B": board("QcJc3d/KhKc6d4c2c/TsTcTd6c5c")}
NO_PICTURES = {"A": {"natural": "AsAh9s9h8s8h7c6h5s5h4s3c2d"}, "B": board("QcJc3d/KhKc6d4c2c/TsTcTd6c5c")}
QUEENS = {"A": board("QcQh3s/KdKc9h8h7d/AcAhThTc5h"), "B": board("8c6s4s/AdQd8s7h2s/JhJdJs4h2h")}


def test_reading() -> None:
    cases: list[tuple[str, Any, Any, str, object]] = [
        # Row points
        ("sources 003 L17.2, 004 L67.2: one a row", SPLIT, {"scoring.rows": "per_row"}, "pairs.A-B", 1),
        (
            "sources 003 L17.4, L21.1-2, 004 L67.4, L71.1-2: and for two",
            SPLIT,
            {"scoring.rows": "two_four"},
            "pairs.A-B",
            2,
        ),
        ("sources 003 L17.5, 004 L67.5: for all three only", SPLIT, {"scoring.rows": "one_four"}, "pairs.A-B", 1),
        (
            "source 000 L11.2, L17.1, L212, L345.1: a match is one",
            SPLIT,
            {"scoring.rows": "match_1_6"},
            "pairs.A-B",
            1,
        ),
        ("source 000 L213, L343.2: or two", SPLIT, {"scoring.rows": "match_2_6"}, "pairs.A-B", 2),
        ("source 002 L55.1: not the 1-6 method", SPLIT, {"scoring.rows": "per_row_scoop3"}, "pairs.A-B", 1),
        (
            "sources 001 L24.3-4, 002 L55.2, 003 L23, 004 L73: three more",
            SCOOP,
            {"scoring.rows": "per_row_scoop3"},
            "pairs.A-B",
            6,
        ),
        (
            "sources 003 L17.4, L21.2, 004 L67.4, L71.2: and for three",
            SCOOP,
            {"scoring.rows": "two_four"},
            "pairs.A-B",
            4,
        ),
        ("sources 003 L17.5, 004 L67.5: for a scoop", SCOOP, {"scoring.rows": "one_four"}, "pairs.A-B", 4),
        ("source 000 L17.2, L214, L345.2: all three are six", SCOOP, {"scoring.rows": "match_1_6"}, "pairs.A-B", 6),
        (
            "source 003 L85.1: double",
            SCOOP,
            {"scoring.rows": "per_row", "scoring.scoop_doubles": True},
            "pairs.A-B",
            6,
        ),
        ("Rules §4: one win, two ties", TIES, {"scoring.rows": "match_1_6"}, "pairs.A-B", 0),
        (
            "Rules §4: more rows win the match",
            TIES,
            {"scoring.rows": "match_1_6", "scoring.match_tied": "more_rows"},
            "pairs.A-B",
            1,
        ),
        (
            "sources 003 L105.1, 004 L150.1: the best row at the table",
            SPLIT,
            {"scoring.rows": "first_to_11"},
            "totals.A",
            2,
        ),
        # Order of rows and straights
        ("sources 000 L11.4, L337, 002 L17.2: rows may be equal", EQUAL, {}, "legal.A", True),
        ("source 001 L31: each row is weaker", EQUAL, {"rows.order": "gt"}, "legal.A", False),
        ("Rules §3: the lowest straight", WHEEL, {"scoring.rows": "per_row"}, "pairs.A-B", -1),
        (
            "sources 003 L104, 004 L149: the second highest",
            WHEEL,
            {"scoring.rows": "per_row", "rows.wheel": "second"},
            "pairs.A-B",
            1,
        ),
        ("source 001 L32: ten-low or better", LOW, {"preset": "pineapple_27"}, "pairs.A-B", 6 + 7 + 4),
        # Fouls
        ("sources 001 L34.2, 002 L11.1, L17.1, L17.3, L57.1-2: all three", FOUL, {}, "pairs.A-B", -6),
        ("sources 003 L89.1, 004 L130.1: as a scoop, in 2-4", FOUL, {"scoring.rows": "two_four"}, "pairs.A-B", -4),
        (
            "source 000 L215: six, whatever a scoop is",
            FOUL,
            {"scoring.rows": "per_row", "foul.points": 6},
            "pairs.A-B",
            -6,
        ),
        ("source 000 L161: only the offending rows", ROWS_DEAD, {"foul.scope": "rows"}, "pairs.A-B", 1 - 2),
        (
            "source 000 L161: the others count",
            ROWS_DEAD,
            {"preset": "pineapple", "foul.scope": "rows"},
            "royalties.A.front",
            7,
        ),
        ("Rules §8: a fouled board has none", ROWS_DEAD, {"preset": "pineapple"}, "royalties", {"B": NONE}),
        (
            "source 000 L19.1, L151.2, L207.1-2, L222, L237.1, L309, L319.2, 002 L15: dead",
            ROWS_DEAD,
            {},
            "pairs.A-B",
            -6,
        ),
        # Royalties
        (
            "sources 000 L19.8, 003 L60.4, 004 L100.4: they cancel",
            QUADS,
            {"royalties.table": "russian", "scoring.rows": "match_1_6"},
            "pairs.A-B",
            6,
        ),
        (
            "source 000 L21.3: the higher four takes them",
            QUADS,
            {"royalties.table": "russian", "scoring.rows": "match_1_6", "royalties.rule": "row_winner"},
            "pairs.A-B",
            14,
        ),
        ("source 000 L34, L169: ten", QUADS, {"royalties.table": "american"}, "royalties.A.back", 10),
        ("source 000 L43, L169: eight", QUADS, {"royalties.table": "russian"}, "royalties.A.back", 8),
        ("source 004 L109: four units", QUADS, {"royalties.table": "closed_units"}, "royalties.A.back", 4),
        ("source 000 L247: two for trips", TRIPS, {"royalties.table": "american"}, "royalties.A.middle", 2),
        ("source 000 L237: nothing", TRIPS, {"royalties.table": "pokerstars"}, "royalties.A.middle", 0),
        (
            "sources 000 L219, 002 L59.1: all, of both",
            SCOOP,
            {"royalties.table": "american"},
            "pairs.A-B",
            6 + 7 + 2 + 4 - 1,
        ),
        (
            "sources 003 L60.6, 004 L100.6: one a hand",
            SCOOP,
            {"royalties.table": "american", "royalties.one_per_board": True},
            "pairs.A-B",
            6 + 7 - 1,
        ),
        (
            "source 000 L292.1: doubled by 2s",
            SCOOP,
            {"royalties.table": "american", "royalties.deuce_of_spades": True},
            "pairs.A-B",
            6 + 7 + 2 + 8 - 1,
        ),
        (
            "sources 003 L36, 004 L86: undeclared is lost",
            SCOOP,
            {"royalties.table": "american", "royalties.declare": "must"},
            "royalties.A",
            {"front": 0, "middle": 0, "back": 0},
        ),
        # Surrender and naturals
        ("sources 003 L82.1, 004 L126.1", GIVE_UP, {"preset": "closed_1_6"}, "pairs.A-B", -3),
        (
            "sources 003 L82.3, 004 L126.3: not an option",
            GIVE_UP,
            {"preset": "closed_1_6", "surrender.points": 0},
            "error.code",
            "player.surrender",
        ),
        ("sources 003 L45, 004 L95, L118", SIX_PAIRS, {"preset": "closed_1_6"}, "pairs.A-B", 3),
        ("Rules §4: thirteen-water", SIX_PAIRS, {"preset": "thirteen_water"}, "pairs.A-B", 4),
        (
            "source 003 L53: the ace is no picture",
            NO_PICTURES,
            {"preset": "closed_1_6", "naturals.no_pictures": "no_JQK"},
            "pairs.A-B",
            3,
        ),
        (
            "source 004 L121: the ace counts",
            NO_PICTURES,
            {"preset": "closed_1_6", "naturals.no_pictures": "no_TJQKA"},
            "error.code",
            "player.natural",
        ),
        # Fantasyland
        ("source 002 L35.1, L41.1", QUEENS, {}, "fantasyland.A", 14),
        ("source 000 L78.1-2, L287.1", QUEENS, {"preset": "ofc_american"}, "fantasyland.A", 13),
        ("source 000 L180, L182, L285.1: without it", QUEENS, {"preset": "ofc_pokerstars"}, "fantasyland.A", 0),
        ("source 000 L184.1: aces only", QUEENS, {"fantasyland.kind": "aces"}, "fantasyland.A", 0),
        ("source 001 L37.2: kings in 2-7", LOW, {"preset": "pineapple_27"}, "fantasyland.A", 0),
    ]
    for source, players, rules, path, expected in cases:
        with case(source, players, rules, path, expected):
            plain = {"preset": "pineapple", "royalties.table": "none"}
            spec = rules if "preset" in rules or path.startswith("fantasyland") else plain | rules
            value: Any = process_line(msgspec.json.encode({"rules": spec, "players": players}))[0]
            for key in path.split("."):
                value = value[key]
            assert value == expected, source


FULL = board("6c4hQd/9s9h9d2c2s/ThKsTdKcKh")
TRIPS_IN_FRONT = board("5s5h5d/KcKsJsJdKh/3s3hAdAcAs")


@pytest.mark.parametrize(
    ("source", "preset", "hand", "cards", "in_row", "expected"),
    [
        ("source 000 L80, L84-85, L370.1: full house in the middle", "ofc_russian", FULL, 13, 1, 13),
        ("source 000 L90, L370.2: no more than one repeat in a row", "ofc_russian", FULL, 13, 2, 0),
        ("source 000 L288.1-3: may never leave", "ofc_american", FULL, 13, 5, 13),
        ("source 000 L91: in Pineapple above a full house", "pineapple_russian", FULL, 14, 1, 0),
        ("source 002 L41.2: only front trips or back quads", "pineapple", FULL, 14, 1, 0),
        ("source 002 L43.5, L43.7: fourteen whatever it was", "pineapple_progressive", TRIPS_IN_FRONT, 17, 1, 14),
        ("source 002 L45.2: as many as before", "pineapple_ultimate", TRIPS_IN_FRONT, 17, 4, 17),
        ("sources 001 L43.1, 002 L47.5: none in a tournament", "pineapple_tournament", TRIPS_IN_FRONT, 16, 1, 0),
    ],
)
def test_repeats(source: str, preset: str, hand: dict[str, object], cards: int, in_row: int, expected: int) -> None:
    players = {
        "A": {**hand, "fantasyland": {"cards": cards, "in_row": in_row}},
        "B": board("7c8h2d/7d6s4c3c2h/8s8dQhJc9c"),
    }
    answer: Any = process_line(msgspec.json.encode({"rules": preset, "players": players}))[0]
    assert answer["fantasyland"]["A"] == expected, source


HOME_RUN = {
    "A": board("AcAhKs/KdKcKh9d9h/TdTcTsTh3d"),
    "B": board("8h7s5d/JhJd9s6s4d/QcQd5s5c2c"),
    "C": board("Jc7c4c/6h6c5h3c2h/8s8d4s4h7h"),
}


@pytest.mark.parametrize(
    ("source", "fourth", "rules", "expected"),
    [
        ("source 003 L85.2: three scoops, doubled twice", board("Js8c7d/2d2sQs9c6d/AsAd3s3hQh"), {}, 12),
        ("Rules §4: who surrendered is not scooped", {"surrender": True}, {"surrender.points": 4}, 6),
        ("sources 003 L89, 004 L130: a mis-set board is out", board("Js8cQs/AsAd3s3hQh/2d2s7d9c6d"), {}, 6),
        (
            "sources 003 L89.2, 004 L130.2: or still plays",
            board("Js8cQs/AsAd3s3h6d/2d2s7d9cQh"),
            {"foul.still_plays": True},
            12,
        ),
    ],
)
def test_home_run(source: str, fourth: dict[str, object], rules: dict[str, object], expected: int) -> None:
    line = {"rules": {"preset": "taiwanese", **rules}, "players": {**HOME_RUN, "D": fourth}}
    answer: Any = process_line(msgspec.json.encode(line))[0]
    assert [answer["pairs"][key] for key in ("A-B", "A-C")] == [expected + 4 + 2] * 2, source  # royalties 4 and 2


@pytest.mark.parametrize(("key", "stake"), [("X-Y", 3), ("Y-X", 3), ("default", 3)])
def test_a_stake_between_the_owners_counts_for_all_their_boards(key: str, stake: int) -> None:
    """Rules §4 (criss-cross): two players with two boards each, and one stake between them."""
    line = {
        "rules": {"preset": "criss_cross", "settlement.cap": "none"},
        "players": {
            "A": HOME_RUN["A"],
            "B": HOME_RUN["B"],
            "C": HOME_RUN["C"],
            "D": board("Js8c7d/2d2sQs9c6d/AsAd3s3hQh"),
        },
        "owners": {"A": "X", "B": "Y", "C": "X", "D": "Y"},
    }
    plain: Any = process_line(msgspec.json.encode(line))[0]
    staked: Any = process_line(msgspec.json.encode({**line, "stakes": {key: stake}}))[0]
    assert plain["totals"]["X"]
    assert staked["totals"] == {owner: stake * points for owner, points in plain["totals"].items()}


def test_a_natural_is_paid_before_what_comes_first_by_position() -> None:
    """Rules §6 (naturals paid first): B has 3 for C's six pairs, and nothing is left for A, who acts first."""
    players = {
        "A": board("QcQh5h/KdKcKh4c3h/AsJs9s5s3s"),
        "B": board("6c6h4h/8d8h3c7d2d/TdThTc7h2h"),
        "C": {"natural": "AhAdJhJd9h9d5c5d8c8s7c7s2s"},
    }
    rules = {"preset": "closed_1_6", "settlement.cap": "min_stack_at_start"}
    line = {"rules": rules, "players": players, "stacks": {"A": 100, "B": 3, "C": 100}}
    answer: Any = process_line(msgspec.json.encode(line))[0]
    assert answer["stacks"] == {"A": 97, "B": 0, "C": 106}
