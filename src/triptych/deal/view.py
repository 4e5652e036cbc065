"""What one viewer may know of a deal: the only way from a state to a screen.

A seat sees its own hands in full; of the others, and for a spectator of all, only what lies open (LAW 2).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from triptych.board import CAPACITY, EMPTY, ROWS, Layout, layout_of
from triptych.cards import HIDDEN, card_text
from triptych.deal.ahead import can_place_ahead, hands_ahead
from triptych.deal.closed import natural_of
from triptych.deal.result import result
from triptych.deal.state import acting, cards_open, finished, is_face_down, moves_open, phase
from triptych.deal.views import BoardView, DealView, Open, RowView, Task
from triptych.rules.model import streets
from triptych.score.partial import BoardStatus, row_status
from triptych.score.sheet.names import NATURAL_NAMES

if TYPE_CHECKING:
    from triptych.board import Board
    from triptych.cards import Card
    from triptych.deal.state import DealState, HandState
    from triptych.rules.model import Ruleset
    from triptych.score.showdown import HandScore

TaskKind = Literal["place", "announce", "declare"]
_TASKS: dict[str, TaskKind] = {
    "placing": "place",
    "announcing": "announce",
    "declaring": "declare",
}


def view(state: DealState, seat: int | None) -> DealView:
    """Return the deal as the player in `seat` may see it; `None` is a spectator."""
    return DealViews(state).of(seat)


class DealViews:
    """A deal as each of its viewers may see it. A board has two faces, its owner's and everybody else's: made once.

    `bare`: what everybody sees, without boards and tasks.

    `before`: the views of an earlier state; a board that lies as it lay then is taken from there.
    """

    def __init__(self, state: DealState, before: DealViews | None = None) -> None:
        self.state = state
        self._waiting = acting(state)
        self._asks = _TASKS.get(phase(state), "place")
        self._scores = result(state).hands if finished(state) else None
        self.faces: dict[tuple[int, bool], BoardView] = {}
        self._tasks: dict[int | None, tuple[Task, ...]] = {}
        self.bare = DealView(
            number=state.number,
            game=state.rules.deal.game,
            phase=phase(state),
            street=_street(state),
            streets=len(streets(state.rules)),
            boards=(),
        )
        if before is not None and self._scores is None:
            new = self.new_since(before)
            self.faces = {key: face for key, face in before.faces.items() if key[0] not in new}

    def of(self, seat: int | None) -> DealView:
        """Return the deal as the player in `seat` may see it; `None` is a spectator."""
        hands = self.state.hands
        boards = tuple([self.face(index, own=hand.seat == seat) for index, hand in enumerate(hands)])
        return replace(self.bare, boards=boards, tasks=self.tasks(seat))

    def tasks(self, seat: int | None) -> tuple[Task, ...]:
        """Return what is asked of a seat now."""
        tasks = self._tasks.get(seat)
        if tasks is None:
            hands = self.state.hands
            asked = [index for index in self._waiting if hands[index].seat == seat]
            tasks = self._tasks[seat] = tuple([_task(self.state, index, self._asks) for index in asked])
        return tasks

    def face(self, index: int, *, own: bool) -> BoardView:
        """Return a hand's board as its owner sees it, or as everybody else does."""
        face = self.faces.get((index, own))
        if face is None:
            score = self._scores[index] if self._scores else None
            face = _board(self.state, index, own=own, acts=index in self._waiting, score=score)
            self.faces[index, own] = face
        return face

    def new_since(self, before: DealViews) -> list[int]:
        """Return the hands of which not everything that a face is made of is the very same as in earlier views."""
        now, then = self.state, before.state
        if self._scores or now.plan is not then.plan:
            return [*range(len(now.hands))]
        waiting, waited = self._waiting, before._waiting
        return [
            index
            for index, (hand, was) in enumerate(zip(now.hands, then.hands, strict=True))
            if hand is not was or (index in waiting) != (index in waited)
        ]


def _street(state: DealState) -> int:
    """Return the street that the hands outside fantasyland are in; the last one when they are done."""
    still = [hand.street for hand in state.hands if not hand.fantasyland and not hand.is_set]
    return min(still) + 1 if still else len(streets(state.rules))


_Rows = tuple[RowView, RowView, RowView]


