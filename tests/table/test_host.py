"""A host who rules the evening (issue 11, 1.4 to 1.6 and part 3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.table.evening import LOW, PLAIN, SEATS, START, THIRD, Evening, placing
from triptych.table import commands as c
from triptych.table.aggregate import TableConfig, evolve, next_wakeup, open_table
from triptych.table.errors import TableError
from triptych.table.progress import FANTASYLAND_SHOW_MS, SHOWDOWN_MS

ANN, BOB, CID, DAN = SEATS


def waiting(people: int = 2, **more: object) -> Evening:
    """Return a table at which the host starts the first match."""
    evening = Evening("pineapple", people=0, **more)  # type: ignore[arg-type]
    config = TableConfig("t1", "Our table", ANN, evening.rules, pause=5, start="host")
    evening._state, evening.log = None, []
    evening._fold(open_table(config, START))
    for seat in range(people):
        evening.ask(SEATS[seat], c.Sit(seat, 100))
    return evening


def refused(evening: Evening, player: str, request: c.PlayerRequest) -> str:
    with pytest.raises(TableError) as caught:
        evening.ask(player, request)
    return caught.value.code


def test_the_first_match_begins_when_the_host_says_so() -> None:
    evening = waiting(2)
    assert next_wakeup(evening.state()) is None
    assert evening.see(ANN).prompt == "Press Start when everybody is here"
    assert evening.see(BOB).prompt == "Waiting for the host to start"
    assert "start" in evening.see(ANN).may
    assert "start" not in evening.see(BOB).may
    assert refused(evening, BOB, c.Start()) == "player.not_host"
    evening.ask(ANN, c.Start())
    evening.play()
    evening.play()  # later ones come by themselves
    assert evening.state().deals == 2


def test_only_a_person_can_be_made_the_host_or_sent_away_for_good() -> None:
    evening = Evening(people=1)
    evening.ask(ANN, c.SeatBot(1, "fast", 100))
    assert "unseat" in evening.see(ANN).may
    assert not {"hand_over", "ban"} & set(evening.see(ANN).may)
    evening.ask(CID, c.Sit(2, 100))
    assert {"hand_over", "ban"} < set(evening.see(ANN).may)


def test_start_needs_two_players() -> None:
    assert refused(waiting(1), ANN, c.Start()) == "table.too_few"


def test_a_full_table_begins_when_all_are_ready() -> None:
    evening = waiting(3)
    evening.ask(ANN, c.Ready())
    evening.ask(BOB, c.Ready())
    assert evening.state().settled
    evening.ask(CID, c.Ready())
    assert not evening.state().settled
    # With a free seat readiness is not enough: somebody may still come.
    two = waiting(2)
    two.ask(ANN, c.Ready())
    two.ask(BOB, c.Ready())
    assert two.state().settled


def test_host_rights_pass_to_who_sits_longest_and_come_back() -> None:
    evening = Evening(people=3)
    assert {evening.see(player).host for player in SEATS} == {ANN}
    evening.ask(ANN, c.Disconnected())
    assert evening.see(CID).host == BOB
    assert "pause" in evening.see(BOB).may
    evening.ask(BOB, c.Disconnected())
    assert evening.see(CID).host == CID
    evening.ask(ANN, c.Connected())
    assert evening.see(CID).host == ANN
    assert refused(evening, CID, c.Pause()) == "player.not_host"


def test_the_host_hands_over_for_good() -> None:
    evening = Evening(people=3)
    evening.ask(ANN, c.TransferHost(2))
    assert evening.see(ANN).host == CID
    evening.ask(CID, c.Disconnected())
    assert evening.see(BOB).host == ANN  # who sits longest
    evening.ask(CID, c.Connected())
    assert evening.see(BOB).host == CID
    assert refused(evening, ANN, c.TransferHost(1)) == "player.not_host"


def test_the_host_goes_and_the_evening_goes_on() -> None:
    """With the host died the host's rights; a bot beside one person needed the host to go on."""
    evening = Evening(people=2)
    evening.ask(ANN, c.SeatBot(2, "fast", 100))
    evening.ask(ANN, c.Leave())
    evening.ask(ANN, c.Disconnected())
    evening.play()
    evening.ask(BOB, c.Unseat(2))
    evening.ask(BOB, c.SeatBot(0, "fast", 100))
    evening.play()
    assert evening.state().deals == 2


