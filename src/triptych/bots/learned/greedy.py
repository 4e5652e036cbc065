"""The greedy policy by the learned value. It takes a few microseconds, since the kernel reads the view's texts."""

from __future__ import annotations

from functools import lru_cache

from triptych import _kernel
from triptych.board import Layout
from triptych.cards import card_text, deck
from triptych.deal.view_types import DealView, Task
from triptych.notation.position import without_pending

_TEXTS = tuple(card_text(card) for card in deck(2))


def greedy_placement(learner: _kernel.Learner, view: DealView, task: Task, *, lookahead: bool) -> Layout:
    """Return the placement with the best learned value; `lookahead` as in `SearchSettings`."""
    boards = [
        (board.front.cards, board.middle.cards, board.back.cards, board.draws, board.discards)
        for board in view.boards
    ]
    own_board = view.boards[task.hand]
    if own_board.pending:
        front, middle, back = [
            without_pending(row, own_board.pending) for row in (own_board.front, own_board.middle, own_board.back)
        ]
        boards[task.hand] = (front, middle, back, own_board.draws, own_board.discards)
    return Layout(*_kernel.place(learner, task.street - 1, boards, task.hand, task.cards, lookahead))


@lru_cache(maxsize=1 << 13)
def row_texts(cards: bytes) -> tuple[str, ...]:
    """Return the cards that a street adds to a row; cached, since there are few."""
    return tuple([_TEXTS[card] for card in cards])
