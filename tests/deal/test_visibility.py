"""A board's two faces: what its owner sees of it, and what everybody else does. Rules §2 (cards seen), 3, 4."""

from __future__ import annotations

import pytest

from tests.deal.moves import arrange, begun, place, played, stacked
from tests.deal.play import seats_for
from triptych.deal.actions import Announce, ClaimNatural, Declare
from triptych.deal.engine import acting_hands
from triptych.deal.project import view
from triptych.deal.state import DealState, HandStart
from triptych.deal.timeout import timeout_action
from triptych.deal.view_types import BoardView
from triptych.rulesets.load import resolve

PINEAPPLE = resolve("pineapple")
TOP = "AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h4h"
HIDDEN = "??"


def faces(state: DealState, hand: int) -> tuple[BoardView, BoardView]:
    """Return a hand's board as its owner and as a spectator sees it."""
    return view(state, state.hands[hand].seat).boards[hand], view(state, None).boards[hand]


def rows(board: BoardView) -> tuple[str, str, str]:
    return "".join(board.front.cards), "".join(board.middle.cards), "".join(board.back.cards)


def second_street() -> DealState:
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(TOP))
    return played(state, place(0, "AhKd/7s/Qc2c"), place(1, "/3c4c5c/6c8d"))


def test_the_board_whose_turn_it_is_is_marked() -> None:
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(TOP))
    assert [board.acting for board in view(state, None).boards] == [True, False]
    state = played(state, place(0, "AhKd/7s/Qc2c"))
    assert [board.acting for board in view(state, None).boards] == [False, True]


def test_a_card_moved_in_a_live_first_street_is_seen_by_all() -> None:
    """Rules §2 (`deal.first_street = live`)."""
    state = played(begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(TOP)), arrange(0, "Ah//Kd"))
    for face in faces(state, 0):
        assert rows(face) == ("Ah", "", "Kd")
        assert (face.pending, face.draws) == (("Ah", "Kd"), ("Qc", "7s", "2c"))


def test_a_card_moved_in_a_later_street_is_seen_by_its_owner_alone() -> None:
    """Rules §2: from the second street on Pineapple draws are hidden."""
    own, others = faces(played(second_street(), arrange(0, "/Js/")), 0)
    assert rows(own) == ("AhKd", "7sJs", "Qc2c")
    assert (own.pending, own.draws) == (("Js",), ("9s", "Ts"))
    assert rows(others) == ("AhKd", "7s", "Qc2c")
    assert (others.pending, others.draws) == ((), (HIDDEN, HIDDEN, HIDDEN))


def test_a_discard_is_its_owners_alone() -> None:
    """Rules §2: discards forever."""
    own, others = faces(played(second_street(), place(0, "/Js/Ts")), 0)
    assert rows(own) == rows(others) == ("AhKd", "7sJs", "Qc2cTs")
    assert (own.discards, others.discards) == (("9s",), (HIDDEN,))


def test_a_sure_foul_earns_nothing_and_only_its_owner_sees_why() -> None:
    """Rules §3: a foul gets no royalty; the warning helps its owner and nobody else."""
    cards = "AhAdAc2c2d 3c4c5c6c8d 9s7s4s 2h3h4h 3s4d5d 6d6h8s JdJs9d QcQh6s KhKdTc"
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(cards))
    state = played(state, place(0, "AhAdAc/2c/2d"), place(1, "/3c4c5c/6c8d"))
    for face in faces(state, 0):
        assert (face.front.name, face.front.royalty, face.front.warning) == ("Three aces", 22, "")
    state = played(state, place(0, "/9s7s/"), place(1, "2h/3h/"), place(0, "/4d5d/"), place(1, "6d6h//"))
    own, others = faces(state, 0)
    assert (own.front.royalty, others.front.royalty) == (0, 0)
    assert (own.front.name, others.front.name) == ("Three aces", "Three aces")
    assert (own.front.warning, others.front.warning) == ("the front beats the middle", "")
    # A middle above the back, for hand 1.
    cards = "AhKdQc7s2c 3c3d3h3s8d 9sTsJs 2h4h6h 2d5d6d 5c6c7d"
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(cards))
    state = played(state, place(0, "Ah/Kd/Qc7s2c"), place(1, "/3c3d3h3s/8d"), place(0, "/9s/Ts"), place(1, "//2h4h"))
    state = played(state, place(0, "/2d/5d"), place(1, "/7d/5c"))
    own, others = faces(state, 1)
    assert (own.middle.warning, others.middle.warning) == ("the middle beats the back", "")
    assert (own.middle.royalty, others.middle.royalty) == (0, 0)
    assert own.back.warning == others.back.warning == own.front.warning == ""


@pytest.mark.parametrize(("laid", "legal"), [("/4s/9s", True), ("/9s7s/", False)])
def test_a_street_that_would_foul_for_certain_is_called_so(laid: str, legal: bool) -> None:  # noqa: FBT001 - a table
    """Rules §3: deuce and four may be a straight yet; deuce, nine and seven cannot reach three aces."""
    cards = "AhAdAc2c2d 3c4c5c6c8d 9s7s4s 2h3h4h"
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(cards))
    state = played(state, place(0, "AhAdAc/2c/2d"), place(1, "/3c4c5c/6c8d"), arrange(0, laid))
    assert view(state, 0).tasks[0].legal == legal