def test_a_pause_costs_nobody_time() -> None:
    evening = Evening(people=2)
    evening.begin()
    evening.now += 7_000
    evening.ask(ANN, c.Pause())
    left = [(clock.street_ends - evening.now, clock.bank_ends - evening.now) for clock in evening.state().clocks]
    assert next_wakeup(evening.state()) is None
    assert evening.see(BOB).paused == evening.now
    with pytest.raises(TableError, match="paused"):
        evening.ask(evening.owner(placing(evening).hand).player, placing(evening))
    evening.now += 3_600_000
    evening.ask("", c.Tick())
    evening.ask("", c.ReportDowntime(evening.now - 600_000))  # the server was restarted meanwhile
    for player in (ANN, BOB):
        evening.ask(player, c.Connected())
    evening.ask(ANN, c.ResumePlay())
    assert left == [
        (clock.street_ends - evening.now, clock.bank_ends - evening.now) for clock in evening.state().clocks
    ]
    evening.ask(evening.owner(placing(evening).hand).player, placing(evening))


def test_a_pause_between_deals_holds_the_next_one() -> None:
    evening = Evening(people=2)
    evening.play()
    evening.ask(ANN, c.Pause())
    evening.now += 60_000
    evening.ask("", c.Tick())
    assert evening.state().settled
    evening.ask(ANN, c.ResumePlay())
    evening.begin()


def test_locked_seats_are_the_hosts_alone() -> None:
    evening = Evening(people=1)
    evening.ask(ANN, c.LockSeats(locked=True))
    assert refused(evening, BOB, c.Sit(1, 100)) == "table.locked"
    assert "sit" not in evening.see(BOB).may
    evening.ask(ANN, c.SeatBot(1, "fast", 100))
    evening.ask(ANN, c.LockSeats(locked=False))
    evening.ask(BOB, c.Sit(2, 100))


def test_who_is_banned_goes_and_stays_away() -> None:
    evening = Evening(people=2)
    evening.ask(ANN, c.Ban(1))
    assert not evening.state().seats[1].player
    assert refused(evening, BOB, c.Sit(1, 100)) == "player.banned"
    assert refused(evening, BOB, c.Say("let me in")) == "player.banned"
    assert evening.see(BOB).may == ()
    assert evening.see(DAN).may == ("say", "sit")
    assert refused(evening, ANN, c.Ban(0)) == "player.is_host"


def test_who_is_banned_in_a_match_plays_it_to_its_end() -> None:
    evening = Evening(people=3)
    evening.begin()
    evening.ask(ANN, c.Ban(1))
    assert evening.state().seats[1].leaving
    evening.play()
    assert not evening.state().seats[1].player


def test_time_is_added_to_a_running_clock_and_to_a_bank() -> None:
    evening = Evening(people=2)
    evening.begin()
    clock = evening.state().clocks[0]
    other = 1 - clock.seat
    bank = evening.state().seats[other].bank_ms
    evening.ask(ANN, c.AddTime(clock.seat, 60))
    evening.ask(ANN, c.AddTime(other, 60))
    assert evening.state().clocks[0].bank_ends == clock.bank_ends + 60_000
    assert evening.state().seats[other].bank_ms == bank + 60_000
    assert refused(Evening({"preset": "pineapple", "clock.kind": "none"}), ANN, c.AddTime(0, 60)) == "clock.none"


