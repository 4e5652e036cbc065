"""Every preset against the table of Rules §7, column by column; one row of the book is one case here."""

from __future__ import annotations

import pytest

from tests.case_notes import case
from triptych.rulesets.diff import value_at
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import is_closed, max_fantasyland_cards, streets
from triptych.rulesets.validate import check


def condition(row: str, least: str, cards: int) -> dict[str, object]:
    return {"row": row, "least": least, "cards": cards}


PINEAPPLE = {
    "deal.game": "pineapple",
    "deal.jokers": 0,
    "rows.middle": "high",
    "rows.low_limit": "ten",
    "rows.tie_break": "none",
    "scoring.rows": "per_row_scoop3",
    "royalties.table": "american",
    "royalties.rule": "difference",
    "fantasyland.kind": "unlimited",
    "fantasyland.order": "after_others",
    "fantasyland.button": "move",
    "match.kind": "deal_group",
    "settlement.cap": "min_stack_at_start",
    "seats.max": 3,
}
CLASSIC = PINEAPPLE | {
    "deal.game": "classic",
    "fantasyland.kind": "classic",
    "fantasyland.order": "at_start_hidden",
    "fantasyland.button": "stay",
    "match.kind": "orbit",
    "seats.max": 4,
}
DEUCE = PINEAPPLE | {
    "rows.middle": "deuce_to_seven",
    "fantasyland.kind": "deuce",
    "fantasyland.order": "at_start_hidden",
    "fantasyland.button": "stay",
    "match.kind": "orbit",
}
CLOSED = {
    "deal.game": "closed",
    "deal.jokers": 0,
    "rows.middle": "high",
    "rows.low_limit": "ten",
    "rows.tie_break": "none",
    "royalties.broken_up": "lost",
    "naturals.claim": "auto",
    "scoring.rows": "per_row",
    "scoring.scoop_doubles": False,
    "scoring.home_run_doubles": False,
    "royalties.table": "none",
    "naturals.table": "none",
    "naturals.also": (),
    "surrender.points": 0,
    "foul.pays_royalties": False,
    "fantasyland.kind": "none",
    "match.kind": "deal_group",
    "seats.max": 4,
}
CLOSED_1_6 = CLOSED | {
    "scoring.rows": "per_row_scoop3",
    "royalties.table": "closed_units",
    "royalties.rule": "row_winner",
    "naturals.table": "closed_units",
    "surrender.points": 3,
}
TAIWANESE = CLOSED | {
    "scoring.scoop_doubles": True,
    "scoring.home_run_doubles": True,
    "royalties.table": "closed_units",
    "royalties.rule": "row_winner",
    "naturals.table": "closed_units",
    "naturals.also": ("three_straight_flushes", "three_quads", "four_trips"),
}
BOOK: dict[str, dict[str, object]] = {
    "pineapple": PINEAPPLE,
    "pineapple_progressive": PINEAPPLE | {"fantasyland.kind": "progressive"},
    "pineapple_ultimate": PINEAPPLE | {"fantasyland.kind": "ultimate"},
    "pineapple_tournament": PINEAPPLE | {"fantasyland.kind": "tournament"},
    "pineapple_russian": PINEAPPLE
    | {
        "scoring.rows": "match_1_6",
        "royalties.table": "russian",
        "fantasyland.kind": "classic_once",
        "fantasyland.entry": (condition("front", "QQ", 14),),
        "fantasyland.repeat": (
            condition("front", "trips", 14),
            condition("middle", "quads", 14),
            condition("back", "quads", 14),
        ),
        "fantasyland.repeat_limit": 1,
        "fantasyland.order": "at_start_hidden",
        "fantasyland.button": "stay",
    },
    "pineapple_joker": PINEAPPLE | {"deal.jokers": 2, "fantasyland.kind": "progressive"},
    "pineapple_27": DEUCE,
    "ofc_american": CLASSIC,
    "ofc_russian": CLASSIC
    | {
        "scoring.rows": "match_1_6",
        "royalties.table": "russian",
        "fantasyland.kind": "classic_once",
        "timeout.after": "end_match",
    },
    "ofc_pokerstars": CLASSIC
    | {"scoring.rows": "match_1_6", "royalties.table": "pokerstars", "fantasyland.kind": "none"},
    "ofc_finnish": CLASSIC
    | {
        "scoring.rows": "match_1_6",
        "royalties.table": "pokerstars",
        "fantasyland.kind": "none",
        "royalties.deuce_of_spades": True,
    },
    "ofc_27": DEUCE
    | {
        "deal.game": "classic",
        "fantasyland.entry": (
            condition("front", "KK", 13),
            condition("middle", "75432", 13),
            {"all": ({"row": "front", "least": "KK"}, {"row": "middle", "least": "75432"}), "cards": 14},
        ),
        "fantasyland.repeat": (
            condition("front", "trips", 13),
            condition("middle", "75432", 13),
            condition("back", "quads", 13),
        ),
    },
    "turbo": CLASSIC | {"deal.game": "turbo"},
    "closed_1_6": CLOSED_1_6,
    "closed_2_4": CLOSED_1_6 | {"scoring.rows": "two_four"},
    "closed_basic": CLOSED,
    "closed_low_middle": CLOSED
    | {"rows.middle": "deuce_to_seven", "rows.low_limit": "none", "scoring.rows": "per_row_scoop3"},
    "criss_cross": CLOSED | {"deal.game": "criss_cross", "scoring.rows": "two_four", "seats.max": 2},
    "first_to_11": CLOSED | {"scoring.rows": "first_to_11", "match.kind": "points:11"},
    "taiwanese": TAIWANESE,
    "thirteen_water": TAIWANESE | {"naturals.table": "thirteen_water", "naturals.also": ()},
    "malayan": CLOSED | {"royalties.table": "malayan", "royalties.rule": "difference", "naturals.table": "malayan"},
    # Beside the book's table, as each file says after its source.
    "pusoy": CLOSED_1_6 | {"rows.tie_break": "suits", "rows.suits": "cshd"},
    "capsa_susun": TAIWANESE
    | {
        "royalties.table": "capsa_susun",
        "naturals.also": (),
        "rows.tie_break": "suits",
        "rows.suits": "dchs",
        "royalties.table.front.trips": (5,) * 13,
        "royalties.table.middle.full_house": 3,
        "royalties.table.back.quads": 7,
        "royalties.table.middle.quads": 15,
    },
}


