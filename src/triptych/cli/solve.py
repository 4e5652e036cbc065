"""`triptych solve`: exact answers on the command line, and as JSON Lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import App, Parameter
from rich.console import Console
from rich.markup import escape

from triptych.cards import card_text
from triptych.cli.score import run
from triptych.rules.errors import RulesError
from triptych.rules.load import parse_set, resolve
from triptych.score.partial import row_status
from triptych.solve.errors import SolveError
from triptych.solve.fantasyland import fantasyland as best_fantasyland
from triptych.solve.request import answer, read_cards, setting_json

if TYPE_CHECKING:
    from triptych.rules.model import Ruleset
    from triptych.solve.setting import Rows, Setting

app = App(name="solve", help="Exact answers: the best setting of a fantasyland.")

_COLOURS = {"c": "green", "d": "blue", "h": "red", "s": "default"}


@app.command
def fantasyland(
    cards: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    preset: str = "pineapple",
    set_: Annotated[list[str] | None, Parameter(name="--set", negative=())] = None,
    against: Annotated[list[str] | None, Parameter(negative=())] = None,
    repeat_value: float = 0.0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Set 13 to 17 fantasyland cards in the best way.

    Of equal settings it takes the one with the highest back, then the highest middle, then the highest front.

    Parameters
    ----------
    cards
        The cards, such as AhKhQhJhTh9s9d9c5s5d2c2d2h3c; with --json, - reads JSON Lines from standard input:
        {"id":1, "cards":"…", "rules":{"preset":"pineapple"}, "repeat_value":11, "against":[{"front":"…",…}]}.
    preset
        The rules to set under.
    set_
        Changes one rule: key=value. May be given again.
    against
        A finished board to beat, front/middle/back such as QhQd7c/QsQc9d8c2c/8c9cTcJc2d. May be given again.
    repeat_value
        What the next fantasyland is worth, in points.
    json
        Answers in JSON.
    """
    if json and cards == "-":
        return run(sys.stdin.buffer, sys.stdout.buffer, answer)
    try:
        rules = resolve({**parse_set(set_ or ()), "preset": preset})
        boards = tuple(_board(text, f"$.against[{index}]") for index, text in enumerate(against or ()))
        setting = best_fantasyland(read_cards(cards, "$.cards"), rules, repeat_value=repeat_value, against=boards)
    except (SolveError, RulesError) as error:
        return _refuse(error, as_json=json)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode({"id": None, **setting_json(setting)}) + b"\n")
        return 0
    _print(rules, setting, bool(boards))
    return 0


def _board(text: str, path: str) -> Rows:
    rows = text.split("/")
    if len(rows) != 3:
        raise SolveError("row.size", "write a board as front/middle/back, such as QhQd7c/QsQc9d8c2c/8c9cTcJc2d", path)
    front, middle, back = (
        read_cards(row, f"{path}.{name}") for row, name in zip(rows, ("front", "middle", "back"), strict=True)
    )
    return front, middle, back


def _print(rules: Ruleset, setting: Setting, against: bool) -> None:  # noqa: FBT001 - two ways to name the points
    console = Console(highlight=False)
    names = row_status(rules, setting.front, setting.middle, setting.back)
    for name in ("front", "middle", "back"):
        cards = " ".join(_coloured(card_text(card)) for card in getattr(setting, name))
        pad = " " * (15 - 3 * len(getattr(setting, name)))
        status = getattr(names, name)
        royalty = f"  +{status.royalty}" if status.royalty else ""
        console.print(f"[bold]{name:6}[/]  {cards}{pad} {escape(status.name)}[green]{royalty}[/]")
    if setting.discards:
        console.print(f"[dim]left    {' '.join(card_text(card) for card in setting.discards)}[/]")
    points = "points against these boards" if against else "points"
    if not setting.legal:
        console.print(f"[red]Every setting of these cards fouls[/]: {setting.value:g} {points}.")
        return
    again = ", repeats fantasyland" if setting.repeat else ""
    console.print(f"Royalties {setting.royalties}{again}; worth [bold]{setting.value:g}[/] {points}.")


def _coloured(card: str) -> str:
    return f"[{_COLOURS.get(card[1], 'magenta')}]{card}[/]"


def _refuse(error: SolveError | RulesError, *, as_json: bool) -> int:
    if as_json:
        fault = {"code": error.code, "message": error.message, "path": error.path}
        sys.stdout.buffer.write(msgspec.json.encode({"id": None, "error": fault}) + b"\n")
    else:
        console = Console(stderr=True, highlight=False, soft_wrap=True)
        console.print(f"[red]error[/]: {escape(str(error))} ({error.code})")
    return 1
