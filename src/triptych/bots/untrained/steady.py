"""The bot `steady`: untrained, exact where it can be, sampled look-ahead elsewhere.

The last street and every fantasyland are solved exactly against the visible boards; before, each placement is
completed many times with unseen cards. It uses only its own view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from triptych import _kernel
from triptych.board import ROW_SIZES, ROWS, Layout
from triptych.bots.closed import ClosedBot
from triptych.bots.untrained.lookahead import best_placement, sample_seed
from triptych.bots.untrained.typical_boards import TypicalBoards, typical_boards, typical_objective
from triptych.cards import Card, card_text
from triptych.deal.actions import Action, Place
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.model import Ruleset, Street, is_closed
from triptych.solve.analysis.decision import Decision

_EFFORT_PER_MS = 40
_MAX_EFFORT = 6000

PlacementSearch = Callable[[_kernel.Objective, Decision, Sequence[Street], float, int], tuple[int, ...]]
"""A function that chooses before the last street: it returns the row of each card (3 = discard) for an objective, a
decision, the streets after it, the points of a foul and a budget in milliseconds."""


def _exact_or_sampled(
    objective: _kernel.Objective, decision: Decision, remaining_streets: Sequence[Street], foul: float, budget_ms: int
) -> tuple[int, ...]:
    return best_placement(
        objective,
        decision.rows,
        bytes(decision.cards),
        decision.place,
        bytes(decision.unseen_cards),
        remaining_streets,
        foul,
        effort=min(_MAX_EFFORT, budget_ms * _EFFORT_PER_MS),
        seed=sample_seed(decision),
    )


class SteadyBot:
    """Plays every game sensibly without training. The same position gets the same action."""

    def __init__(
        self, closed: ClosedBot | None = None, name: str = "steady", search: PlacementSearch = _exact_or_sampled
    ) -> None:
        """`closed` plays closed games, by default the packaged strategy; `search` chooses before the last street."""
        self.name = name
        self._closed = closed or ClosedBot()
        self._search = search

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return the best action of its look-ahead."""
        if is_closed(rules):
            return self._closed.choose(rules, view, task, budget_ms)
        typical = typical_boards(rules)
        decision = Decision.from_view(rules, view, task)
        objective = _objective(rules, typical, decision)
        remaining_streets = decision.streets_left(rules)
        layout = None if remaining_streets else self._finish_board(objective, decision)
        foul = typical.foul * max(1, len(decision.opponents_in_play(rules)))
        return Place(
            task.hand, layout or self._place_by_lookahead(objective, decision, remaining_streets, foul, budget_ms)
        )

    def _finish_board(self, objective: _kernel.Objective, decision: Decision) -> Layout | None:
        """Return the best completion of the board, or None when every one fouls."""
        board = _kernel.complete(objective, decision.rows, bytes(decision.cards))
        return _layout(board.rows) if board.legal else None

    def _place_by_lookahead(
        self,
        objective: _kernel.Objective,
        decision: Decision,
        remaining_streets: Sequence[Street],
        foul: float,
        budget_ms: int,
    ) -> Layout:
        if decision.slots == 0:
            return _any_layout(decision)
        row_by_card = self._search(objective, decision, remaining_streets, foul, budget_ms)
        return _layout(
            [bytes(card for card, row in zip(decision.cards, row_by_card, strict=True) if row == i) for i in range(3)]
        )


def _objective(rules: Ruleset, typical: TypicalBoards, decision: Decision) -> _kernel.Objective:
    """Return the objective of this board: against the open boards, and against typical ones for the others."""
    boards = decision.opponents(rules)
    opponent_count = len(decision.opponents_in_play(rules))
    objective = typical_objective(
        rules, typical, decision.fantasyland, decision.consecutive, opponent_count - len(boards), 1 + opponent_count
    )
    for board in boards:
        objective.add_opponent(board)
    return objective


def _any_layout(decision: Decision) -> Layout:
    """Return any layout, for a board that fouls in any case."""
    cards = iter(decision.cards)
    free = [size - len(row) for size, row in zip(ROW_SIZES, decision.rows, strict=True)]
    return _layout([bytes(islice(cards, slots)) for slots in free])


def _layout(rows: Iterable[bytes]) -> Layout:
    texts = (tuple(card_text(Card(card)) for card in sorted(row, reverse=True)) for row in rows)
    return Layout(**dict(zip(ROWS, texts, strict=True)))
