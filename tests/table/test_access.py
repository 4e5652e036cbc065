"""A table's password: who has to give it, and what the table tells whom about it (issue 11, part 3)."""

from __future__ import annotations

from functools import partial

import pytest

from tests.table.session import START, Session
from tests.table.test_tournament_orders import TournamentTable
from triptych.deal.visibility import Sealed
from triptych.rulesets.load import resolve
from triptych.table import commands as c
from triptych.table import events as e
from triptych.table.access import can_access, revokes_access, visible_event
from triptych.table.aggregate import TableConfig, evolve, open_table
from triptych.table.codec import decode, encode
from triptych.table.errors import TableError

HASH = "$argon2id$hash"


def table_with_password(people: int = 2) -> Session:
    session = Session(people=people)
    session.ask("ann", c.SetPassword(HASH))
    return session


def test_earlier_players_enter_and_others_give_the_password() -> None:
    session = table_with_password()
    state = session.state()
    assert [can_access(state, player) for player in ("ann", "bob", "cid", "")] == [True, True, False, False]
    with pytest.raises(TableError) as refused:
        session.ask("cid", c.Sit(2, 100))
    assert refused.value.code == "table.password"
    session.ask("cid", c.GrantAccess(HASH))
    assert can_access(session.state(), "cid")
    session.ask("cid", c.Sit(2, 100))
    session.ask("bob", c.Leave())
    assert can_access(session.state(), "bob")


def test_another_password_is_asked_of_everybody_who_has_not_played() -> None:
    session = table_with_password()
    session.ask("cid", c.GrantAccess(HASH))
    session.ask("ann", c.SetPassword("another"))
    assert [can_access(session.state(), player) for player in ("bob", "cid")] == [True, False]
    with pytest.raises(TableError) as refused:  # it was found right just before the host changed it
        session.ask("cid", c.GrantAccess(HASH))
    assert (refused.value.code, refused.value.path) == ("table.password", "$.password")
    session.ask("ann", c.SetPassword(""))
    assert can_access(session.state(), "cid")
    assert session.see("cid").password is False


def test_only_the_host_chooses_and_the_hash_is_seen_by_nobody() -> None:
    session = table_with_password()
    with pytest.raises(TableError) as refused:
        session.ask("bob", c.SetPassword(""))
    assert refused.value.code == "player.not_host"
    chosen = session.log[-1]
    assert isinstance(chosen, Sealed)
    assert [visible_event(session.state(), player, 1, chosen) for player in ("ann", "bob", "")] == [None] * 3
    assert HASH not in repr(session.see("ann"))
    assert HASH not in repr(chosen.event)
    assert HASH not in repr(c.SetPassword(HASH)) + repr(c.GrantAccess(HASH))
    assert session.see("bob").talk[-1].text == "New visitors now need a password"
    assert session.see("bob").password
    assert decode(*encode(chosen)) == chosen


def test_a_table_is_opened_with_a_password_and_the_guests_of_the_one_before() -> None:
    config = TableConfig("t2", "Again", "ann", resolve("pineapple"), private=True)
    state = None
    for event in open_table(config, START, HASH, ("bob",)):
        state = evolve(state, event)
    assert state is not None
    assert state.version == 2
    assert [can_access(state, player) for player in ("ann", "bob", "cid")] == [True, True, False]


def test_only_the_last_guests_are_remembered() -> None:
    session = table_with_password()
    for number in range(501):
        session.ask(f"guest {number}", c.GrantAccess(HASH))
    assert not can_access(session.state(), "guest 0")
    assert can_access(session.state(), "guest 1")
    before = len(session.log)
    session.ask("guest 1", c.GrantAccess(HASH))
    assert len(session.log) == before  # there already


def test_the_host_lets_the_server_arrange() -> None:
    session = Session()
    assert not session.see("bob").arranging
    session.ask("ann", c.AllowArranging(allowed=True))
    assert session.see("bob").arranging
    with pytest.raises(TableError, match="Cards are arranged for who asks already") as refused:
        session.ask("ann", c.AllowArranging(allowed=True))
    assert refused.value.code == "request.repeated"
    with pytest.raises(TableError) as refused:
        session.ask("bob", c.AllowArranging(allowed=False))
    assert refused.value.code == "player.not_host"
    session.ask("ann", c.AllowArranging(allowed=False))
    assert session.state().talk[-1].text == "Auto-arrange is off"


def test_events_of_the_gate_are_stored() -> None:
    for event in (e.AccessGranted(1, "bob"), e.PasswordSet(1, HASH, ("bob",))):
        assert decode(*encode(Sealed(event))).event == event


def test_a_host_who_keeps_changing_the_password_is_slowed_down() -> None:
    """What a host does is stored forever, like every other request (issue 10, part 3, point 6)."""
    session = Session()
    many = [c.SetPassword(f"hash {number}") for number in range(1000)]
    with pytest.raises(TableError) as refused:
        list(map(partial(session.ask, "ann"), many))
    assert refused.value.code == "request.too_fast"
    session.now += 60_000
    session.ask("ann", c.SetPassword(""))


def test_a_leagues_table_is_visible_only_to_its_players_until_it_is_over() -> None:
    """Issue 11, part 5: the others of the league have the same decks, each in their own time."""
    everybody = ("ann", "bob", "cid", "host", "")
    table, open_to_all = TournamentTable(duplicate=True), TournamentTable()
    assert not any(can_access(table.state, player) for player in everybody)
    assert all(can_access(open_to_all.state, player) for player in everybody)
    table.ask(c.MatchOrder(1, (c.SeatAssignment(0, "ann", "Ann", 100), c.SeatAssignment(1, "bob", "Bob", 100))))
    assert [can_access(table.state, player) for player in everybody] == [True, True, False, False, False]
    with pytest.raises(TableError) as refused:
        table.ask(c.Say("what did you get?"), "cid")
    assert refused.value.code == "table.league"
    table.play()
    before = table.state
    table.ask(c.MatchOrder(2, (c.SeatAssignment(0, "cid", "Cid", 100), c.SeatAssignment(1, "ann", "Ann", 100))))
    assert revokes_access(before, table.state)
    assert [can_access(table.state, player) for player in everybody] == [True, False, True, False, False]
    table.play()
    before = table.state
    table.ask(c.MatchOrder(3))
    assert not revokes_access(before, table.state)
    assert all(can_access(table.state, player) for player in everybody)
