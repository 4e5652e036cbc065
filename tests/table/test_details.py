"""The host changes name and listing of a table; sitting down ready (issue 32, part 7)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.table.session import Session
from triptych.server.tables.summary import summarize
from triptych.table import commands as c
from triptych.table.errors import TableError


def refusal(session: Session, player: str, request: c.PlayerRequest) -> tuple[str, str]:
    with pytest.raises(TableError) as refused:
        session.ask(player, request)
    return refused.value.code, refused.value.path


def test_the_host_gives_the_table_another_name() -> None:
    session = Session()
    session.ask("ann", c.ChangeDetails(name="  Friday   at Ann's "))
    for player in ("ann", "bob", "stranger"):
        assert session.see(player).name == "Friday at Ann's"
    assert session.see("bob").talk[-1].text == "This table is now called Friday at Ann's"
    assert summarize(session.state()).name == "Friday at Ann's"
    assert not session.see("bob").private  # as it was


def test_the_host_says_who_finds_the_table() -> None:
    session = Session()
    session.ask("ann", c.ChangeDetails(private=True))
    assert session.see("bob").private
    assert summarize(session.state()).private
    assert session.see("bob").name == "Our table"
    assert session.see("bob").talk[-1].text == "Only people with the link can find this table now"
    session.ask("ann", c.ChangeDetails(private=False))
    assert not session.see("bob").private
    assert session.see("bob").talk[-1].text == "The lobby lists this table now"


def test_bad_requests_are_refused() -> None:
    session = Session()
    assert refusal(session, "bob", c.ChangeDetails(name="Mine"))[0] == "player.not_host"
    assert refusal(session, "ann", c.ChangeDetails(name="\u200b")) == ("name.bad", "$.name")
    assert refusal(session, "ann", c.ChangeDetails(name="Our table"))[0] == "request.repeated"
    assert refusal(session, "ann", c.ChangeDetails(private=False))[0] == "request.repeated"
    assert "change_details" in session.see("ann").may
    assert "change_details" not in session.see("bob").may


def test_a_player_who_sits_down_ready_is_asked_no_second_time() -> None:
    session = Session({"preset": "pineapple", "seats.max": 2}, people=0)
    session.set(replace(session.state(), begun=False))
    session.ask("ann", c.Sit(0, 100, ready=True))
    assert session.see("ann").phase == "waiting"
    assert "ready" not in session.see("ann").may
    session.ask("bob", c.Sit(1, 100, ready=True))
    assert session.see("bob").phase == "playing"


def test_once_play_has_begun_sitting_down_ready_cuts_no_pause_short() -> None:
    session = Session(people=1)
    session.ask("bob", c.Sit(1, 100, ready=True))
    assert session.see("bob").phase == "waiting"  # a third player may still come
    assert "ready" in session.see("bob").may
