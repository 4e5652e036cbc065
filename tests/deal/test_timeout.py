"""What the clock does for a player. Rules §6 (time out); source 002 L31."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.deal.moves import after, begun, layout, place, played, stacked
from tests.deal.play import random_layout, seats_for, shuffled
from tests.examples import examples
from triptych.board import ROWS, board_from_layout
from triptych.deal.actions import Announce, Arrange, ClaimNatural, Declare, Forfeit, Place
from triptych.deal.engine import decide, finished, result
from triptych.deal.events import Forfeited
from triptych.deal.project import view
from triptych.deal.state import HandStart, HandState, acting_hands
from triptych.deal.timeout import arrangement_to_keep, best_legal, is_foul, timeout_action
from triptych.rulesets.load import resolve
from triptych.scoring.partial import row_status

PINEAPPLE = resolve("pineapple")
PRESETS = ("pineapple", "pineapple_joker", "pineapple_27", "ofc_american", "closed_1_6", "criss_cross")


def test_received_back_first() -> None:
    """Source 002 L31.4-5: as received, first into the back, then middle and front; the third is discarded."""
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h4h"))
    assert timeout_action(state, 0) == place(0, "//AhKdQc7s2c")
    state = played(state, place(0, "AhKd//Qc7s2c"), place(1, "/3c4c5c6c8d/"))
    assert timeout_action(state, 0) == place(0, "//9sTs")
    state = played(state, timeout_action(state, 0))
    assert timeout_action(state, 1) == place(1, "//2h3h")


def test_a_row_that_is_full_passes_cards_on() -> None:
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs"))
    state = played(state, place(0, "/Ah/KdQc7s2c"), place(1, "/3c4c5c6c8d/"))
    assert timeout_action(state, 0) == place(0, "/Ts/9s")


def test_fantasyland_fills_back_middle_front_and_discards_the_rest() -> None:
    """Rules §6: FL: back, middle, front, rest discarded."""
    hands = (HandStart(0, 15, 1), HandStart(1, 14, 1))
    state = begun(PINEAPPLE, hands, stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h"))
    assert timeout_action(state, 0) == place(0, "9sTsJs/3c4c5c6c8d/AhKdQc7s2c")


def test_arranged_cards_stand_and_the_rest_is_placed_by_the_rule() -> None:
    """Issue 11, 1.2; Rules §6 (time out): the rest goes to the back, the middle and the front as received."""
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h4h"))
    state = played(state, Arrange(0, layout("AhKd//")))
    assert timeout_action(state, 0) == place(0, "AhKd//Qc7s2c")
    state = played(state, timeout_action(state, 0), place(1, "/3c4c5c6c8d/"))
    state = played(state, Arrange(0, layout("/Js/")))
    assert timeout_action(state, 0) == place(0, "/Js/9s")  # the ten is the last one received of the others: discarded
    state = played(state, Arrange(0, layout("/Js/Ts")))
    assert timeout_action(state, 0) == place(0, "/Js/Ts")


def test_a_fantasyland_keeps_what_was_arranged() -> None:
    hands = (HandStart(0, 15, 1), HandStart(1, 14, 1))
    state = begun(PINEAPPLE, hands, stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h"))
    state = played(state, Arrange(0, layout("2c2h/3c3h/AhKdQcTsJs")))
    assert timeout_action(state, 0) == place(0, "2c2h6c/3c3h7s4c5c/AhKdQcTsJs")


def test_rows_that_make_a_sure_foul_do_not_stand() -> None:
    """As far as it is legal: aces in the middle over kings in the back are a foul, so the middle is laid again."""
    hands = (HandStart(0, 14, 1), HandStart(1, 14, 1))
    state = begun(PINEAPPLE, hands, stacked("KcKs2c3d4c5h6c8d9sTsJs2hAhAd"))
    state = played(state, Arrange(0, layout("3d2c4c/AhAd5h6cJs/KcKs8d9sTs")))
    assert timeout_action(state, 0) == place(0, "3d2c4c/5h6cJs2hAh/KcKs8d9sTs")


def test_a_board_that_is_a_foul_already_keeps_all_that_was_arranged() -> None:
    """Kings in the middle under aces in front: nothing can make it legal, so nothing is taken back."""
    board = board_from_layout(layout("AhAdAc/KdKc2s3s4s/5d6d"))
    held = HandState(0, (), board=board, pending=board_from_layout(layout("//7d8d")))
    assert arrangement_to_keep(PINEAPPLE, held) == held.pending


def test_best_legal_plays_around_what_was_arranged() -> None:
    """A three and a two in front and a pair of aces in the back stay, and the rest is laid around them.

    Kings in front do not: queens make the back a full house, so nothing in the middle stands above them.
    """
    rules = resolve({"preset": "pineapple", "timeout.layout": "best_legal"})
    hands = (HandStart(0, 14, 1), HandStart(1, 14, 1))
    state = begun(rules, hands, stacked("KcKs2c3d4c5h7c8d9sQsQdQhAhAd"))
    for front, stays in (("3d2c", True), ("KcKs", False)):
        laid = timeout_action(played(state, Arrange(0, layout(f"{front}//AhAd"))), 0)
        assert isinstance(laid, Place)
        assert ({front[:2], front[2:]} <= set(laid.layout.front)) == stays
        assert set(laid.layout.back) == {"Ah", "Ad", "Qs", "Qd", "Qh"}
        assert not is_foul(rules, played(state, laid).hands[0].board)


def test_best_legal_takes_back_as_few_rows_as_it_can() -> None:
    """Rules §6: aces in front are above all that is left, so they go; the deuce stays in the middle."""
    rules = resolve({"preset": "closed_basic", "timeout.layout": "best_legal"})
    state = begun(rules, seats_for(rules, 2), stacked("AhAdKsQdJh9c8d7s6h4c3d3h2c"))
    state = played(state, Arrange(0, layout("AhAd/2c/")))
    laid = timeout_action(state, 0)
    assert isinstance(laid, Place)
    assert [set(row) for row in (laid.layout.front, laid.layout.middle, laid.layout.back)] == [
        {"7s", "6h", "4c"},
        {"Qd", "Jh", "9c", "8d", "2c"},
        {"Ah", "Ad", "3d", "3h", "Ks"},
    ]


def test_best_legal_keeps_a_card_where_it_was_arranged_in_a_street() -> None:
    """Rules §6 (`best_legal`): a nine that was put into the middle stays, and the rest is laid around it."""
    rules = resolve({"preset": "pineapple", "timeout.layout": "best_legal"})
    state = begun(rules, seats_for(rules, 2), stacked("AhKdQc7s2c3c4c5c6c8dAd9sJs2h3h4h"))
    state = played(state, place(0, "2c/7s/AhKdQc"), place(1, "/3c4c5c6c8d/"))
    free, after_arranging = timeout_action(state, 0), timeout_action(played(state, Arrange(0, layout("/9s/"))), 0)
    assert isinstance(free, Place)
    assert isinstance(after_arranging, Place)
    assert "Ad" in free.layout.back
    assert "9s" not in free.layout.middle
    assert (after_arranging.layout.middle[0], "Ad" in after_arranging.layout.back) == ("9s", True)


def test_the_clock_of_a_foul_layout_takes_no_notice_of_an_arrangement() -> None:
    """Rules §6 (`foul`): the board is dead, whatever was arranged; what was not confirmed was not played."""
    rules = resolve({"preset": "pineapple", "timeout.layout": "foul"})
    state = begun(rules, seats_for(rules, 2), stacked("AhKdQc7s2c"))
    state = played(state, Arrange(0, layout("AhKd//Qc7s2c")))
    state = played(state, timeout_action(state, 0))
    assert state.hands[0].dead
    assert state.hands[0].board.front == ()


@settings(max_examples=examples(120))
@given(st.sampled_from(PRESETS), st.sampled_from(["received_back_first", "best_legal"]), st.integers(0, 2**32))
def test_arranged_cards_that_stand_are_part_of_the_timeout_layout(preset: str, rule: str, seed: int) -> None:
    """Whatever was arranged, the clock's layout is one that the street allows and contains what stands of it."""
    rules = resolve({"preset": preset, "timeout.layout": rule})
    rng = Random(seed)
    state = begun(rules, seats_for(rules, 2), shuffled(rules, seed))
    while not finished(state):
        hand = acting_hands(state)[0]
        held = state.hands[hand]
        if held.placing and rng.random() < 0.7:
            most = held.streets[held.street].placed
            arranged = Arrange(hand, random_layout(state, hand, rng, count=rng.randint(0, most)))
            state = played(state, arranged)
        action = timeout_action(state, hand)
        if isinstance(action, Place) and rule == "received_back_first":
            standing, laid = arrangement_to_keep(rules, state.hands[hand]), board_from_layout(action.layout)
            assert all(set(standing.row(row)) <= set(laid.row(row)) for row in ROWS)
            sure_foul = is_foul(rules, state.hands[hand].board)
            assert sure_foul or not is_foul(rules, state.hands[hand].board.merged(standing))
        state = played(state, action)


