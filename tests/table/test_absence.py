"""Nobody waits twice for somebody who is away.

Rule: Rules §6 (timeout.scope); source 000 L94-95, 002 L31; issue 10, 1.1; issue 11, 1.2 and 1.3.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.table.session import LAND, LOW, PLAIN, QUADS, SEATS, THIRD, Session, layout
from triptych.deal.actions import Arrange, Forfeit
from triptych.deal.engine import acting_hands
from triptych.deal.events import Placed
from triptych.deal.timeout import best_legal, timeout_action
from triptych.deal.visibility import Private
from triptych.table import commands as c
from triptych.table.aggregate import next_wakeup
from triptych.table.events import PlayerReturned, TimeRanOut

if TYPE_CHECKING:
    from triptych.board import Layout

CLOCK = {"clock.seconds": 30, "clock.bank": 60, "clock.bank_refill": 0, "clock.setting": 90}
PINEAPPLE = CLOCK | {"preset": "pineapple"}
# Nothing in common with LAND and PLAIN, and no fantasyland.
DULL = {0: LOW, 1: PLAIN}


def play_for(session: Session, *seats: int) -> None:
    """Play the deal to its end; only these seats act, the clock strikes for the others."""
    if session.state().settled:
        session.begin()
    while not session.state().settled:
        deal = session.state().deal
        assert deal is not None
        if deal.hands[acting_hands(deal)[0]].seat in seats:
            session.act()
        else:
            session.strike()


def test_the_rest_of_a_russian_deal_is_placed_for_a_timed_out_player() -> None:
    """Source 000 L94.1, L95.3: all moves of the deal are made at once; the others wait 150 s, not 150 + 8 x 30."""
    session = Session("ofc_russian", boards=[DULL])
    play_for(session, 0)
    assert session.waited(1) == 150
    assert session.kinds().count("TimeRanOut") == 1
    assert session.state().match is None  # L95: the game ends with this deal
    assert session.state().deals == 1


def test_a_russian_fantasyland_of_the_others_is_played_without_waiting_again() -> None:
    """Source 000 L95.1-2: the game goes on until all fantasylands have been played."""
    session = Session("ofc_russian", boards=[{0: LAND, 1: PLAIN}, DULL])
    play_for(session, 0)
    assert session.state().match is not None
    play_for(session, 0)
    assert session.state().match is None
    assert session.state().deals == 2
    assert session.waited(1) == 150


def test_a_player_who_is_gone_costs_one_clock_and_one_bank_over_two_fantasylands() -> None:
    """Source 002 L31.7, L31.9: the deal is laid out for them, and a fantasyland belongs to it."""
    session = Session(PINEAPPLE, boards=[{0: LAND, 1: PLAIN}, {0: QUADS, 1: PLAIN}, DULL])
    session.begin()
    session.ask("bob", c.Disconnected())
    for _ in range(3):
        play_for(session, 0)
    assert session.waited(1) == 30 + 60
    assert session.state().match is None
    assert session.state().deals == 3
    boards = [board for board in session.see("ann").deal.boards if board.seat == 1]  # type: ignore[union-attr]
    assert boards[0].back.cards == ("Th", "Td", "Jh", "Jd", "8c")


def test_nobody_waits_for_a_leaving_player_who_closes_the_tab() -> None:
    """Issue 27.11: it was the clock and the bank, which can be an hour."""
    session = Session(PINEAPPLE, boards=[{0: LAND, 1: PLAIN}, DULL])
    session.begin()
    session.ask("bob", c.Leave())
    session.ask("bob", c.Disconnected())
    play_for(session, 0)
    play_for(session, 0)
    assert session.waited(1) == 0
    assert session.state().seats[1].player == ""


def test_a_player_who_is_there_has_the_next_street_for_themselves() -> None:
    """`street`: this street alone while the player is connected."""
    session = Session(PINEAPPLE, boards=[DULL] * 3)
    session.begin()
    session.strike()
    assert session.state().seats[0].late
    assert not session.see("ann").seats[0].away
    session.act()  # Bob
    clock = session.see("ann").clocks[0]
    assert (clock.seat, clock.bank_ends - session.now) == (0, 30_000)
    session.act()
    assert not session.state().seats[0].late
    assert PlayerReturned(session.now, 0) in [event.event for event in session.log]


def test_a_player_who_is_there_and_never_moves_costs_one_clock_more() -> None:
    """The second time-out without a move in between lays out the rest."""
    session = Session(PINEAPPLE, boards=[DULL])
    play_for(session, 1)
    assert session.waited(0) == 30 + 60 + 30
    assert session.state().seats[0].absent


def test_without_sitting_out_a_second_time_out_is_the_last_too() -> None:
    """`timeout.after = none`, `street`: a player who is there and never moves is not waited for a third time."""
    session = Session(PINEAPPLE | {"timeout.after": "none"}, boards=[DULL])
    play_for(session, 1)
    assert session.waited(0) == 30 + 60 + 30


def test_a_leaving_player_is_waited_for_once_though_connected() -> None:
    """Whether they asked to leave before their time ran out, or after it."""
    session = Session(PINEAPPLE, boards=[DULL])
    session.begin()
    session.ask("ann", c.Leave())
    play_for(session, 1)
    assert session.waited(0) == 30 + 60
    lines = [line.text for line in session.state().talk]
    assert "Ann ran out of time. Their cards are placed automatically until they return." in lines
    session = Session(PINEAPPLE, boards=[DULL])
    session.begin()
    session.strike()
    session.ask("ann", c.Leave())
    play_for(session, 1)
    assert session.waited(0) == 30 + 60


def test_a_player_who_leaves_after_a_time_out_is_not_waited_for_again() -> None:
    session = Session(PINEAPPLE, boards=[DULL])
    session.begin()
    session.strike()
    session.ask("ann", c.Disconnected())
    play_for(session, 1)
    assert session.waited(0) == 30 + 60


def test_a_player_who_chose_to_sit_out_is_waited_for_once() -> None:
    """Rules §6: `deal` for one who is gone or sits out."""
    session = Session(PINEAPPLE, boards=[{0: LAND, 1: PLAIN}, DULL])
    session.begin()
    session.ask("bob", c.SitOut())
    play_for(session, 0)
    play_for(session, 0)
    assert session.waited(1) == 30 + 60


def test_a_returning_player_has_a_clock_again() -> None:
    """Until the player is back: connected again and sitting in. A connection alone makes nobody wait."""
    session = Session(PINEAPPLE, boards=[{0: LAND, 1: PLAIN}, {0: QUADS, 1: PLAIN}, DULL])
    session.begin()
    session.ask("bob", c.Disconnected())
    play_for(session, 0)
    session.ask("bob", c.Connected())
    session.begin()
    assert session.see("bob").prompt.startswith("You ran out of time")
    assert session.see("bob").yours
    assert "sit_in" in session.see("bob").may
    play_for(session, 0)
    assert session.waited(1) == 30 + 60
    session.ask("bob", c.SitIn())
    session.begin()
    assert [clock.seat for clock in session.state().clocks] == [1]


def test_without_sitting_out_a_player_comes_back_with_sit_in_or_ready() -> None:
    """`timeout.after = none`: nobody sits out, but the rest is laid out as long as the player is away."""
    rules = PINEAPPLE | {"timeout.after": "none", "timeout.scope": "deal", "match.kind": "deals:4"}
    session = Session(rules, boards=[DULL] * 4)
    play_for(session, 1)
    assert session.waited(0) == 90
    play_for(session, 1)
    assert session.waited(0) == 90
    session.ask("ann", c.Ready())
    session.begin()
    assert [clock.seat for clock in session.state().clocks] == [0]


def test_a_new_match_waits_again() -> None:
    rules = PINEAPPLE | {"timeout.after": "none", "timeout.scope": "deal"}
    session = Session(rules, boards=[DULL] * 2)
    play_for(session, 1)
    play_for(session, 1)
    assert session.waited(0) == 90 + 30


def test_a_lone_player_beside_a_fantasyland_who_goes_is_laid_out_street_after_street() -> None:
    """Bob has all streets in a row; the first one's clock is the only one that runs for him."""
    session = Session(PINEAPPLE, boards=[{0: LAND, 1: PLAIN}, DULL])
    session.play()
    session.begin()
    session.ask("bob", c.Disconnected())
    assert [clock.seat for clock in session.state().clocks] == [1]
    session.strike()
    assert [clock.seat for clock in session.state().clocks] == [0]
    assert session.waited(1) == 30 + 60
    assert len(next(hand for hand in session.hands() if hand.seat == 1).board.cards) == 13


