"""Nobody waits for a seat whose player is gone for good, nor forever at a table without a clock. Issue 27.11."""

from __future__ import annotations

from random import Random

import pytest

from tests.table.session import LAND, LOW, PLAIN, QUADS, SEATS, THIRD, Session, placing
from triptych.deal.engine import acting_hands
from triptych.deal.events import Placed
from triptych.table import commands as c
from triptych.table.aggregate import evolve, next_wakeup
from triptych.table.errors import TableError
from triptych.table.events import TimeRanOut

ANN, BOB, CID, DAN = SEATS
CLOCK = {"clock.seconds": 3600, "clock.bank": 600, "clock.bank_refill": 0, "clock.setting": 3600}
LONG = CLOCK | {"preset": "pineapple"}
NONE = {"preset": "pineapple", "clock.kind": "none"}
THREE = {0: LOW, 1: PLAIN, 2: THIRD}


def leave(session: Session) -> None:
    session.ask(BOB, c.Leave())
    session.ask(BOB, c.Disconnected())


def vanish(session: Session) -> None:
    """Go first and leave then, as a program does that has no line to the table."""
    session.ask(BOB, c.Disconnected())
    session.ask(BOB, c.Leave())


def free(session: Session) -> None:
    session.ask(ANN, c.Unseat(1))


def ban(session: Session) -> None:
    session.ask(ANN, c.Ban(1))


def deal(session: Session, *gone: int) -> None:
    """Play one deal in which nobody has to wait for these seats."""
    if session.state().settled:
        session.begin()
    while not session.state().settled:
        state = session.state()
        assert state.deal is not None
        hand = acting_hands(state.deal)[0]
        assert state.deal.hands[hand].seat not in gone
        session.act()


@pytest.mark.parametrize("rules", [LONG, NONE], ids=["an hour", "no clock"])
@pytest.mark.parametrize("go", [leave, vanish, free, ban])
@pytest.mark.parametrize("moves", range(7))
def test_a_departed_player_delays_no_deal(go: object, moves: int, rules: dict[str, object]) -> None:
    """At any moment of a deal, also when it is their own turn; their cards lie as the rules say."""
    session = Session(rules, people=3, boards=[THREE])
    session.begin()
    for _ in range(moves):
        session.act()
    go(session)  # type: ignore[operator]
    deal(session, 1)
    placed = [event.event for event in session.log if isinstance(event.event, Placed)]
    assert len(placed) == 15
    bobs = next(board for board in session.see(ANN).deal.boards if board.seat == 1)  # type: ignore[union-attr]
    assert bobs.back.cards == ("Th", "Td", "Jh", "Jd", "8c")  # as `received_back_first` lays them
    assert session.state().seats[1].player == ""
    assert "TimeRanOut" not in session.kinds()


