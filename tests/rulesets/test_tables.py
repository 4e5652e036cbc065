"""The named tables against Rules §4 and 5."""

from __future__ import annotations

import pytest

from triptych.rulesets.catalog import table_names
from triptych.rulesets.load import resolve

ONE_TO_NINE = (0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
TEN_TO_22 = tuple(range(10, 23))
NOTHING = (0,) * 13
FIVES = ("trips", "straight", "flush", "full_house", "quads", "straight_flush", "royal_flush")

# Rules §4, royalty tables: (back, middle, front pairs, front trips), fives in the order of FIVES.
# american: sources 000 L33, L34.1-2, L40-74, L141.1, L245-247, 002 L62-96;
# russian: source 000 L26, L28, L30, L31, L40-74, L355-361;
# pokerstars: source 000 L223-228, L237.2, L238-243, L258-270; pokerstars_low: source 000 L230-235, L249-255;
# closed_units: sources 003 L69-70, L73-77, 004 L108-115.
ROYALTIES = {
    "none": ((0,) * 7, (0,) * 7, NOTHING, NOTHING),
    "american": ((0, 2, 4, 6, 10, 15, 25), (2, 4, 8, 12, 20, 30, 50), ONE_TO_NINE, TEN_TO_22),
    "russian": ((0, 2, 4, 6, 8, 10, 15), (2, 4, 8, 12, 16, 20, 30), ONE_TO_NINE, TEN_TO_22),
    "pokerstars": ((0, 2, 4, 6, 10, 15, 25), (0, 4, 8, 12, 20, 30, 50), ONE_TO_NINE, TEN_TO_22),
    "pokerstars_low": ((0, 2, 4, 6, 8, 10, 15), (0, 4, 8, 12, 16, 20, 30), ONE_TO_NINE, TEN_TO_22),
    "closed_units": ((0, 0, 0, 0, 4, 5, 10), (0, 0, 0, 2, 8, 10, 20), NOTHING, (3,) * 13),
    "eastern": ((0, 0, 0, 0, 4, 5, 7), (0, 0, 0, 2, 8, 10, 14), NOTHING, (3,) * 13),
    "malayan": ((0, 0, 0, 0, 4, 6, 6), (0, 0, 0, 2, 6, 8, 8), NOTHING, (2,) * 13),
}


def test_royalty_tables_are_those_of_the_book() -> None:
    assert set(table_names("royalties")) == set(ROYALTIES)


@pytest.mark.parametrize("name", ROYALTIES)
def test_royalty_table(name: str) -> None:
    table = resolve({"royalties.table": name}).royalties.table
    back, middle, pair, trips = ROYALTIES[name]
    assert table.name == name
    assert tuple(getattr(table.back, five) for five in FIVES) == back
    assert tuple(getattr(table.middle, five) for five in FIVES) == middle
    assert table.front.pair == pair
    assert table.front.trips == trips


@pytest.mark.parametrize("name", ["american", "russian"])
def test_royalties_grow_with_the_hand_and_towards_the_front(name: str) -> None:
    """Source 001 L25.2-3: the stronger the hand the more; the same hand pays most in front, least in the back."""
    table = resolve({"royalties.table": name}).royalties.table
    back, middle = ([getattr(row, five) for five in FIVES] for row in (table.back, table.middle))
    for points in (back, middle, table.front.pair, table.front.trips):
        assert list(points) == sorted(points)
    assert all(more > less for more, less in zip(middle, back, strict=True))
    assert min(table.front.trips) > table.middle.trips


@pytest.mark.parametrize("name", ["american", "russian", "pokerstars", "pokerstars_low"])
def test_deuce_to_seven_middle_pays_in_the_open_tables(name: str) -> None:
    low = resolve({"royalties.table": name}).royalties.table.low
    assert (low.nine, low.eight, low.seven, low.best) == (1, 2, 4, 8)


# closed_units: source 004 L118, L119, L120, L122. The other two: Rules §4.
NATURALS = {
    "none": {},
    "closed_units": {"six_pairs": 3, "three_straights": 3, "three_flushes": 3, "dragon": 13},
    "thirteen_water": {
        "one_suit_dragon": 108,
        "dragon": 36,
        "twelve_pictures": 24,
        "three_straight_flushes": 22,
        "three_quads": 20,
        "all_eight_and_above": 15,
        "all_eight_and_below": 12,
        "one_colour": 10,
        "four_trips": 6,
        "five_pairs_and_trips": 5,
        "six_pairs": 4,
        "three_flushes": 3,
        "three_straights": 3,
    },
    "malayan": {
        "three_flushes": 3,
        "three_straights": 4,
        "six_pairs": 4,
        "five_pairs_and_trips": 5,
        "four_trips": 6,
        "one_colour": 10,
        "all_eight_and_below": 10,
        "all_eight_and_above": 10,
        "three_quads": 16,
        "three_straight_flushes": 18,
        "twelve_pictures": 18,
        "one_suit_dragon": 26,
    },
}


def test_natural_tables_are_those_of_the_book() -> None:
    assert set(table_names("naturals")) == set(NATURALS)


@pytest.mark.parametrize("name", NATURALS)
def test_natural_table(name: str) -> None:
    table = resolve({"naturals.table": name}).naturals.table
    units = [entry.units for entry in table.entries]
    assert {entry.kind: entry.units for entry in table.entries} == NATURALS[name]
    assert units == sorted(units, reverse=True)
    assert table.rule == ("difference" if name == "malayan" else "higher")


def test_flushes_stand_above_straights_in_thirteen_water() -> None:
    kinds = [entry.kind for entry in resolve("thirteen_water").naturals.table.entries]
    assert kinds.index("three_flushes") < kinds.index("three_straights")


FRONT = {"QQ": 13, "KK": 14, "AA": 15, "trips": 16}
KEEPS = (("front", "trips"), ("back", "quads"))
CLASSIC = (KEEPS[0], ("middle", "full_house"), KEEPS[1])
DEUCE = (KEEPS[0], ("middle", "75432"), KEEPS[1])

# Rules §5; source 002 L39.5, L43.1-4, L47.1-4.
# Entry by the front with its cards, what repeats, repeat cards, repeats in a row.
FANTASYLANDS: dict[str, tuple[dict[str, int], tuple[tuple[str, str], ...], object, object]] = {
    "none": ({}, (), 0, "none"),
    "custom": ({}, (), 0, "none"),
    "classic": ({"QQ": 13}, CLASSIC, 13, "none"),
    "classic_once": ({"QQ": 13}, CLASSIC, 13, 1),
    "unlimited": ({"QQ": 14}, KEEPS, 14, "none"),
    "progressive": ({hand: cards + 1 for hand, cards in FRONT.items()}, KEEPS, 14, "none"),
    "ultimate": ({hand: cards + 1 for hand, cards in FRONT.items()}, KEEPS, "same", "none"),
    "tournament": (FRONT, (), 0, "none"),
    "deuce": ({"KK": 14}, DEUCE, 14, "none"),
    "aces": ({"AA": 13}, (), 0, "none"),
}


def test_fantasylands_are_those_of_the_book() -> None:
    assert set(table_names("fantasyland")) == set(FANTASYLANDS)


@pytest.mark.parametrize("name", FANTASYLANDS)
def test_fantasyland(name: str) -> None:
    fantasyland = resolve({"fantasyland.kind": name}).fantasyland
    front, repeat, cards, limit = FANTASYLANDS[name]
    assert fantasyland.kind == name
    assert {entry.least: entry.cards for entry in fantasyland.entry if entry.row == "front"} == front
    assert tuple((condition.row, condition.least) for condition in fantasyland.repeat) == repeat
    assert {condition.cards for condition in fantasyland.repeat} == ({cards} if repeat else set())
    assert fantasyland.repeat_limit == limit


def test_deuce_counts_the_best_low() -> None:
    _, low, both = resolve({"fantasyland.kind": "deuce"}).fantasyland.entry
    assert (low.row, low.least, low.cards) == ("middle", "75432", 14)
    assert [(part.row, part.least) for part in both.all] == [("front", "KK"), ("middle", "75432")]
    assert both.cards == 15