def test_two_departed_players_do_not_stop_the_third() -> None:
    three = {0: LOW, 1: PLAIN, 2: THIRD}
    session = Session(PINEAPPLE, people=3, boards=[three])
    session.begin()
    for player in ("ann", "bob"):
        session.ask(player, c.Disconnected())
    play_for(session, 2)
    assert (session.waited(0), session.waited(1)) == (90, 90)
    assert session.waited(2) == 0


def test_an_arrangement_of_a_later_street_stands_and_is_private() -> None:
    """Issue 11, 1.2: later streets send the arrangement privately; at time-out it stands."""
    session = Session(PINEAPPLE, boards=[DULL])
    session.begin()
    session.act()
    session.act()
    hand = session.hands()[0]
    assert hand.street == 1
    received = session.see("ann").deal.tasks[0].cards  # type: ignore[union-attr]
    events = session.ask("ann", Arrange(0, layout(f"{received[2]}/-/-")))
    assert [type(event) for event in events] == [Private]
    for other in ("bob", "nobody"):
        board = session.see(other).deal.boards[0]  # type: ignore[union-attr]
        assert board.pending == ()
        assert board.draws == ("??",) * 3
    session.strike()
    board = session.see("bob").deal.boards[0]  # type: ignore[union-attr]
    assert board.front.cards == (received[2],)
    assert received[0] in (*board.back.cards, *board.middle.cards)


