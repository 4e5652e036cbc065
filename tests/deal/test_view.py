"""What a deal shows as it goes on. Rules §2; who may see which card: tests/server/test_leaks.py."""

from __future__ import annotations

from random import Random

import pytest

from tests.deal.moves import arrange, begun, place, played, stacked
from tests.deal.play import seats_for, steps
from triptych.board import Layout
from triptych.deal.actions import Announce, Arrange
from triptych.deal.engine import acting_hands
from triptych.deal.project import DealViews, view
from triptych.deal.state import DealState, HandStart
from triptych.deal.timeout import timeout_action
from triptych.rulesets.load import resolve

PINEAPPLE = resolve("pineapple")
# Two hands without a natural.
DULL = "AhAd2c2d4h4s7d8d9cTcJhQsKdAsKs9h8h5c3s6cTh2hJcQc7c7s"
TOP = "AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h4h"


def run_down(state: DealState) -> list[DealState]:
    """Let the clock play to the end; every state on the way."""
    states = [state]
    while acting_hands(states[-1]):
        states.append(played(states[-1], timeout_action(states[-1], acting_hands(states[-1])[0])))
    return states


@pytest.mark.parametrize("preset", ["pineapple", "ofc_russian", "closed_1_6", "pineapple_joker"])
@pytest.mark.parametrize("fantasyland", [0, 14])
def test_views_made_from_earlier_ones_equal_fresh_ones(preset: str, fantasyland: int) -> None:
    """What has not changed is taken from the last view; nobody can see that."""
    rules = resolve(preset)
    hands = (HandStart(0, fantasyland, 1) if fantasyland and preset != "closed_1_6" else HandStart(0), HandStart(1))
    rng = Random(preset)
    views = None
    for _, _, state in steps(rules, hands, 5):
        states = [state]
        if acting_hands(state) and state.hands[acting_hands(state)[0]].placing:
            hand = rng.choice([hand for hand in acting_hands(state) if state.hands[hand].placing])
            row = next(name for name in ("back", "middle", "front") if state.hands[hand].board.free_slots(name))
            card = view(state, state.hands[hand].seat).tasks[0].cards[0]
            states.append(played(state, Arrange(hand, Layout(**{row: (card,)}))))
        for each in states:
            views = DealViews(each, views)
            for seat in (0, 1, None):
                assert views.for_seat(seat) == view(each, seat)


def test_the_street_is_that_of_the_hands_outside_fantasyland() -> None:
    states = run_down(begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(TOP)))
    assert [view(state, None).street for state in states] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5]
    hidden = resolve({"preset": "pineapple", "fantasyland.order": "at_start_hidden"})
    hands = (HandStart(0, 14, 1), HandStart(1))
    states = run_down(begun(hidden, hands, stacked(TOP)))
    assert [view(state, None).street for state in states] == [1, 1, 2, 3, 4, 5, 5]
    assert [board.street for board in view(states[0], None).boards] == [1, 1]
    assert [board.street for board in view(states[2], None).boards] == [1, 2]
    assert [board.street for board in view(states[-1], None).boards] == [1, 5]


def test_a_board_is_playing_then_set_then_scored() -> None:
    states = run_down(begun(resolve("closed_1_6"), seats_for(PINEAPPLE, 2), stacked(DULL)))
    statuses = [[board.status for board in view(state, None).boards] for state in states]
    assert statuses[:3] == [["playing", "playing"], ["set", "playing"], ["set", "set"]]
    assert set(statuses[-1]) <= {"legal", "foul"}


def test_tasks_after_the_cards_are_set_have_no_slots() -> None:
    """Rules §2 (announce, declare): no cards, no slots; the price of a surrender, the rows to declare."""
    state = begun(resolve("closed_1_6"), seats_for(PINEAPPLE, 2), stacked(DULL))
    while state.hands[0].placing or state.hands[1].placing:
        state = played(state, timeout_action(state, acting_hands(state)[0]))
    (task,) = view(state, 0).tasks
    assert (task.kind, task.surrender, task.rows, task.cards, task.place, task.discard) == (
        "announce",
        3,
        (),
        (),
        0,
        0,
    )
    assert (task.open.front, task.open.middle, task.open.back) == (0, 0, 0)
    assert view(state, 1).tasks == ()
    state = played(state, Announce(0, play=True))
    assert [task.kind for task in view(state, 1).tasks] == ["announce"]
    must = resolve({"preset": "closed_1_6", "royalties.declare": "must", "surrender.points": 0})
    state = begun(must, seats_for(must, 2), stacked(DULL))
    while state.hands[0].placing or state.hands[1].placing:
        state = played(state, timeout_action(state, acting_hands(state)[0]))
    (task,) = view(state, 0).tasks
    assert (task.kind, task.surrender, task.rows) == ("declare", 0, ("front", "middle", "back"))


def test_the_task_of_a_street_names_cards_and_slots() -> None:
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(TOP))
    state = played(state, place(0, "AhKd/7s/Qc2c"), place(1, "/3c4c5c/6c8d"), arrange(0, "/Js/"))
    (task,) = view(state, 0).tasks
    assert (task.hand, task.kind, task.street, task.cards) == (0, "place", 2, ("9s", "Ts", "Js"))
    assert (task.place, task.discard, task.layout.middle) == (2, 1, ("Js",))
    assert (task.open.front, task.open.middle, task.open.back) == (1, 4, 3)