def test_closed_games_are_played_and_nothing_is_declared() -> None:
    rules = resolve({"preset": "closed_1_6", "royalties.declare": "must"})
    state = begun(rules, seats_for(rules, 2), shuffled(rules, 3))
    actions = []
    while not finished(state):
        actions.append(timeout_action(state, acting_hands(state)[0]))
        state = played(state, actions[-1])
    assert [type(action) for action in actions] == [Place, Place, Announce, Announce, Declare, Declare]
    assert actions[2:] == [Announce(0, play=True), Announce(1, play=True), Declare(0, ()), Declare(1, ())]


def test_foul_kills_the_board_once_and_everybody_sees_it() -> None:
    """Rules §6: `timeout.layout = foul`."""
    rules = resolve({"preset": "pineapple", "timeout.layout": "foul"})
    state = begun(rules, seats_for(rules, 2), shuffled(rules, 3))
    deaths = 0
    while not finished(state):
        hand = acting_hands(state)[0]
        action = timeout_action(state, hand) if hand == 0 else best_legal(state, hand)
        assert isinstance(action, Forfeit) == (hand == 0)
        events = decide(state, action).events
        deaths += sum(isinstance(event.event, Forfeited) for event in events)
        state = after(state, events)
        assert view(state, None).boards[0].status == "foul"
    assert deaths == 1
    assert result(state).hands[0].status == "foul"


