"""Moves set ahead of the turn: kept by the table, done the moment they are asked for, dropped when they cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triptych.deal import engine
from triptych.deal.actions import Announce, Arrange
from triptych.deal.errors import DealError
from triptych.deal.premove import hands_ahead
from triptych.deal.project import tasks_ahead
from triptych.table import events as e
from triptych.table.view_types import AheadView

if TYPE_CHECKING:
    from triptych.deal.premove import AheadAction
    from triptych.deal.state import DealState
    from triptych.deal.view_types import Task
    from triptych.table.draft import Draft
    from triptych.table.state import Planned, TableState
    from triptych.table.view_types import Kept

_NOTHING: Final[tuple[AheadView, ...]] = ()


def due(state: TableState, deal: DealState) -> Planned | None:
    """Return a move set ahead whose time has come."""
    if not state.ahead:
        return None
    now = engine.acting(deal)
    return next((one for one in state.ahead if one.hand in now), None)


def do_planned(draft: Draft, deal: DealState, planned: Planned) -> None:
    """Do a move whose time has come; where the deal refuses it, its player is told and plays by hand."""
    seat = deal.hands[planned.hand].seat
    try:
        course = engine.decided(deal, planned.action)
    except DealError:
        draft.whisper(seat, e.MoveDropped(draft.now, seat, planned.hand))
        return
    draft.whisper(seat, e.MovePlanned(draft.now, planned.hand, None))
    draft.go_on(course)


def drop_rest(draft: Draft, deal: DealState) -> None:
    """Drop, when a deal is over, what was never asked for."""
    for planned in draft.state.ahead:
        seat = deal.hands[planned.hand].seat
        draft.whisper(seat, e.MoveDropped(draft.now, seat, planned.hand))


def ahead_views(state: TableState, seat: int | None) -> tuple[AheadView, ...]:
    """Return what a seat may set ahead now, with what it has set."""
    if seat is None or state.deal is None or state.settled:
        return _NOTHING
    if not hands_ahead(state.deal):
        return _NOTHING
    kept = {one.hand: one.action for one in state.ahead}
    return tuple([_seen(task, kept.get(task.hand)) for task in tasks_ahead(state.deal, seat)])


def _seen(task: Task, action: AheadAction | None) -> AheadView:
    if action is None:
        return AheadView(task)
    if isinstance(action, Announce):
        announced: Kept = "play" if action.play else "surrender"
        return AheadView(task, announced)
    return AheadView(task, "arrange" if isinstance(action, Arrange) else "place", action.layout)
