"""`triptych solve`: exact solutions on the command line, and as JSON Lines."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import msgspec
from cyclopts import App, Parameter

from triptych.board import ROWS
from triptych.cards import cards_text
from triptych.cli.errors import report_error
from triptych.cli.options import Boards, SetRules, Switch
from triptych.cli.output.boards import print_placement, print_setting
from triptych.cli.score import run
from triptych.cli.solve_arguments import parse_arguments, read_board, read_boards, read_rules
from triptych.cli.solve_closed import closed
from triptych.errors import TriptychError
from triptych.solve.errors import SolveError
from triptych.solve.exact.fantasyland import fantasyland as best_fantasyland
from triptych.solve.exact.setting import verify_count
from triptych.solve.exact.stakes import Stakes
from triptych.solve.exact.street import solve_street as street_values
from triptych.solve.jsonl.cards import read_cards
from triptych.solve.jsonl.fantasyland import process_line, setting_json
from triptych.solve.value.sampled import sample_opponent_boards

MAX_PLACEMENTS: Final = 1_000

app = App(name="solve", help="Solve fantasylands, closed hands and last streets exactly.")
app.command(closed)


@app.command
def fantasyland(  # noqa: PLR0913 - each is an option of the command
    cards: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    preset: str = "pineapple",
    set_: SetRules = None,
    against: Boards = None,
    stacks: str = "",
    place: int = 0,
    against_sample: int = 0,
    opponents: int = 1,
    seed: int = 0,
    repeat_value: float = 0.0,
    json: Switch = False,
) -> int:
    """Set 13 to 17 fantasyland cards in the best way.

    Of equal settings it takes the one with the highest back, then the highest middle, then the highest front.

    Parameters
    ----------
    cards
        The cards, such as AhKhQhJhTh9s9d9c5s5d2c2d2h3c; with --json, - reads JSON Lines from standard input:
        {"id":1, "cards":"…", "rules":{"preset":"pineapple"}, "repeat_value":11, "against":[{"front":"…",…}]}.
    preset
        The rules to set under: a preset, or a file of your own such as anna.toml.
    set_
        Changes one rule: key=value. May be given again.
    against
        A finished board to beat, front/middle/back such as QhQd7c/QsQc9d8c2c/8c9cTcJc2d. May be given again.
    stacks
        Table stakes: the own stack and those of the boards, such as 40,25.5, in points.
    place
        Your position: number of opponents who act before you (with --stacks).
    against_sample
        Evaluate against this many sampled opponent boards.
    opponents
        With against-sample: how many boards each deal has.
    seed
        With against-sample: the same seed gives the same deals.
    repeat_value
        What the next fantasyland is worth, in points.
    json
        Answers in JSON.
    """
    if json and cards == "-":
        return run(sys.stdin.buffer, sys.stdout.buffer, process_line)
    try:
        rules, boards, hand = parse_arguments(cards, preset, set_, against)
        is_sampled = bool(against_sample or opponents != 1 or seed)
        setting = best_fantasyland(
            hand,
            rules,
            repeat_value=repeat_value,
            against=boards,
            stakes=_stakes(stacks, place),
            samples=sample_opponent_boards(rules, hand, count=against_sample, opponents=opponents, seed=seed)
            if is_sampled
            else (),
        )
    except TriptychError as error:
        return report_error(error, as_json=json)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode({"id": None, **setting_json(setting)}) + b"\n")
        return 0
    print_setting(rules, setting, against=bool(boards) or is_sampled)
    return 0


def _stakes(stacks: str, place: int) -> Stakes | None:
    if not stacks:
        if place:
            raise SolveError("line.missing", "a place is for stacks", "$.stacks")
        return None
    try:
        return Stakes(tuple(map(float, stacks.split(","))), place)
    except ValueError as error:
        raise SolveError("line.type", "expected numbers with commas between, such as 40,25.5", "$.stacks") from error


@app.command
def street(  # noqa: PLR0913 - each is an option of the command
    rows: Annotated[str, Parameter(allow_leading_hyphen=True)],
    cards: str,
    /,
    *,
    preset: str = "pineapple",
    set_: SetRules = None,
    dead: str = "",
    against: Boards = None,
    land_value: float = 0.0,
    top: int = 5,
    json: Switch = False,
) -> int:
    """Evaluate each placement of one of the last two streets exactly.

    Parameters
    ----------
    rows
        The board so far, front/middle/back, such as QhQd/9d8c2c/Tc9cJcJd.
    cards
        The cards of this street.
    preset
        The rules: a preset, or a file of your own such as anna.toml.
    set_
        Changes one rule: key=value. May be given again.
    dead
        Dead cards: your discards and cards on unfinished boards of others.
    against
        A finished board to beat, front/middle/back. May be given again.
    land_value
        What a fantasyland that the board brings is worth, in points.
    top
        How many placements to show, best first.
    json
        Answers in JSON, one placement a line.
    """
    try:
        verify_count(top, MAX_PLACEMENTS, "$.top")
        rules = read_rules(preset, set_)
        board = read_board(rows, "$.rows")
        values = street_values(
            board,
            read_cards(cards, "$.cards"),
            rules,
            dead=read_cards(dead, "$.dead"),
            against=read_boards(against),
            land_value=land_value,
        )
    except TriptychError as error:
        return report_error(error, as_json=json)
    for placement in values[:top]:
        if json:
            texts = {name: cards_text(getattr(placement, name)) for name in (*ROWS, "discards")}
            line = {**texts, "value": round(placement.value, 6), "foul": round(placement.foul, 6)}
            sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        else:
            print_placement(placement)
    return 0
