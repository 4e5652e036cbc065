"""Levels, breaks, re-entry, and the places that tables tell. Issue 27.10; source 000 L301.

Each due break is taken, no level is skipped, and a level counts only the deals that were played in it.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournament.recount import final_places, verify_course
from tests.tournament.simulated import START, SimulatedTournament, config, filled
from triptych.store.types import NewEvent
from triptych.table import codec
from triptych.table.events import OrderAccepted, PlaceAnnounced
from triptych.table.tournament_orders import MatchResult
from triptych.tournament import commands as c
from triptych.tournament import events as e
from triptych.tournament.aggregate import decide, evolve, next_wakeup, open_tournament
from triptych.tournament.errors import TournamentError
from triptych.tournament.events import decode
from triptych.tournament.levels import can_register, is_late_entry_open
from triptych.tournament.places import places, prizes_in_play
from triptych.tournament.state import MINUTE, REENTRY_MS, TournamentConfig, TournamentState, entry_of
from triptych.tournament.view import view

STORED = Path(__file__).parents[1] / "cases" / "stored_tournament.json.gz"


class StubTournament:
    """A tournament without tables: each test says how their matches end."""

    def __init__(self, wanted: TournamentConfig, players: str) -> None:
        self.now = START
        self.log = list(open_tournament(wanted, self.now))
        self.state: TournamentState = evolve(None, self.log[0])
        self.deals: dict[int, int] = {}
        for player in players:
            self.ask(player, c.Register())

    def ask(self, player: str, request: c.TournamentRequest | c.SystemRequest) -> None:
        draft = decide(self.state, c.Command(player, request, player), self.now, lambda number: tuple(range(number)))
        self.state = draft.state
        self.log += draft.events

    def refused(self, player: str) -> str:
        with pytest.raises(TournamentError) as refusal:
            self.ask(player, c.Register())
        return refusal.value.code

    def tick(self) -> None:
        """Let the next thing happen that is due."""
        due = next_wakeup(self.state)
        assert due is not None
        self.now = max(self.now, due)
        self.ask("", c.Tick())

    def table(self, player: str) -> int:
        entry = entry_of(self.state, player)
        assert entry is not None
        return entry.table

    def ends(self, number: int = 1, winner: str = "", deals: int = 1) -> None:
        """Let a table's match be over: with a winner all others there are out, else nothing has changed hands."""
        table = next(candidate for candidate in self.state.tables if candidate.number == number)
        assert table.playing
        assert table.order is not None
        self.deals[number] = self.deals.get(number, 0) + deals
        chips = {chair.player: chair.chips for chair in table.order.chairs}
        if winner:
            chips = {player: sum(chips.values()) if player == winner else 0 for player in chips}
        results = tuple(MatchResult(player, stack, out=0 if stack else 2) for player, stack in chips.items())
        self.now += 1_000
        self.ask("", c.ReportMatch(number, table.order.number, results, self.deals[number]))

    @property
    def kinds(self) -> list[str]:
        return [str(type(event).__struct_config__.tag) for event in self.log]


def course(players: str, **more: Any) -> StubTournament:
    """Return a tournament of three at a table, with levels of one deal, that has begun."""
    defaults: dict[str, Any] = {
        "seats": 3,
        "most": len(players),
        "level_length": 1,
        "levels": tuple(range(1, 40)),
        "stack": 60,
    }
    tournament = StubTournament(config(**(defaults | more)), players)
    if tournament.state.phase == "open":
        tournament.ask("host", c.StartNow())
    return tournament


def test_a_due_break_stays_due_though_another_level_begins() -> None:
    """With a level of one deal and a break after every two, all breaks of a run were lost."""
    tournament = course("abcdefghi", break_every=2)
    for _ in range(4):
        for table in (1, 2, 3):
            tournament.ends(table)
        if tournament.state.break_ends is not None:
            tournament.tick()
    summary = verify_course(tournament.log)
    assert (summary.levels, summary.breaks_due, summary.breaks_taken) == ([1, 2, 3, 4, 5], 2, 2)


