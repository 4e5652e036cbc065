"""`triptych review`: the points that each placement of a played deal lost."""

from __future__ import annotations

import sys
from typing import Annotated

import msgspec
from cyclopts import Parameter, validators
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from triptych.cli.errors import report_error
from triptych.cli.options import Exactness, File, Switch
from triptych.errors import TriptychError
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.solve.analysis.analyse import PlacementValue, SearchBudget
from triptych.solve.analysis.difference import largest_differences
from triptych.solve.analysis.review import Review
from triptych.solve.analysis.review import review as review_of
from triptych.text_files import read_text


def review(
    file: File,
    /,
    *,
    error: Exactness = 0.15,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 1,
    json: Switch = False,
) -> int:
    """Review a played deal: the points that each placement lost, the costliest mistakes, and luck apart from skill.

    Parameters
    ----------
    file
        A history file, as triptych history export writes it, with --all to review every player; - is standard input.
    error
        Standard error in points at which to stop thinking about a placement.
    seed
        The same seed gives the same answer.
    json
        Print everything as one JSON object.

    """
    errors = Console(stderr=True)
    try:
        history = parse_history(read_text(file))
        with Progress(console=errors, transient=True) as bar:
            task = bar.add_task("Reviewing", total=None)
            result = review_of(
                history,
                SearchBudget(max_error=error),
                seed=seed,
                on_progress=lambda done, of: bar.update(task, completed=done, total=of),
            )
    except TriptychError as problem:
        return report_error(problem, as_json=json)
    if json:
        sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
    else:
        _print(history, result)
    return 0


def _print(history: History, result: Review) -> None:
    console = Console()
    table = Table(
        box=None, pad_edge=False, title=f"Deal {history.number}, {history.rules.title or history.rules.name}"
    )
    for column in ("player", "street", "placed", "best"):
        table.add_column(column, no_wrap=True)
    for column in ("lost", "±"):
        table.add_column(column, justify="right", no_wrap=True)
    for decision in result.decisions:
        mark = "[bold]" if decision in result.dearest else ""
        is_best = decision.chosen == decision.best
        table.add_row(
            escape(history.players[decision.hand]),
            str(decision.street or "fantasyland"),
            mark + _text(decision.chosen),
            "the same" if is_best else mark + _text(decision.best),
            f"{mark}{'≈ ' if decision.within_error and not is_best else ''}{decision.lost:.2f}",
            f"{decision.error:.2f}",
        )
    console.print(table)
    if any(decision.within_error and decision.chosen != decision.best for decision in result.decisions):
        console.print("≈ within the error: which of the two is better is not known")
    for mistake in result.dearest:
        if reasons := ", ".join(part.text for part in largest_differences(mistake.best, mistake.chosen)):
            console.print(f"{_text(mistake.chosen)} lost {mistake.lost:.2f}: {reasons}", soft_wrap=True)
    console.print()
    for share in result.shares:
        explanation = f"luck {share.luck:+.2f}, play {share.skill:+.2f}; gave away {share.lost:.2f}"
        if result.whole:
            explanation += f", had {share.given:.2f} of the others' mistakes"
        else:
            explanation = f"gave away {share.lost:.2f}; the cards and the others {share.luck:+.2f}"
        player = escape(share.player)
        console.print(f"{player}: {share.result:+.2f} points with fantasyland counted: {explanation}", soft_wrap=True)


def _text(value: PlacementValue) -> str:
    return "/".join("".join(row) or "·" for row in (value.front, value.middle, value.back))
