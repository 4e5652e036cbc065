"""Moves set before one's turn, where the turn order lets a player hold cards or know the question (issue 11, part 4).

Rule: Rules §2 (turn order; `deal.first_cards`; announcing in a closed game), 6 (time out).
"""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from tests.table.session import Session, placing
from triptych.board import Layout
from triptych.deal.actions import Announce, Arrange, ClaimNatural, Place
from triptych.deal.engine import acting_hands
from triptych.table import commands as c
from triptych.table.codec import decode, encode
from triptych.table.errors import TableError
from triptych.table.events import ClockStarted, PremoveDropped, PremoveSet

FIRST_FIVE = "ofc_american"  # everybody holds the first five before anyone acts: source 000 L196


def first_cards() -> tuple[Session, str, int, str, int]:
    """Return a deal that has just begun: who acts first and with which hand, and who waits."""
    session = Session(FIRST_FIVE)
    session.begin()
    deal = session.state().deal
    assert deal is not None
    (first,) = acting_hands(deal)
    other = 1 - first
    return session, session.owner(first).player, first, session.owner(other).player, other


def whole(session: Session, hand: int) -> Place:
    """Return a placement of all five cards: two in front, three in the back."""
    cards = session.see(session.owner(hand).player).ahead[0].task.cards
    return Place(hand, Layout(front=cards[:2], back=cards[2:]))


def test_a_street_set_ahead_is_placed_the_moment_its_turn_comes() -> None:
    session, first, _, waits, hand = first_cards()
    (ahead,) = session.see(waits).ahead
    assert (ahead.task.kind, len(ahead.task.cards), ahead.kept) == ("place", 5, "")
    move = whole(session, hand)
    session.ask(waits, c.SetPremove(hand, move))
    (ahead,) = session.see(waits).ahead
    assert (ahead.kept, ahead.layout) == ("place", move.layout)
    assert session.hands()[hand].street == 0, "nothing is placed yet"
    events = session.ask(first, placing(session))
    held = session.hands()[hand]
    assert held.street == 1
    assert len(held.board.front) == 2
    assert session.waited(session.owner(hand).seat) == 0, "nobody waited for it"
    clocks = [event.event.seat for event in events if isinstance(event.event, ClockStarted)]
    assert clocks == [session.owner(1 - hand).seat], "the next street's clock alone"
    assert session.see(waits).ahead == ()
    assert not session.see(waits).dropped


def test_nobody_else_learns_of_it() -> None:
    """The others see the same table as before, to the last letter, but for its version."""
    session, first, _, waits, hand = first_cards()
    before = {player: session.see(player) for player in (first, "somebody")}
    events = session.ask(waits, c.SetPremove(hand, whole(session, hand)))
    for player, earlier in before.items():
        now = session.see(player)
        assert replace(now, v=earlier.v) == earlier
    assert [encode(event)[:2] for event in events] == [("private", session.owner(hand).seat)]
    cards = session.see(waits).ahead[0].task.cards
    assert not any(card in repr(event) for event in events for card in cards)


def test_an_arrangement_set_ahead_stands_when_the_turn_comes_and_at_time_out() -> None:
    session, first, _, waits, hand = first_cards()
    cards = session.see(waits).ahead[0].task.cards
    session.ask(waits, c.SetPremove(hand, Arrange(hand, Layout(middle=cards[:2]))))
    session.ask(first, placing(session))
    view = session.see(waits)
    assert view.deal is not None
    assert view.deal.tasks[0].layout.middle == cards[:2]
    assert view.yours
    session.strike()
    assert session.hands()[hand].street == 1
    laid = session.see(waits).deal
    assert laid is not None
    board = laid.boards[hand]
    assert board.middle.cards == cards[:2]
    assert set(board.back.cards) == set(cards[2:]), "only the rest was laid by the rule"


def test_the_last_premove_counts_and_can_be_withdrawn() -> None:
    session, first, _, waits, hand = first_cards()
    session.ask(waits, c.SetPremove(hand, whole(session, hand)))
    session.ask(waits, c.SetPremove(hand, Arrange(hand, Layout())))
    assert session.see(waits).ahead[0].kept == "arrange"
    session.ask(waits, c.SetPremove(hand, whole(session, hand)))
    session.ask(waits, c.SetPremove(hand))
    assert session.see(waits).ahead[0].kept == ""
    session.ask(first, placing(session))
    assert session.hands()[hand].street == 0
    assert session.see(waits).yours


