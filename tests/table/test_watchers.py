"""Those who watch: the host mutes them, lets them speak again, or removes them (issue 32, part 8)."""

from __future__ import annotations

import pytest

from tests.table.session import Session
from triptych.table import commands as c
from triptych.table.access import can_access, revokes_access, verify_access
from triptych.table.errors import TableError


def refused(session: Session, player: str, request: c.PlayerRequest) -> str:
    with pytest.raises(TableError) as caught:
        session.branch().ask(player, request)
    return caught.value.code


def test_a_viewer_is_muted_and_speaks_again() -> None:
    session = Session()
    session.ask("dan", c.Say("hello"))
    session.ask("ann", c.MuteViewer("dan"))
    assert session.state().talk[-1].text == "Ann muted a viewer"
    assert "say" not in session.see("dan").may
    assert refused(session, "dan", c.Say("hello")) == "player.muted"
    assert refused(session, "ann", c.MuteViewer("dan")) == "request.repeated"
    assert "say" in session.see("eve").may
    assert can_access(session.state(), "dan")
    session.ask("ann", c.MuteViewer("dan", muted=False))
    session.ask("dan", c.Say("hello again"))
    assert session.state().talk[-1].text == "hello again"


def test_a_viewer_who_is_removed_sees_nothing_more() -> None:
    session = Session()
    before = session.state()
    session.ask("ann", c.RemoveViewer("dan"))
    assert revokes_access(before, session.state())
    assert not revokes_access(session.state(), session.state())
    assert not can_access(session.state(), "dan")
    assert can_access(session.state(), "eve")
    with pytest.raises(TableError) as caught:
        verify_access(session.state(), "dan")
    assert caught.value.code == "table.removed"
    assert refused(session, "ann", c.RemoveViewer("dan")) == "request.repeated"


def test_only_the_host_does_so_and_only_to_viewers() -> None:
    session = Session()
    for request in (c.MuteViewer("dan"), c.RemoveViewer("dan")):
        assert refused(session, "bob", request) == "player.not_host"
    for player in ("bob", "ann"):
        assert refused(session, "ann", c.MuteViewer(player)) == "player.seated"
        assert refused(session, "ann", c.RemoveViewer(player)) == "player.seated"
    session.ask("ann", c.Leave())
    assert refused(session, "ann", c.RemoveViewer("ann")) == "player.seated"
    assert {"mute_viewer", "remove_viewer"} <= set(session.see("ann").may)
    assert not {"mute_viewer", "remove_viewer"} & set(session.see("bob").may)
