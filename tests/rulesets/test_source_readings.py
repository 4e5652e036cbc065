"""Where the sources disagree, both readings are rules that a table can play (issue 3 Shown by 5).

Each case: what is disputed, then two readings, each with the source's line, the spec that plays it, and the values
that it means. What the readings do to points is proven in tests/scoring.
"""

from __future__ import annotations

from typing import Any

from tests.case_notes import case
from triptych.rulesets.describe.sections import describe
from triptych.rulesets.diff import value_at
from triptych.rulesets.load import read_toml, resolve
from triptych.rulesets.model import Ruleset, max_fantasyland_cards
from triptych.rulesets.text import to_toml
from triptych.rulesets.validate import check

Condition = dict[str, object]
QUEENS_13: Condition = {"row": "front", "least": "QQ", "cards": 13}
TRIPS_14: Condition = {"row": "front", "least": "trips", "cards": 14}
QUADS_14: Condition = {"row": "back", "least": "quads", "cards": 14}
FULL_HOUSE_13 = (
    {**TRIPS_14, "cards": 13},
    {"row": "middle", "least": "full_house", "cards": 13},
    {**QUADS_14, "cards": 13},
)
KINGS: Condition = {"row": "front", "least": "KK"}
BEST_LOW: Condition = {"row": "middle", "least": "75432"}
BOTH_15 = ({**KINGS, "cards": 14}, {**BEST_LOW, "cards": 14}, {"all": (KINGS, BEST_LOW), "cards": 15})

Reading = tuple[str, dict[str, Any], dict[str, Any]]

