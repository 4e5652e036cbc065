"""The host of a running tournament: a pause of every clock, and a player who is taken out (issue 11, 5)."""

from __future__ import annotations

import pytest

from tests.tournament.simulated import SimulatedTournament, config, filled, verify
from triptych.tournament import commands as c
from triptych.tournament.aggregate import next_wakeup
from triptych.tournament.errors import TournamentError
from triptych.tournament.events import LevelBegan, decode, encode
from triptych.tournament.levels import can_register, level_ends
from triptych.tournament.places import places
from triptych.tournament.state import MINUTE, entry_of, open_tables, remaining
from triptych.tournament.view import allowed_requests


def _refused(whole: SimulatedTournament, player: str, request: c.TournamentRequest) -> str:
    before = whole.state
    with pytest.raises(TournamentError) as refusal:
        whole.ask(player, request)
    assert whole.state is before
    return refusal.value.code


def test_in_a_pause_nothing_begins_and_its_time_is_no_part_of_a_level() -> None:
    whole = filled(config(most=7, level_kind="minutes", level_length=5))
    ends = level_ends(whole.state)
    assert ends is not None
    assert _refused(whole, "p0", c.PausePlay()) == "cup.not_host"
    assert _refused(whole, "host", c.ResumePlay()) == "cup.paused"
    whole.ask("host", c.PausePlay())
    assert _refused(whole, "host", c.PausePlay()) == "cup.paused"
    assert (next_wakeup(whole.state), level_ends(whole.state)) == (None, None)
    orders = [table.order for table in whole.state.tables]
    for _ in range(len(whole.ends)):  # what is being played is played to its end
        whole.now, _, number = whole.ends.pop(0)
        whole.report(number)
    assert [table.order for table in whole.state.tables] == orders
    assert not any(table.playing for table in whole.state.tables)
    paused = whole.state.paused
    assert paused is not None
    whole.now = ends + 60 * MINUTE
    whole.ask("", c.Tick())
    whole.ask("", c.ReportDowntime(whole.now - 10 * MINUTE))
    assert whole.state.level == 0
    whole.ask("host", c.ResumePlay())
    assert level_ends(whole.state) == ends + whole.now - paused
    assert any(table.playing for table in whole.state.tables)
    for event in whole.log:
        assert decode(encode(event)) == event
    whole.play()
    assert any(isinstance(event, LevelBegan) for event in whole.log)


def test_a_running_tournament_is_called_off_and_its_matches_are_played_to_their_end() -> None:
    whole = filled(config(most=9))
    assert "call_off" in allowed_requests(whole.state, "host")
    assert "call_off" not in allowed_requests(whole.state, "p0")
    assert _refused(whole, "p0", c.Cancel()) == "cup.not_host"
    whole.ask("host", c.PausePlay())
    tables = open_tables(whole.state)
    assert tables
    whole.ask("host", c.Cancel())
    assert (whole.state.phase, whole.state.paused, whole.state.prizes) == ("cancelled", None, ())
    for table in whole.state.tables:
        assert table.order is not None
        assert table.order.chairs == ()
    assert next_wakeup(whole.state) is None
    assert allowed_requests(whole.state, "host") == ()
    assert _refused(whole, "p0", c.Register()) == "cup.closed"


def test_a_removed_player_is_out_for_good_after_their_match_and_the_others_play_on() -> None:
    whole = filled(config(most=9, late=9, reentries=9))
    assert _refused(whole, "p0", c.RemovePlayer("p1")) == "cup.not_host"
    assert _refused(whole, "host", c.RemovePlayer("nobody")) == "cup.not_registered"
    assert "remove" in allowed_requests(whole.state, "host")
    whole.ask("host", c.RemovePlayer("p1"))
    entry = entry_of(whole.state, "p1")
    assert entry is not None
    assert (entry.disqualified, entry.out) == (True, False), "the match that is on is played to its end"
    assert _refused(whole, "host", c.RemovePlayer("p1")) == "cup.not_registered"
    number = entry.table
    while entry_of(whole.state, "p1").table == number:  # type: ignore[union-attr]
        whole.step()
    entry = entry_of(whole.state, "p1")
    assert entry is not None
    assert (entry.out, entry.chips, entry.table) == (True, 0, 0)
    assert "p1" not in [player for table in open_tables(whole.state) for player in table.players]
    assert not can_register(whole.state, "p1")
    assert _refused(whole, "p1", c.Register()) == "cup.closed"
    over = whole.play()
    assert over.phase == "over"
    assert sorted(places(over).values()) == sorted(set(places(over).values())), "each place once"
    assert places(over)["p1"] > 1


def test_all_but_one_taken_out_in_a_pause_ends_it() -> None:
    whole = filled(config(most=4, rules=config("closed_1_6").rules, seats=4))
    whole.ask("host", c.PausePlay())
    for entry in remaining(whole.state):
        if entry.player != "p0":
            whole.ask("host", c.RemovePlayer(entry.player))
    assert whole.state.phase == "running"
    whole.now, _, number = whole.ends.pop(0)
    whole.report(number)
    assert (whole.state.phase, whole.state.paused) == ("over", None)
    assert places(whole.state)["p0"] == 1
    verify(whole.state, whole.state)


def test_before_the_start_the_host_strikes_a_name_and_a_league_keeps_everybody() -> None:
    whole = SimulatedTournament(config(most=7, least=4))
    whole.ask("p0", c.Register())
    assert _refused(whole, "host", c.PausePlay()) == "cup.not_begun"
    whole.ask("host", c.RemovePlayer("p0"))
    assert whole.state.entries == ()
    league = filled(config(most=6, least=6, seats=3, rounds=2, levels=(1,), stack=100_000))
    assert allowed_requests(league.state, "host") == ("pause", "call_off")
    assert _refused(league, "host", c.RemovePlayer("p0")) == "cup.rounds"