def _board(state: DealState, index: int, *, own: bool, acts: bool, score: HandScore | None) -> BoardView:
    hand = state.hands[index]
    board = _seen_board(state, index, own=own)
    pending = hand.pending if own or (hand.placing and moves_open(state, index)) else EMPTY
    rows = _covered() if board is None else _rows(state.rules, board.plus(pending))[own]
    if score is not None and board is not None:
        # A royalty that was not declared, or that another rule takes back, earns nothing in the end.
        rows = _scored(rows, score)
    return BoardView(
        hand=index,
        seat=hand.seat,
        front=rows[0],
        middle=rows[1],
        back=rows[2],
        street=min(hand.street + 1, len(hand.streets)),
        acting=acts,
        done=hand.is_set,
        face_down=is_face_down(state, index),
        fantasyland=hand.fantasyland,
        in_row=hand.in_row,
        draws=_seen_draws(state, index, pending, own=own),
        pending=_texts(pending.cards),
        discards=_texts(hand.discards) if own else (HIDDEN,) * len(hand.discards),
        natural=_natural(hand, own=own),
        # Of a board that was laid face down nobody ever learns how it came.
        laid=() if hand.fantasyland or (index in state.plan.face_down and not own) else hand.laid,
        status=score.status if score else _status(hand, own=own),
    )


def _seen_board(state: DealState, index: int, *, own: bool) -> Board | None:
    """Return the confirmed cards, none of a covered board in progress, and `None` for a covered full board."""
    hand = state.hands[index]
    if own or not is_face_down(state, index):
        return hand.board
    return None if hand.is_set else EMPTY


def _seen_draws(state: DealState, index: int, pending: Board, *, own: bool) -> tuple[str, ...]:
    """Return the cards not in a row; covered ones as `??`, with those that a covered board in progress holds."""
    hand = state.hands[index]
    if own or hand.shown or (hand.placing and cards_open(state, index)):
        laid = pending.cards
        return _texts(tuple([card for card in hand.drawn if card not in laid]) if laid else hand.drawn)
    if hand.is_set:
        return ()
    covered = len(hand.board.cards) if is_face_down(state, index) else 0
    return (HIDDEN,) * (covered + len(hand.drawn) - len(pending.cards))


def _covered() -> _Rows:
    """Return a full board that lies face down."""
    front, middle, back = (RowView((HIDDEN,) * CAPACITY[row]) for row in ROWS)
    return front, middle, back


# After each action most boards are as they were.
@lru_cache(maxsize=8192)
def _status_of(rules: Ruleset, board: Board) -> BoardStatus:
    return row_status(rules, board.front, board.middle, board.back)


@lru_cache(maxsize=8192)
def _rows(rules: Ruleset, board: Board) -> tuple[_Rows, _Rows]:
    """Return visible rows as others see them, and as their owner does, with warnings; a sure foul earns nothing."""
    status = _status_of(rules, board)
    others = (
        _row(board.front, status.front.name, 0 if status.fouled else status.front.royalty),
        _row(board.middle, status.middle.name, 0 if status.fouled else status.middle.royalty),
        _row(board.back, status.back.name, 0 if status.fouled else status.back.royalty),
    )
    if not status.fouled:
        return others, others
    front, middle, back = others
    return others, (
        replace(front, warning=status.front.warning),
        replace(middle, warning=status.middle.warning),
        replace(back, warning=status.back.warning),
    )


# A row that stays as it was is the very same thing, so nobody need compare it.
@lru_cache(maxsize=8192)
def _row(cards: tuple[Card, ...], name: str, royalty: int) -> RowView:
    return RowView(_texts(cards), name, royalty)


def _scored(rows: _Rows, score: HandScore) -> _Rows:
    front, middle, back = (replace(row, royalty=paid) for row, paid in zip(rows, score.royalties, strict=True))
    return front, middle, back


def _natural(hand: HandState, *, own: bool) -> str:
    return NATURAL_NAMES[hand.natural] if hand.natural and (own or hand.shown) else ""


def _status(hand: HandState, *, own: bool) -> Literal["playing", "set", "legal", "foul", "surrendered", "natural"]:
    if hand.surrendered:
        return "surrendered"
    if hand.natural and (own or hand.shown):
        return "natural"
    if hand.dead:
        return "foul"
    return "set" if hand.is_set else "playing"


def tasks_ahead(state: DealState, seat: int) -> tuple[Task, ...]:
    """Return what is not asked of a seat yet and can be answered all the same, as the tasks that will come."""
    return tuple(
        [
            _task(state, index, "place" if can_place_ahead(state, index) else "announce")
            for index in hands_ahead(state)
            if state.hands[index].seat == seat
        ]
    )


def _task(state: DealState, index: int, kind: TaskKind) -> Task:
    """Return what is asked of a hand's own player."""
    hand = state.hands[index]
    if kind != "place":
        return Task(
            hand=index,
            kind=kind,
            street=len(hand.streets),
            cards=(),
            place=0,
            discard=0,
            open=Open(0, 0, 0),
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
        cards=_texts(hand.drawn),
        place=street.placed,
        discard=street.discarded,
        open=Open(hand.board.free("front"), hand.board.free("middle"), hand.board.free("back")),
        layout=layout_of(hand.pending),
        legal=not _status_of(state.rules, hand.board.plus(hand.pending)).fouled,
        natural=NATURAL_NAMES[natural.kind] if natural else "",
    )


def _texts(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(map(card_text, cards))
