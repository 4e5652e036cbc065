"""The clock, the time bank and what happens when both have run out. Rule: Rules §6; source 002 L31."""

from __future__ import annotations

import pytest

from tests.table.session import LAND, LOW, PLAIN, QUADS, START, Session, placing
from triptych.deal.visibility import Public
from triptych.rulesets.load import resolve
from triptych.table import commands as c
from triptych.table.aggregate import evolve, next_wakeup
from triptych.table.clock import bank_resets, refilled_bank
from triptych.table.events import ChatSent, DowntimeCompensated, MatchCutShort, SatOut, TimeRanOut
from triptych.table.progress import SHOWDOWN_MS

CLOCK = {"preset": "pineapple", "clock.seconds": 30, "clock.bank": 60, "clock.bank_refill": 10, "clock.setting": 90}


def bank(session: Session, seat: int) -> float:
    """Return a seat's bank in seconds."""
    return session.state().seats[seat].bank_ms / 1000


def test_each_street_has_its_time_and_then_the_bank() -> None:
    """Source 002 L31.1-2."""
    session = Session(CLOCK)
    session.begin()
    clock = session.see("cid").clocks[0]
    assert (clock.seat, clock.hand) == (0, 0)
    assert clock.started == session.now
    assert clock.street_ends == session.now + 30_000
    assert clock.bank_ends == clock.street_ends + 60_000
    assert next_wakeup(session.state()) == clock.bank_ends


def test_the_bank_is_charged_only_for_what_the_street_did_not_cover() -> None:
    session = Session(CLOCK)
    session.begin()
    session.wait(29)
    session.act()
    assert bank(session, 0) == 60
    session.wait(45)
    session.act()
    assert bank(session, 1) == 45
    assert session.see("ann").clocks[0].seat == 0  # the next street, with a fresh clock
    assert session.see("ann").clocks[0].street_ends == session.now + 30_000


def test_arranging_leaves_the_clock_alone() -> None:
    session = Session(CLOCK)
    session.begin()
    before = session.state().clocks
    session.wait(10)
    session.ask("ann", session.arranging())
    assert session.state().clocks == before


def test_the_bank_is_refilled_each_deal_and_never_above_the_full() -> None:
    session = Session(CLOCK, boards=[{0: LOW, 1: PLAIN}] * 3)
    session.begin()
    session.wait(30 + 45)
    session.play()
    assert bank(session, 0) == 15
    session.begin()
    assert bank(session, 0) == 25
    assert bank(session, 1) == 60


def test_an_empty_bank_is_refilled_and_a_fuller_one_is_left() -> None:
    """Rules §6 (clock.bank_refill): ten seconds a deal, never above the full, and nothing is taken away."""
    rules = resolve(CLOCK)
    banks = (0, 15_000, 50_000, 55_000, 60_000, 70_000)
    assert [refilled_bank(rules, bank_ms) for bank_ms in banks] == [10_000, 25_000, 60_000, 60_000, 60_000, 70_000]


def test_the_time_at_a_table_never_runs_back() -> None:
    """A stored event from before the server's clock was set back leaves the table's time where it was."""
    session = Session(CLOCK)
    later = session.state().at + 5000
    ahead = evolve(session.state(), Public(ChatSent(later, "ann", "Ann", "first")))
    assert ahead.at == later
    back = evolve(ahead, Public(ChatSent(later - 3000, "ann", "Ann", "second")))
    assert (back.at, back.talk[-1].at) == (later, later - 3000)


