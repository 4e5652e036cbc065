"""Hints: where the host allowed them, for a street of one's own, and told to everybody (issue 14, part 4)."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from tests.table.evening import LAND, PLAIN, START, Evening
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


def code(evening: Evening, player: str, request: c.PlayerRequest) -> str:
    with pytest.raises(TableError) as refused:
        evening.ask(player, request)
    return refused.value.code


def to_act(evening: Evening) -> int:
    deal = evening.state().deal
    assert deal is not None
    return acting_hands(deal)[0]


def hinted(rules: str | dict[str, object] = "pineapple", **more: object) -> Evening:
    evening = Evening(rules, **more)  # type: ignore[arg-type]
    evening.ask("ann", c.AllowHints(allowed=True))
    evening.begin()
    return evening


def test_the_host_lets_players_ask_and_no_more() -> None:
    evening = Evening()
    assert not evening.see("bob").hints
    assert code(evening, "bob", c.AllowHints(allowed=True)) == "player.not_host"
    evening.ask("ann", c.AllowHints(allowed=True))
    assert evening.see("bob").hints
    assert evening.state().talk[-1].text == "Players may ask for hints"
    assert code(evening, "ann", c.AllowHints(allowed=True)) == "request.repeated"
    evening.ask("ann", c.AllowHints(allowed=False))
    evening.begin()
    hand = to_act(evening)
    assert code(evening, evening.owner(hand).player, c.RequestHint(hand)) == "hint.not_allowed"


def test_only_for_a_hand_of_ones_own_that_is_to_be_placed() -> None:
    evening = hinted()
    hand = to_act(evening)
    me = evening.owner(hand).player
    other = "bob" if me == "ann" else "ann"
    assert code(evening, other, c.RequestHint(hand)) == "hint.nothing"
    assert code(evening, other, c.RequestHint(1 - hand)) == "hint.nothing"  # not their turn
    assert code(evening, me, c.RequestHint(1 - hand)) == "hint.nothing"
    assert code(evening, me, c.RequestHint(3)) == "hint.nothing"
    assert code(evening, "dan", c.RequestHint(hand)) == "player.not_seated"
    before = evening.state().deal
    events = evening.ask(me, c.RequestHint(hand))
    assert all(isinstance(event, Public) for event in events)
    assert evening.state().deal == before
    for player in ("ann", "bob", "dan"):
        assert evening.see(player).talk[-1].text == f"{me.title()} asks for a hint"


def test_a_fantasyland_has_a_hint_and_a_closed_hand_has_none() -> None:
    evening = hinted(boards=[{0: LAND, 1: PLAIN}])
    evening.play()
    evening.begin()
    while evening.hands()[hand := to_act(evening)].fantasyland == 0:
        evening.act()
    assert evening.ask(evening.owner(hand).player, c.RequestHint(hand))
    closed = hinted("closed_basic")
    hand = to_act(closed)
    assert code(closed, closed.owner(hand).player, c.RequestHint(hand)) == "hint.nothing"


def test_never_in_a_tournament() -> None:
    tournament = Evening(BY_DEALS, buy_in=200)
    assert "let_hint" not in tournament.see("ann").may
    assert code(tournament, "ann", c.AllowHints(allowed=True)) == "hint.tournament"
    config = TableConfig("t1", "Table", "ann", resolve(BY_DEALS), hints=True)
    for wrong in (config, replace(config, rules=resolve("pineapple"), cup="c1")):
        with pytest.raises(TableError) as refused:
            open_table(wrong, START)
        assert (refused.value.code, refused.value.path) == ("hint.tournament", "$.hints")


def test_who_keeps_asking_is_slowed_down() -> None:
    """Every hint is stored for ever (issue 10, part 3, point 6)."""
    evening = hinted()
    hand = to_act(evening)
    me = evening.owner(hand).player
    many = [c.RequestHint(hand)] * 50
    with pytest.raises(TableError) as refused:
        list(map(partial(evening.ask, me), many))
    assert refused.value.code == "request.too_fast"


@pytest.mark.parametrize("seen_by", ["all", None, 0, 1])
def test_the_history_of_the_deal_says_who_asked_and_when(seen_by: int | None) -> None:
    evening = hinted()
    evening.now += 3000
    evening.act()
    evening.now += 2000
    hand = to_act(evening)
    evening.ask(evening.owner(hand).player, c.RequestHint(hand))
    evening.play()
    played = played_deal(evening.log, 1)
    assert played is not None
    history = record(played.events, seen_by, played.names)
    (at,) = (place for place, step in enumerate(history.steps) if step.verb == "hint")
    assert (history.steps[at].hand, history.steps[at].at) == (hand, 5000)
    assert [step.verb for step in history.steps[:at]].count("place") == 1
    check_history(history)
    assert parse_history(history_text(history)) == history
