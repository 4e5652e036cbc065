"""Moves set ahead of the turn: kept by the table, done the moment they are asked for, dropped when they cannot be."""

from __future__ import annotations

from typing import Final

from triptych.deal import engine
from triptych.deal.actions import Announce, Arrange
from triptych.deal.errors import DealError
from triptych.deal.premove import PremoveAction, hands_with_premove
from triptych.deal.project import premove_tasks
from triptych.deal.state import DealState
from triptych.deal.view_types import Task
from triptych.table import events as e
from triptych.table.draft import Draft
from triptych.table.state import Premove, TableState
from triptych.table.view_types import PremoveKind, PremoveView

_NOTHING: Final[tuple[PremoveView, ...]] = ()


def due_premove(state: TableState, deal: DealState) -> Premove | None:
    """Return a move set ahead whose time has come."""
    if not state.premoves:
        return None
    now = engine.acting_hands(deal)
    return next((one for one in state.premoves if one.hand in now), None)


def play_premove(draft: Draft, deal: DealState, planned: Premove) -> None:
    """Do a move whose time has come; where the deal refuses it, its player is told and plays by hand."""
    seat = deal.hands[planned.hand].seat
    try:
        course = engine.decide(deal, planned.action)
    except DealError:
        draft.emit_private(seat, e.PremoveDropped(draft.now, seat, planned.hand))
        return
    draft.emit_private(seat, e.PremoveSet(draft.now, planned.hand, None))
    draft.extend(course)


def drop_premoves(draft: Draft, deal: DealState) -> None:
    """Drop, when a deal is over, what was never asked for."""
    for planned in draft.state.premoves:
        seat = deal.hands[planned.hand].seat
        draft.emit_private(seat, e.PremoveDropped(draft.now, seat, planned.hand))


def premove_views(state: TableState, seat: int | None) -> tuple[PremoveView, ...]:
    """Return what a seat may set ahead now, with what it has set."""
    if seat is None or state.deal is None or state.settled:
        return _NOTHING
    if not hands_with_premove(state.deal):
        return _NOTHING
    actions = {one.hand: one.action for one in state.premoves}
    return tuple([_seen(task, actions.get(task.hand)) for task in premove_tasks(state.deal, seat)])


def _seen(task: Task, action: PremoveAction | None) -> PremoveView:
    if action is None:
        return PremoveView(task)
    if isinstance(action, Announce):
        announced: PremoveKind = "play" if action.play else "surrender"
        return PremoveView(task, announced)
    return PremoveView(task, "arrange" if isinstance(action, Arrange) else "place", action.layout)