def test_a_covered_board_is_seen_by_its_owner_alone() -> None:
    """Rules §2 (closed): nothing until the showdown; others see that thirteen cards lie there."""
    rules = resolve("closed_basic")
    state = begun(rules, seats_for(rules, 2), stacked("AhAd2c2d4h4s7d8d9cTcJhQsKdAsKs9h8h5c3s6cTh2hJcQc7c7s"))
    laid = "2c4h7d/2d4s8d9cTc/AhAdJhQsKd"
    own, others = faces(state, 0)
    assert (len(own.draws), own.draws[0], others.draws) == (13, "Ah", (HIDDEN,) * 13)
    own, others = faces(played(state, arrange(0, "2c//AhAd")), 0)
    assert rows(own) == ("2c", "", "AhAd")
    assert (rows(others), others.draws, others.pending) == (("", "", ""), (HIDDEN,) * 13, ())
    own, others = faces(played(state, place(0, laid)), 0)
    assert "/".join(rows(own)) == laid
    assert rows(others) == (HIDDEN * 3, HIDDEN * 5, HIDDEN * 5)
    assert (own.face_down, others.face_down, others.front.name) == (True, True, "")


def test_a_board_in_progress_that_lies_face_down_shows_how_many_cards_it_has() -> None:
    """Source 002 L37: all but one in fantasyland; that one plays first and face down, street by street."""
    hands = (HandStart(0), HandStart(1, 14, 1))
    state = played(begun(PINEAPPLE, hands, stacked(TOP)), place(0, "AhKd/7s/Qc2c"))
    own, others = faces(state, 0)
    assert rows(own) == ("AhKd", "7s", "Qc2c")
    assert own.draws == ("3c", "4c", "5c")
    assert (rows(others), others.draws) == (("", "", ""), (HIDDEN,) * 8)


def test_the_street_of_the_table_is_not_that_of_a_fantasyland() -> None:
    """Rules §2 (`at_start_hidden`): who is in fantasyland may set last; the others' streets go on."""
    rules = resolve({"preset": "pineapple", "fantasyland.order": "at_start_hidden"})
    state = begun(rules, (HandStart(0), HandStart(1, 14, 1)), stacked(TOP))
    streets = []
    while not state.hands[0].is_set:
        streets.append(view(state, None).street)
        state = played(state, timeout_action(state, 0))
    assert streets == [1, 2, 3, 4, 5]
    (task,) = view(state, 1).tasks
    assert (task.place, task.discard, len(task.cards)) == (13, 1, 14)


NATURAL = "AhAdKcKsQhQd9c9s7d7h4s4c2d"
PLAIN = "JsJc3d3h5c8dThTd6s2c2hQs8c"


def test_a_natural_is_its_holders_secret_until_all_are_set() -> None:
    """Rules §2, 4: only when all are set are naturals shown, with their cards."""
    rules = resolve("closed_1_6")
    state = played(begun(rules, seats_for(rules, 2), stacked(NATURAL + PLAIN)), ClaimNatural(0))
    own, others = faces(state, 0)
    assert (own.natural, own.status) == ("Six pairs", "natural")
    assert (others.natural, others.status, others.draws) == ("", "set", ())
    assert view(state, 1).boards[1].status == "playing"
    state = played(state, place(1, "8cQs8d/3d3h5c2c2h/JsJcThTd6s"))
    for face in faces(state, 0):
        assert (face.natural, face.status, "".join(face.draws)) == ("Six pairs", "natural", NATURAL)
    assert [face.status for face in faces(state, 1)] == ["legal", "legal"]


def test_a_royalty_is_worth_what_is_paid_for_it_in_the_end() -> None:
    """Rules §4 (`royalties.declare = must`): undeclared is lost, though four fours lie there."""
    rules = resolve({"preset": "closed_1_6", "royalties.declare": "must", "surrender.points": 0})
    cards = "2c2d2h9s9c4c4d4h4sKd3c3d3h AhAd6c7d8d9dTcJhQsKs5h7h8h"
    state = begun(rules, seats_for(rules, 2), stacked(cards))
    state = played(state, place(0, "2c2d2h/3c3d3h9s9c/4c4d4h4sKd"), place(1, "5h7hKs/6c8d9dTcQs/AhAdJh7d8h"))
    own = faces(state, 0)[0]
    assert (own.front.royalty, own.middle.royalty, own.back.royalty) == (3, 2, 4)
    state = played(state, Declare(0, ("back",)), Declare(1, ()))
    for face in faces(state, 0):
        assert (face.front.royalty, face.middle.royalty, face.back.royalty) == (0, 0, 4)


def test_a_surrendered_board_stays_covered_for_the_others() -> None:
    """Rules §2: who surrenders gives the board up unseen."""
    rules = resolve("closed_1_6")
    state = begun(rules, seats_for(rules, 2), stacked("2c2d2h9s9c4c4d4h4sKd3c3d3h AhAd6c7d8d9dTcJhQsKs5h7h8h"))
    state = played(state, place(0, "2c2d2h/3c3d3h9s9c/4c4d4h4sKd"), place(1, "5h7hKs/6c8d9dTcQs/AhAdJh7d8h"))
    state = played(state, Announce(0, play=False), Announce(1, play=True))
    assert acting_hands(state) == ()
    own, others = faces(state, 0)
    assert (own.status, others.status) == ("surrendered", "surrendered")
    assert "".join(own.back.cards) == "4c4d4h4sKd"
    assert rows(others) == (HIDDEN * 3, HIDDEN * 5, HIDDEN * 5)