def test_a_move_that_comes_when_its_turn_has_come_is_done_at_once() -> None:
    """The player pressed while the other was still thinking; the turn came first."""
    session, first, hand, _, _ = first_cards()
    session.ask(first, c.SetPremove(hand, placing(session)))
    assert session.hands()[hand].street == 1


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Layout(front=("Ah", "Ah")), "card.duplicate"),
        (Layout(front=("??",)), "card.unknown"),
        (Layout(), "deal.wrong_count"),
    ],
)
def test_an_illegal_premove_is_refused(move: Layout, code: str) -> None:
    session, _, _, waits, hand = first_cards()
    if move.front == ("Ah", "Ah"):
        card = session.see(waits).ahead[0].task.cards[0]
        move = Layout(front=(card, card))
    with pytest.raises(TableError) as refused:
        session.ask(waits, c.SetPremove(hand, Place(hand, move)))
    assert refused.value.code == code


def test_nothing_is_set_ahead_with_cards_that_nobody_holds_yet_or_for_others() -> None:
    """Pineapple: a street comes at the turn (Rules §2)."""
    session = Session("pineapple")
    session.begin()
    deal = session.state().deal
    assert deal is not None
    (first,) = acting_hands(deal)
    waits = session.owner(1 - first).player
    assert session.see(waits).ahead == ()
    for hand, code in ((1 - first, "deal.not_your_turn"), (first, "hand.not_yours"), (7, "hand.unknown")):
        with pytest.raises(TableError) as refused:
            session.ask(waits, c.SetPremove(hand, Arrange(hand, Layout())))
        assert refused.value.code == code
    with pytest.raises(TableError) as refused:
        session.ask(waits, c.SetPremove(1 - first, Arrange(first, Layout())))
    assert refused.value.code == "hand.unknown"


CLOSED = {"preset": "closed_1_6", "settlement.cap": "none"}
SIX_PAIRS = "2d4s4h/5s5h7s7h8s/8h9s9hAsAh"
TWO = {0: "KcKd3d/QcQdQh6c2c/TcTdThJcJd", 1: "8c6h3c/9c9dKs6s2h/JsJh8d5c3h"}


@pytest.mark.parametrize("play", [True, False])
def test_a_player_who_has_set_can_announce_ahead(*, play: bool) -> None:
    """Play or surrender, asked clockwise after all have set (Rules §2); until then only one's own seat knows."""
    session = Session(CLOSED, boards=[TWO])
    session.begin()
    asked_first = session.owner(0).player
    asked_second = session.owner(1).player
    session.ask(asked_second, placing(session, 1))
    session.ask(asked_second, c.SetPremove(1, Announce(1, play)))
    assert session.see(asked_second).ahead[0].kept == ("play" if play else "surrender")
    session.ask(asked_first, placing(session, 0))
    assert session.hands()[1].plays is None
    session.ask(asked_first, Announce(0, play=True))
    assert session.state().settled
    assert session.state().sheet is not None


def test_a_premove_for_a_question_that_never_came_is_reported() -> None:
    """All the others hold naturals: nobody is asked whether to surrender, and the move is dropped with a notice."""
    session = Session(CLOSED, boards=[{0: TWO[0], 1: SIX_PAIRS}])
    session.begin()
    natural = next(i for i in (0, 1) if session.owner(i).seat == 1)
    other = 1 - natural
    player = session.owner(other).player
    session.ask(player, placing(session, other))
    session.ask(player, c.SetPremove(other, Announce(other, play=False)))
    events = session.ask(session.owner(natural).player, ClaimNatural(natural))
    assert session.state().settled
    assert [type(event.event) for event in events].count(PremoveDropped) == 1
    assert session.see(player).dropped
    assert not session.see(session.owner(natural).player).dropped
    session.begin()
    assert not session.see(player).dropped


def test_the_events_are_kept_as_they_were() -> None:
    session, _, _, waits, hand = first_cards()
    (event,) = session.ask(waits, c.SetPremove(hand, whole(session, hand)))
    assert isinstance(event.event, PremoveSet)
    assert decode(*encode(event)) == event
    assert msgspec.json.decode(msgspec.json.encode(c.SetPremove(hand)), type=c.SetPremove) == c.SetPremove(hand)
