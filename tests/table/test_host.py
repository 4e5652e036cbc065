"""A host who rules the session (issue 11, 1.4 to 1.6 and part 3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.table.session import LOW, PLAIN, SEATS, START, THIRD, Session, placing
from triptych.table import commands as c
from triptych.table.aggregate import TableConfig, evolve, next_wakeup, open_table
from triptych.table.errors import TableError
from triptych.table.progress import FANTASYLAND_SHOW_MS, SHOWDOWN_MS

ANN, BOB, CID, DAN = SEATS


def waiting(people: int = 2, **more: object) -> Session:
    """Return a table at which the host starts the first match."""
    session = Session("pineapple", people=0, **more)  # type: ignore[arg-type]
    config = TableConfig("t1", "Our table", ANN, session.rules, pause=5, start="host")
    session._state, session.log = None, []
    session._fold(open_table(config, START))
    for seat in range(people):
        session.ask(SEATS[seat], c.Sit(seat, 100))
    return session


def refused(session: Session, player: str, request: c.PlayerRequest) -> str:
    with pytest.raises(TableError) as caught:
        session.ask(player, request)
    return caught.value.code


def test_the_first_match_begins_when_the_host_says_so() -> None:
    session = waiting(2)
    assert next_wakeup(session.state()) is None
    assert session.see(ANN).prompt == "Press Start when everyone is here"
    assert session.see(BOB).prompt == "Waiting for the host to start"
    assert "start" in session.see(ANN).may
    assert "start" not in session.see(BOB).may
    assert refused(session, BOB, c.Start()) == "player.not_host"
    session.ask(ANN, c.Start())
    session.play()
    session.play()  # later ones come by themselves
    assert session.state().deals == 2


def test_only_a_person_can_be_made_the_host_or_sent_away_for_good() -> None:
    session = Session(people=1)
    session.ask(ANN, c.SeatBot(1, "fast", 100))
    assert "unseat" in session.see(ANN).may
    assert not {"hand_over", "ban"} & set(session.see(ANN).may)
    session.ask(CID, c.Sit(2, 100))
    assert {"hand_over", "ban"} < set(session.see(ANN).may)


def test_start_needs_two_players() -> None:
    assert refused(waiting(1), ANN, c.Start()) == "table.too_few"


def test_a_full_table_begins_when_all_are_ready() -> None:
    session = waiting(3)
    session.ask(ANN, c.Ready())
    session.ask(BOB, c.Ready())
    assert session.state().settled
    session.ask(CID, c.Ready())
    assert not session.state().settled
    # With a free seat readiness is not enough: somebody may still come.
    two = waiting(2)
    two.ask(ANN, c.Ready())
    two.ask(BOB, c.Ready())
    assert two.state().settled


def test_host_rights_pass_to_the_longest_seated_player_and_come_back() -> None:
    session = Session(people=3)
    assert {session.see(player).host for player in SEATS} == {ANN}
    session.ask(ANN, c.Disconnected())
    assert session.see(CID).host == BOB
    assert "pause" in session.see(BOB).may
    session.ask(BOB, c.Disconnected())
    assert session.see(CID).host == CID
    session.ask(ANN, c.Connected())
    assert session.see(CID).host == ANN
    assert refused(session, CID, c.Pause()) == "player.not_host"


def test_the_host_hands_over_for_good() -> None:
    session = Session(people=3)
    session.ask(ANN, c.TransferHost(2))
    assert session.see(ANN).host == CID
    session.ask(CID, c.Disconnected())
    assert session.see(BOB).host == ANN  # who sits longest
    session.ask(CID, c.Connected())
    assert session.see(BOB).host == CID
    assert refused(session, ANN, c.TransferHost(1)) == "player.not_host"


def test_the_host_goes_and_the_session_goes_on() -> None:
    """With the host died the host's rights; a bot beside one person needed the host to go on."""
    session = Session(people=2)
    session.ask(ANN, c.SeatBot(2, "fast", 100))
    session.ask(ANN, c.Leave())
    session.ask(ANN, c.Disconnected())
    session.play()
    session.ask(BOB, c.Unseat(2))
    session.ask(BOB, c.SeatBot(0, "fast", 100))
    session.play()
    assert session.state().deals == 2


