"""How a tournament is announced, begins, rises in levels, rests and ends. Rule: Rules §6; source 000 L301."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from tests.tournament.simulated import START, SimulatedTournament, config, filled
from triptych.rulesets.load import resolve
from triptych.table.events import DealSettled
from triptych.tournament import commands as c
from triptych.tournament import events as e
from triptych.tournament.aggregate import evolve, next_wakeup, open_tournament
from triptych.tournament.config import normalize_rules
from triptych.tournament.errors import TournamentError
from triptych.tournament.events import decode, encode
from triptych.tournament.places import places
from triptych.tournament.state import MINUTE, TournamentState, entry_of, open_tables, remaining

SMALL: dict[str, Any] = {"most": 7, "least": 4}


def _refused(whole: SimulatedTournament, player: str, request: c.TournamentRequest) -> str:
    before = whole.state
    with pytest.raises(TournamentError) as refusal:
        whole.ask(player, request)
    assert whole.state is before
    return refusal.value.code


def test_a_full_tournament_begins_and_registered_players_can_withdraw_before() -> None:
    whole = SimulatedTournament(config(**SMALL))
    for player in "abcdef":
        whole.ask(player, c.Register())
    assert _refused(whole, "a", c.Register()) == "cup.registered"
    whole.ask("f", c.Withdraw())
    assert _refused(whole, "f", c.Withdraw()) == "cup.not_registered"
    whole.ask("host", c.AddBots("steady", 1))
    assert not whole.state.tables
    whole.ask("g", c.Register())
    assert whole.state.phase == "running"
    assert [len(table.players) for table in whole.state.tables] == [3, 2, 2]
    assert _refused(whole, "h", c.Register()) == "cup.closed"
    assert _refused(whole, "a", c.Withdraw()) == "cup.begun"
    assert _refused(whole, "host", c.AddBots("steady")) == "cup.begun"


def test_only_the_host_rules_it() -> None:
    whole = SimulatedTournament(config(**SMALL))
    for request in (c.AddBots("steady"), c.RemoveBots(), c.StartNow(), c.Cancel()):
        assert _refused(whole, "ann", request) == "cup.not_host"
    assert _refused(whole, "host", c.StartNow()) == "cup.too_few"
    assert _refused(whole, "host", c.AddBots("steady", 8)) == "cup.full"
    whole.ask("host", c.AddBots("steady", 5))
    whole.ask("host", c.RemoveBots())
    assert whole.state.entries == ()
    whole.ask("host", c.Cancel())
    assert whole.state.phase == "cancelled"
    assert _refused(whole, "ann", c.Register()) == "cup.closed"


def test_at_its_time_it_begins_with_bots_in_the_empty_places_or_is_called_off() -> None:
    for people, fill, phase in (
        (1, "steady", "running"),
        (4, "", "running"),
        (3, "", "cancelled"),
        (0, "x", "cancelled"),
    ):
        whole = SimulatedTournament(config(**SMALL, starts_at=START + MINUTE, fill=fill))
        for number in range(people):
            whole.ask(f"p{number}", c.Register())
        assert next_wakeup(whole.state) == START + MINUTE
        whole.step()
        assert whole.state.phase == phase
        assert whole.now == START + MINUTE
        assert len(whole.state.entries) == (7 if fill and people else people)


def test_levels_by_deals_rise_when_a_table_has_played_them_and_each_match_is_paid_at_its_level() -> None:
    """Source 000 L301: points correspond to a number of chips, settled after each deal."""
    whole = filled(config(most=9, level_length=3, levels=(1, 5, 20)))
    whole.play()
    rises = [event for event in whole.log if isinstance(event, e.LevelBegan)]
    assert [rise.level for rise in rises] == [1, 2]
    for number, table in whole.table_log.items():
        orders = [event.order for event in whole.log if isinstance(event, e.TableOrdered) and event.table == number]
        stakes = [
            pair.stake
            for event in table
            if isinstance(event.event, DealSettled)
            for pair in event.event.sheet.pairs[:1]
        ]
        assert stakes[0] == orders[0].level.chips == 1
        assert stakes == sorted(stakes)
        assert set(stakes) <= {order.level.chips for order in orders}


def test_levels_by_minutes_and_breaks_for_which_all_matches_are_waited() -> None:
    """Source 000 L301: every half an hour the cost of a point increases."""
    whole = filled(
        config(
            most=6,
            level_kind="minutes",
            level_length=1,
            levels=(1, 2, 3, 4),
            break_every=2,
            break_minutes=7,
            stack=500,
        )
    )
    while whole.state.break_ends is None:
        whole.step()
    assert whole.state.level == 2
    assert [event.at for event in whole.log if isinstance(event, e.LevelBegan)] == [
        START + MINUTE,
        START + 2 * MINUTE,
    ]
    assert not any(table.playing for table in whole.state.tables)
    began = whole.log[-1]
    assert isinstance(began, e.BreakBegan)
    assert whole.state.break_ends == began.at + 7 * MINUTE == next_wakeup(whole.state)
    whole.step()
    assert all(table.playing for table in open_tables(whole.state))
    assert whole.state.level_since == whole.now
    assert next_wakeup(whole.state) == whole.now + MINUTE


def test_time_in_which_the_server_was_away_is_no_part_of_a_level() -> None:
    whole = filled(config(most=6, level_kind="minutes", level_length=30))
    whole.now += 10 * MINUTE
    whole.ask("", c.ReportDowntime(START + MINUTE))
    assert next_wakeup(whole.state) == START + 39 * MINUTE


def test_late_and_returning_players_find_a_seat_and_are_ranked_by_their_last_exit() -> None:
    whole = filled(config(most=12, late=2, reentries=1, level_length=30, stack=20), people=2)
    assert _refused(whole, "x", c.Register()) == "cup.full"
    while not any(entry.out for entry in whole.state.entries if not entry.bot):
        whole.step()
    back = next(entry.player for entry in whole.state.entries if entry.out and not entry.bot)
    assert places(whole.state)[back] == len(remaining(whole.state)) + 1
    whole.ask(back, c.Register())
    assert back not in places(whole.state)
    entry = entry_of(whole.state, back)
    assert entry is not None
    assert (entry.chips, entry.entries) == (20, 2)
    whole.play()
    assert len(places(whole.state)) == 12
    assert sum(entry.chips for entry in whole.state.entries) == 13 * 20


def test_late_entry_takes_a_new_table_when_the_others_are_full_and_ends_with_its_level() -> None:
    whole = SimulatedTournament(
        config(most=9, least=6, late=1, starts_at=START + MINUTE, level_kind="minutes", level_length=1, stack=999)
    )
    for number in range(6):
        whole.ask(f"p{number}", c.Register())
    whole.step()
    assert len(open_tables(whole.state)) == 2
    for player in ("x", "y"):
        whole.ask(player, c.Register())
    assert len(open_tables(whole.state)) == 3
    for player in ("x", "y"):
        entry = entry_of(whole.state, player)
        assert entry is not None
        assert entry.table == 3
    while whole.state.level == 0:
        whole.step()
    assert _refused(whole, "z", c.Register()) == "cup.closed"
    assert _refused(whole, "x", c.Register()) == "cup.registered"


def test_a_tournament_is_its_events_again() -> None:
    whole = filled(config("pineapple_27", most=8, break_every=1, break_minutes=1))
    whole.play()
    assert all(decode(encode(event)) == event for event in whole.log)
    state: TournamentState | None = None
    assert reduce(evolve, whole.log, state) == whole.state


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"seats": 5}, "cup.seats"),
        ({"most": 1}, "cup.seats"),
        ({"least": 60}, "cup.seats"),
        ({"stack": 0}, "cup.stack"),
        ({"levels": ()}, "cup.levels"),
        ({"levels": (2, 2)}, "cup.levels"),
        ({"starts_at": START}, "cup.start"),
        ({"reentries": 1}, "cup.levels"),
        ({"break_every": 2, "break_minutes": 0}, "cup.breaks"),
        ({"fill": "x", "bots_allowed": False}, "cup.bots"),
        ({"prize_kind": "shares", "prizes": (60, 30), "fee": 5}, "cup.prizes"),
        ({"prize_kind": "points", "prizes": (5, 6)}, "cup.prizes"),
        ({"prizes": (5,)}, "cup.prizes"),
        ({"rules": resolve({"preset": "pineapple", "match.kind": "endless"})}, "cup.rules"),
    ],
)
def test_tournaments_that_cannot_be_played_are_refused(wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(TournamentError) as refusal:
        open_tournament(config(**wrong), START)
    assert refusal.value.code == code


def test_rules_are_made_fit_for_a_tournament() -> None:
    endless = normalize_rules(resolve({"preset": "pineapple", "match.kind": "endless", "settlement.credit": True}))
    assert (endless.match.kind, endless.settlement.credit) == ("deal_group", False)
    assert normalize_rules(resolve("first_to_11")).match.prize == "short"
