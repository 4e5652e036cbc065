"""What the source texts state of rows, fouls, royalties, naturals and fantasyland: one statement a line.

Where texts disagree, see test_source_readings.py; the worked cases of tests/cases hold the rest.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tests.case_notes import case
from triptych.scoring.jsonl.answer import process_line


def board(text: str, **more: object) -> dict[str, object]:
    front, middle, back = text.split("/")
    return {"front": front, "middle": middle, "back": back, **more}


def scored_value(rules: str | dict[str, Any], players: dict[str, object], path: str) -> object:
    value: Any = process_line(msgspec.json.encode({"rules": rules, "players": players}))[0]
    for key in path.split("."):
        value = value[key]
    return value


OPEN = {"preset": "pineapple", "royalties.table": "none"}
CLOSED = {"preset": "closed_1_6"}
# Only the middle counts.
LOW_MIDDLE = {"preset": "closed_low_middle", "scoring.rows": "custom", "scoring.points": [0, 1, 0]}

IVEY = {"I": board("6c6h4s/TdTc9dQc8d/3c3h3s2h2d"), "H": board("AhKsQd/9c9s5d5s4c/KhJh9h8h7h")}
# A wins front and back, the middle is tied.
TWO_AND_A_TIE = {"A": board("8c8h5s/KdQc9c9h4c/TdTcTs7h3d"), "B": board("AhKsJd/QdKh9d9s4d/JsJc6c6d2s")}
ALL_THREE = {"A": board("QcQh5h/KdKcKh4c3h/AsJs9s5s2s"), "B": board("6c6h4h/8d8h3c7d2d/TdThTc7h2h")}
TWO_STRAIGHTS = {"A": board("7c5d2s/4h5h6s7d8c/4s5c6d7h8d"), "B": board("JdTs3s/KcQs9s4d2c/JcJs6c6h2d")}
HIGH_CARDS = {"A": board("9c8h5s/KdQc9h5c3h/AsQh9d5d3s"), "B": board("JdTs6s/KcQs9s4d2s/JcJs6c6d2c")}
KINGS_UP_FRONT = {"A": board("KcKh7s/AsJs8s4s2s/TdTcTh6c6h"), "B": board("Ts6sJc/Ad4h7c3d3s/Kd2c9dQh9s")}
# A's front beats its middle; A has kings in front and a flush in the back, B quads.
FOUL = {"A": board("KcKh5h/QdQc9h4c3h/AsJs9s5s2s"), "B": board("AdJd6s/7c7h8c3d2c/TcThTdTs2h")}
# B wins all three rows, the back with a full house against a pair with the deuce of spades.
DEUCE_LOSES = {"A": board("7c5d3s/Kd9c8c7d2c/QhQd6s4c2s"), "B": board("8h6h4h/AdAc9d6c4d/TcThTs5c5h")}
QUADS = {"A": board("7c5c2s/AdAc9c6c8d/4c4h4s4dJd"), "B": board("6s5s2c/KdKc8c7d2h/3d3s3h3cJh")}
STRAIGHT_FLUSH = {"A": board("7c5c2d/AdAc9c6c8d/4h5h6h7h8h"), "B": board("6s5s2c/KdKc8c7d2h/3d3s3h3cJh")}
FULL_MIDDLE = {"A": board("7c5d2s/9d9c9h4c4d/TcThTsJdJc"), "B": board("6s5s2c/KdKc8c7d2h/AdAs3h3cJh")}
TRIPS_FRONT = {"A": board("7c7d7s/9d8c7h6h5d/AcTcKc3c2c"), "B": board("6s5s2d/KdKh8h8d2h/AdAs3h3dJh")}
GIVE_UP = {"A": {"surrender": True}, "B": board("KhKs5h/JdJs8h8s4c/AsAcAhAd9s")}
LOW = {"A": board("Qc6c3s/7d6d4c3d2d/KcKd9h9c5h"), "B": board("Ad7s8s/Td5c4d3h2h/TsTh7c7h9d")}
PAIR_IN_MIDDLE = {"A": board("Qc6c3s/AsJd4c3d2d/KcKd9h9c5h"), "B": board("7d8s9s/4s4d7s5s2h/TsTh7c7h9d")}
JACK_LOW = {"A": board("Qc6c3s/Jd6d4c3d2d/KcKd9h9c5h"), "B": board("Ad7s8s/Td5c4d3h2h/TsTh7c7h9d")}
NO_TEN_TO_ACE = {
    "A": {"natural": "2c2d2h4s5c7d8h9s9c3s3d7h8s"},
    "B": board("QcJc4d/KhKc6d4c5s/TsTcTd6c5d"),
}
# Set as rows of one suit, or in sequence, and not claimed; B has a far better board.
FLUSHES = {"A": board("5h4h2h/Kc9c7c4c2c/AdTd6d5d3d"), "B": board("QhQsQd/AcAhAs9d9h/JcJhJsJdKh")}
STRAIGHTS = {"A": board("4h3d2h/8c7d6h5s4c/KdQcJhTs9d"), "B": board("2c2s2d/8h8s8dKhKs/AcAhAs9c9h")}
# Four sevens were dealt; three lie in front, one in a straight.
BROKEN_QUADS = {"A": board("7c7d7h/7s6d5c4h3d/AcTcKc3c2c"), "B": board("9s9d2d/KsKh4c4s2h/AdAs3s3hJh")}
# Three to seven of hearts were dealt, and lie in three rows.
BROKEN_STRAIGHT_FLUSH = {"A": board("7h6h2d/5h5d4h4s9c/3hJhTh8hAh"), "B": board("Qs8d3d/KsKd6c4c2h/AdAs3s3cJc")}
SIX_PAIRS = {"A": {"natural": "AsAh9s9h8s8h7s7h5s5h4s4h2d"}, "B": board("QcJc3d/KhKc6d4c2c/TsTcTd6c5c")}
# A scoops B and C, D holds a dragon.
BESIDE_A_DRAGON = {
    "A": board("AcAhKd/TcTdTh3d3c/QcQdQh9d9h"),
    "B": board("8h7c5d/JhJd9c6c4d/KcKh5h5c2c"),
    "C": board("Jc7d4c/8c8d7h4h3h/6d6h2d2hAd"),
    "D": {"natural": "AsKsQsJsTs9s8s7s6s5s4s3s2s"},
}
# The joker in front may not be a third queen over a pair of kings.
JOKER = {"A": board("QsQdX1/KcKh5c6c8d/2h4h9hThJh"), "B": board("9s3s2c/TdTs9d3d4c/AsAcAd7s7d")}


def test_statement() -> None:
    cases: list[tuple[str, Any, Any, str, object]] = [
        # Row points
        ("sources 003 L21.4, 004 L71.4", TWO_AND_A_TIE, OPEN | {"scoring.rows": "two_four"}, "pairs.A-B", 3),
        ("sources 003 L31.1, 004 L81.1", IVEY, CLOSED | {"scoring.rows": "two_four"}, "pairs.I-H", 2),
        ("sources 003 L31.2, 004 L81.2", IVEY, CLOSED, "pairs.I-H", 1),
        (
            "source 004 L67.7: a count of one's own",
            TWO_AND_A_TIE,
            OPEN | {"scoring.rows": "custom", "scoring.points": [1, 2, 3], "scoring.bonus": 4},
            "pairs.A-B",
            1 + 3,
        ),
        ("sources 003 L105.2, 004 L150.2: not with two players", ALL_THREE, {"preset": "first_to_11"}, "totals.A", 3),
        # Order of rows
        ("source 000 L208", TWO_STRAIGHTS, OPEN, "legal.A", True),
        ("source 000 L159.1", HIGH_CARDS, OPEN, "legal.A", True),
        ("source 000 L155-157, L159.2", KINGS_UP_FRONT, OPEN, "legal.A", True),
        (
            "source 000 L11.3, L151.1, L207.1, L222, L257, L319.1, L333.1: front over middle",
            FOUL,
            OPEN,
            "legal.A",
            False,
        ),
        (
            "source 000 L159.4",
            JOKER,
            {"preset": "pineapple_joker", "rows.joker_value": "best_total"},
            "legal.A",
            True,
        ),
        (
            "source 000 L159.4",
            JOKER,
            {"preset": "pineapple_joker", "rows.joker_value": "best_total"},
            "royalties.A",
            {"front": 7, "middle": 0, "back": 4},
        ),
        # Fouls: six, and the opponent's quads; nothing of one's own
        (
            "source 000 L19.2-4, L207.2, L215.1, L220.1-2, L333.2, L349.1-2",
            FOUL,
            {"preset": "ofc_russian"},
            "pairs.A-B",
            -6 - 8,
        ),
        ("source 000 L215.1, L220.1-2", FOUL, {"preset": "ofc_pokerstars"}, "pairs.A-B", -6 - 10),
        ("sources 003 L89.1, 004 L130.1: as a scoop", FOUL, CLOSED, "pairs.A-B", -6),
        # Royalties
        ("source 000 L292.2, L294", DEUCE_LOSES, {"preset": "ofc_finnish"}, "pairs.A-B", -6 - 12),
        (
            "source 000 L15.3, L341, L365: a table of one's own",
            QUADS,
            OPEN | {"royalties.table.back.quads": 7},
            "royalties.A.back",
            7,
        ),
        *(
            (source, players, OPEN | table, "royalties.A.back", paid)
            for source, table, each in (
                (
                    "sources 003 L60.1, 004 L100.1: all alike",
                    {"royalties.table.back.quads": 1, "royalties.table.back.straight_flush": 1},
                    (1, 1),
                ),
                (
                    "sources 003 L60.2, 004 L100.2: each its own",
                    {"royalties.table.back.quads": 1, "royalties.table.back.straight_flush": 2},
                    (1, 2),
                ),
            )
            for players, paid in zip((QUADS, STRAIGHT_FLUSH), each, strict=True)
        ),
        (
            "source 003 L71-72",
            FULL_MIDDLE,
            CLOSED | {"royalties.table.middle.full_house": 1},
            "royalties.A.middle",
            1,
        ),
        ("source 003 L69-70", TRIPS_FRONT, CLOSED, "royalties.A.front", 3),
        # A wins all rows: 6, 3 for the trips in front, and 4 as if the quads lay in the back
        (
            "sources 003 L60.5, 004 L100.5: quads",
            BROKEN_QUADS,
            CLOSED | {"royalties.broken_up": "paid"},
            "pairs.A-B",
            6 + 3 + 4,
        ),
        ("sources 003 L60.5, 004 L100.5: not everywhere", BROKEN_QUADS, CLOSED, "pairs.A-B", 6 + 3),
        (
            "sources 003 L60.5, 004 L100.5: a straight flush",
            BROKEN_STRAIGHT_FLUSH,
            CLOSED | {"royalties.broken_up": "paid"},
            "royalties.A.back",
            5,
        ),
        # Surrender: three, whatever the other holds
        ("sources 003 L82.1-2, 004 L126.1-2", GIVE_UP, CLOSED, "pairs.A-B", -3),
        # A low in the middle
        ("sources 003 L102, 004 L147: the lower wins", LOW, LOW_MIDDLE, "pairs.A-B", 1),
        ("sources 003 L102, 004 L147: any is legal", PAIR_IN_MIDDLE, LOW_MIDDLE, "legal", {"A": True, "B": True}),
        ("sources 003 L102, 004 L147: a pair is a worse low", PAIR_IN_MIDDLE, LOW_MIDDLE, "pairs.A-B", 1),
        ("source 001 L32.2: a ten is good", LOW, {"preset": "pineapple_27"}, "legal.B", True),
        ("source 001 L32.2: a jack is not", JACK_LOW, {"preset": "pineapple_27"}, "legal.A", False),
        # Naturals
        ("sources 003 L14, 004 L64: three flushes", FLUSHES, CLOSED, "pairs.A-B", 3),
        ("sources 003 L14, 004 L64: three straights", STRAIGHTS, CLOSED, "pairs.A-B", 3),
        ("Rules §4, `must`: not claimed", STRAIGHTS, CLOSED | {"naturals.claim": "must"}, "pairs.A-B", -6 - 3 - 2),
        (
            "source 004 L121",
            NO_TEN_TO_ACE,
            CLOSED | {"naturals.no_pictures": "no_TJQKA"},
            "pairs.A-B",
            3,
        ),
        ("source 004 L123: not a common one", NO_TEN_TO_ACE, CLOSED, "error.code", "player.natural"),
        ("source 003 L85.3: no scoop", SIX_PAIRS, {"preset": "taiwanese"}, "pairs.A-B", 3),
        ("source 003 L85.3: by itself", BESIDE_A_DRAGON, {"preset": "taiwanese"}, "pairs.A-D", -13),
        # Two scoops of three opponents are no home-run: 3 doubled once, and 2 for the full house in the middle.
        ("source 003 L85.3: no home-run", BESIDE_A_DRAGON, {"preset": "taiwanese"}, "pairs.A-B", 6 + 2),
    ]
    for source, players, rules, path, expected in cases:
        with case(source, players, rules, path, expected):
            assert scored_value(rules, players, path) == expected, source


def test_a_natural_is_paid_before_anything_else() -> None:
    """Sources 003 L41.1, 004 L91.1: at once, so five points left pay the dragon and not the rows lost to B."""
    line = {
        "rules": {**CLOSED, "settlement.cap": "none"},
        "players": {
            "A": board("Jc7d4c/8c8d7h4h3h/6d6h2d2hAd"),
            "B": board("AcAhKd/TcTdTh3d3c/QcQdQh9d9h"),
            "C": {"natural": "AsKsQsJsTs9s8s7s6s5s4s3s2s"},
        },
        "stacks": {"A": 5, "B": 100, "C": 100},
    }
    value: Any = process_line(msgspec.json.encode(line))[0]
    assert value["pairs"] == {"A-B": -6 - 2, "A-C": -13, "B-C": -13}
    assert value["stacks"] == {"A": 0, "B": 100 - 13, "C": 100 + 5 + 13}


# Front, middle and back of who may be in fantasyland next; the second fouls.
QUEENS = board("QcQh3s/KdKc9h8h7d/AcAhThTc5h")
DEAD_QUEENS = board("QcQh3s/KdJc9h8h7d/AcAhThTc5h")
KINGS = board("KcKh3s/AsAd9h8h7d/JcJdTsTc5h")
ACES = board("AcAh3s/KdKc9h9d7d/QsQdQhTc5h")
DEUCES = board("2c2h2d/KdQdJdTs9h/AcTc9c5c4c")
KINGS_AND_A_LOW = board("KcKh3s/7d6d4c3d2d/AsAd9h9c5h")
OTHER = board("7c6s4s/8c8s7h3h2s/JhJs8d6h4h")


def test_entry() -> None:
    cases: list[tuple[str, Any, Any, int]] = [
        ("sources 000 L78.1, L287.1, 001 L37.1: queens", "ofc_american", QUEENS, 13),
        ("source 000 L78.1, L287.1: or higher", "ofc_american", KINGS, 13),
        ("source 000 L78.1, L287.1: trips too", "ofc_american", DEUCES, 13),
        ("source 000 L184.1: all cards at once", {"preset": "ofc_american", "fantasyland.kind": "aces"}, ACES, 13),
        ("source 000 L184.1: aces", {"preset": "ofc_american", "fantasyland.kind": "aces"}, KINGS, 0),
        ("source 000 L285.2: Mercier and company", "ofc_american", QUEENS, 13),
        ("source 001 L37.2, L39.2: kings in 2-7", "pineapple_27", KINGS_AND_A_LOW, 14),
        ("source 001 L37.3: unless the board is mis-set", "ofc_american", DEAD_QUEENS, 0),
        ("source 002 L41.1: unlimited", "pineapple", ACES, 14),
        ("source 002 L43.1: progressive", "pineapple_progressive", QUEENS, 14),
        ("source 002 L43.2", "pineapple_progressive", KINGS, 15),
        ("source 002 L43.3", "pineapple_progressive", ACES, 16),
        ("source 002 L43.4", "pineapple_progressive", DEUCES, 17),
        ("source 002 L43.6: dead", "pineapple_progressive", DEAD_QUEENS, 0),
        ("source 002 L45.1: ultimate", "pineapple_ultimate", QUEENS, 14),
        ("source 002 L45.1: dead", "pineapple_ultimate", DEAD_QUEENS, 0),
        ("source 002 L45.2: as in the second kind", "pineapple_ultimate", KINGS, 15),
        ("source 002 L45.2", "pineapple_ultimate", ACES, 16),
        ("source 002 L45.2", "pineapple_ultimate", DEUCES, 17),
        ("source 002 L47.1: tournament", "pineapple_tournament", QUEENS, 13),
        ("source 002 L47.1: dead", "pineapple_tournament", DEAD_QUEENS, 0),
        ("source 002 L47.2", "pineapple_tournament", KINGS, 14),
        ("source 002 L47.3", "pineapple_tournament", ACES, 15),
        ("source 002 L47.4", "pineapple_tournament", DEUCES, 16),
    ]
    for source, preset, hand, cards in cases:
        with case(source, preset, hand, cards):
            assert scored_value(preset, {"A": hand, "B": OTHER}, "fantasyland.A") == cards, source


def test_the_loser_of_a_deal_can_enter_fantasyland() -> None:
    """Source 000 L368.1-3: queens in front, thirteen cards next, also when all three rows were lost."""
    players: dict[str, object] = {"A": QUEENS, "B": board("KhKs4s/AdAsQd8c7s/JhJdJs4h2h")}
    assert scored_value("ofc_russian", players, "pairs.A-B") < 0  # type: ignore[operator]
    assert scored_value("ofc_russian", players, "fantasyland.A") == 13


FULL = board("6c4hQd/9s9h9d2c2s/ThKsTdKcKh")
TRIPS = board("5s5h5d/KhQdJhTs9h/AdTd9d4d3d")
QUADS_BACK = board("AcJh4h/AsAh6h5h3s/TsThTdTc5s")
DEAD_QUADS = board("AcAdJh/KsKh6h5h3s/TsThTdTc5s")
NOTHING = board("AcJh4h/KsKh6h5h3s/TsThQdQs5s")


def test_repeat() -> None:
    for source, preset, hand, cards, in_row, expected in [
        ("source 000 L80, L82-83, L370.1", "ofc_russian", QUADS_BACK, 13, 1, 13),
        ("source 000 L80, L84-85, L370.1", "ofc_russian", FULL, 13, 1, 13),
        ("source 000 L80, L86-87, L370.1", "ofc_russian", TRIPS, 13, 1, 13),
        ("source 000 L80", "ofc_russian", NOTHING, 13, 1, 0),
        ("source 000 L288.1-3", "ofc_american", QUADS_BACK, 13, 1, 13),
        ("source 000 L288.1-3", "ofc_american", FULL, 13, 4, 13),
        ("source 000 L288.1-3", "ofc_american", TRIPS, 13, 2, 13),
        ("sources 001 L43.2, 002 L39.4, L41.2-3", "pineapple", QUADS_BACK, 14, 5, 14),
        ("sources 001 L43.2, 002 L39.4, L41.2-3", "pineapple", TRIPS, 14, 9, 14),
        ("source 002 L39.4", "pineapple", NOTHING, 14, 1, 0),
        ("source 002 L41.4", "pineapple", DEAD_QUADS, 14, 1, 0),
        ("source 002 L43.5, L43.7", "pineapple_progressive", QUADS_BACK, 16, 3, 14),
        ("source 002 L43.5, L43.7", "pineapple_progressive", TRIPS, 15, 1, 14),
        ("source 002 L43.6", "pineapple_progressive", DEAD_QUADS, 16, 1, 0),
        *(("source 002 L45.2", "pineapple_ultimate", QUADS_BACK, cards, 1, cards) for cards in range(14, 18)),
        ("sources 001 L43.1, 002 L47.5", "pineapple_tournament", QUADS_BACK, 14, 1, 0),
    ]:
        with case(source, preset, hand, cards, in_row, expected):
            players: dict[str, object] = {
                "A": {**hand, "fantasyland": {"cards": cards, "in_row": in_row}},
                "B": board("7c8h2d/7d6s4c3c2h/8s8dQhJc9c"),
            }
            assert scored_value(preset, players, "fantasyland.A") == expected, source