@settings(max_examples=examples(60))
@example("pineapple", "gt", 13, 342829)  # the best middle is a straight as high as the back's
@given(
    st.sampled_from(
        ["pineapple", "pineapple_joker", "pineapple_27", "closed_low_middle", "closed_basic", "taiwanese"]
    ),
    st.sampled_from(["ge", "gt"]),
    st.integers(13, 17),
    st.integers(0, 2**32),
)
def test_best_legal_never_fouls_a_whole_board(preset: str, order: str, cards: int, seed: int) -> None:
    """Rules §3: back as high as possible, then the middle, then the front; with a low middle where there is one."""
    rules = resolve({"preset": preset, "rows.order": order, "timeout.layout": "best_legal"})
    fantasyland = 0 if rules.deal.game == "closed" else cards
    state = begun(
        rules,
        (HandStart(0, fantasyland, int(fantasyland > 0)), HandStart(1, fantasyland, int(fantasyland > 0))),
        shuffled(rules, seed),
    )
    action = timeout_action(state, 0)
    if isinstance(action, ClaimNatural):
        return
    assert isinstance(action, Place)
    board = played(state, action).hands[0].board
    status = row_status(rules, board.front, board.middle, board.back)
    low = rules.rows.middle == "deuce_to_seven"
    assert not status.fouled or (low and status.middle.name.startswith("Not a low"))


@pytest.mark.parametrize(("layout_rule", "status"), [("best_legal", "legal"), ("received_back_first", "foul")])
def test_best_legal_finds_the_card_that_saves_the_board(layout_rule: str, status: str) -> None:
    """Kings and eights in the middle: of Ts 6d As only the ace keeps the back above them."""
    rules = resolve({"preset": "pineapple", "timeout.layout": layout_rule})
    other = ("2d2h3h4c5d", "6c6h7c", "7h9c9s", "TcThJc", "JdJhQd")
    own = ("2c3dKhAhAd", "5c9dKd", "7s9hKc", "8s8c4h", "Ts6dAs")
    state = begun(rules, seats_for(rules, 2), stacked("".join(a + b for a, b in zip(own, other, strict=True))))
    for mine, theirs in (
        ("2c/Kh3d/AhAd", "2d/2h3h4c/5d"),
        ("/Kd/5c", "/6c/6h"),
        ("7s//9h", "/7h/9c"),
        ("/8s8c/", "//TcTh"),
    ):
        state = played(state, place(0, mine), place(1, theirs))
    state = played(state, timeout_action(state, 0), place(1, "JdJh//"))
    assert result(state).hands[0].status == status
