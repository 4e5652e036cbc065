"""Nobody waits for a seat whose player is gone for good, nor for ever at a table without a clock. Issue 27.11."""

from __future__ import annotations

from random import Random

import pytest

from tests.table.evening import LAND, LOW, PLAIN, QUADS, SEATS, THIRD, Evening, placing
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


def leave(evening: Evening) -> None:
    evening.ask(BOB, c.Leave())
    evening.ask(BOB, c.Disconnected())


def vanish(evening: Evening) -> None:
    """Go first and leave then, as a program does that has no line to the table."""
    evening.ask(BOB, c.Disconnected())
    evening.ask(BOB, c.Leave())


def free(evening: Evening) -> None:
    evening.ask(ANN, c.Unseat(1))


def ban(evening: Evening) -> None:
    evening.ask(ANN, c.Ban(1))


def deal(evening: Evening, *gone: int) -> None:
    """Play one deal in which nobody has to wait for these seats."""
    if evening.state().settled:
        evening.begin()
    while not evening.state().settled:
        state = evening.state()
        assert state.deal is not None
        hand = acting_hands(state.deal)[0]
        assert state.deal.hands[hand].seat not in gone
        evening.act()


@pytest.mark.parametrize("rules", [LONG, NONE], ids=["an hour", "no clock"])
@pytest.mark.parametrize("go", [leave, vanish, free, ban])
@pytest.mark.parametrize("moves", range(7))
def test_who_is_gone_holds_no_deal(go: object, moves: int, rules: dict[str, object]) -> None:
    """At any moment of a deal, also when it is their own turn; their cards lie as the rules say."""
    evening = Evening(rules, people=3, boards=[THREE])
    evening.begin()
    for _ in range(moves):
        evening.act()
    go(evening)  # type: ignore[operator]
    deal(evening, 1)
    placed = [event.event for event in evening.log if isinstance(event.event, Placed)]
    assert len(placed) == 15
    bobs = next(one for one in evening.see(ANN).deal.boards if one.seat == 1)  # type: ignore[union-attr]
    assert bobs.back.cards == ("Th", "Td", "Jh", "Jd", "8c")  # as `received_back_first` lays them
    assert evening.state().seats[1].player == ""
    assert "TimeRanOut" not in evening.kinds()


