"""Hints: where the host allowed them, for a street of one's own, and told to everybody (issue 14, part 4)."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from tests.table.session import LAND, PLAIN, START, Session
from tests.table.test_tournament import BY_DEALS
from triptych.deal.state import acting_hands
from triptych.deal.visibility import Public
from triptych.notation.history.model import record
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history
from triptych.notation.history.text import history_text
from triptych.rulesets.load import resolve
from triptych.table import commands as c
from triptych.table.aggregate import TableConfig, open_table
from triptych.table.errors import TableError
from triptych.table.history import played_deal


def code(session: Session, player: str, request: c.PlayerRequest) -> str:
    with pytest.raises(TableError) as refused:
        session.ask(player, request)
    return refused.value.code


def to_act(session: Session) -> int:
    deal = session.state().deal
    assert deal is not None
    return acting_hands(deal)[0]


def hinted(rules: str | dict[str, object] = "pineapple", **more: object) -> Session:
    session = Session(rules, **more)  # type: ignore[arg-type]
    session.ask("ann", c.AllowHints(allowed=True))
    session.begin()
    return session


def test_the_host_lets_players_ask_and_no_more() -> None:
    session = Session()
    assert not session.see("bob").hints
    assert code(session, "bob", c.AllowHints(allowed=True)) == "player.not_host"
    session.ask("ann", c.AllowHints(allowed=True))
    assert session.see("bob").hints
    assert session.state().talk[-1].text == "Hints are on"
    assert code(session, "ann", c.AllowHints(allowed=True)) == "request.repeated"
    session.ask("ann", c.AllowHints(allowed=False))
    session.begin()
    hand = to_act(session)
    assert code(session, session.owner(hand).player, c.RequestHint(hand)) == "hint.not_allowed"


def test_hints_are_only_for_the_players_own_hand_to_act() -> None:
    session = hinted()
    hand = to_act(session)
    me = session.owner(hand).player
    other = "bob" if me == "ann" else "ann"
    assert code(session, other, c.RequestHint(hand)) == "hint.nothing"
    assert code(session, other, c.RequestHint(1 - hand)) == "hint.nothing"  # not their turn
    assert code(session, me, c.RequestHint(1 - hand)) == "hint.nothing"
    assert code(session, me, c.RequestHint(3)) == "hint.nothing"
    assert code(session, "dan", c.RequestHint(hand)) == "player.not_seated"
    before = session.state().deal
    events = session.ask(me, c.RequestHint(hand))
    assert all(isinstance(event, Public) for event in events)
    assert session.state().deal == before
    for player in ("ann", "bob", "dan"):
        assert session.see(player).talk[-1].text == f"{me.title()} asked for a hint"


def test_a_fantasyland_has_a_hint_and_a_closed_hand_has_no_hint() -> None:
    session = hinted(boards=[{0: LAND, 1: PLAIN}])
    session.play()
    session.begin()
    while session.hands()[hand := to_act(session)].fantasyland == 0:
        session.act()
    assert session.ask(session.owner(hand).player, c.RequestHint(hand))
    closed = hinted("closed_basic")
    hand = to_act(closed)
    assert code(closed, closed.owner(hand).player, c.RequestHint(hand)) == "hint.nothing"


def test_never_in_a_tournament() -> None:
    tournament = Session(BY_DEALS, buy_in=200)
    assert "let_hint" not in tournament.see("ann").may
    assert code(tournament, "ann", c.AllowHints(allowed=True)) == "hint.tournament"
    config = TableConfig("t1", "Table", "ann", resolve(BY_DEALS), hints=True)
    for wrong in (config, replace(config, rules=resolve("pineapple"), cup="c1")):
        with pytest.raises(TableError) as refused:
            open_table(wrong, START)
        assert (refused.value.code, refused.value.path) == ("hint.tournament", "$.hints")


def test_repeated_hint_requests_are_limited() -> None:
    """Every hint is stored forever (issue 10, part 3, point 6)."""
    session = hinted()
    hand = to_act(session)
    me = session.owner(hand).player
    many = [c.RequestHint(hand)] * 50
    with pytest.raises(TableError) as refused:
        list(map(partial(session.ask, me), many))
    assert refused.value.code == "request.too_fast"


@pytest.mark.parametrize("seen_by", ["all", None, 0, 1])
def test_the_history_of_the_deal_says_who_asked_and_when(seen_by: int | None) -> None:
    session = hinted()
    session.now += 3000
    session.act()
    session.now += 2000
    hand = to_act(session)
    session.ask(session.owner(hand).player, c.RequestHint(hand))
    session.play()
    played = played_deal(session.log, 1)
    assert played is not None
    history = record(played.events, seen_by, played.names)
    (at,) = (place for place, step in enumerate(history.steps) if step.verb == "hint")
    assert (history.steps[at].hand, history.steps[at].at) == (hand, 5000)
    assert [step.verb for step in history.steps[:at]].count("place") == 1
    check_history(history)
    assert parse_history(history_text(history)) == history