def test_other_rules_count_from_the_next_match_on_and_everybody_is_told() -> None:
    evening = Evening(people=2)
    evening.begin()
    evening.ask(ANN, c.ChangeRules({"preset": "pineapple", "stake.point": 5}, pause=20))
    assert evening.see(BOB).rules.stake_point == 1
    assert evening.see(BOB).coming
    assert "From the next match on" in evening.see(BOB).talk[-1].text
    evening.play()
    assert evening.see(BOB).rules.stake_point == 5
    assert evening.see(BOB).coming == ""
    assert evening.state().config.pause == 20
    chips = sum(evening.stacks())
    evening.ask(ANN, c.ChangeRules("turbo"))  # between matches: at once
    assert len(evening.state().seats) == 4
    evening.play()
    assert {deal.rules.name for deal in [evening.state().deal] if deal is not None} == {"turbo"}
    assert sum(evening.stacks()) == chips


def test_rules_that_this_company_cannot_play() -> None:
    evening = Evening("ofc_american", people=4)
    assert refused(evening, ANN, c.ChangeRules("pineapple")) == "table.seats"
    assert refused(evening, ANN, c.ChangeRules({"preset": "nobody's"})) == "table.rules"
    levels = {"tournament.levels": "deals:2", "tournament.chips_per_point": [1, 3], "seats.buy_in_min": 200}
    tournament = {"preset": "ofc_american", **levels}
    assert refused(evening, ANN, c.ChangeRules(tournament)) == "table.tournament"
    assert (
        refused(evening, ANN, c.ChangeRules({"preset": "ofc_american", "settlement.credit": True})) == "table.purse"
    )
    assert refused(evening, ANN, c.ChangeRules({"preset": "pineapple", "x." * 9000: 1})) == "table.rules"
    assert refused(evening, BOB, c.ChangeRules("pineapple")) == "player.not_host"


def test_rules_with_fewer_seats_need_only_the_last_ones_free() -> None:
    evening = Evening("ofc_american", people=3)
    assert len(evening.state().seats) == 4
    evening.ask(ANN, c.ChangeRules("pineapple"))
    assert len(evening.state().seats) == 3
    evening.play()
    assert len(evening.hands()) == 3


def test_a_minute_more_once_a_deal() -> None:
    evening = Evening(people=2)
    evening.play()
    planned = evening.state().next_at
    assert planned is not None
    evening.ask(ANN, c.RequestDelay())
    assert evening.state().next_at == planned + 60_000
    assert refused(evening, ANN, c.RequestDelay()) == "request.repeated"
    assert "wait" not in evening.see(ANN).may
    evening.play()
    evening.ask(ANN, c.RequestDelay())


def test_nobody_asks_for_a_minute_before_a_deal_that_they_do_not_play() -> None:
    evening = Evening(people=3)
    evening.ask(CID, c.SitOut())
    assert evening.see(ANN).next_at is not None
    assert refused(evening, CID, c.RequestDelay()) == "ready.nothing"
    assert refused(evening, DAN, c.RequestDelay()) == "player.not_seated"
    assert "wait" not in evening.see(CID).may


def test_the_pause_counts_from_when_the_numbers_stand() -> None:
    """The splash and the turning of the rows took most of the 8 seconds in which a result could be read."""
    evening = Evening(people=3, pause=8, boards=[{0: LOW, 1: PLAIN, 2: THIRD}])
    evening.play()
    state = evening.state()
    assert state.next_at is not None
    land = FANTASYLAND_SHOW_MS if any(seat.fantasyland for seat in state.seats) else 0
    assert state.next_at - evening.now == 8_000 + SHOWDOWN_MS + land


def test_a_table_of_an_older_house_starts_by_itself() -> None:
    """A stored table that knows nothing of Start goes on as it did."""
    evening = Evening(people=2)
    assert evening.state().begun
    state = None
    for event in evening.log:
        state = evolve(state, event)
    assert state == evening.state()


