"""Train the strategies of closed games on first use, with a progress bar."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from triptych.bots.strategy_cache import missing_strategies, train_strategy
from triptych.errors import TriptychError
from triptych.rulesets.model import Ruleset


def ensure_strategies(rules: Ruleset, opponents: int = 0) -> None:
    """Train and store the missing strategies of a closed game, with a progress bar on a terminal.

    `opponents`: only the strategy against this number of opponents, or all for 0. If a strategy cannot be stored, a
    warning is printed and the strategy of the nearest rules is used.
    """
    try:
        train_strategies(rules, [count for count in missing_strategies(rules) if opponents in (0, count)])
    except TriptychError as error:
        Console(stderr=True).print(f"{error.message}; the strategy of the nearest rules serves", style="yellow")


def train_strategies(rules: Ruleset, seats: Iterable[int], *, deals: int = 0) -> None:
    """Train a strategy for each number of opponents in `seats`, and measure it on `deals` deals.

    Raises TriptychError `field.file` when a strategy cannot be stored.
    """
    errors = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        for opponents in seats:
            title = f"A strategy for {rules.title or rules.name}" + (f" against {opponents}" if opponents > 1 else "")
            task = bar.add_task(title, total=1.0)
            try:
                for done in train_strategy(rules, opponents, deals=deals):
                    bar.update(task, completed=done)
            except OSError as error:
                raise TriptychError("field.file", f"a strategy cannot be kept: {error}", "$.rules") from error