def test_a_pause_costs_nobody_time() -> None:
    session = Session(people=2)
    session.begin()
    session.now += 7_000
    session.ask(ANN, c.Pause())
    left = [(clock.street_ends - session.now, clock.bank_ends - session.now) for clock in session.state().clocks]
    assert next_wakeup(session.state()) is None
    assert session.see(BOB).paused == session.now
    with pytest.raises(TableError, match="paused"):
        session.ask(session.owner(placing(session).hand).player, placing(session))
    session.now += 3_600_000
    session.ask("", c.Tick())
    session.ask("", c.ReportDowntime(session.now - 600_000))  # the server was restarted meanwhile
    for player in (ANN, BOB):
        session.ask(player, c.Connected())
    session.ask(ANN, c.ResumePlay())
    assert left == [
        (clock.street_ends - session.now, clock.bank_ends - session.now) for clock in session.state().clocks
    ]
    session.ask(session.owner(placing(session).hand).player, placing(session))


def test_a_pause_between_deals_holds_the_next_one() -> None:
    session = Session(people=2)
    session.play()
    session.ask(ANN, c.Pause())
    session.now += 60_000
    session.ask("", c.Tick())
    assert session.state().settled
    session.ask(ANN, c.ResumePlay())
    session.begin()


def test_locked_seats_are_the_hosts_alone() -> None:
    session = Session(people=1)
    session.ask(ANN, c.LockSeats(locked=True))
    assert refused(session, BOB, c.Sit(1, 100)) == "table.locked"
    assert "sit" not in session.see(BOB).may
    session.ask(ANN, c.SeatBot(1, "fast", 100))
    session.ask(ANN, c.LockSeats(locked=False))
    session.ask(BOB, c.Sit(2, 100))


def test_a_banned_player_leaves_and_cannot_return() -> None:
    session = Session(people=2)
    session.ask(ANN, c.Ban(1))
    assert not session.state().seats[1].player
    assert refused(session, BOB, c.Sit(1, 100)) == "player.banned"
    assert refused(session, BOB, c.Say("let me in")) == "player.banned"
    assert session.see(BOB).may == ()
    assert session.see(DAN).may == ("say", "sit")
    assert refused(session, ANN, c.Ban(0)) == "player.is_host"


def test_a_player_banned_in_a_match_plays_it_to_its_end() -> None:
    session = Session(people=3)
    session.begin()
    session.ask(ANN, c.Ban(1))
    assert session.state().seats[1].leaving
    session.play()
    assert not session.state().seats[1].player


def test_time_is_added_to_a_running_clock_and_to_a_bank() -> None:
    session = Session(people=2)
    session.begin()
    clock = session.state().clocks[0]
    other = 1 - clock.seat
    bank = session.state().seats[other].bank_ms
    session.ask(ANN, c.AddTime(clock.seat, 60))
    session.ask(ANN, c.AddTime(other, 60))
    assert session.state().clocks[0].bank_ends == clock.bank_ends + 60_000
    assert session.state().seats[other].bank_ms == bank + 60_000
    assert refused(Session({"preset": "pineapple", "clock.kind": "none"}), ANN, c.AddTime(0, 60)) == "clock.none"


def test_other_rules_count_from_the_next_match_on_and_are_announced() -> None:
    session = Session(people=2)
    session.begin()
    session.ask(ANN, c.ChangeRules({"preset": "pineapple", "stake.point": 5}, pause=20))
    assert session.see(BOB).rules.stake_point == 1
    assert session.see(BOB).coming
    assert "New rules from the next match" in session.see(BOB).talk[-1].text
    session.play()
    assert session.see(BOB).rules.stake_point == 5
    assert session.see(BOB).coming == ""
    assert session.state().config.pause == 20
    chips = sum(session.stacks())
    session.ask(ANN, c.ChangeRules("turbo"))  # between matches: at once
    assert len(session.state().seats) == 4
    session.play()
    assert {deal.rules.name for deal in [session.state().deal] if deal is not None} == {"turbo"}
    assert sum(session.stacks()) == chips


