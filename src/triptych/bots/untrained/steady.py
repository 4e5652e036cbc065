"""The bot `steady`: untrained, exact where it can be, sampled look-ahead elsewhere.

The last street and every fantasyland are solved exactly against the boards that lie open; before, each placement is
finished many times with cards that this seat does not see. It knows nothing but its own view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from triptych import _kernel
from triptych.board import ROW_SIZES, ROWS, Layout
from triptych.bots.closed import ClosedBot
from triptych.bots.untrained.lookahead import best_placement, sample_seed
from triptych.bots.untrained.typical_boards import TypicalBoards, objective, typical_boards
from triptych.cards import Card, card_text
from triptych.deal.actions import Action, Place
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.model import Ruleset, Street, is_closed
from triptych.solve.analysis.decision import Decision

_EFFORT_PER_MS = 40
_MAX_EFFORT = 6000

PlacementSearch = Callable[[_kernel.Goal, Decision, Sequence[Street], float, int], tuple[int, ...]]
"""What chooses before the last street: the row of each card (3 = discard), for a goal, a decision, the streets after
it, the points of a foul and a budget in milliseconds."""


def _exact_or_sampled(
    aim: _kernel.Goal, here: Decision, left: Sequence[Street], foul: float, budget_ms: int
) -> tuple[int, ...]:
    return best_placement(
        aim,
        here.rows,
        bytes(here.cards),
        here.place,
        bytes(here.unseen_cards),
        left,
        foul,
        effort=min(_MAX_EFFORT, budget_ms * _EFFORT_PER_MS),
        seed=sample_seed(here),
    )


class SteadyBot:
    """Plays every game sensibly without having been trained. The same position gets the same answer."""

    def __init__(
        self, closed: ClosedBot | None = None, name: str = "steady", look: PlacementSearch = _exact_or_sampled
    ) -> None:
        """`closed` plays closed games, by default the packaged strategy; `look` chooses before the last street."""
        self.name = name
        self._closed = closed or ClosedBot()
        self._look = look

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return the action that its look-ahead likes best."""
        if is_closed(rules):
            return self._closed.choose(rules, view, task, budget_ms)
        field = typical_boards(rules)
        here = Decision.from_view(rules, view, task)
        aim = _objective(rules, field, here)
        left = here.streets_left(rules)
        layout = None if left else self._finish_board(aim, here)
        foul = field.foul * max(1, len(here.opponents_in_play(rules)))
        return Place(task.hand, layout or self._place_by_lookahead(aim, here, left, foul, budget_ms))

    def _finish_board(self, aim: _kernel.Goal, here: Decision) -> Layout | None:
        """Return the best way to finish the board; `None` when every way fouls."""
        board = _kernel.complete(aim, here.rows, bytes(here.cards))
        return _layout(board.rows) if board.legal else None

    def _place_by_lookahead(
        self, aim: _kernel.Goal, here: Decision, left: Sequence[Street], foul: float, budget_ms: int
    ) -> Layout:
        if here.slots == 0:
            return _any_layout(here)
        best = self._look(aim, here, left, foul, budget_ms)
        return _layout(
            [bytes(card for card, row in zip(here.cards, best, strict=True) if row == i) for i in range(3)]
        )


def _objective(rules: Ruleset, field: TypicalBoards, here: Decision) -> _kernel.Goal:
    """Return what this board is worth: against the open boards as they are, against the others as the field is."""
    boards = here.opponents(rules)
    rivals = len(here.opponents_in_play(rules))
    aim = objective(rules, field, here.fantasyland, here.consecutive, rivals - len(boards), 1 + rivals)
    for board in boards:
        aim.add_opponent(board)
    return aim


def _any_layout(here: Decision) -> Layout:
    """Return a layout for a board that fouls anyhow."""
    cards = iter(here.cards)
    free = [size - len(row) for size, row in zip(ROW_SIZES, here.rows, strict=True)]
    return _layout([bytes(islice(cards, slots)) for slots in free])


def _layout(rows: Iterable[bytes]) -> Layout:
    texts = (tuple(card_text(Card(card)) for card in sorted(row, reverse=True)) for row in rows)
    return Layout(**dict(zip(ROWS, texts, strict=True)))
