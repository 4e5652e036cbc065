"""Premoves: stored by the table, done as soon as the hand is to act, dropped if they cannot be done."""

from __future__ import annotations

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


def due_premove(state: TableState, deal: DealState) -> Premove | None:
    """Return a premove whose hand is to act, or None."""
    if not state.premoves:
        return None
    acting = engine.acting_hands(deal)
    return next((premove for premove in state.premoves if premove.hand in acting), None)


def play_premove(draft: Draft, deal: DealState, premove: Premove) -> None:
    """Do a premove whose hand is to act; if the deal rejects it, it is dropped and the player acts themselves."""
    seat = deal.hands[premove.hand].seat
    try:
        course = engine.decide(deal, premove.action)
    except DealError:
        draft.emit_private(seat, e.PremoveDropped(draft.now, seat, premove.hand))
        return
    draft.emit_private(seat, e.PremoveSet(draft.now, premove.hand, None))
    draft.extend(course)


def drop_premoves(draft: Draft, deal: DealState) -> None:
    """Drop the premoves whose turn never came, when a deal is over."""
    for premove in draft.state.premoves:
        seat = deal.hands[premove.hand].seat
        draft.emit_private(seat, e.PremoveDropped(draft.now, seat, premove.hand))


def premove_views(state: TableState, seat: int | None) -> tuple[PremoveView, ...]:
    """Return the premoves that a seat may set now, with those that it has set."""
    if seat is None or state.deal is None or state.settled or not hands_with_premove(state.deal):
        return ()
    actions = {premove.hand: premove.action for premove in state.premoves}
    return tuple([_premove_view(task, actions.get(task.hand)) for task in premove_tasks(state.deal, seat)])


def _premove_view(task: Task, action: PremoveAction | None) -> PremoveView:
    if action is None:
        return PremoveView(task)
    if isinstance(action, Announce):
        kind: PremoveKind = "play" if action.play else "surrender"
        return PremoveView(task, kind)
    return PremoveView(task, "arrange" if isinstance(action, Arrange) else "place", action.layout)
