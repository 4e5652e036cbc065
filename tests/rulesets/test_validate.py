"""Contradictions: each finding of check.py with rules that bring it, and rules beside them that do not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.case_notes import case
from triptych.i18n.messages import Message
from triptych.rulesets.load import resolve
from triptych.rulesets.validate import CODES, check, loss_and_scoop


def condition(row: str, least: str, cards: int = 14) -> dict[str, object]:
    return {"row": row, "least": least, "cards": cards}


TRIPS_14 = [14] * 13
ONE_BUY_IN = {"seats.buy_in_min": 200}
LEVELS: dict[str, Any] = {"tournament.levels": "minutes:30", "tournament.chips_per_point": [1, 2, 4]}
BOOK: dict[str, Any] = {"settlement.credit": True, "settlement.cap": "none"}
CHIPS = "$.tournament.chips_per_point"

# preset, overrides, severity, code, path; section of the LAW or seed behind each group.
FINDINGS: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("pineapple", {"seats.min": 3, "seats.max": 2}, "error", "check.seats", "$.seats.min"),
    ("pineapple", {"seats.buy_in_min": 300}, "error", "check.buy_in", "$.seats.buy_in_min"),
    # Sources 003 L103, 004 L148: criss-cross is played heads up.
    ("criss_cross", {"seats.max": 4}, "error", "check.criss_cross_seats", "$.seats.max"),
    # Rules §2: three fantasylands of 17 fit in 52; four Pineapple players do not.
    # Sources 000 L101.1, L123, L376.3, 001 L6.3.
    ("pineapple", {"seats.max": 4}, "error", "check.deck", "$.seats.max"),
    ("pineapple_joker", {"seats.max": 4}, "error", "check.deck", "$.seats.max"),
    ("ofc_american", {"fantasyland.kind": "unlimited"}, "error", "check.deck", "$.seats.max"),
    ("ofc_american", {"fantasyland.entry": [condition("front", "QQ")]}, "error", "check.deck", "$.seats.max"),
    # Rules §5.
    ("closed_1_6", {"fantasyland.kind": "classic"}, "error", "check.fantasyland_closed", "$.fantasyland.kind"),
    ("pineapple", {"deal.game": "closed"}, "error", "check.fantasyland_closed", "$.fantasyland.kind"),
    ("pineapple", {"fantasyland.entry": []}, "warning", "check.fantasyland_front", "$.fantasyland.entry"),
    ("pineapple", {"fantasyland.kind": "custom"}, "warning", "check.fantasyland_empty", "$.fantasyland.entry"),
    (
        "pineapple",
        {"fantasyland.entry": [condition("front", "QQ"), condition("front", "straight")]},
        "error",
        "check.fantasyland_hand",
        "$.fantasyland.entry[1].least",
    ),
    (
        "pineapple_27",
        {"fantasyland.repeat": [{"all": [{"row": "back", "least": "75432"}], "cards": 14}]},
        "error",
        "check.fantasyland_hand",
        "$.fantasyland.repeat[0].all[0].least",
    ),
    (
        "pineapple_27",
        {"fantasyland.repeat": [condition("middle", "full_house")]},
        "warning",
        "check.fantasyland_middle",
        "$.fantasyland.repeat[0].least",
    ),
    (
        "pineapple_27",
        {"rows.middle": "high"},
        "warning",
        "check.fantasyland_middle",
        "$.fantasyland.entry[1].least",
    ),
    (
        "pineapple",
        {"fantasyland.entry": [condition("middle", "75432")]},
        "warning",
        "check.fantasyland_middle",
        "$.fantasyland.entry[0].least",
    ),
    (
        "pineapple",
        {"royalties.table": "none", "fantasyland.entry": [{"royalties": 9, "cards": 14}]},
        "warning",
        "check.fantasyland_royalties",
        "$.fantasyland.entry[0].royalties",
    ),
    # Rules §4: what only closed games have.
    ("pineapple", {"royalties.declare": "must"}, "error", "check.declare", "$.royalties.declare"),
    ("turbo", {"naturals.table": "malayan"}, "warning", "check.naturals_open", "$.naturals.table"),
    ("turbo", {"naturals.also": ["dragon"]}, "warning", "check.naturals_open", "$.naturals.table"),
    ("turbo", {"surrender.points": 3}, "warning", "check.surrender_open", "$.surrender.points"),
    ("turbo", {"foul.still_plays": True}, "warning", "check.foul_still_plays", "$.foul.still_plays"),
    ("taiwanese", {"naturals.also": ["dragon"]}, "warning", "check.naturals_twice", "$.naturals.also[0]"),
    (
        "taiwanese",
        {"naturals.also": ["no_JQK"], "naturals.no_pictures": "no_JQK"},
        "warning",
        "check.naturals_twice",
        "$.naturals.no_pictures",
    ),
    (
        "closed_1_6",
        {"naturals.table.entries": [{"kind": "dragon", "units": 1}, {"kind": "dragon", "units": 2}]},
        "error",
        "check.naturals_twice",
        "$.naturals.table.entries[1].kind",
    ),
    ("closed_1_6", {"deal.jokers": 2}, "warning", "check.naturals_jokers", "$.naturals.table"),
    # Sources 003 L82.1, 004 L126.1: more than a 2-1 loss, less than a scoop.
    ("closed_1_6", {"surrender.points": 1}, "warning", "check.surrender_bounds", "$.surrender.points"),
    ("closed_1_6", {"surrender.points": 6}, "warning", "check.surrender_bounds", "$.surrender.points"),
    ("closed_2_4", {"surrender.points": 2}, "warning", "check.surrender_bounds", "$.surrender.points"),
    ("closed_2_4", {"surrender.points": 4}, "warning", "check.surrender_bounds", "$.surrender.points"),
    # Rules §3.
    ("pineapple", {"foul.points": 0}, "warning", "check.foul_points", "$.foul.points"),
    ("pineapple", {"foul.points": 6, "foul.scope": "rows"}, "warning", "check.foul_scope", "$.foul.points"),
    ("pineapple", {"rows.joker_value": "best_row"}, "warning", "check.jokers", "$.rows.joker_value"),
    ("pineapple", {"rows.joker_domain": "not_on_own_board"}, "warning", "check.jokers", "$.rows.joker_domain"),
    ("pineapple", {"rows.five_of_a_kind": True}, "warning", "check.jokers", "$.rows.five_of_a_kind"),
    (
        "pineapple_joker",
        {"rows.five_of_a_kind": True, "rows.joker_domain": "not_on_own_board"},
        "warning",
        "check.five_of_a_kind",
        "$.rows.five_of_a_kind",
    ),
    (
        "pineapple_joker",
        {"royalties.table.back.five_of_a_kind": 40},
        "warning",
        "check.five_of_a_kind",
        "$.royalties.table.back.five_of_a_kind",
    ),
    ("pineapple", {"rows.low_limit": "none"}, "warning", "check.low_limit", "$.rows.low_limit"),
    ("closed_1_6", {"rows.tie_break": "suits", "deal.jokers": 1}, "error", "check.tie_break", "$.rows.tie_break"),
    ("pineapple", {"rows.tie_break": "suits"}, "error", "check.tie_break", "$.rows.tie_break"),
    ("closed_1_6", {"rows.suits": "dchs"}, "warning", "check.suits", "$.rows.suits"),
    # Rules §4: closed games; sources 003 L60 and 004 L100.
    ("pineapple", {"royalties.broken_up": "paid"}, "warning", "check.broken_up", "$.royalties.broken_up"),
    ("closed_basic", {"royalties.broken_up": "paid"}, "warning", "check.broken_up", "$.royalties.broken_up"),
    ("closed_basic", {"naturals.claim": "must"}, "warning", "check.natural_claim", "$.naturals.claim"),
    # Rules §4; source 003 L85.2: a home-run scoops all three opponents.
    ("taiwanese", {"seats.max": 3}, "warning", "check.home_run", "$.scoring.home_run_doubles"),
    ("pineapple", {"scoring.match_tied": "more_rows"}, "warning", "check.match_tied", "$.scoring.match_tied"),
    ("pineapple", {"scoring.points": [1, 2, 3]}, "warning", "check.custom", "$.scoring.points"),
    ("pineapple", {"scoring.bonus": 2}, "warning", "check.custom", "$.scoring.bonus"),
    (
        "pineapple",
        {"scoring.rows": "custom", "scoring.points": [0, 0, 0]},
        "warning",
        "check.custom",
        "$.scoring.points",
    ),
    ("pineapple", {"scoring.doubles": "all"}, "warning", "check.doubles", "$.scoring.doubles"),
    ("first_to_11", {"scoring.pairs": "banker"}, "error", "check.banker", "$.scoring.pairs"),
    ("pineapple", {"scoring.pairs": "banker", "seats.max": 2}, "warning", "check.banker", "$.scoring.pairs"),
    ("taiwanese", {"settlement.loss_limit": 5}, "warning", "check.loss_limit", "$.settlement.loss_limit"),
    ("first_to_11", {"settlement.loss_limit": 20}, "warning", "check.loss_limit", "$.settlement.loss_limit"),
    ("pineapple", {"settlement.credit": True}, "warning", "check.credit", "$.settlement.cap"),
    ("first_to_11", {"match.kind": "orbit"}, "warning", "check.first_to_11_match", "$.match.kind"),
    ("first_to_11", {"scoring.scoop_doubles": True}, "warning", "check.first_to_11", "$.scoring.scoop_doubles"),
    ("first_to_11", {"surrender.points": 2}, "warning", "check.first_to_11", "$.surrender.points"),
    (
        "ofc_finnish",
        {"royalties.table": "none"},
        "warning",
        "check.deuce_of_spades",
        "$.royalties.deuce_of_spades",
    ),
    # Rules §6.
    ("pineapple", {"clock.bank": 5}, "warning", "check.bank", "$.clock.bank_refill"),
    ("pineapple", ONE_BUY_IN | {"tournament.levels": "deals:9"}, "error", "check.levels", CHIPS),
    # Rules §6: one buy-in for all; on the book there are no stacks; the winner of points:n gets the prize.
    ("pineapple", LEVELS, "error", "check.tournament", "$.seats.buy_in_min"),
    ("pineapple", LEVELS | ONE_BUY_IN | BOOK, "error", "check.tournament", "$.tournament.levels"),
    ("pineapple", {"match.prize": 5}, "warning", "check.prize", "$.match.prize"),
    ("first_to_11", {"match.prize": 51}, "warning", "check.prize", "$.match.prize"),
    ("first_to_11", {"seats.buy_in_min": 10}, "warning", "check.prize", "$.match.prize"),
    ("pineapple", {"tournament.chips_per_point": [1]}, "warning", "check.levels", "$.tournament.chips_per_point"),
    (
        "pineapple",
        ONE_BUY_IN | {"tournament.levels": "minutes:30", "tournament.chips_per_point": [2, 2]},
        "warning",
        "check.levels",
        "$.tournament.chips_per_point",
    ),
]


def test_contradiction() -> None:
    for preset, overrides, severity, code, path in FINDINGS:
        with case(preset, overrides, severity, code, path):
            findings = check(resolve({"preset": preset, **overrides}))
            assert (severity, code, path) in [(finding.severity, finding.code, finding.path) for finding in findings]
            assert all(isinstance(finding.message, Message) and finding.code in CODES for finding in findings)


def test_every_code_is_shown() -> None:
    assert {code for _, _, _, code, _ in FINDINGS} == set(CODES)


FINE: list[tuple[str, dict[str, Any]]] = [
    ("pineapple", {"fantasyland.kind": "ultimate"}),  # three of 17: 51 cards (Rules §2)
    ("ofc_american", {"seats.max": 4, "fantasyland.kind": "aces"}),  # four of 13: 52 cards
    ("ofc_american", {"seats.max": 3, "fantasyland.kind": "progressive"}),
    ("pineapple_joker", {"fantasyland.entry": [condition("front", "trips", 17)]}),  # three of 17
    ("closed_1_6", {"surrender.points": 2}),
    ("closed_1_6", {"surrender.points": 5}),
    ("closed_1_6", {"surrender.points": 0}),
    ("taiwanese", {"surrender.points": 4}),  # a scoop costs 6 when it doubles
    ("closed_1_6", {"naturals.also": ["three_quads"], "naturals.no_pictures": "no_TJQKA"}),
    ("closed_1_6", {"royalties.declare": "must", "foul.still_plays": True}),
    ("pineapple_joker", {"rows.five_of_a_kind": True}),
    ("ofc_russian", {"scoring.match_tied": "more_rows"}),
    ("pineapple", {"foul.points": 3}),
    ("pineapple", {"scoring.rows": "custom", "scoring.points": [1, 2, 3], "scoring.bonus": 6}),
    ("taiwanese", {"scoring.doubles": "all", "settlement.loss_limit": 6}),
    ("closed_basic", {"scoring.pairs": "banker"}),
    ("pineapple", ONE_BUY_IN | LEVELS),
    ("pineapple", BOOK),
    ("first_to_11", {"match.prize": 0}),
    ("first_to_11", {"match.prize": 500, "settlement.credit": True, "settlement.cap": "none"}),
]


def test_no_contradiction() -> None:
    for preset, overrides in FINE:
        with case(preset, overrides):
            assert check(resolve({"preset": preset, **overrides})) == ()


def test_errors_come_first() -> None:
    findings = check(resolve({"preset": "pineapple", "rows.five_of_a_kind": True, "seats.max": 4}))
    assert [finding.severity for finding in findings] == ["error", "warning"]


# Sources 000 L212-214, 004 L71, L73; Rules §4.
@pytest.mark.parametrize(
    ("rows", "low", "scoop"),
    [
        ("per_row", 1, 3),
        ("per_row_scoop3", 1, 6),
        ("match_1_6", 1, 6),
        ("match_2_6", 2, 6),
        ("two_four", 2, 4),
        ("one_four", 1, 4),
    ],
)
def test_points_of_a_loss_and_of_a_scoop(rows: str, low: int, scoop: int) -> None:
    assert loss_and_scoop(resolve({"scoring.rows": rows})) == (low, scoop)
    assert loss_and_scoop(resolve({"scoring.rows": rows, "scoring.scoop_doubles": True})) == (low, 2 * scoop)