def test_deals_of_a_match_begun_in_an_older_level_do_not_count_for_the_new_one() -> None:
    tournament = course("abcdef")
    tournament.ends(1)
    assert tournament.state.level == 1
    tournament.ends(2, deals=3)  # its match was one of the first level
    assert tournament.state.level == 1
    tournament.ends(1)
    assert tournament.state.level == 2


@settings(max_examples=examples(100))
@given(
    st.fixed_dictionaries(
        {
            "level_kind": st.sampled_from(["deals", "deals", "minutes"]),
            "level_length": st.integers(1, 3),
            "break_every": st.integers(0, 3),
            "late": st.integers(0, 4),
            "seats": st.integers(2, 3),
            "most": st.integers(3, 8),
        }
    ),
    st.integers(0, 1000),
)
def test_every_due_break_is_taken_no_level_is_skipped_and_each_counts_its_own_deals(
    more: dict[str, Any], seed: int
) -> None:
    """Property, over whole tournaments with pauses and players who come again."""
    tournament = config("closed_1_6", **more, reentries=min(2, more["late"]), stack=25, levels=tuple(range(1, 60)))
    whole = filled(tournament, seed, people=2)
    while whole.state.phase == "running":
        if whole.state.paused is not None:
            whole.now += 90_000
            whole.ask("host", c.ResumePlay())
        elif whole.rng.random() < 0.1:
            whole.ask("host", c.PausePlay())
            continue
        whole.step()
        for player in ("p0", "p1"):
            if can_register(whole.state, player) and whole.rng.random() < 0.5:
                whole.ask(player, c.Register())
    summary = verify_course(whole.log)
    assert summary.breaks_taken == summary.breaks_due - whole.state.break_due
    assert places(whole.state) == final_places(whole.log)
    verify_tables(whole)


def verify_tables(whole: SimulatedTournament) -> None:
    """Tables have the levels of their orders, and say the tournament's places of who goes out there, once each."""
    for number, events in whole.table_log.items():
        levels = [event.event.level.number for event in events if isinstance(event.event, OrderAccepted)]
        orders = [event.order for event in whole.log if isinstance(event, e.TableOrdered) and event.table == number]
        assert levels == [order.level.number for order in orders]
    announcements = [
        (event.event.at, event.event.player, event.event.place)
        for events in whole.table_log.values()
        for event in events
        if isinstance(event.event, PlaceAnnounced)
    ]
    exits = verify_course(whole.log).places
    assert sorted((player, place) for _, player, place in announcements) == sorted(exits)


def test_a_table_says_the_place_in_the_tournament_not_among_its_own_seats() -> None:
    """A player was told to be out in place 3 with five alive."""
    whole = filled(config("closed_1_6", seats=3, most=9, stack=15), people=0)
    whole.play()
    verify_tables(whole)
    talk = {line.text for table in whole.tables.values() for line in table.talk if " finished in place " in line.text}
    names = {entry.player: entry.name for entry in whole.state.entries}
    assert talk == {f"{names[player]} finished in place {place}" for player, place in verify_course(whole.log).places}
    assert f"finished in place {len(whole.state.entries)}" in " ".join(talk)


def test_a_player_eliminated_in_the_last_deal_of_a_level_has_a_minute_to_reenter() -> None:
    tournament = course("abc", late=1, reentries=1)
    tournament.ends(1, "a")
    assert (tournament.state.level, tournament.state.phase) == (1, "running")
    deal_view = view(tournament.state, "b")
    assert ("register" in deal_view.may, deal_view.awaits) == (True, True)
    tournament.now += REENTRY_MS // 2
    tournament.ask("b", c.Register())
    assert tournament.table("b") == tournament.table("a") == 1
    assert not view(tournament.state, "a").awaits
    tournament.tick()
    assert tournament.refused("c") == "cup.closed"
    tournament.ends(1, "a")
    assert tournament.state.phase == "over", "the match began in a level without re-entry"
    assert places(tournament.state) == {"a": 1, "b": 2, "c": 3}


