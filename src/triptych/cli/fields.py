"""Makes the field of a closed game on first use, where somebody waits for it and can see how far it is."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from triptych.bots.field_cache import missing_fields, train_field
from triptych.errors import TriptychError
from triptych.rulesets.model import Ruleset


def ensure_fields(rules: Ruleset, opponents: int = 0) -> None:
    """Make and keep what a closed game lacks, with a bar on a terminal; nothing for rules that lack none.

    `opponents`: only the field against so many; else all. Where nothing can be kept it says so, and the field of the
    nearest rules goes on to serve.
    """
    try:
        make_fields(rules, [one for one in missing_fields(rules) if opponents in (0, one)])
    except TriptychError as error:
        Console(stderr=True).print(f"{error.message}; the strategy of the nearest rules serves", style="yellow")


def make_fields(rules: Ruleset, seats: Iterable[int], *, deals: int = 0) -> None:
    """Make fields for so many opponents each, and measure them on so many deals.

    Raises TriptychError `field.file` where they cannot be kept.
    """
    errors = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        for opponents in seats:
            what = f"A strategy for {rules.title or rules.name}" + (f" against {opponents}" if opponents > 1 else "")
            task = bar.add_task(what, total=1.0)
            try:
                for done in train_field(rules, opponents, deals=deals):
                    bar.update(task, completed=done)
            except OSError as error:
                raise TriptychError("field.file", f"a strategy cannot be kept: {error}", "$.rules") from error
