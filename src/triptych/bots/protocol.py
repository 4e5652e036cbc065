"""What every bot is: a function from what its seat may know to an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from triptych.deal.actions import Action
    from triptych.deal.views import DealView, Task
    from triptych.rules.model import Ruleset


class Bot(Protocol):
    """A player without a screen. It sees the same view as a person in its seat and nothing else.

    `choose` answers one of the view's tasks with `Place`, `Announce`, `ClaimNatural` or `Declare`; `budget_ms` is
    the time it may take. A bot raises nothing on a legal task.
    """

    name: str

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return the action for `task`; the same position gets the same answer unless the bot is meant to vary."""
        ...
