"""Closed games: naturals, play or surrender, declared royalties, the showdown. Rules §2 and 4; sources 003, 004."""

from __future__ import annotations

import pytest

from tests.deal.moves import after, arrange, begun, place, played, stacked
from tests.deal.play import seats_for
from triptych.deal.actions import Announce, ClaimNatural, Declare
from triptych.deal.closed_actions import verify_claim
from triptych.deal.engine import acting_hands, decide, finished, result
from triptych.deal.events import PlacedFaceDown
from triptych.deal.project import view
from triptych.deal.state import DealState, phase
from triptych.deal.timeout import best_legal, timeout_action
from triptych.deal.visibility import Public
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset

SIX_PAIRS = "AhAdKcKsQhQd9c9s7d7h4s4c2d"
PLAIN = "JsJc3d3h5c8dThTd6s2c2hQs8c"
THIRD = "AsAc4d5hJd6c6d8h8sTcKdQc3c"
SETTINGS = {1: "8cQs8d/3d3h5c2c2h/JsJcThTd6s", 2: "3cQcKd/4d5hJd6c6d/AsAc8h8sTc"}


def three_hands(**changes: object) -> DealState:
    """Hand 0 holds six pairs, the other two set their boards."""
    rules: Ruleset = resolve({"preset": "closed_1_6", **{key.replace("__", "."): v for key, v in changes.items()}})
    state = begun(rules, seats_for(rules, 3), stacked(SIX_PAIRS + PLAIN + THIRD))
    return played(state, place(1, SETTINGS[1]), place(2, SETTINGS[2]))


def test_a_natural_is_offered_to_its_holder_only() -> None:
    """Sources 003 L41, 004 L91: only who holds a natural may claim it."""
    state = three_hands()
    (task,) = view(state, 0).tasks
    assert task.natural == "Six pairs"
    verify_claim(state, ClaimNatural(0))
    assert best_legal(state, 0) == ClaimNatural(0)
    assert view(state, 1).tasks == ()


def test_a_claimed_natural_looks_like_a_set_hand_until_all_are_set() -> None:
    """Rules §2: everyone sets in secret; only when all are set are naturals shown."""
    rules = resolve("closed_1_6")
    state = begun(rules, seats_for(rules, 3), stacked(SIX_PAIRS + PLAIN + THIRD))
    claimed = played(state, ClaimNatural(0)).hands
    other = played(state, place(0, "2d4sAh/4c7d7hAdKs/KcQhQd9c9s"))
    before = played(state, ClaimNatural(0))
    assert claimed[0].natural == "six_pairs"
    assert view(before, 1) == view(other, 1)
    assert view(before, None) == view(other, None)
    assert view(before, 0).boards[0].status == "natural"


def test_naturals_are_shown_before_anyone_surrenders() -> None:
    """Rules §4: paid by each opponent, before surrender. Sources 003 L41.1-2, 004 L91.1-2: nothing is set."""
    state = played(three_hands(), ClaimNatural(0))
    assert phase(state) == "announcing"
    board = view(state, None).boards[0]
    assert board.status == "natural"
    assert "".join(board.draws) == SIX_PAIRS
    assert acting_hands(state) == (1,)


@pytest.mark.parametrize("layout", ["received_back_first", "foul", "best_legal"])
def test_a_natural_is_kept_when_time_runs_out(layout: str) -> None:
    """Rules §4: the automatic layout shows it, whatever the layout is; every opponent pays."""
    state = three_hands(timeout__layout=layout, surrender__points=0)
    state = played(state, arrange(0, "2d4sAh//"))
    assert timeout_action(state, 0) == ClaimNatural(0)
    score = result(played(state, timeout_action(state, 0)))
    assert [pair.points for pair in score.pairs if pair.a == 0] == [3, 3]


FLUSHES = "2c5c8c3d6d8dJdKd4h7hThQhAh"
AS_ROWS = "2c5c8c/3d6d8dJdKd/4h7hThQhAh"
# The same cards with the rows out of order: the holder of a natural sets nothing.
MIS_SET = "2c5c8c/4h7hThQhAh/3d6d8dJdKd"