@pytest.mark.parametrize(
    ("preset", "board"),
    [
        ("closed_basic", layout("5h3c4c/KsKd2c7h8h/AsAdAhQhQd")),
        ("pineapple", layout("2d3d6h/8s8d5c6c9c/TsTcKhKcQs")),
    ],
)
def test_a_whole_board_that_was_arranged_stands(preset: str, board: Layout) -> None:
    """A closed hand, and a fantasyland: what was finished and not confirmed is played as it lies."""
    session = Session(CLOCK | {"preset": preset}, boards=[{0: LAND, 1: PLAIN}, DULL])
    if preset == "pineapple":
        session.play()
    session.begin()
    while not any(hand.seat == 0 and hand.placing for hand in session.hands()):
        session.act()
    index = next(i for i, hand in enumerate(session.hands()) if hand.seat == 0)
    session.ask("ann", Arrange(index, board))
    assert session.see("bob").deal.boards[index].pending == ()  # type: ignore[union-attr]
    session.strike()
    assert Placed(index, 1, board) in [event.event for event in session.log]


def test_time_runs_out_in_words() -> None:
    session = Session(PINEAPPLE, boards=[DULL])
    session.begin()
    events = session.strike()
    assert TimeRanOut(session.now, 0) in [event.event for event in events]
    assert "Ann ran out of time. Their cards are placed automatically." in [
        line.text for line in session.state().talk
    ]
    session.act()
    session.strike()
    assert "Ann ran out of time. Their cards are placed automatically until they return." in [
        line.text for line in session.state().talk
    ]


@settings(max_examples=examples(150))
@given(
    preset=st.sampled_from(["pineapple", "ofc_russian", "pineapple_27", "turbo", "closed_1_6", "criss_cross"]),
    changes=st.fixed_dictionaries(
        {
            "clock.kind": st.sampled_from(["per_street", "per_deal"]),
            "match.kind": st.sampled_from(["deal_group", "orbit", "deals:4", "endless"]),
            "timeout.scope": st.sampled_from(["street", "deal"]),
            "timeout.after": st.sampled_from(["sit_out", "end_match", "none"]),
            "timeout.layout": st.sampled_from(["received_back_first", "foul", "best_legal"]),
            "fantasyland.order": st.sampled_from(["after_others", "at_start_hidden"]),
        }
    ),
    seed=st.integers(0, 2**32),
)
def test_a_player_who_goes_away_costs_one_clock_and_one_bank(
    preset: str, changes: dict[str, object], seed: int
) -> None:
    """When somebody goes for good, all later waiting for them is at most one clock and one bank. Issue 10, 1.1."""
    rng = Random(seed)
    session = Session({**CLOCK, "preset": preset, **changes}, seed=seed)
    going, gone_at, before = rng.randrange(2), rng.randrange(25), 0.0
    for step in range(80):
        if step == gone_at:
            before = session.waited(going)
            if rng.random() < 0.5:
                session.ask(SEATS[going], c.Leave())
            session.ask(SEATS[going], c.Disconnected())
        if next_wakeup(session.state()) is None or session.state().deals > 6:
            break
        hand = None if session.state().settled else awaited_from(session, None if step < gone_at else going)
        if hand is None:
            session.strike()
            continue
        session.now += rng.choice([0, 5_000, 20_000])
        deal = session.state().deal
        assert deal is not None
        action = timeout_action(deal, hand)
        if isinstance(action, Forfeit):  # only the clock can do this
            action = best_legal(deal, hand)
        session.ask(session.owner(hand).player, action)
    hands = 2 if preset == "criss_cross" else 1
    assert session.waited(going) - before <= 90 * hands + 60


def awaited_from(session: Session, but: int | None) -> int | None:
    """Return a hand from which something is awaited now, of any seat but one."""
    deal = session.state().deal
    assert deal is not None
    return next((hand for hand in acting_hands(deal) if deal.hands[hand].seat != but), None)


def test_a_bot_whose_time_runs_out_is_never_away() -> None:
    """Rules §6 (time out): it answers again as soon as its process does, so it has its clock in every street."""
    session = Session({"preset": "pineapple", "timeout.scope": "deal"}, people=1)
    session.ask("ann", c.SeatBot(1, "first", 100))
    session.begin()
    waited = 0
    while not session.state().settled:
        if session.see("ann").yours:
            session.act()
        else:
            session.strike()
            waited += 1
        seat = session.state().seats[1]
        assert not any((seat.absent, seat.sitting_out, session.see("ann").seats[1].away))
    assert waited == 5