def test_out_of_time_the_cards_are_laid_back_first_and_the_deal_goes_on() -> None:
    """Source 002 L31.3-4: both used up, the cards are laid out: as received, into the back, then middle and front."""
    session = Session(CLOCK, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    events = session.wait(90)
    assert events[0].event == TimeRanOut(session.now, 0)
    assert session.see("bob").deal.boards[0].back.cards == ("Ts", "Tc", "Kh", "Kc", "Qs")  # type: ignore[union-attr]
    assert session.see("bob").clocks[0].seat == 1
    assert bank(session, 0) == 0


def test_a_second_before_the_end_nothing_happens() -> None:
    session = Session(CLOCK)
    session.begin()
    assert session.wait(89.9) == ()


def test_out_of_time_means_sitting_out_after_the_deal() -> None:
    """Source 002 L31.8-9: the player sits out, but only after the fantasyland that an opponent has reached."""
    session = Session(CLOCK, people=3, boards=[{0: LOW, 1: PLAIN, 2: LAND}] * 2)
    session.begin()
    session.wait(90)
    assert session.state().seats[0].sitting_out
    session.play()
    session.play()
    assert sorted(hand.seat for hand in session.hands()) == [0, 1, 2]  # Cid's fantasyland is played by all three
    session.begin()
    assert sorted(hand.seat for hand in session.hands()) == [1, 2]
    session.ask("ann", c.SitIn())
    session.play()
    session.begin()
    assert len(session.hands()) == 3


def test_a_disconnected_player_has_the_clock_and_the_bank_like_everybody() -> None:
    """Source 002 L31.6, L31.8-9: who is gone has the clock and the bank; then the deal is laid out; then sit-out."""
    session = Session(CLOCK, boards=[{0: LAND, 1: PLAIN}, {0: QUADS, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.begin()
    session.ask("bob", c.Disconnected())
    session.act()
    ends = session.state().clocks[0].bank_ends
    assert ends == session.now + 90_000
    session.strike()
    while not session.state().settled:
        session.act()
    session.begin()  # Ann's fantasyland
    assert len(session.hands()) == 2
    session.play()
    session.play()  # and its repetition
    assert session.state().match is None
    assert session.state().next_at is None
    session.ask("bob", c.Connected())
    session.ask("bob", c.SitIn())
    assert session.see("bob").you == 1
    assert session.state().next_at is not None


def test_out_of_time_ends_the_match_where_the_rules_say_so() -> None:
    """Source 000 L95.1-2: the game ends, but not before all fantasylands have been played."""
    rules = CLOCK | {"timeout.after": "end_match", "match.kind": "deals:9"}
    session = Session(rules, boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.begin()
    events = session.wait(90)
    assert MatchCutShort(session.now, 0) in [event.event for event in events]
    session.play()
    assert session.match().deals == 1
    session.play()
    assert session.state().match is None
    assert session.state().deals == 2


def test_a_time_out_has_no_consequence_where_the_rules_give_none() -> None:
    session = Session(CLOCK | {"timeout.after": "none"})
    session.begin()
    events = session.wait(90)
    assert not any(isinstance(event.event, SatOut) for event in events)
    assert not session.state().seats[0].sitting_out


def test_a_bot_that_does_not_answer_is_laid_out_but_does_not_sit_out() -> None:
    session = Session(CLOCK, people=1)
    session.ask("ann", c.SeatBot(1, "first", 100))
    session.begin()
    session.act()
    session.wait(90)
    assert not session.state().seats[1].sitting_out
    assert session.see("ann").clocks[0].seat == 0


def test_setting_thirteen_cards_or_more_has_its_own_time() -> None:
    session = Session(CLOCK | {"preset": "closed_basic"}, people=3)
    session.begin()
    ends = {clock.seat: clock.street_ends - session.now for clock in session.see("ann").clocks}
    assert ends == {0: 90_000, 1: 90_000, 2: 90_000}
    session = Session(CLOCK, boards=[{0: LAND, 1: PLAIN}])
    session.play()
    session.begin()
    while not any(hand.fantasyland and hand.placing for hand in session.hands()):
        session.act()
    clock = next(clock for clock in session.state().clocks if clock.seat == 0)
    assert clock.street_ends - clock.started == 90_000


def test_two_boards_at_once_have_twice_the_time_and_one_bank() -> None:
    """Criss-cross: one clock a seat, so that the bank is not charged twice."""
    session = Session(CLOCK | {"preset": "criss_cross"})
    session.begin()
    assert len(session.state().clocks) == 2
    assert {clock.street_ends - clock.started for clock in session.state().clocks} == {180_000}
    assert len(session.see("ann").clocks) == 4
    session.wait(200)
    session.ask("ann", placing(session))
    assert len(session.state().clocks) == 2
    assert [clock.hands for clock in session.state().clocks if clock.seat == 0] == [(2,)]
    session.wait(10)
    session.ask("ann", placing(session, 2))
    assert bank(session, 0) == 60 - 30


def test_a_clock_for_the_whole_deal_runs_on_from_street_to_street() -> None:
    session = Session(CLOCK | {"clock.kind": "per_deal"})
    session.begin()
    session.wait(20)
    session.act()
    session.wait(5)
    session.act()
    clock = session.see("ann").clocks[0]
    assert (clock.seat, clock.street_ends - session.now) == (0, 10_000)
    session.wait(15)
    session.act()
    assert bank(session, 0) == 55
    session.act()
    assert session.see("ann").clocks[0].street_ends == session.now  # only the bank is left


def test_without_a_clock_nothing_runs() -> None:
    session = Session(CLOCK | {"clock.kind": "none"})
    session.begin()
    assert session.see("ann").clocks == ()
    assert next_wakeup(session.state()) is None


def test_downtime_of_the_server_is_charged_to_nobody() -> None:
    """After a crash play goes on with the same cards; downtime is never charged to a player's clock."""
    session = Session(CLOCK)
    session.begin()
    session.wait(12)
    known_alive = session.now
    left = session.state().clocks[0].street_ends - session.now
    began, first_deal = session.state().clocks[0].started, session.state().started
    assert first_deal is not None
    deck_before = session.state().deal
    session.now += 3_600_000
    events = session.ask("", c.ReportDowntime(since=known_alive))
    assert events[0].event == DowntimeCompensated(session.now, 3_600_000)
    assert session.state().clocks[0].street_ends - session.now == left == 18_000
    assert session.state().clocks[0].started - began == 3_600_000
    assert session.state().started == first_deal + 3_600_000
    assert session.state().deal == deck_before
    assert not any(seat.connected for seat in session.state().seats if seat.player)
    assert session.wait(77.9) == ()
    assert session.wait(0.1) != ()


@pytest.mark.parametrize(("why", "word"), [("still", "paused for 60 seconds"), ("store", "saved for 60 seconds")])
def test_time_in_which_nobody_could_move_is_charged_to_nobody(why: c.DowntimeCause, word: str) -> None:
    """Issue 10, part 3, 5. Other than after a restart the players are as much there as before."""
    session = Session(CLOCK)
    session.begin()
    session.wait(12)
    since = session.now
    session.now += 61_000
    events = session.ask("", c.ReportDowntime(since, since + 60_000, why))
    assert events[0].event == DowntimeCompensated(session.now, 60_000, why)
    assert session.state().clocks[0].street_ends - session.now == 17_000
    assert all(seat.connected for seat in session.state().seats if seat.player)
    assert word in session.state().talk[-1].text
    # What was counted once is not counted again: something has happened since.
    assert session.ask("", c.ReportDowntime(since, since + 60_000, why)) == ()


def test_downtime_is_not_compensated_where_no_clock_runs() -> None:
    session = Session(CLOCK)
    session.now += 60_000
    assert session.state().next_at is None or session.state().clocks == ()
    quiet = Session(CLOCK, people=1)
    quiet.now += 60_000
    assert quiet.ask("", c.ReportDowntime(0, None, "store")) == ()


def test_without_a_heartbeat_the_clock_stands_at_the_last_event() -> None:
    session = Session(CLOCK)
    session.begin()
    session.wait(12)
    session.now += 500_000
    session.ask("", c.ReportDowntime())
    assert session.state().clocks[0].street_ends - session.now == 30_000


def test_downtime_moves_the_next_deal_too() -> None:
    session = Session({"preset": "pineapple", "match.kind": "deals:3"}, pause=5, boards=[{0: LOW, 1: PLAIN}])
    session.play()
    session.now += 60_000
    session.ask("", c.ReportDowntime())
    assert session.state().next_at == session.now + SHOWDOWN_MS + 5000


def test_a_quiet_table_is_not_woken_by_a_restart() -> None:
    session = Session(people=0)
    session.ask("ann", c.Disconnected())
    assert session.ask("", c.ReportDowntime(START)) == ()


@pytest.mark.parametrize(
    ("policy", "brought", "expected"),
    [("reset", 7_000, 60), ("carry", 7_000, 7), ("carry", 0, 0), ("carry", 70_000, 60), ("carry", None, 60)],
)
def test_the_bank_at_a_new_table(policy: str, brought: int | None, expected: int) -> None:
    """Rules §6 (clock): at a new table `reset` or `carry`; source 002 L31.10, L31.12 name both."""
    session = Session(CLOCK | {"clock.new_table": policy}, people=0)
    session.ask("bob", c.Sit(1, 100), bank_ms=brought)
    assert bank(session, 1) == expected


def test_the_banks_are_full_again_every_so_many_deals() -> None:
    """Source 002 L31.11: the time bank resets after a certain period. Ann uses 50 of her 60 s, and 10 come back."""
    session = Session(
        CLOCK | {"clock.bank_reset": "deals:2", "clock.bank_refill": 0}, boards=[{0: LOW, 1: PLAIN}] * 5
    )
    banks = []
    for _ in range(5):
        session.begin()
        banks.append(bank(session, 0))
        while session.state().clocks[0].seat != 0:
            session.act()
        session.wait(30 + 20)
        session.play()
    assert banks == [60, 40, 60, 40, 60]


@pytest.mark.parametrize(
    ("period", "deal", "seconds", "resets"),
    [
        ("off", 9, 9_000, 0),
        ("deals:3", 1, 0, 0),
        ("deals:3", 3, 0, 0),
        ("deals:3", 4, 0, 1),
        ("deals:3", 6, 0, 1),
        ("deals:3", 7, 0, 2),
        ("minutes:5", 9, 299, 0),
        ("minutes:5", 9, 300, 1),
        ("minutes:5", 9, 600, 2),
    ],
)
def test_how_often_the_banks_have_been_full_again(period: str, deal: int, seconds: int, resets: int) -> None:
    """Rules §6 (`clock.bank_reset`): every n deals, or every n minutes; source 002 L31."""
    assert bank_resets(resolve(CLOCK | {"clock.bank_reset": period}), deal, seconds * 1000) == resets


def test_the_banks_are_full_again_with_the_first_deal_after_so_many_minutes() -> None:
    """Source 002 L31.11. The time that the server is away is no time."""
    session = Session(
        CLOCK | {"clock.bank_reset": "minutes:10", "clock.bank_refill": 0}, boards=[{0: LOW, 1: PLAIN}] * 5
    )
    session.begin()
    session.wait(30 + 20)
    session.play()
    session.begin()
    assert bank(session, 0) == 40
    session.play()
    session.now = session.state().at
    session.now += 600_000
    session.ask("", c.ReportDowntime(session.now - 600_000))
    for player in ("ann", "bob"):
        session.ask(player, c.Connected())
    session.begin()
    assert bank(session, 0) == 40
    session.play()
    session.now += 560_000
    session.begin()
    assert bank(session, 0) == 60
    assert bank(session, 1) == 60


def test_time_never_runs_backwards_at_a_table() -> None:
    """A clock of the machine that is set back must not give anybody time."""
    session = Session(CLOCK)
    session.begin()
    session.wait(40)
    session.act()
    at = session.state().at
    session.now -= 25_000
    session.act()
    assert session.state().at == at


def test_a_lone_player_against_bots_without_a_clock_begins_each_deal() -> None:
    """Nobody waits for them; with a clock, or with another person, the usual pause is kept."""
    for rules, people, pause in (("none", 1, 600_000), ("none", 2, 5000), ("per_street", 1, 5000)):
        session = Session({"preset": "pineapple", "clock.kind": rules, "match.kind": "deals:3"}, people=people)
        session.ask("ann", c.SeatBot(2, "fast", 100))
        session.ask("ann", c.Ready())
        if session.state().settled:
            session.begin()
        session.play()
        next_at = session.state().next_at
        assert next_at is not None
        assert next_at - session.now == SHOWDOWN_MS + pause
        session.ask("ann", c.Ready())
        assert session.state().settled == (people == 2)
