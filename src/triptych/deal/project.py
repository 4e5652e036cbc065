"""Project the state of a deal to what one viewer may know: the only way from a state to a client.

A seat sees its own hands in full and the open cards of the others; a spectator sees only open cards (Rules §2).
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from triptych.board import ROWS, Layout, layout_from_board
from triptych.deal.board_projection import Faces, board_status, board_view, card_texts, project_board
from triptych.deal.closed_actions import natural_of
from triptych.deal.premove import can_premove_placement, hands_with_premove
from triptych.deal.result import result
from triptych.deal.state import DealState, acting_hands, finished, phase
from triptych.deal.view_types import BoardView, DealView, FreeSlots, Task
from triptych.rulesets.model import streets
from triptych.scoring.sheet.hand_names import natural_name

TaskKind = Literal["place", "announce", "declare"]
_TASKS: dict[str, TaskKind] = {
    "placing": "place",
    "announcing": "announce",
    "declaring": "declare",
}


def view(state: DealState, seat: int | None) -> DealView:
    """Return the deal as the player in `seat` may see it; `None` is a spectator."""
    return DealViews(state).for_seat(seat)


class DealViews:
    """The views of a deal for all viewers. A board has two faces, the owner's and the others', each computed once.

    `bare`: the common part, without boards and tasks. `projected`: the faces computed so far, by hand. `before`: the
    views of an earlier state; unchanged boards are taken from there.
    """

    def __init__(self, state: DealState, before: DealViews | None = None) -> None:
        self.state = state
        self._waiting = acting_hands(state)
        self._scores = result(state).hands if finished(state) else None
        self.projected: dict[int, Faces] = {}
        self._tasks: dict[int, tuple[Task, ...]] | None = None
        current_phase, street = phase(state), _street(state)
        # The state of earlier views, and the hands that have changed since.
        self._since: DealState | None = None
        self._changed: list[int] = []
        if before is not None:
            self._changed = self.changed_since(before)
            self._since = before.state
            if self._scores is None:
                self.projected = {
                    hand: faces for hand, faces in before.projected.items() if hand not in self._changed
                }
            self.bare: DealView = before.bare
            if (self.bare.number, self.bare.phase, self.bare.street) == (state.number, current_phase, street):
                return
        self.bare = DealView(
            number=state.number,
            game=state.rules.deal.game,
            phase=current_phase,
            street=street,
            streets=len(streets(state.rules)),
            boards=(),
        )

    def for_seat(self, seat: int | None) -> DealView:
        """Return the deal as the player in `seat` may see it; `None` is a spectator."""
        hands = self.state.hands
        boards = tuple([self.board(index, own=hand.seat == seat) for index, hand in enumerate(hands)])
        return replace(self.bare, boards=boards, tasks=self.tasks(seat))

    def tasks(self, seat: int | None) -> tuple[Task, ...]:
        """Return the current tasks of a seat."""
        if self._tasks is None:
            kind = _TASKS.get(self.bare.phase, "place")
            self._tasks = {}
            for index in self._waiting:
                owner = self.state.hands[index].seat
                self._tasks[owner] = (*self._tasks.get(owner, ()), _make_task(self.state, index, kind))
        return self._tasks.get(seat, ()) if seat is not None else ()

    def board(self, index: int, *, own: bool) -> BoardView:
        """Return a hand's board as its owner sees it, or as the others do."""
        return board_view(index, self.state.hands[index].seat, self.faces(index)[own])

    def faces(self, index: int) -> Faces:
        """Return the faces of a hand's board: the one for the others, and the one for its owner."""
        faces = self.projected.get(index)
        if faces is None:
            score = self._scores[index] if self._scores else None
            faces = project_board(self.state, index, acts=index in self._waiting, score=score)
            self.projected[index] = faces
        return faces

    def changed_since(self, before: DealViews) -> list[int]:
        """Return the hands whose faces may differ from those in earlier views."""
        state, previous_state = self.state, before.state
        if previous_state is self._since:
            return self._changed
        if self._scores or state.plan is not previous_state.plan:
            return [*range(len(state.hands))]
        waiting, was_waiting = self._waiting, before._waiting
        return [
            index
            for index, (hand, previous) in enumerate(zip(state.hands, previous_state.hands, strict=True))
            if hand is not previous or (index in waiting) != (index in was_waiting)
        ]


def _street(state: DealState) -> int:
    """Return the street of the hands outside fantasyland; the last one when they are done."""
    open_streets = [hand.street for hand in state.hands if not hand.fantasyland and not hand.is_set]
    return min(open_streets) + 1 if open_streets else len(streets(state.rules))


def premove_tasks(state: DealState, seat: int) -> tuple[Task, ...]:
    """Return the tasks for which a seat may set a premove."""
    return tuple(
        [
            _make_task(state, index, "place" if can_premove_placement(state, index) else "announce")
            for index in hands_with_premove(state)
            if state.hands[index].seat == seat
        ]
    )


def _make_task(state: DealState, index: int, kind: TaskKind) -> Task:
    hand = state.hands[index]
    if kind != "place":
        return Task(
            hand=index,
            kind=kind,
            street=len(hand.streets),
            cards=(),
            place=0,
            discard=0,
            open=FreeSlots(0, 0, 0),
            layout=Layout(),
            surrender=state.rules.surrender.points if kind == "announce" else 0,
            rows=ROWS if kind == "declare" else (),
        )
    street = hand.streets[hand.street]
    natural = natural_of(state, hand)
    return Task(
        hand=index,
        kind=kind,
        street=hand.street + 1,
        cards=card_texts(hand.drawn),
        place=street.placed,
        discard=street.discarded,
        open=FreeSlots(
            hand.board.free_slots("front"), hand.board.free_slots("middle"), hand.board.free_slots("back")
        ),
        layout=layout_from_board(hand.pending),
        legal=not board_status(state.rules, hand.board.merged(hand.pending)).fouled,
        natural=natural_name(natural.kind) if natural else "",
    )
