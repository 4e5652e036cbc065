"""The bot `random`: any legal action, each layout of the street as likely as another."""

from __future__ import annotations

from random import Random

from triptych.board import ROWS, Layout, RowName
from triptych.deal.actions import Action, Announce, ClaimNatural, Declare, Place
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.model import Ruleset

_SURRENDER_CHANCE = 0.1
_CLAIM_CHANCE = 0.5


class UniformBot:
    """Plays at random, in every game and phase. The first baseline for every other bot."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:  # noqa: ARG002
        """Return a legal action for `task`, drawn at random."""
        if task.kind == "announce":
            return Announce(task.hand, play=task.surrender == 0 or self._random.random() >= _SURRENDER_CHANCE)
        if task.kind == "declare":
            return Declare(task.hand, tuple(row for row in task.rows if self._random.random() < _CLAIM_CHANCE))
        if task.natural and self._random.random() < _CLAIM_CHANCE:
            return ClaimNatural(task.hand)
        return Place(task.hand, self._layout(task))

    def _layout(self, task: Task) -> Layout:
        slots: list[RowName] = [
            row
            for row, free in zip(ROWS, (task.open.front, task.open.middle, task.open.back), strict=True)
            for _ in range(free)
        ]
        chosen_slots = self._random.sample(slots, task.place)
        cards = self._random.sample(task.cards, task.place)
        by_row = {
            row: tuple(card for card, slot in zip(cards, chosen_slots, strict=True) if slot == row) for row in ROWS
        }
        return Layout(**by_row)
