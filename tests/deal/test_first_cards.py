"""The first five for everybody before anyone acts. Rule: Rules §2 (deal.first_cards); source 000 L3, L196, L203."""

from __future__ import annotations

import pytest

from tests.deal.moves import after, arrange, begun, place, played, stacked
from tests.deal.play import seats_for
from triptych.deal.engine import decide, start
from triptych.deal.errors import DealError
from triptych.deal.events import Dealt, DealtFaceDown
from triptych.deal.project import view
from triptych.deal.state import DealState, HandStart, acting_hands
from triptych.deal.visibility import Private, Public
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset

RUSSIAN = resolve("ofc_russian")
DECK = "AhKdQc7s2c" + "3c4c5c6c8d" + "9sTsJs2h3h" + "4h5h6h"
HIDDEN = ("??",) * 5


def begins(rules: Ruleset = RUSSIAN, hands: int = 3) -> DealState:
    return begun(rules, seats_for(rules, hands), stacked(DECK))


def test_everybody_gets_five_before_anyone_acts() -> None:
    """Source 000 L3.1, L131.1, L194, L196.1, L313.1: five each, face down; then the first position lays them out."""
    events = start(RUSSIAN, 1, seats_for(RUSSIAN, 3), stacked(DECK)).events
    dealt_events = [event for event in events if isinstance(event.event, Dealt | DealtFaceDown)]
    assert dealt_events == [
        each
        for hand, cards in enumerate((DECK[:10], DECK[10:20], DECK[20:30]))
        for each in (
            Public(DealtFaceDown(hand, 1, 5)),
            Private(hand, Dealt(hand, 1, tuple(cards[i : i + 2] for i in range(0, 10, 2)))),
        )
    ]
    state = after(None, events)
    assert acting_hands(state) == (0,)


def test_each_owner_sees_their_own_and_nobody_elses_until_they_are_laid() -> None:
    """Source 000 L3.1-3, L131.1, L194, L196.1, L202.1-2, L313.1-2."""
    state = begins()
    for seat in (0, 1, 2, None):
        boards = view(state, seat).boards
        assert [board.draws == HIDDEN for board in boards] == [seat != hand for hand in range(3)]
    assert view(state, 1).boards[1].draws == ("3c", "4c", "5c", "6c", "8d")
    assert view(state, 1).tasks == ()
    state = played(state, place(0, "Ah/Kd/Qc7s2c"))
    assert view(state, 2).boards[0].back.cards == ("Qc", "7s", "2c")
    assert view(state, 2).boards[1].draws == HIDDEN
    assert acting_hands(state) == (1,)


def test_placed_cards_are_visible_live_and_the_rest_stays_hidden() -> None:
    """Rules §2: `deal.first_street = live`, each move is seen; the cards still in the hand are not."""
    state = played(begins(), arrange(0, "Ah//Qc"))
    for seat in (1, None):
        board = view(state, seat).boards[0]
        assert (board.front.cards, board.back.cards, board.pending) == (("Ah",), ("Qc",), ("Ah", "Qc"))
        assert board.draws == ("??",) * 3
    on_confirm = resolve({"preset": "ofc_russian", "deal.first_street": "on_confirm"})
    state = played(begins(on_confirm), arrange(0, "Ah//Qc"))
    assert view(state, 1).boards[0].front.cards == ()
    assert view(state, 1).boards[0].draws == HIDDEN


def test_nobody_acts_before_their_turn() -> None:
    state = begins()
    for action in (place(1, "3c/4c/5c6c8d"), arrange(1, "3c//")):
        with pytest.raises(DealError) as refused:
            decide(state, action)
        assert refused.value.code == "deal.not_your_turn"


def test_later_cards_come_at_the_turn() -> None:
    """Rules §2: only the first cards come at once; the sixth is dealt when it is one's turn."""
    state = played(begins(), place(0, "Ah/Kd/Qc7s2c"), place(1, "3c/4c/5c6c8d"))
    assert all(not state.hands[hand].drawn for hand in (0, 1))
    state = played(state, place(2, "9s/Ts/Js2h3h"))
    assert [bool(hand.drawn) for hand in state.hands] == [True, False, False]
    assert view(state, 1).boards[0].draws == ("4h",)


def test_with_hidden_draws_in_later_streets_the_first_five_come_at_once_too() -> None:
    rules = resolve("pineapple_russian")
    state = begins(rules, 2)
    assert [len(hand.drawn) for hand in state.hands] == [5, 5]
    state = played(state, place(0, "Ah/Kd/Qc7s2c"), place(1, "3c/4c/5c6c8d"))
    assert [len(hand.drawn) for hand in state.hands] == [3, 0]


@pytest.mark.parametrize(("order", "expected"), [("after_others", (0, 5, 5)), ("at_start_hidden", (13, 5, 5))])
def test_a_fantasyland_beside_it_comes_when_its_own_rule_says(order: str, expected: tuple[int, ...]) -> None:
    rules = resolve({"preset": "ofc_russian", "fantasyland.order": order})
    hands = (HandStart(0, 13, 1), HandStart(1), HandStart(2))
    state = begun(rules, hands, stacked(""))
    assert tuple(len(hand.drawn) for hand in state.hands) == expected
    assert 1 in acting_hands(state)
    assert 2 not in acting_hands(state)


def test_a_lone_player_beside_fantasylands_sets_face_down() -> None:
    """Rules §2: if all but one are in fantasyland, that one sets first and face down."""
    rules = resolve({"preset": "ofc_russian", "fantasyland.order": "after_others"})
    state = begun(rules, (HandStart(0, 13, 1), HandStart(1)), stacked(DECK))
    assert view(state, 0).boards[1].draws == HIDDEN
    state = played(state, arrange(1, "Ah//"))
    assert view(state, 0).boards[1].pending == ()
    assert view(state, 0).boards[1].draws == HIDDEN
