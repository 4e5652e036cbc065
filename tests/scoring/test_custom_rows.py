"""What custom rules may ask of rows and naturals, by deals worked out by hand. Rules §3, 4; sources 003, 004."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.deals import mirrored_hands
from triptych.rulesets.load import resolve
from triptych.scoring.jsonl.answer import process_line
from triptych.scoring.session import session_deal
from triptych.scoring.sheet.types import Cell
from triptych.scoring.showdown import score_deal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triptych.scoring.sheet.types import SheetPair


def board(text: str) -> dict[str, str]:
    front, middle, back = text.split("/")
    return {"front": front, "middle": middle, "back": back}


def scored(players: Mapping[str, object], rules: Mapping[str, object], path: str, **more: object) -> object:
    """Return one value of the answer to a deal of the scoring contract."""
    value: Any = process_line(msgspec.json.encode({"rules": rules, "players": players, **more}))[0]
    for key in path.split("."):
        value = value[key]
    return value


# A's front wins; kings with 9-8-4 and aces with 7-6-3 are equal. A holds Kd Ks and Ah As, B Kc Kh and Ad Ac.
TIES = {"A": board("QcTh5s/KdKs9c8h4c/AhAs7c6c3d"), "B": board("JdTs6s/KcKh9s8d4s/AdAc7d6d3c")}
# A wins front and back; queens with an ace: A holds Qd Qs Ac, B Qc Qh As.
KICKER = {"A": board("8c7h2h/QdQsAc8h4c/KcKd9c9d3c"), "B": board("8d6s2s/QcQhAs8s4s/JcJd5c5d3h")}
# A wins the front, B the middle; both backs are A2345: A with Ad and 5c, B with Ac and 5s.
WHEEL = {"A": board("8c7h2h/9c9h6cJhKh/Ad2c3c4h5c"), "B": board("8d6s2s/TsThQc6dJs/Ac2d3d4d5s")}
# B wins the front, A the back; both middles are 8-6-4-3-2, A's with 8c and B's with 8d.
LOWS = {"A": board("KcQh9s/8c6c4d3h2s/AsAhJcJs5d"), "B": board("KdQsTs/8d6s4h3c2d/AcAdTcTd5s")}

SUITS = {"preset": "closed_basic", "rows.tie_break": "suits"}
BOTH_WAYS = [("none", "cshd", 1), ("suits", "cshd", 1), ("suits", "dchs", 3)]


@pytest.mark.parametrize(("tie_break", "suits", "points"), BOTH_WAYS)
def test_equal_rows_go_by_the_suit_of_the_highest_card(tie_break: str, suits: str, points: int) -> None:
    """Rules §3. Clubs, spades, hearts, diamonds: Kd above Kh, Ad above Ah. With spades highest A has both."""
    rules = {"preset": "closed_basic", "rows.tie_break": tie_break, "rows.suits": suits}
    assert scored(TIES, rules, "pairs.A-B") == points


def test_the_highest_card_is_not_the_pair() -> None:
    """Rules §3: the suit of their highest card: the ace of spades stands above that of clubs."""
    assert scored(KICKER, {"preset": "closed_basic"}, "pairs.A-B") == 2
    assert scored(KICKER, SUITS, "pairs.A-B") == 1


@pytest.mark.parametrize(("wheel", "points"), [("lowest", -1), ("second", 1)])
def test_the_ace_of_the_lowest_straight_is_its_lowest_card(wheel: str, points: int) -> None:
    """The five decides where A2345 is the lowest straight, and the ace where it is the second highest."""
    assert scored(WHEEL, {"preset": "closed_basic", "rows.wheel": wheel}, "pairs.A-B") == 0
    assert scored(WHEEL, {**SUITS, "rows.wheel": wheel}, "pairs.A-B") == points


def test_in_a_low_middle_the_lower_suit_wins() -> None:
    rules = {"preset": "closed_low_middle", "rows.tie_break": "suits"}
    assert scored(LOWS, {"preset": "closed_low_middle"}, "pairs.A-B") == 0
    assert scored(LOWS, rules, "pairs.A-B") == 1


def test_suits_decide_the_best_row_at_the_table() -> None:
    """`first_to_11` gives nothing for a tied row; with suits none is tied."""
    assert scored(TIES, {"preset": "first_to_11"}, "totals") == {"A": 1, "B": 0}
    assert scored(TIES, {"preset": "first_to_11", "rows.tie_break": "suits"}, "totals") == {"A": 2, "B": 1}


@pytest.mark.parametrize("order", ["ge", "gt"])
def test_legality_is_about_ranks(order: str) -> None:
    """Kings with queen, jack, nine in middle and back: equal, whichever holds the higher suit."""
    for text in ("Ac8d2c/KcKsQdJd9h/KhKdQcJc9c", "Ac8d2c/KhKdQcJc9c/KcKsQdJd9h"):
        players = {"A": board(text), "B": board("7c5d2s/8s8h3c3d4s/TsThTc5c6c")}
        assert scored(players, {**SUITS, "rows.order": order}, "legal.A") == (order == "ge")


def test_suits_and_jokers_are_refused() -> None:
    rules = {"preset": "pineapple_joker", "rows.tie_break": "suits"}
    assert scored(TIES, rules, "error.code") == "rules.tie_break"
    assert scored(TIES, rules, "error.path") == "$.rules.rows.tie_break"


@given(st.integers(0, 2**32 - 1), st.sampled_from(["cshd", "dchs"]), st.sampled_from(["high", "deuce_to_seven"]))
def test_with_suits_no_row_of_a_deal_is_tied(seed: int, suits: str, middle: str) -> None:
    rows = {"rows.tie_break": "suits", "rows.suits": suits, "rows.middle": middle, "rows.low_limit": "none"}
    rules = resolve({"preset": "closed_basic", **rows, "foul.scope": "rows", "rows.order": "ge"})
    hands = mirrored_hands(rules, random.Random(seed))
    here, there = score_deal(rules, hands), score_deal(rules, hands[::-1])
    sound = [not (here.hands[0].violated_rows | here.hands[1].violated_rows) >> row & 1 for row in range(3)]
    assert all(result for result, is_sound in zip(here.pairs[0].results, sound, strict=True) if is_sound)
    assert [-result for result in there.pairs[0].results] == list(here.pairs[0].results)


PAIR_IN_THE_MIDDLE = board("QhJs9c/3c3d4h5s7c/KcKd8h8s2c")
WHEEL_IN_THE_MIDDLE = board("QhJs9c/Ac2d3h4s5c/KcKd8h8s2c")


@pytest.mark.parametrize(
    ("own", "other", "middle"),
    [
        (PAIR_IN_THE_MIDDLE, "KhQd8c6d2h", -1),  # a king high is lower than a pair
        (WHEEL_IN_THE_MIDDLE, "KhQd8c6d2h", -1),  # and than an ace high
        (WHEEL_IN_THE_MIDDLE, "6d6hQd8c2h", 1),  # which is lower than a pair
        (PAIR_IN_THE_MIDDLE, "7s6h5h4c3h", 1),  # and this than a straight
        (PAIR_IN_THE_MIDDLE, "9h7h6h3h2h", 1),  # or a flush
        (PAIR_IN_THE_MIDDLE, "9h7h5h4c2h", -1),  # a nine-low is lower than all of them
    ],
)
def test_any_low_is_legal_and_the_lower_wins(own: dict[str, str], other: str, middle: int) -> None:
    """Sources 003 L102, 004 L147. Queen high wins the front, kings up lose the back to aces up."""
    players = {"A": own, "B": board(f"Ts6c4d/{other}/AhAs9d9s5d")}
    assert scored(players, {"preset": "closed_low_middle"}, "pairs.A-B") == middle
    assert scored(players, {"preset": "closed_low_middle"}, "legal") == {"A": True, "B": True}
    assert scored(players, {"preset": "closed_low_middle", "rows.low_limit": "ten"}, "legal.A") is False


def test_only_ten_lows_earn_royalties() -> None:
    """Rules §4: nine-low 1 and better; a king high or a pair earns nothing, legal or not."""
    players = {"A": PAIR_IN_THE_MIDDLE, "B": board("Ts6c4d/9h7h5h4c2h/AhAs9d9s5d")}
    rules = {"preset": "closed_low_middle", "royalties.table": "american", "royalties.rule": "difference"}
    assert scored(players, rules, "royalties.A.middle") == 0
    assert scored(players, rules, "royalties.B.middle") == 1


# Four sevens: three in front, one in the straight of the middle. A wins all rows of LOSER, front and middle of FLUSH.
SEVENS = board("7c7d7h/5c6d7s8h9c/KhQhTh4h2h")
LOSER = board("Js6c2c/KcKd5h3h2d/AcAdTcTd4s")
FLUSH = board("Jd6c2c/KcKd5h3h2d/AsKs9s8s3s")
PAID = {"preset": "closed_1_6", "royalties.broken_up": "paid"}


@pytest.mark.parametrize(
    ("other", "rules", "lost", "paid"),
    [
        # A scoop, 6, with the front's royalty, 3; and the 4 of quads in the back, which A wins.
        (LOSER, {}, 9, 13),
        # Two rows of three, 1, and the front's 3. The back is lost, so only `difference` pays its royalty.
        (FLUSH, {}, 4, 4),
        (FLUSH, {"royalties.rule": "difference"}, 4, 8),
        # Only the dearest: 4 in place of 3.
        (LOSER, {"royalties.one_per_board": True}, 9, 10),
    ],
)
def test_quads_broken_up_still_earn(other: dict[str, str], rules: Mapping[str, object], lost: int, paid: int) -> None:
    """Sources 003 L60 and 004 L100: three for trips in front, one in a straight in the middle."""
    players = {"A": SEVENS, "B": other}
    assert scored(players, {"preset": "closed_1_6", **rules}, "pairs.A-B") == lost
    assert scored(players, {**PAID, **rules}, "pairs.A-B") == paid


@pytest.mark.parametrize(
    ("text", "other", "back"),
    [
        # Quads played, 4, and a straight flush broken up for them, 5.
        ("9c8hJd/4h5h6hKcKd/7c7d7h7s2c", "3c6cQh/AsKs9s5s3s/JhJs3d3h6s", 4 + 5),
        # A run of six played as five is not broken up.
        ("5hKcJd/AcAd3c2d4s/6h7h8h9hTh", "6cQh9d/8c8d5s5d2h/JhJs3d3h6s", 5),
        # Quads and a straight flush, both broken up: the dearer, once.
        ("7c7d2h/7h7s8s9sKc/TsJsQsThTd", "3c6cQh/AsAd5s5d4c/JhJc3d3hAc", 5),
        # A royal flush.
        ("Ac9d4s/KcQcJc8d8h/Tc5c5dTd2h", "3c6cQh/AsKs9s5s3s/JhJs3d3h6s", 10),
        # Five of one suit that make no straight, and trips.
        ("Ah9d4s/KcQcJc8d8h/5c5dTcTd2h", "3c6cQh/AsKs9s5s3s/JhJs3d3h6s", 0),
    ],
)
def test_a_broken_up_royalty_is_paid_once_a_board(text: str, other: str, back: int) -> None:
    assert scored({"A": board(text), "B": board(other)}, PAID, "royalties.A.back") == back


def reasons(players: Mapping[str, object], rules: Mapping[str, object]) -> SheetPair:
    """Return the only pair of a deal with its reasons."""
    (pair,) = session_deal({"rules": dict(rules), "players": dict(players)}).sheet.pairs
    return pair


def test_the_sheet_says_what_was_broken_up() -> None:
    played_too = board("9c8hJd/4h5h6hKcKd/7c7d7h7s2c")
    other = board("3c6cQh/AsAd9s5s3s/JhJs3d3h6s")
    pair = reasons({"A": played_too, "B": other}, {**PAID, "royalties.rule": "difference"})
    assert pair.royalties.points == 4 + 5 - 4
    assert pair.royalties.why.split(", A 5 ") == [
        "A 4 for four sevens in the back",
        "for straight flush, eight high, broken up, B 4 for four threes, broken up",
    ]
    single = reasons({"A": SEVENS, "B": LOSER}, {**PAID, "royalties.one_per_board": True})
    assert single.royalties == Cell(4, "Only the winner of a row is paid: A 4 for four sevens, broken up")


def test_the_sheet_says_that_a_suit_decides() -> None:
    pair = reasons(TIES, SUITS)
    assert pair.middle == Cell(1, "Both have pair of kings; A's higher suit wins")
    assert pair.back == Cell(-1, "Both have pair of aces; B's higher suit wins")
    low = reasons(LOWS, {"preset": "closed_low_middle", "rows.tie_break": "suits"})
    assert low.middle == Cell(1, "Both have 8-6-4-3-2 low; A's lower suit wins")


def test_a_foul_earns_nothing_for_what_it_broke_up() -> None:
    players = {"A": board("7c7d7h/KhQhTh4h2h/5c6d7s8h9c"), "B": LOSER}
    assert scored(players, PAID, "pairs.A-B") == -6


def test_open_boards_break_nothing_up() -> None:
    """Closed games: who is dealt street by street never held the five cards at once."""
    rules = {"preset": "pineapple", "royalties.broken_up": "paid"}
    assert scored({"A": SEVENS, "B": LOSER}, rules, "royalties.A.back") == 4  # the flush alone, american


FIVE_ACES = {"A": board("9c5d2c/KcKd8h4c3s/AcAdAhAsX1"), "B": board("9d5h2d/QcQd8s4d3c/KhKs7c7d6h")}


@pytest.mark.parametrize(
    ("rules", "back"),
    [({}, 25), ({"royalties.table.back.royal_flush": 30}, 30), ({"royalties.table.back.five_of_a_kind": 40}, 40)],
)
def test_five_of_a_kind_has_a_price_of_its_own(rules: Mapping[str, object], back: int) -> None:
    """Rules §4, issue 10: by default as a royal."""
    rules = {"preset": "pineapple_joker", "rows.five_of_a_kind": True, **rules}
    assert scored(FIVE_ACES, rules, "royalties.A.back") == back


FLUSHES = {"A": board("2c5c8c/3d6d8dJdKd/4h7hThQhAh"), "B": board("AsKs7s/QcQd6s5s3h/TcTd9s9d2s")}
STRAIGHTS = {"A": board("JcQdKh/6s7c8d9hTs/Ac2d3h4s5c"), "B": board("AsKs8c/QcQh6h5s3c/TcTd9s9d2s")}


@pytest.mark.parametrize(
    ("players", "rules", "points"),
    [
        (FLUSHES, {}, 3),
        (FLUSHES, {"naturals.claim": "must"}, 1),  # ace high beats eight high, two flushes win
        (FLUSHES, {"naturals.table": "none"}, 1),
        (FLUSHES, {"naturals.table.entries": [{"kind": "dragon", "units": 13}]}, 1),
        # Thirteen ranks set as three straights: the best natural of the cards is the dragon, in order or not.
        (STRAIGHTS, {}, 13),
        (STRAIGHTS, {"naturals.claim": "must"}, -6),
    ],
)
def test_three_flushes_or_straights_are_seen(
    players: Mapping[str, object], rules: Mapping[str, object], points: int
) -> None:
    """Source 003 L14: who makes them wins mechanically, whatever the others hold."""
    assert scored(players, {"preset": "closed_1_6", **rules}, "pairs.A-B") == points


SHORT = {
    "P1": board("KcKd3d/QcQdQh6c2c/TcTdThJcJd"),
    "P2": {"natural": "AsAh9s9h8s8h7s7h5s5h4s4h2d"},
    "P3": board("8c6h3c/9c9dKs6s2h/JsJh8d5c3h"),
}


def test_a_short_stack_pays_a_natural_first() -> None:
    """Rules §4, source 003 L41. P3 brought 3 and owes P1 a scoop, first by position, and P2 six pairs.

    P1 pays P2 3 as well.
    """
    stacks = {"P1": 100, "P2": 100, "P3": 3}
    rules = {"preset": "closed_1_6"}
    assert scored(SHORT, rules, "pairs", stacks=stacks) == {"P1-P2": -3, "P1-P3": 6, "P2-P3": 3}
    assert scored(SHORT, rules, "stacks", stacks=stacks) == {"P1": 97, "P2": 106, "P3": 0}


def test_naturals_are_paid_in_position_order_among_themselves() -> None:
    """P1 brought 4: P1-P2 comes before P1-P3, so the dragon's holder P2 takes the stack and six pairs get nothing."""
    players = {
        "P1": board("KcKd3d/QcQdQh6c2c/TcTdThJcJd"),
        "P2": {"natural": "AcKsQsJsTs9d8d7d6d5d4d3c2s"},
        "P3": {"natural": "AsAh9s9h8s8h7s7h5s5h4s4h2d"},
    }
    rules = {"preset": "closed_1_6"}
    stacks = {"P1": 4, "P2": 100, "P3": 100}
    assert scored(players, rules, "pairs", stacks=stacks) == {"P1-P2": -13, "P1-P3": -3, "P2-P3": 13}
    assert scored(players, rules, "stacks", stacks=stacks) == {"P1": 0, "P2": 117, "P3": 87}