def test_a_player_eliminated_in_a_match_of_an_open_level_can_reenter_after_the_level() -> None:
    tournament = course("abcdef", late=1, reentries=1)
    tournament.ends(1)
    assert (tournament.state.level, is_late_entry_open(tournament.state)) == (1, False)
    other = tournament.table("f")
    tournament.ends(3 - tournament.table("a") if other == tournament.table("a") else other, "f")
    out = [entry.player for entry in tournament.state.entries if entry.out]
    assert len(out) == 2
    assert prizes_in_play(tournament.state, ()) == ((), ())
    tournament.ask(out[0], c.Register())
    while any(entry.reentry_until is not None for entry in tournament.state.entries):
        tournament.tick()
    assert tournament.refused(out[1]) == "cup.closed"
    assert tournament.refused(out[0]) == "cup.registered"
    assert "reentry_closed" in tournament.kinds


def test_a_pause_and_time_without_a_server_lengthen_the_time_to_come_again() -> None:
    tournament = course("abc", late=1, reentries=1)
    tournament.ends(1, "a")
    ends = next_wakeup(tournament.state)
    assert ends is not None
    tournament.ask("host", c.PausePlay())
    assert next_wakeup(tournament.state) is None
    tournament.now += 10 * MINUTE
    tournament.ask("host", c.ResumePlay())
    tournament.now += MINUTE
    tournament.ask("", c.ReportDowntime(tournament.now - MINUTE))
    assert next_wakeup(tournament.state) == ends + 11 * MINUTE
    assert can_register(tournament.state, "b")
    tournament.tick()
    assert (tournament.state.phase, tournament.state.ended) == ("over", ends + 11 * MINUTE)


def test_the_last_one_left_waits_until_the_levels_for_entry_are_over() -> None:
    """By minutes the level's own clock ends it; and at once when nobody can come."""
    tournament = course("ab", seats=2, most=3, late=2, level_kind="minutes", level_length=5)
    tournament.ends(1, "a")
    while is_late_entry_open(tournament.state):
        assert tournament.state.phase == "running"
        assert view(tournament.state, "a").awaits
        tournament.tick()
    assert tournament.state.phase == "over"
    assert tournament.state.ended == START + 10 * MINUTE
    late = course("ab", seats=2, most=3, late=2, level_kind="minutes", level_length=5)
    late.ends(1, "a")
    late.now += 4 * MINUTE
    late.ask("z", c.Register())
    assert late.table("z") == late.table("a")
    late.ends(late.table("z"), "z")
    assert late.state.phase == "over", "no place is free, and no player may come again"


def test_late_entry_stays_open_for_the_whole_of_its_level_by_deals() -> None:
    """Levels were skipped, and late entry with them."""
    tournament = course("abcdef", most=9, late=2, level_length=1)
    tournament.ends(1)
    tournament.ends(2)
    assert (tournament.state.level, is_late_entry_open(tournament.state)) == (1, True)
    tournament.ask("z", c.Register())
    tournament.ends(1)
    assert (tournament.state.level, is_late_entry_open(tournament.state)) == (2, False)
    assert tournament.refused("y") == "cup.closed"


def test_a_tournament_that_was_stored_with_a_lost_break_still_loads_takes_it_and_is_played_to_its_end() -> None:
    """The events of a run of 2026-11-27 whose break after level 2 was passed over.

    They are in cases/stored_tournament.json.gz.
    """
    stored = msgspec.json.decode(gzip.decompress(STORED.read_bytes()))
    events = [decode(msgspec.json.encode(event)) for event in stored["cup"]]
    opened = events[0]
    assert isinstance(opened, e.TournamentAnnounced)
    whole = SimulatedTournament(opened.config)
    whole.state = evolve(None, opened)
    for event in events[1:]:
        whole.state = evolve(whole.state, event)
    whole.now, whole.log = stored["now"], events
    whole.ends = [(end, order, number) for end, order, number in stored["ends"]]
    for number, log in stored["tables"].items():
        new_events = [NewEvent(visibility, seat, text.encode()) for visibility, seat, text in log]
        whole._fold(int(number), tuple(codec.decode_all(new_events)))
    assert whole.state.break_due
    before = len(whole.log)
    whole.play()
    assert whole.state.phase == "over"
    kinds = [type(event) for event in whole.log[before:]]
    assert kinds.index(e.BreakBegan) < kinds.index(e.TableOrdered)