@pytest.mark.parametrize("go", [leave, free, ban])
@pytest.mark.parametrize("order", ["after_others", "at_start_hidden"])
def test_a_fantasyland_is_played_without_who_is_gone(go: object, order: str) -> None:
    """It belongs to the deal that brought it: the seat is free after it, also that of a banned player."""
    rules = LONG | {"fantasyland.order": order}
    evening = Evening(rules, boards=[{0: LAND, 1: PLAIN}, {0: QUADS, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    evening.begin()
    evening.act()
    go(evening)  # type: ignore[operator]
    for played in range(1, 4):
        deal(evening, 1)
        assert evening.state().deals == played
        assert (evening.state().seats[1].player == "") == (played == 3)
    assert evening.state().match is None


def test_the_fantasyland_of_who_is_gone_is_laid_at_once() -> None:
    evening = Evening(LONG, boards=[{0: PLAIN, 1: LAND}, {0: PLAIN, 1: LOW}])
    deal(evening)
    leave(evening)
    deal(evening, 1)
    assert evening.state().deals == 2
    assert evening.state().seats[1].player == ""


@pytest.mark.parametrize("second", [leave, free, ban])
def test_two_go_at_once(second: object) -> None:
    evening = Evening(LONG, people=3, boards=[THREE])
    evening.begin()
    evening.ask(CID, c.Leave())
    evening.ask(CID, c.Disconnected())
    second(evening)  # type: ignore[operator]
    deal(evening, 1, 2)
    assert [seat.player for seat in evening.state().seats[:3]] == [ANN, "", ""]


def test_all_go_at_once_and_the_deal_ends_by_itself() -> None:
    evening = Evening(NONE, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    for player in (ANN, BOB):
        evening.ask(player, c.Leave())
        evening.ask(player, c.Disconnected())
    assert evening.state().settled
    assert not any(seat.player for seat in evening.state().seats)


def test_who_is_only_disconnected_has_the_usual_clock() -> None:
    evening = Evening(LONG, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    evening.ask(ANN, c.Disconnected())
    assert [clock.seat for clock in evening.state().clocks] == [0]


def test_who_leaves_and_stays_to_the_end_plays_on() -> None:
    evening = Evening(LONG, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    evening.ask(ANN, c.Leave())
    assert [clock.seat for clock in evening.state().clocks] == [0]
    evening.ask(ANN, c.Disconnected())
    assert [clock.seat for clock in evening.state().clocks] == [1]


def test_who_left_and_comes_back_plays_their_next_street() -> None:
    evening = Evening(LONG, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    evening.ask(ANN, c.Leave())
    evening.ask(ANN, c.Disconnected())
    assert evening.see(BOB).seats[0].away
    evening.ask(ANN, c.Connected())
    assert not evening.see(BOB).seats[0].away
    evening.act()
    assert [clock.seat for clock in evening.state().clocks] == [0]
    evening.ask(ANN, c.SitIn())
    evening.ask(ANN, c.Disconnected())
    assert [clock.seat for clock in evening.state().clocks] == [0]


def test_who_is_freed_cannot_take_it_back_and_is_told_so() -> None:
    evening = Evening(LONG | {"match.kind": "deals:3"}, boards=[{0: LOW, 1: PLAIN}] * 3)
    evening.begin()
    free(evening)
    assert evening.see(BOB).prompt == "The host has freed your seat: your cards are placed automatically"
    assert "sit_in" not in evening.see(BOB).may
    for _ in range(3):
        assert evening.state().seats[1].player == BOB
        deal(evening, 1)
    assert evening.state().seats[1].player == ""


def test_the_others_match_goes_on_without_who_is_banned() -> None:
    """The seat is free at the deal's end, and who takes it then joins with the next match."""
    boards = [THREE, {0: LOW, 2: THIRD}, {0: LOW, 2: THIRD}]
    evening = Evening(LONG | {"match.kind": "deals:3"}, people=3, boards=boards)
    evening.begin()
    ban(evening)
    deal(evening, 1)
    assert evening.state().seats[1].player == ""
    assert evening.match().seats == (0, 2)
    evening.ask(DAN, c.Sit(1, 100))
    deal(evening, 1)
    assert evening.match().seats == (0, 2)
    assert evening.match().paid == tuple(evening.state().seats[seat].stack - 100 for seat in (0, 2))
    deal(evening, 1)
    assert evening.state().match is None
    assert evening.state().deals == 3
    evening.boards = [THREE]
    evening.begin()
    assert evening.match().seats == (0, 1, 2)


@pytest.mark.parametrize("kind", ["orbit", "deals:9", "points:11", "endless"])
def test_a_ban_between_two_deals_frees_the_seat_at_once(kind: str) -> None:
    evening = Evening(LONG | {"match.kind": kind}, boards=[{0: LOW, 1: PLAIN}])
    deal(evening)
    if evening.state().match is not None:
        ban(evening)
    assert kind == "points:11" or evening.state().seats[1].player == ""
    assert evening.state().match is None


def test_nothing_is_placed_in_a_pause() -> None:
    evening = Evening(LONG, people=3, boards=[THREE])
    evening.begin()
    evening.act()
    evening.ask(ANN, c.Pause())
    ban(evening)
    assert [clock.seat for clock in evening.state().clocks] == [1]
    evening.ask(ANN, c.ResumePlay())
    assert [clock.seat for clock in evening.state().clocks] == [2]


def test_a_restart_changes_nothing_for_who_is_gone_and_waits_for_who_had_only_asked_to_leave() -> None:
    evening = Evening(LONG, people=3, boards=[THREE])
    evening.begin()
    evening.ask(BOB, c.Leave())
    evening.ask(CID, c.Leave())
    evening.ask(CID, c.Disconnected())
    evening.ask("", c.ReportDowntime())
    evening.ask(ANN, c.Connected())
    evening.act()
    assert [clock.seat for clock in evening.state().clocks] == [1]
    evening.ask(BOB, c.Disconnected())  # the server has not seen them again
    assert [clock.seat for clock in evening.state().clocks] == [0]
    state = None
    for event in evening.log:
        state = evolve(state, event)
    assert state == evening.state()


def test_a_bot_whose_seat_is_freed_plays_on() -> None:
    evening = Evening(LONG, people=1)
    evening.ask(ANN, c.SeatBot(1, "first", 100))
    evening.begin()
    free(evening)
    evening.act()
    assert [clock.seat for clock in evening.state().clocks] == [1]


def refused(evening: Evening, player: str, seat: int) -> str:
    with pytest.raises(TableError) as caught:
        evening.ask(player, c.PlaceFor(seat))
    return caught.value.code


def test_at_a_table_without_a_clock_the_others_have_a_way_out_after_30_seconds() -> None:
    evening = Evening(NONE, people=3, boards=[THREE])
    evening.begin()
    assert [(turn.seat, turn.ends - evening.now) for turn in evening.see(DAN).turns] == [(0, 30_000)]
    assert "place_for" in evening.see(BOB).may
    assert "place_for" not in evening.see(DAN).may
    evening.ask(ANN, c.Disconnected())
    evening.now += 29_999
    assert refused(evening, BOB, 0) == "turn.not_yet"
    evening.now += 1
    assert refused(evening, DAN, 0) == "player.not_seated"
    assert refused(evening, BOB, 2) == "turn.not_yet"
    assert refused(evening, BOB, 3) == "seat.empty"
    evening.ask(BOB, c.PlaceFor(0))
    assert TimeRanOut(evening.now, 0, "Bob") in [event.event for event in evening.log]
    assert "Bob has the cards of Ann placed automatically" in [line.text for line in evening.state().talk]
    assert [turn.seat for turn in evening.see(BOB).turns] == [1]
    deal(evening, 0)  # and nobody waits for them a second time
    assert evening.state().seats[0].sitting_out


def test_who_does_something_gets_their_time_anew() -> None:
    """Whoever moves cards about or speaks is there; the host can still free the seat."""
    evening = Evening(NONE, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    evening.now += 25_000
    evening.ask(ANN, evening.arranging())
    evening.now += 20_000
    assert refused(evening, BOB, 0) == "turn.not_yet"
    evening.ask(ANN, c.Say("a moment"))
    evening.now += 29_000
    assert refused(evening, BOB, 0) == "turn.not_yet"
    evening.ask(BOB, c.Say("well?"))
    evening.now += 1_000
    evening.ask(BOB, c.PlaceFor(0))


def test_who_is_there_loses_one_street_and_with_the_second_their_turns() -> None:
    evening = Evening(NONE, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    evening.now += 30_000
    evening.ask(BOB, c.PlaceFor(0))
    assert not evening.state().seats[0].sitting_out
    assert not evening.see(BOB).seats[0].away
    evening.act()
    assert [turn.seat for turn in evening.see(BOB).turns] == [0]
    evening.now += 30_000
    evening.ask(BOB, c.PlaceFor(0))
    assert evening.state().seats[0].sitting_out
    deal(evening, 0)


def test_nobody_hurries_another_before_they_have_placed_their_own_cards() -> None:
    """Where all place at once: 30 s from when each of them did something last."""
    evening = Evening({"preset": "closed_basic", "clock.kind": "none"}, people=3)
    evening.begin()
    evening.now += 31_000
    assert refused(evening, ANN, 1) == "turn.yours"
    own = next(index for index, hand in enumerate(evening.hands()) if hand.seat == 0)
    evening.ask(ANN, placing(evening, own))
    evening.ask(ANN, c.PlaceFor(1))
    evening.ask(ANN, c.PlaceFor(2))
    assert evening.state().settled


def test_a_pause_and_a_restart_cost_nobody_their_30_seconds() -> None:
    evening = Evening(NONE, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    evening.now += 10_000
    evening.ask(BOB, c.Say("hm"))
    evening.ask(ANN, c.Pause())
    evening.now += 60_000
    assert refused(evening, BOB, 0) == "table.paused"
    evening.ask(ANN, c.ResumePlay())
    evening.now += 500_000
    evening.ask("", c.ReportDowntime(since=evening.now - 490_000))
    assert refused(evening, BOB, 0) == "turn.not_yet"


def test_a_clock_places_the_cards_itself() -> None:
    evening = Evening(LONG, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    evening.now += 60_000
    assert evening.see(BOB).turns == ()
    assert "place_for" not in evening.see(BOB).may
    assert refused(evening, BOB, 0) == "turn.clock"


def test_a_bot_that_does_not_answer_stops_no_table_without_a_clock() -> None:
    evening = Evening(NONE, people=1)
    evening.ask(ANN, c.SeatBot(1, "first", 100))
    evening.begin()
    evening.act()
    evening.now += 30_000
    evening.ask(ANN, c.PlaceFor(1))
    assert not evening.state().seats[1].sitting_out
    assert [turn.seat for turn in evening.see(ANN).turns] == [0]


@pytest.mark.parametrize("preset", ["pineapple", "ofc_russian", "turbo", "closed_1_6", "criss_cross"])
@pytest.mark.parametrize("seed", range(8))
def test_whoever_goes_whenever_the_others_play_on(preset: str, seed: int) -> None:
    """Several deals; people go one after the other in every way; no deal waits for them."""
    rng = Random(seed)
    kind = rng.choice(["deal_group", "orbit", "deals:4", "endless"])
    clock: dict[str, object] = rng.choice([{**CLOCK}, {"clock.kind": "none"}])
    people = 2 if preset == "criss_cross" else 3
    evening = Evening({**clock, "preset": preset, "match.kind": kind}, people=people, seed=seed)
    going = rng.choice([leave, vanish, free, ban])
    at = rng.randrange(20)
    for step in range(60):
        if step == at and evening.state().seats[1].player == BOB:
            going(evening)
        if evening.state().settled:
            if next_wakeup(evening.state()) is None:
                break
            evening.strike()
            continue
        state = evening.state()
        assert state.deal is not None
        hand = acting_hands(state.deal)[0]
        seat = state.seats[state.deal.hands[hand].seat]
        assert step < at or seat.player != BOB
        evening.act()
    assert evening.state().deals > 0