def test_rules_that_these_players_cannot_play() -> None:
    session = Session("ofc_american", people=4)
    assert refused(session, ANN, c.ChangeRules("pineapple")) == "table.seats"
    assert refused(session, ANN, c.ChangeRules({"preset": "nobody's"})) == "table.rules"
    levels = {"tournament.levels": "deals:2", "tournament.chips_per_point": [1, 3], "seats.buy_in_min": 200}
    tournament = {"preset": "ofc_american", **levels}
    assert refused(session, ANN, c.ChangeRules(tournament)) == "table.tournament"
    assert (
        refused(session, ANN, c.ChangeRules({"preset": "ofc_american", "settlement.credit": True})) == "table.purse"
    )
    assert refused(session, ANN, c.ChangeRules({"preset": "pineapple", "x." * 9000: 1})) == "table.rules"
    assert refused(session, BOB, c.ChangeRules("pineapple")) == "player.not_host"


def test_rules_with_fewer_seats_need_only_the_last_seats_free() -> None:
    session = Session("ofc_american", people=3)
    assert len(session.state().seats) == 4
    session.ask(ANN, c.ChangeRules("pineapple"))
    assert len(session.state().seats) == 3
    session.play()
    assert len(session.hands()) == 3


def test_a_minute_more_once_a_deal() -> None:
    session = Session(people=2)
    session.play()
    planned = session.state().next_at
    assert planned is not None
    session.ask(ANN, c.RequestDelay())
    assert session.state().next_at == planned + 60_000
    assert refused(session, ANN, c.RequestDelay()) == "request.repeated"
    assert "wait" not in session.see(ANN).may
    session.play()
    session.ask(ANN, c.RequestDelay())


def test_without_a_clock_a_minute_can_be_added_often_and_is_announced_once() -> None:
    session = Session({"preset": "pineapple", "clock.kind": "none"}, people=2)
    session.play()
    planned = session.state().next_at
    assert planned is not None
    for more in (60_000, 120_000):
        session.ask(ANN, c.RequestDelay())
        assert session.state().next_at == planned + more
        assert "wait" in session.see(ANN).may
        assert not session.see(ANN).rules.clocked
    assert sum("one more minute" in line.text for line in session.state().talk) == 1


def test_nobody_asks_for_a_minute_before_a_deal_that_they_do_not_play() -> None:
    session = Session(people=3)
    session.ask(CID, c.SitOut())
    assert session.see(ANN).next_at is not None
    assert refused(session, CID, c.RequestDelay()) == "ready.nothing"
    assert refused(session, DAN, c.RequestDelay()) == "player.not_seated"
    assert "wait" not in session.see(CID).may


def test_the_pause_counts_from_when_the_numbers_stand() -> None:
    """The splash and the turning of the rows took most of the 8 seconds in which a result could be read."""
    session = Session(people=3, pause=8, boards=[{0: LOW, 1: PLAIN, 2: THIRD}])
    session.play()
    state = session.state()
    assert state.next_at is not None
    fantasyland = FANTASYLAND_SHOW_MS if any(seat.fantasyland for seat in state.seats) else 0
    assert state.next_at - session.now == 8_000 + SHOWDOWN_MS + fantasyland


def test_a_table_of_an_older_version_starts_by_itself() -> None:
    """A stored table that knows nothing of Start goes on as it did."""
    session = Session(people=2)
    assert session.state().begun
    state = None
    for event in session.log:
        state = evolve(state, event)
    assert state == session.state()