@pytest.mark.parametrize("rows", [AS_ROWS, MIS_SET])
def test_three_flushes_set_as_rows_are_seen(rows: str) -> None:
    """Source 003 L14: they win mechanically; the others see a hand that is set, then the natural."""
    rules = resolve({"preset": "closed_1_6", "surrender.points": 0})
    state = begun(rules, seats_for(rules, 2), stacked(FLUSHES))
    events = decide(state, place(0, rows)).events
    assert events == decide(state, ClaimNatural(0)).events
    assert [event for event in events if isinstance(event, Public)] == [Public(PlacedFaceDown(0, 1))]
    board = view(after(state, events), 0).boards[0]
    assert (board.status, board.natural) == ("natural", "Three flushes")


def test_three_flushes_may_have_to_be_claimed() -> None:
    """Rules §4 (`naturals.claim = must`): what was not claimed is played as rows."""
    rules = resolve({"preset": "closed_1_6", "naturals.claim": "must"})
    state = begun(rules, seats_for(rules, 2), stacked(FLUSHES))
    assert not played(state, place(0, AS_ROWS)).hands[0].natural
    assert played(state, ClaimNatural(0)).hands[0].natural == "three_flushes"


def test_rows_without_a_natural_of_the_table_are_rows() -> None:
    rules = resolve("closed_basic")
    state = begun(rules, seats_for(rules, 2), stacked(FLUSHES))
    assert not played(state, place(0, AS_ROWS)).hands[0].natural


def test_announcing_goes_clockwise_and_a_surrendered_board_stays_down() -> None:
    """Rules §2: clockwise from the button's left; 4: surrender pays 3 to who plays and is legal.

    Sources 003 L12.6, L82.1, 004 L62.6, L126.1.
    """
    state = played(three_hands(), ClaimNatural(0), Announce(1, play=False))
    assert acting_hands(state) == (2,)
    state = played(state, Announce(2, play=True))
    assert finished(state)
    assert view(state, None).boards[1].face_down
    assert not view(state, None).boards[2].face_down
    score = result(state)
    assert [hand.status for hand in score.hands] == ["natural", "surrendered", "legal"]
    assert [pair.points for pair in score.pairs] == [3, 3, -3]


def test_without_surrender_the_showdown_comes_at_once() -> None:
    """Rules §4: `surrender.points = 0` is off. Sources 003 L82.3, 004 L126.3."""
    state = played(three_hands(surrender__points=0), ClaimNatural(0))
    assert finished(state)


def test_nobody_is_asked_to_surrender_to_naturals_alone() -> None:
    """Rules §4: a surrender is paid to who plays; with no one else playing there is nothing to announce."""
    rules = resolve("closed_1_6")
    state = begun(rules, seats_for(rules, 2), stacked(SIX_PAIRS + PLAIN))
    assert finished(played(state, ClaimNatural(0), place(1, SETTINGS[1])))


def test_an_undeclared_royalty_is_lost() -> None:
    """`royalties.declare = must`: before the boards are shown. Sources 003 L12.7, L36, 004 L62.7, L86."""
    quads = "AhAdAcAs2d4c4h7s9dKc8h7dQc"
    rules = resolve({"preset": "closed_1_6", "royalties.declare": "must", "surrender.points": 0})
    paid = []
    for rows in (("back",), ()):
        state = begun(rules, seats_for(rules, 2), stacked(quads + PLAIN))
        state = played(state, place(0, "8hQcKc/4c4h7s9d7d/AhAdAcAs2d"), place(1, SETTINGS[1]))
        assert phase(state) == "declaring"
        assert all(board.face_down for board in view(state, None).boards)
        state = played(state, Declare(0, rows), Declare(1, ()))
        paid.append(result(state).hands[0].royalties)
    assert paid == [(0, 0, 4), (0, 0, 0)]


def test_only_players_who_play_are_asked_to_declare_rows() -> None:
    """A surrendered hand and a natural declare nothing."""
    state = played(three_hands(royalties__declare="must"), ClaimNatural(0), Announce(1, play=False))
    state = played(state, Announce(2, play=True))
    assert phase(state) == "declaring"
    assert acting_hands(state) == (2,)