def test_a_stand_in_decides_nothing_for_good() -> None:
    """Issue 27.12: the owner is neither sent away nor replaced, and the table stays; others may be sent away."""
    evening = Evening(people=3)
    evening.ask(ANN, c.Disconnected())
    assert evening.see(BOB).host == BOB
    assert evening.see(BOB).owner == ANN
    assert refused(evening, BOB, c.Ban(0)) == "player.is_owner"
    assert refused(evening, BOB, c.Unseat(0)) == "player.is_owner"
    assert refused(evening, BOB, c.CloseTable()) == "player.not_owner"
    assert refused(evening, BOB, c.TransferHost(2)) == "player.not_owner"
    assert not {"close_table", "hand_over"} & set(evening.see(BOB).may)
    assert {"ban", "unseat", "pause", "lock"} < set(evening.see(BOB).may)
    evening.ask(BOB, c.Ban(2))
    assert evening.state().seats[2].player == ""
    evening.ask(ANN, c.Connected())
    assert evening.see(DAN).host == ANN
    assert {"close_table", "hand_over", "ban"} < set(evening.see(ANN).may)
    assert refused(evening, BOB, c.Pause()) == "player.not_host"


def test_a_stand_in_alone_with_the_owner_has_nobody_to_send_away() -> None:
    """Issue 27.12."""
    evening = Evening(people=2)
    evening.ask(ANN, c.Disconnected())
    assert evening.see(BOB).host == BOB
    assert not {"ban", "unseat"} & set(evening.see(BOB).may)


def test_who_was_made_the_host_is_the_owner_then() -> None:
    """Issue 27.12: what holds for who opened the table holds for who has it now, and no more for who gave it away."""
    evening = Evening(people=3)
    evening.ask(ANN, c.TransferHost(1))
    evening.ask(BOB, c.Disconnected())
    assert evening.see(CID).host == ANN
    assert refused(evening, ANN, c.Ban(1)) == "player.is_owner"
    evening.ask(BOB, c.Connected())
    evening.ask(BOB, c.Ban(0))
    assert evening.state().seats[0].player == ""


def test_nothing_comes_after_the_table_is_closed() -> None:
    """A deal was about to begin."""
    evening = Evening()
    assert evening.see(ANN).next_at is not None
    evening.ask(ANN, c.CloseTable())
    assert evening.see(ANN).next_at is None
    assert next_wakeup(evening.state()) is None


def test_a_table_begins_with_its_opening() -> None:
    with pytest.raises(ValueError, match="begins with TableOpened"):
        evolve(None, Evening().log[1])


def test_nobody_who_is_gone_is_made_the_host() -> None:
    evening = Evening(people=3)
    evening.ask(CID, c.Disconnected())
    assert refused(evening, ANN, c.TransferHost(2)) == "seat.away"
    assert evening.see(DAN).host == ANN


def test_options_alone_change_the_rules_in_force_and_no_other_rule() -> None:
    """Issue 27.9: changing only the stake threw the table's own rules away."""
    own = {
        "preset": "pineapple",
        "royalties.table.front.pair": [0] * 11 + [4, 9],
        "match.kind": "orbit",
        "stake.point": 0.25,
        "stake.unit": "EUR",
    }
    evening = Evening(own, people=2)
    before = evening.state().config.rules
    evening.ask(ANN, c.ChangeRules({"stake.point": 0.5}))
    after = evening.state().config.rules
    assert after == replace(before, stake=replace(before.stake, point=0.5))
    assert evening.see(BOB).talk[-1].text.endswith("a point costs 0.5 EUR")
    evening.begin()
    # During a match they are laid over what is chosen for the next one already.
    evening.ask(ANN, c.ChangeRules({"preset": "turbo", "stake": {"point": 2, "unit": "CHF"}}, pause=44))
    evening.ask(ANN, c.ChangeRules({"clock.seconds": 20}))
    coming = evening.state().next_rules
    assert coming is not None
    assert (coming.rules.name, coming.rules.stake.unit, coming.rules.clock.seconds) == ("turbo", "CHF", 20)
    assert coming.pause == 44
    assert "a point costs 2 CHF" in evening.see(BOB).coming
    assert refused(evening, ANN, c.ChangeRules({"stake.colour": 5})) == "table.rules"
