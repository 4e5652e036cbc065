"""The invariants hold through sessions, and each of them notices when it does not. Issue 12, part 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.table.session import Session
from triptych.table import commands as c
from triptych.table.invariants import find_violation
from triptych.table.state import with_seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.deal.state import DealState
    from triptych.table.events import TableEvent
    from triptych.table.state import TableState


def moved() -> tuple[TableState, TableState, tuple[TableEvent, ...]]:
    """Return a table before and after a placement, and its events."""
    session = Session("pineapple", people=2)
    session.begin()
    session.act()
    before = session.state()
    deal = before.deal
    assert deal is not None
    count = len(session.log)
    session.act()
    return before, session.state(), tuple(session.log[count:])


def with_hand(state: TableState, **changes: object) -> TableState:
    """Return a table with something changed in the last hand that has a board."""
    deal = state.deal
    assert deal is not None
    return replace(state, deal=_hand(deal, **changes))


def _hand(deal: DealState, **changes: object) -> DealState:
    place = max(range(len(deal.hands)), key=lambda i: deal.hands[i].street)
    hands = deal.hands
    return replace(deal, hands=(*hands[:place], replace(hands[place], **changes), *hands[place + 1 :]))


def _deck(state: TableState) -> TableState:
    assert state.deal is not None
    return replace(state, deal=replace(state.deal, deck=state.deal.deck[1:]))


WRONG: dict[str, Callable[[TableState], TableState]] = {
    "events lead from version": lambda state: replace(state, version=state.version + 1),
    "its time goes back": lambda state: replace(state, at=0),
    "its stacks are not what was brought": lambda state: with_seat(state, 0, stack=101),
    "in two seats": lambda state: with_seat(state, 1, player="ann"),
    "less than nothing": lambda state: with_seat(state, 0, bank_ms=-1),
    "a time bank has grown": lambda state: with_seat(state, 0, bank_ms=10**7),
    "clocks run for others": lambda state: replace(state, clocks=()),
    "a clock ends before": lambda state: replace(state, clocks=(replace(state.clocks[0], bank_ends=0),)),
    "nobody is to act": lambda state: replace(state, settled=True),
    "a deal is played that is not there": lambda state: replace(state, deal=None),
    "is missing, or there twice": _deck,
    "shown before all are set": lambda state: with_hand(state, shown=True),
    "not the cards of its streets": lambda state: with_hand(state, street=2),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_violated_invariant_is_named(what: str) -> None:
    before, after, events = moved()
    assert find_violation(before, after, events) == ""
    assert what in find_violation(before, WRONG[what](after), events)


def test_points_that_move_beside_the_ledger_are_noticed() -> None:
    before, after, events = moved()
    swapped = with_seat(with_seat(after, 0, stack=90), 1, stack=110)
    assert find_violation(before, swapped, events) == "its ledger and its stacks differ"


@pytest.mark.parametrize("preset", ["pineapple", "closed_1_6", "criss_cross", "pineapple_tournament", "first_to_11"])
def test_every_command_of_a_session_holds(preset: str) -> None:
    """People sit down, play, time out, leave; each decision is looked at as the server looks at it."""
    session = Session(preset, people=0)
    buy_in = session.rules.seats.buy_in_min
    ask = session.ask

    def looked(player: str, request: c.PlayerRequest | c.AccessRequest | c.SystemRequest, **more: object) -> object:
        before = session.state()
        events = ask(player, request, **more)
        assert find_violation(before, session.state(), events) == ""
        return events

    session.ask = looked  # type: ignore[method-assign, assignment]
    for seat, player in enumerate(("ann", "bob")):
        session.ask(player, c.Sit(seat, buy_in))
    for _ in range(3):
        session.play()
    session.begin()
    while not session.state().settled:
        session.strike()
    session.ask("bob", c.Leave())
    assert session.state().deals == 4
