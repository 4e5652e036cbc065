"""`triptych outs`: the hands that a board's rows can still become, and with which cards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress

from triptych.board import ROWS
from triptych.cards import cards_text
from triptych.cli.errors import report_error
from triptych.cli.options import SetRules, Switch
from triptych.cli.output.boards import coloured_cards
from triptych.cli.solve_arguments import read_board, read_rules
from triptych.errors import TriptychError
from triptych.solve.exact.outs import SAMPLES, Outs, RowOuts, iter_outs
from triptych.solve.jsonl.cards import read_cards


def outs(
    rows: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    preset: str = "pineapple",
    set_: SetRules = None,
    dead: str = "",
    json: Switch = False,
) -> int:
    """List each row’s possible hands, the cards that improve it, and whether the board can stay legal.

    Exact where all draws can be counted, else sampled with its standard error; Ctrl-C stops with the answer so far.

    Parameters
    ----------
    rows
        The board between two streets, front/middle/back, such as QhQd/9d8c2c/Tc9cJcJd.
    preset
        The rules: a preset, or a file of your own such as anna.toml.
    set_
        Changes one rule: key=value. May be given again.
    dead
        Dead cards: your discards and cards on other boards.
    json
        Answers in JSON.
    """
    try:
        rules = read_rules(preset, set_)
        result = _count(iter_outs(read_board(rows, "$.rows"), rules, dead=read_cards(dead, "$.dead")))
    except TriptychError as error:
        return report_error(error, as_json=json)
    if json:
        sys.stdout.write(msgspec.json.encode(_json(result)).decode() + "\n")
    else:
        _print(result)
    return 0


def _count(results: Iterator[Outs]) -> Outs:
    """Return the last result, or the current one at Ctrl-C; on a terminal a progress bar counts the samples."""
    errors = Console(stderr=True)
    result = next(results)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal or result.exact) as bar:
        task = bar.add_task("looking at draws", total=SAMPLES)
        with suppress(KeyboardInterrupt):
            for result in results:
                bar.update(task, completed=result.draws)
    return result


def _json(result: Outs) -> dict[str, object]:
    def row_json(row: RowOuts) -> dict[str, object]:
        return {
            "now": row.now,
            "chances": {chance.category: round(chance.chance, 6) for chance in row.chances},
            "cards": {name: cards_text(cards) for name, cards in row.cards},
        }

    rows: dict[str, object] = {name: row_json(getattr(result, name)) for name in ROWS}
    board = {"come": result.cards_to_come, "foul": round(result.foul, 6), "fantasyland": round(result.fantasyland, 6)}
    return {**rows, **board, "exact": result.exact, "error": round(result.error, 6), "draws": result.draws}


def _print(result: Outs) -> None:
    console = Console(highlight=False)
    for name in ROWS:
        row: RowOuts = getattr(result, name)
        console.print(f"[bold]{name:6}[/]  {_plain(row.now)}")
        console.print(
            f"        {', '.join(f'{_plain(chance.category)} {chance.chance:.1%}' for chance in row.chances)}"
        )
        for category, cards in row.cards:
            console.print(f"        {_plain(category)} with {coloured_cards(cards)}")
    method = (
        f"all {result.draws:,} draws counted"
        if result.exact
        else f"{result.draws:,} draws sampled, ± {result.error:.1%}"
    )
    console.print(f"{result.cards_to_come} cards to come ({method}):")
    console.print(f"foul for certain {result.foul:.1%}, fantasyland within reach {result.fantasyland:.1%}")


def _plain(category: str) -> str:
    return category.replace("_", " ")