DISPUTES: dict[str, tuple[Reading, Reading]] = {
    "wheel": (
        ("source 002 L9-15: the usual ranking", {}, {"rows.wheel": "lowest"}),
        ("source 004 L149, source 003 L104: second highest", {"rows.wheel": "second"}, {"rows.wheel": "second"}),
    ),
    "equal rows": (
        ("source 002 L17, source 000 L11, L337: equality is allowed", {}, {"rows.order": "ge"}),
        ("source 001 L31: strength shall be diminished", {"rows.order": "gt"}, {"rows.order": "gt"}),
    ),
    "what a foul spoils": (
        ("source 002 L57, source 000 L19: the board", {}, {"foul.scope": "board"}),
        ("source 000 L161: only the rows out of order", {"foul.scope": "rows"}, {"foul.scope": "rows"}),
    ),
    "royalties of a foul's opponents": (
        ("source 000 L19, L220: paid as well", {"preset": "ofc_russian"}, {"foul.pays_royalties": True}),
        ("source 004 L130: as being scooped, no more", {"preset": "closed_1_6"}, {"foul.pays_royalties": False}),
    ),
    "a mis-set board": (
        ("source 004 L130: pays and is out", {"preset": "closed_1_6"}, {"foul.still_plays": False}),
        (
            "source 004 L130: in some variations still plays",
            {"preset": "closed_1_6", "foul.still_plays": True},
            {"foul.still_plays": True},
        ),
    ),
    "points for rows": (
        ("source 002 L55: one a row, three more for all", {}, {"scoring.rows": "per_row_scoop3"}),
        ("source 000 L17: two rows 1, all three 6", {"preset": "ofc_russian"}, {"scoring.rows": "match_1_6"}),
    ),
    "two rows won": (
        ("source 000 L212: one point", {"preset": "ofc_pokerstars"}, {"scoring.rows": "match_1_6"}),
        (
            "source 000 L213: two points",
            {"preset": "ofc_pokerstars", "scoring.rows": "match_2_6"},
            {"scoring.rows": "match_2_6"},
        ),
    ),
    "the overall unit": (
        ("source 004 L71: for two rows or three", {"preset": "closed_2_4"}, {"scoring.rows": "two_four"}),
        (
            "source 004 L67: in other variants for all three only",
            {"preset": "closed_1_6", "scoring.rows": "one_four"},
            {"scoring.rows": "one_four"},
        ),
    ),
    "pair by pair": (
        ("source 004 L67: a unit from each opponent", {"preset": "closed_basic"}, {"scoring.rows": "per_row"}),
        (
            "source 004 L150: a point for the best at the table",
            {"preset": "first_to_11"},
            {"scoring.rows": "first_to_11", "match.kind": "points:11"},
        ),
    ),
    "a scoop doubles": (
        ("source 004 L73: three more", {"preset": "closed_1_6"}, {"scoring.scoop_doubles": False}),
        (
            "source 003 L85: double, and again for a home-run",
            {"preset": "taiwanese"},
            {"scoring.scoop_doubles": True, "scoring.home_run_doubles": True},
        ),
    ),
    "who is paid royalties": (
        ("source 002 L59, source 000 L273: both, the difference", {}, {"royalties.rule": "difference"}),
        (
            "source 004 L100, source 000 L21: the winner of the row",
            {"preset": "closed_1_6"},
            {"royalties.rule": "row_winner"},
        ),
    ),
    "quads in the back": (
        ("source 000 L43, source 002 L65: ten", {}, {"royalties.table.back.quads": 10}),
        ("source 000 L26: eight", {"royalties.table": "russian"}, {"royalties.table.back.quads": 8}),
    ),
    "trips in the middle": (
        ("source 000 L247, source 002 L68: two", {}, {"royalties.table.middle.trips": 2}),
        ("source 000 L237-243: nothing", {"preset": "ofc_pokerstars"}, {"royalties.table.middle.trips": 0}),
    ),
    "royalties of a board": (
        ("source 002 L59: all of them", {}, {"royalties.one_per_board": False}),
        ("source 004 L100: one a hand", {"royalties.one_per_board": True}, {"royalties.one_per_board": True}),
    ),
    "declaring royalties": (
        ("source 002 L59: regardless", {"preset": "closed_1_6"}, {"royalties.declare": "auto"}),
        (
            "source 004 L86, source 003 L36: before the boards are shown",
            {"preset": "closed_1_6", "royalties.declare": "must"},
            {"royalties.declare": "must"},
        ),
    ),
    "no pictures": (
        (
            "source 003 L53: the ace is no picture",
            {"preset": "closed_1_6", "naturals.no_pictures": "no_JQK"},
            {"naturals.no_pictures": "no_JQK"},
        ),
        (
            "source 004 L121: no card from ten to ace",
            {"preset": "closed_1_6", "naturals.no_pictures": "no_TJQKA"},
            {"naturals.no_pictures": "no_TJQKA"},
        ),
    ),
    "kinds of naturals": (
        ("source 004 L91-96: four kinds", {"preset": "closed_1_6"}, {"naturals.also": ()}),
        (
            "source 003 L46-48: trips, quads and straight flushes too",
            {"preset": "taiwanese"},
            {"naturals.also": ("three_straight_flushes", "three_quads", "four_trips")},
        ),
    ),
    "surrender": (
        ("source 004 L126: between a 2-1 loss and a scoop", {"preset": "closed_1_6"}, {"surrender.points": 3}),
        (
            "source 004 L126: in some variations no option",
            {"preset": "closed_1_6", "surrender.points": 0},
            {"surrender.points": 0},
        ),
    ),
    "entry to fantasyland": (
        ("source 000 L78, L287: queens", {"preset": "ofc_american"}, {"fantasyland.entry": (QUEENS_13,)}),
        (
            "source 000 L184: aces",
            {"preset": "ofc_american", "fantasyland.kind": "aces"},
            {"fantasyland.entry": ({"row": "front", "least": "AA", "cards": 13},)},
        ),
    ),
    "entry to fantasyland in 2-7": (
        ("source 001 L37: kings", {"preset": "pineapple_27"}, {"fantasyland.entry": BOTH_15}),
        (
            "source 000 L78: queens",
            {"preset": "pineapple_27", "fantasyland.entry": [QUEENS_13]},
            {"fantasyland.entry": (QUEENS_13,)},
        ),
    ),
    "how often fantasyland repeats": (
        ("source 000 L288, source 002 L41: without end", {}, {"fantasyland.repeat_limit": "none"}),
        ("source 000 L90, L370: once", {"preset": "ofc_russian"}, {"fantasyland.repeat_limit": 1}),
    ),
    "whether fantasyland repeats": (
        ("source 002 L41: it does", {}, {"fantasyland.repeat": (TRIPS_14, QUADS_14)}),
        (
            "source 002 L47: never",
            {"preset": "pineapple_tournament"},
            {"fantasyland.repeat": ()},
        ),
    ),
    "a full house in the middle keeps fantasyland": (
        ("source 000 L84-85, L288: yes", {"preset": "ofc_american"}, {"fantasyland.repeat": FULL_HOUSE_13}),
        ("source 001 L43, source 002 L41: no", {}, {"fantasyland.repeat": (TRIPS_14, QUADS_14)}),
    ),
    "a full house in the middle of Russian Pineapple": (
        ("source 000 L84-85: enough", {"preset": "ofc_russian"}, {"fantasyland.repeat": FULL_HOUSE_13}),
        (
            "source 000 L91: must be beaten",
            {"preset": "pineapple_russian"},
            {"fantasyland.repeat": (TRIPS_14, {"row": "middle", "least": "quads", "cards": 14}, QUADS_14)},
        ),
    ),
    "cards of a repeated fantasyland": (
        ("source 002 L43: 14", {"preset": "pineapple_progressive"}, {"fantasyland.repeat": (TRIPS_14, QUADS_14)}),
        (
            "source 002 L45: as many as at first",
            {"preset": "pineapple_ultimate"},
            {"fantasyland.repeat": ({**TRIPS_14, "cards": "same"}, {**QUADS_14, "cards": "same"})},
        ),
    ),
    "when fantasyland is dealt": (
        ("source 002 L37: after the others", {}, {"fantasyland.order": "after_others"}),
        (
            "source 001 L39, source 000 L78: at the start",
            {"preset": "ofc_american"},
            {"fantasyland.order": "at_start_hidden"},
        ),
    ),
    "the button and fantasyland": (
        ("source 002 L5: moves", {}, {"fantasyland.button": "move"}),
        ("source 000 L78, source 001 L41: stays", {"preset": "ofc_american"}, {"fantasyland.button": "stay"}),
    ),
    "whether there is fantasyland": (
        ("source 000 L285: Mercier and company always", {"preset": "ofc_american"}, {"fantasyland.kind": "classic"}),
        ("source 000 L285: not in the PokerStars manual", {"preset": "ofc_pokerstars"}, {"fantasyland.kind": "none"}),
    ),
    "what a match is": (
        ("source 002 L5: a deal and its fantasylands", {}, {"match.kind": "deal_group"}),
        ("source 001 L8: once round the table", {"preset": "ofc_american"}, {"match.kind": "orbit"}),
    ),
    "after a time-out": (
        ("source 002 L31: sits out", {}, {"timeout.after": "sit_out"}),
        ("source 000 L95: the game ends", {"preset": "ofc_russian"}, {"timeout.after": "end_match"}),
    ),
    "the time bank at a new table": (
        ("source 002 L31: resets at new tables", {}, {"clock.new_table": "reset"}),
        ("source 002 L31: resumes at another table", {"clock.new_table": "carry"}, {"clock.new_table": "carry"}),
    ),
    "table stakes": (
        ("source 002 L7: not more than was brought", {}, {"settlement.cap": "min_stack_at_start"}),
        ("source 000 L300: settled after the session", {"settlement.cap": "none"}, {"settlement.cap": "none"}),
    ),
    "jokers": (
        ("source 001 L5: none", {}, {"deal.jokers": 0}),
        ("source 002 L5: 54 cards at Joker tables", {"preset": "pineapple_joker"}, {"deal.jokers": 2}),
    ),
    "the deuce of spades": (
        ("source 000 L218-266: no such rule", {"preset": "ofc_pokerstars"}, {"royalties.deuce_of_spades": False}),
        ("source 000 L292: doubles the row", {"preset": "ofc_finnish"}, {"royalties.deuce_of_spades": True}),
    ),
}
CASES = [(name, *reading) for name, readings in DISPUTES.items() for reading in readings]


