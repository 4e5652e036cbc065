"""`triptych review`: what each placement of a played deal cost."""

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
    """Review a played deal: the points that each placement lost, the dearest mistakes, luck and skill apart.

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
            answer = review_of(
                history,
                SearchBudget(max_error=error),
                seed=seed,
                on_progress=lambda done, of: bar.update(task, completed=done, total=of),
            )
    except TriptychError as problem:
        return report_error(problem, as_json=json)
    if json:
        sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
    else:
        _print(history, answer)
    return 0


def _print(history: History, answer: Review) -> None:
    console = Console()
    table = Table(
        box=None, pad_edge=False, title=f"Deal {history.number}, {history.rules.title or history.rules.name}"
    )
    for column in ("player", "street", "placed", "best"):
        table.add_column(column, no_wrap=True)
    for column in ("lost", "±"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in answer.decisions:
        mark = "[bold]" if one in answer.dearest else ""
        table.add_row(
            escape(history.players[one.hand]),
            str(one.street or "fantasyland"),
            mark + _text(one.chosen),
            "the same" if one.chosen == one.best else mark + _text(one.best),
            f"{mark}{'≈ ' if one.within_error and one.chosen != one.best else ''}{one.lost:.2f}",
            f"{one.error:.2f}",
        )
    console.print(table)
    if any(one.within_error and one.chosen != one.best for one in answer.decisions):
        console.print("≈ within the error: which of the two is better is not known")
    for one in answer.dearest:
        if reasons := ", ".join(part.text for part in largest_differences(one.best, one.chosen)):
            console.print(f"{_text(one.chosen)} lost {one.lost:.2f}: {reasons}", soft_wrap=True)
    console.print()
    for share in answer.shares:
        parts = f"luck {share.luck:+.2f}, play {share.skill:+.2f}; gave away {share.lost:.2f}"
        if answer.whole:
            parts += f", had {share.given:.2f} of the others' mistakes"
        else:
            parts = f"gave away {share.lost:.2f}; the cards and the others {share.luck:+.2f}"
        player = escape(share.player)
        console.print(f"{player}: {share.result:+.2f} points with fantasyland counted: {parts}", soft_wrap=True)


def _text(value: PlacementValue) -> str:
    return "/".join("".join(row) or "·" for row in (value.front, value.middle, value.back))
