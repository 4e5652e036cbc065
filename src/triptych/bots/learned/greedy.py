"""The greedy choice by the learned value. Its whole time is a few microseconds, so it reads the view itself."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from triptych.board import Layout
from triptych.cards import card_text, deck
from triptych.notation.position import confirmed
from triptych.solve.value.cards import NUMBER, OTHERS, PACK, known_row

if TYPE_CHECKING:
    from triptych import _kernel
    from triptych.deal.views import DealView, RowView, Task
    from triptych.rules.model import Ruleset

_TEXTS = tuple(card_text(card) for card in deck(2))


def greedy(learner: _kernel.Learner, rules: Ruleset, view: DealView, task: Task, *, looking: bool) -> Layout:
    """Return the placement that the learned value likes best; `looking` as in `Effort`."""
    unseen = (1 << PACK + rules.deal.jokers) - 1
    rivals: list[bytes] = []
    for index, board in enumerate(view.boards):
        known = (known_row(board.front.cards), known_row(board.middle.cards), known_row(board.back.cards))
        unseen &= known[0][1] & known[1][1] & known[2][1]
        for text in board.draws + board.discards:
            unseen &= OTHERS[text]
        if looking and index != task.hand:
            rivals += [row[0] for row in known]
    own = view.boards[task.hand]
    rows: tuple[RowView, ...] = (own.front, own.middle, own.back)
    front, middle, back = [known_row(confirmed(row, own.pending))[0] for row in rows]
    cards = bytes([NUMBER[text] for text in task.cards])
    front, middle, back = learner.choose(task.street - 1, front, middle, back, cards, unseen, looking, rivals)
    return Layout(row_texts(front), row_texts(middle), row_texts(back))


@lru_cache(maxsize=1 << 13)
def row_texts(cards: bytes) -> tuple[str, ...]:
    """Return the cards that a street adds to a row; there are not many."""
    return tuple([_TEXTS[card] for card in cards])