def test_reading() -> None:
    for dispute, source, spec, values in CASES:
        with case(dispute, source, spec, values):
            rules = resolve(spec)
            assert {key: value_at(rules, key) for key in values} == values, (dispute, source)
            assert check(rules) == ()
            assert read_toml(to_toml(rules)) == rules


def test_the_readings_differ_and_say_so() -> None:
    for dispute, ((_, first, _), (_, second, _)) in DISPUTES.items():
        with case(dispute):
            assert resolve(first) != resolve(second)
            assert describe(resolve(first)) != describe(resolve(second))


def _errors(rules: Ruleset) -> list[str]:
    return [finding.code for finding in check(rules) if finding.severity == "error"]


def test_pineapple_seats() -> None:
    """Source 001 L6 and source 000 L101 allow three, source 000 L311 four: four need 68 cards (Rules §2)."""
    assert _errors(resolve("pineapple")) == []
    assert _errors(resolve({"preset": "pineapple", "seats.max": 4})) == ["check.deck"]


def test_cards_of_a_fantasyland_in_pineapple() -> None:
    """Source 000 L103 gives 14 cards, source 001 L39 one or two more than 13, source 002 L43 up to 17."""
    assert max_fantasyland_cards(resolve("pineapple_russian")) == 14
    assert max_fantasyland_cards(resolve("pineapple_27")) == 15
    assert max_fantasyland_cards(resolve("pineapple_progressive")) == 17