def test_a_stand_in_decides_nothing_for_good() -> None:
    """Issue 27.12: the owner is neither sent away nor replaced, and the table stays; others may be sent away."""
    session = Session(people=3)
    session.ask(ANN, c.Disconnected())
    assert session.see(BOB).host == BOB
    assert session.see(BOB).owner == ANN
    assert refused(session, BOB, c.Ban(0)) == "player.is_owner"
    assert refused(session, BOB, c.Unseat(0)) == "player.is_owner"
    assert refused(session, BOB, c.CloseTable()) == "player.not_owner"
    assert refused(session, BOB, c.TransferHost(2)) == "player.not_owner"
    assert not {"close_table", "hand_over"} & set(session.see(BOB).may)
    assert {"ban", "unseat", "pause", "lock"} < set(session.see(BOB).may)
    session.ask(BOB, c.Ban(2))
    assert session.state().seats[2].player == ""
    session.ask(ANN, c.Connected())
    assert session.see(DAN).host == ANN
    assert {"close_table", "hand_over", "ban"} < set(session.see(ANN).may)
    assert refused(session, BOB, c.Pause()) == "player.not_host"


def test_a_stand_in_alone_with_the_owner_has_nobody_to_send_away() -> None:
    """Issue 27.12."""
    session = Session(people=2)
    session.ask(ANN, c.Disconnected())
    assert session.see(BOB).host == BOB
    assert not {"ban", "unseat"} & set(session.see(BOB).may)


def test_a_new_host_has_the_rights_of_the_opener() -> None:
    """Issue 27.12: what holds for who opened the table holds for who has it now, and no more for who gave it away."""
    session = Session(people=3)
    session.ask(ANN, c.TransferHost(1))
    session.ask(BOB, c.Disconnected())
    assert session.see(CID).host == ANN
    assert refused(session, ANN, c.Ban(1)) == "player.is_owner"
    session.ask(BOB, c.Connected())
    session.ask(BOB, c.Ban(0))
    assert session.state().seats[0].player == ""


def test_nothing_comes_after_the_table_is_closed() -> None:
    """A deal was about to begin."""
    session = Session()
    assert session.see(ANN).next_at is not None
    session.ask(ANN, c.CloseTable())
    assert session.see(ANN).next_at is None
    assert next_wakeup(session.state()) is None


def test_a_table_begins_with_its_opening() -> None:
    with pytest.raises(ValueError, match="begins with TableOpened"):
        evolve(None, Session().log[1])


def test_no_departed_player_is_made_the_host() -> None:
    session = Session(people=3)
    session.ask(CID, c.Disconnected())
    assert refused(session, ANN, c.TransferHost(2)) == "seat.away"
    assert session.see(DAN).host == ANN


def test_options_alone_change_the_rules_in_force_and_no_other_rule() -> None:
    """Issue 27.9: changing only the stake threw the table's own rules away."""
    own = {
        "preset": "pineapple",
        "royalties.table.front.pair": [0] * 11 + [4, 9],
        "match.kind": "orbit",
        "stake.point": 0.25,
        "stake.unit": "EUR",
    }
    session = Session(own, people=2)
    before = session.state().config.rules
    session.ask(ANN, c.ChangeRules({"stake.point": 0.5}))
    after = session.state().config.rules
    assert after == replace(before, stake=replace(before.stake, point=0.5))
    assert session.see(BOB).talk[-1].text.endswith("each point is worth 0.5 EUR")
    session.begin()
    # During a match they are laid over what is chosen for the next one already.
    session.ask(ANN, c.ChangeRules({"preset": "turbo", "stake": {"point": 2, "unit": "CHF"}}, pause=44))
    session.ask(ANN, c.ChangeRules({"clock.seconds": 20}))
    coming = session.state().next_rules
    assert coming is not None
    assert (coming.rules.name, coming.rules.stake.unit, coming.rules.clock.seconds) == ("turbo", "CHF", 20)
    assert coming.pause == 44
    assert "each point is worth 2 CHF" in session.see(BOB).coming
    assert refused(session, ANN, c.ChangeRules({"stake.colour": 5})) == "table.rules"
