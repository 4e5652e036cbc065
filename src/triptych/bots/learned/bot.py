"""The learned bots: the greedy choice, or a search by rollouts of some width and effort."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from triptych import _kernel
from triptych.bots.learned.recipe import learns
from triptych.bots.learned.weights import packaged
from triptych.bots.steady import SteadyBot
from triptych.cards import HIDDEN, Card, card_text, deck, parse_card
from triptych.deal.actions import Layout, Place
from triptych.rules.model import streets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triptych.deal.actions import Action
    from triptych.deal.views import BoardView, DealView, Task
    from triptych.rules.model import Ruleset

_BOARD = 13
_LAND_VALUES = 18


class Effort(Struct, frozen=True):
    """How hard a bot thinks: the placements it looks at more closely, and rollouts in all; 0 = none, it is greedy."""

    width: int = 0
    rollouts: int = 0


class LearnedBot:
    """Plays by the learned value; sets fantasylands, and games that nothing was learned for, as `steady` does.

    The same position gets the same answer. `variant` names other weights than the package's best.
    """

    def __init__(self, name: str, effort: Effort, variant: str = "") -> None:
        """Weights are loaded at the first decision under a ruleset, once a process."""
        self.name = name
        self._effort = effort
        self._variant = variant
        self._steady = SteadyBot()

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return the action that the learned value, or the search over it, likes best."""
        own = view.boards[task.hand]
        found = (
            packaged(rules, self._variant) if learns(rules) and task.kind == "place" and not own.fantasyland else None
        )
        if found is None:
            return self._steady.choose(rules, view, task, budget_ms)
        head, learner = found
        decision = Decision.of(rules, view, task)
        if not self._effort.rollouts:
            front, middle, back = map(bytes, decision.rows)
            rows = learner.choose(decision.street, front, middle, back, bytes(decision.cards), decision.unseen)
        else:
            search = decision.analysis(learner, head.land_value)
            search.run(self._effort.width, self._effort.rollouts, decision.seed)
            rows = search.table()[0][:3]
        return Place(task.hand, Layout(*(tuple(card_text(Card(card)) for card in row) for row in rows)))


class Decision(Struct, frozen=True):
    """One hand's street as the kernel's search wants it, from the view alone.

    `hands`: rows, streets done, fantasyland cards and how-manieth in a row, by hand. `unseen`: a bit for each card
    that the seat does not see.
    """

    street: int
    me: int
    rows: tuple[tuple[Card, ...], ...]
    cards: tuple[Card, ...]
    unseen: int
    hands: tuple[tuple[bytes, bytes, bytes, int, int, int], ...]

    @classmethod
    def of(cls, rules: Ruleset, view: DealView, task: Task) -> Decision:
        """Return the decision that a task asks for."""
        cards = _cards(task.cards)
        seen = set(cards)
        for board in view.boards:
            seen.update(_cards((*_all_rows(board), *board.draws, *board.discards)))
        hands = tuple(_hand(rules, board) for board in view.boards)
        return cls(
            street=task.street - 1,
            me=task.hand,
            rows=_rows(view.boards[task.hand]),
            cards=cards,
            unseen=sum(1 << card for card in deck(rules.deal.jokers) if card not in seen),
            hands=hands,
        )

    @property
    def seed(self) -> int:
        """A seed that follows from what the seat knows."""
        return crc32(repr((self.street, self.me, self.cards, self.unseen, self.hands)).encode())

    def analysis(self, learner: _kernel.Learner, land_value: Sequence[float]) -> _kernel.Analysis:
        """Return the kernel's search for this decision, not run yet."""
        return _kernel.Analysis(
            learner, self.street, self.me, list(self.hands), bytes(self.cards), self.unseen, list(land_value)
        )


def _hand(rules: Ruleset, board: BoardView) -> tuple[bytes, bytes, bytes, int, int, int]:
    rows = _rows(board)
    front, middle, back = map(bytes, rows)
    placed = 0
    done = 0
    total = sum(map(len, rows))
    for step in streets(rules):
        placed += step.placed
        done += placed <= total
    return front, middle, back, done, board.fantasyland, board.in_row


def _rows(board: BoardView) -> tuple[tuple[Card, ...], ...]:
    """Return the confirmed cards of a board that lie open to the viewer."""
    rows = (board.front.cards, board.middle.cards, board.back.cards)
    return tuple(_cards(text for text in row if text not in board.pending) for row in rows)


def _all_rows(board: BoardView) -> tuple[str, ...]:
    return board.front.cards + board.middle.cards + board.back.cards


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts if text != HIDDEN)