@pytest.mark.parametrize("go", [leave, free, ban])
@pytest.mark.parametrize("order", ["after_others", "at_start_hidden"])
def test_a_fantasyland_is_played_without_a_departed_player(go: object, order: str) -> None:
    """It belongs to the deal that brought it: the seat is free after it, also that of a banned player."""
    rules = LONG | {"fantasyland.order": order}
    session = Session(rules, boards=[{0: LAND, 1: PLAIN}, {0: QUADS, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.begin()
    session.act()
    go(session)  # type: ignore[operator]
    for played in range(1, 4):
        deal(session, 1)
        assert session.state().deals == played
        assert (session.state().seats[1].player == "") == (played == 3)
    assert session.state().match is None


def test_the_fantasyland_of_a_departed_player_is_placed_at_once() -> None:
    session = Session(LONG, boards=[{0: PLAIN, 1: LAND}, {0: PLAIN, 1: LOW}])
    deal(session)
    leave(session)
    deal(session, 1)
    assert session.state().deals == 2
    assert session.state().seats[1].player == ""


@pytest.mark.parametrize("second", [leave, free, ban])
def test_two_go_at_once(second: object) -> None:
    session = Session(LONG, people=3, boards=[THREE])
    session.begin()
    session.ask(CID, c.Leave())
    session.ask(CID, c.Disconnected())
    second(session)  # type: ignore[operator]
    deal(session, 1, 2)
    assert [seat.player for seat in session.state().seats[:3]] == [ANN, "", ""]


def test_all_go_at_once_and_the_deal_ends_by_itself() -> None:
    session = Session(NONE, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    for player in (ANN, BOB):
        session.ask(player, c.Leave())
        session.ask(player, c.Disconnected())
    assert session.state().settled
    assert not any(seat.player for seat in session.state().seats)


def test_a_disconnected_player_has_the_usual_clock() -> None:
    session = Session(LONG, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    session.ask(ANN, c.Disconnected())
    assert [clock.seat for clock in session.state().clocks] == [0]


def test_a_leaving_player_who_stays_connected_plays_on() -> None:
    session = Session(LONG, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    session.ask(ANN, c.Leave())
    assert [clock.seat for clock in session.state().clocks] == [0]
    session.ask(ANN, c.Disconnected())
    assert [clock.seat for clock in session.state().clocks] == [1]


def test_a_player_who_left_and_returns_plays_their_next_street() -> None:
    session = Session(LONG, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    session.ask(ANN, c.Leave())
    session.ask(ANN, c.Disconnected())
    assert session.see(BOB).seats[0].away
    session.ask(ANN, c.Connected())
    assert not session.see(BOB).seats[0].away
    session.act()
    assert [clock.seat for clock in session.state().clocks] == [0]
    session.ask(ANN, c.SitIn())
    session.ask(ANN, c.Disconnected())
    assert [clock.seat for clock in session.state().clocks] == [0]


def test_a_removed_player_cannot_undo_it_and_sees_why() -> None:
    session = Session(LONG | {"match.kind": "deals:3"}, boards=[{0: LOW, 1: PLAIN}] * 3)
    session.begin()
    free(session)
    assert session.see(BOB).prompt == "The host removed you from your seat. Your cards are placed automatically."
    assert "sit_in" not in session.see(BOB).may
    for _ in range(3):
        assert session.state().seats[1].player == BOB
        deal(session, 1)
    assert session.state().seats[1].player == ""


def test_the_match_goes_on_without_a_banned_player() -> None:
    """The seat is free at the deal's end, and who takes it then joins with the next match."""
    boards = [THREE, {0: LOW, 2: THIRD}, {0: LOW, 2: THIRD}]
    session = Session(LONG | {"match.kind": "deals:3"}, people=3, boards=boards)
    session.begin()
    ban(session)
    deal(session, 1)
    assert session.state().seats[1].player == ""
    assert session.match().seats == (0, 2)
    session.ask(DAN, c.Sit(1, 100))
    deal(session, 1)
    assert session.match().seats == (0, 2)
    assert session.match().paid == tuple(session.state().seats[seat].stack - 100 for seat in (0, 2))
    deal(session, 1)
    assert session.state().match is None
    assert session.state().deals == 3
    session.boards = [THREE]
    session.begin()
    assert session.match().seats == (0, 1, 2)


@pytest.mark.parametrize("kind", ["orbit", "deals:9", "points:11", "endless"])
def test_a_ban_between_two_deals_frees_the_seat_at_once(kind: str) -> None:
    session = Session(LONG | {"match.kind": kind}, boards=[{0: LOW, 1: PLAIN}])
    deal(session)
    if session.state().match is not None:
        ban(session)
    assert kind == "points:11" or session.state().seats[1].player == ""
    assert session.state().match is None


def test_nothing_is_placed_in_a_pause() -> None:
    session = Session(LONG, people=3, boards=[THREE])
    session.begin()
    session.act()
    session.ask(ANN, c.Pause())
    ban(session)
    assert [clock.seat for clock in session.state().clocks] == [1]
    session.ask(ANN, c.ResumePlay())
    assert [clock.seat for clock in session.state().clocks] == [2]


def test_a_restart_changes_nothing_for_departed_players_and_waits_for_leaving_ones() -> None:
    session = Session(LONG, people=3, boards=[THREE])
    session.begin()
    session.ask(BOB, c.Leave())
    session.ask(CID, c.Leave())
    session.ask(CID, c.Disconnected())
    session.ask("", c.ReportDowntime())
    session.ask(ANN, c.Connected())
    session.act()
    assert [clock.seat for clock in session.state().clocks] == [1]
    session.ask(BOB, c.Disconnected())  # the server has not seen them again
    assert [clock.seat for clock in session.state().clocks] == [0]
    state = None
    for event in session.log:
        state = evolve(state, event)
    assert state == session.state()


def test_a_bot_whose_seat_is_freed_plays_on() -> None:
    session = Session(LONG, people=1)
    session.ask(ANN, c.SeatBot(1, "first", 100))
    session.begin()
    free(session)
    session.act()
    assert [clock.seat for clock in session.state().clocks] == [1]


def refused(session: Session, player: str, seat: int) -> str:
    with pytest.raises(TableError) as caught:
        session.ask(player, c.PlaceFor(seat))
    return caught.value.code


def test_at_a_table_without_a_clock_the_others_have_a_way_out_after_30_seconds() -> None:
    session = Session(NONE, people=3, boards=[THREE])
    session.begin()
    assert [(turn.seat, turn.ends - session.now) for turn in session.see(DAN).turns] == [(0, 30_000)]
    assert "place_for" in session.see(BOB).may
    assert "place_for" not in session.see(DAN).may
    session.ask(ANN, c.Disconnected())
    session.now += 29_999
    assert refused(session, BOB, 0) == "turn.not_yet"
    session.now += 1
    assert refused(session, DAN, 0) == "player.not_seated"
    assert refused(session, BOB, 2) == "turn.not_yet"
    assert refused(session, BOB, 3) == "seat.empty"
    session.ask(BOB, c.PlaceFor(0))
    assert TimeRanOut(session.now, 0, "Bob") in [event.event for event in session.log]
    assert "Bob had Ann’s cards placed automatically" in [line.text for line in session.state().talk]
    assert [turn.seat for turn in session.see(BOB).turns] == [1]
    deal(session, 0)  # and nobody waits for them a second time
    assert session.state().seats[0].sitting_out


def test_an_active_player_gets_their_full_time_again() -> None:
    """Whoever moves cards about or speaks is there; the host can still free the seat."""
    session = Session(NONE, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    session.now += 25_000
    session.ask(ANN, session.arranging())
    session.now += 20_000
    assert refused(session, BOB, 0) == "turn.not_yet"
    session.ask(ANN, c.Say("a moment"))
    session.now += 29_000
    assert refused(session, BOB, 0) == "turn.not_yet"
    session.ask(BOB, c.Say("well?"))
    session.now += 1_000
    session.ask(BOB, c.PlaceFor(0))


def test_a_connected_player_loses_one_street_and_with_the_second_their_turns() -> None:
    session = Session(NONE, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    session.now += 30_000
    session.ask(BOB, c.PlaceFor(0))
    assert not session.state().seats[0].sitting_out
    assert not session.see(BOB).seats[0].away
    session.act()
    assert [turn.seat for turn in session.see(BOB).turns] == [0]
    session.now += 30_000
    session.ask(BOB, c.PlaceFor(0))
    assert session.state().seats[0].sitting_out
    deal(session, 0)


def test_nobody_hurries_another_before_they_have_placed_their_own_cards() -> None:
    """Where all place at once: 30 s from when each of them did something last."""
    session = Session({"preset": "closed_basic", "clock.kind": "none"}, people=3)
    session.begin()
    session.now += 31_000
    assert refused(session, ANN, 1) == "turn.yours"
    own = next(index for index, hand in enumerate(session.hands()) if hand.seat == 0)
    session.ask(ANN, placing(session, own))
    session.ask(ANN, c.PlaceFor(1))
    session.ask(ANN, c.PlaceFor(2))
    assert session.state().settled


def test_a_pause_and_a_restart_cost_nobody_their_30_seconds() -> None:
    session = Session(NONE, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    session.now += 10_000
    session.ask(BOB, c.Say("hm"))
    session.ask(ANN, c.Pause())
    session.now += 60_000
    assert refused(session, BOB, 0) == "table.paused"
    session.ask(ANN, c.ResumePlay())
    session.now += 500_000
    session.ask("", c.ReportDowntime(since=session.now - 490_000))
    assert refused(session, BOB, 0) == "turn.not_yet"


def test_a_clock_places_the_cards_itself() -> None:
    session = Session(LONG, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    session.now += 60_000
    assert session.see(BOB).turns == ()
    assert "place_for" not in session.see(BOB).may
    assert refused(session, BOB, 0) == "turn.clock"


def test_a_bot_that_does_not_answer_stops_no_table_without_a_clock() -> None:
    session = Session(NONE, people=1)
    session.ask(ANN, c.SeatBot(1, "first", 100))
    session.begin()
    session.act()
    session.now += 30_000
    session.ask(ANN, c.PlaceFor(1))
    assert not session.state().seats[1].sitting_out
    assert [turn.seat for turn in session.see(ANN).turns] == [0]


@pytest.mark.parametrize("preset", ["pineapple", "ofc_russian", "turbo", "closed_1_6", "criss_cross"])
@pytest.mark.parametrize("seed", range(8))
def test_others_play_on_when_somebody_leaves_at_any_time(preset: str, seed: int) -> None:
    """Several deals; people go one after the other in every way; no deal waits for them."""
    rng = Random(seed)
    kind = rng.choice(["deal_group", "orbit", "deals:4", "endless"])
    clock: dict[str, object] = rng.choice([{**CLOCK}, {"clock.kind": "none"}])
    people = 2 if preset == "criss_cross" else 3
    session = Session({**clock, "preset": preset, "match.kind": kind}, people=people, seed=seed)
    going = rng.choice([leave, vanish, free, ban])
    at = rng.randrange(20)
    for step in range(60):
        if step == at and session.state().seats[1].player == BOB:
            going(session)
        if session.state().settled:
            if next_wakeup(session.state()) is None:
                break
            session.strike()
            continue
        state = session.state()
        assert state.deal is not None
        hand = acting_hands(state.deal)[0]
        seat = state.seats[state.deal.hands[hand].seat]
        assert step < at or seat.player != BOB
        session.act()
    assert session.state().deals > 0