def test_the_presets_are_those_of_the_book() -> None:
    assert set(preset_names()) >= set(BOOK)
    assert preset_names()[0] == "pineapple"


def test_preset_is_as_in_the_book() -> None:
    for name, values in BOOK.items():
        with case(name):
            rules = resolve(name)
            assert rules.name == name
            assert rules.title
            assert {key: value_at(rules, key) for key in values} == values


def test_no_preset_contradicts_itself() -> None:
    for name in preset_names():
        with case(name):
            assert check(resolve(name)) == ()


# Rules §2: cards dealt and placed, street by street.
STREETS = {
    "closed_basic": [(13, 13, 0)],
    "criss_cross": [(13, 13, 0)],
    "ofc_american": [(5, 5, 0), *[(1, 1, 0)] * 8],
    "turbo": [(5, 5, 0), (4, 4, 0), (4, 4, 0)],
    "pineapple": [(5, 5, 0), *[(3, 2, 1)] * 4],
}


@pytest.mark.parametrize("name", STREETS)
def test_streets(name: str) -> None:
    steps = streets(resolve(name))
    assert [(street.dealt, street.placed, street.discarded) for street in steps] == STREETS[name]
    assert sum(street.placed for street in steps) == 13


# Rules §5 with the notes of 7: most cards of a fantasyland.
MOST_CARDS = {
    "pineapple": 14,
    "pineapple_progressive": 17,
    "pineapple_ultimate": 17,
    "pineapple_tournament": 16,
    "pineapple_russian": 14,
    "pineapple_joker": 17,
    "pineapple_27": 15,
    "ofc_american": 13,
    "ofc_russian": 13,
    "ofc_pokerstars": 0,
    "ofc_27": 14,
    "turbo": 13,
    "closed_1_6": 0,
}


def test_most_cards_of_a_fantasyland() -> None:
    for name, cards in MOST_CARDS.items():
        with case(name):
            assert max_fantasyland_cards(resolve(name)) == cards


def test_closed_games_are_the_closed_presets() -> None:
    for name in BOOK:
        with case(name):
            assert is_closed(resolve(name)) == (BOOK[name]["deal.game"] in ("closed", "criss_cross"))
