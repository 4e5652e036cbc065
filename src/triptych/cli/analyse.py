"""`triptych analyse`: the value of every placement of a street."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from cyclopts import Parameter, validators
from rich.console import Console
from rich.table import Table

from triptych.cli.errors import report_error
from triptych.cli.options import Exactness, SetRules, Switch
from triptych.cli.solve_arguments import read_rules
from triptych.cli.solve_closed import print_closed
from triptych.deal.view_types import Stacks
from triptych.errors import TriptychError
from triptych.json_input import read_object, verify_keys, verify_table
from triptych.notation.position import parse_position
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, is_closed
from triptych.solve.analysis.analyse import Analysis, SearchBudget, iter_analyses
from triptych.solve.analysis.difference import largest_differences
from triptych.solve.closed.settings import closed_position
from triptych.solve.errors import SolveError
from triptych.text_files import read_text

# Of a file that the analysis board has saved; the results in it are ignored.
SUFFIX: Final = ".json"
_KEYS: Final = frozenset(
    {"preset", "set", "position", "hand", "placements", "within_error", "exact", "seed", "link"}
)  # client/src/features/analyse/model/file.ts


def analyse(  # noqa: PLR0913 - each is an option of the command
    position: str,
    /,
    *,
    preset: str | None = None,
    set_: SetRules = None,
    hand: int | None = None,
    error: Exactness | None = None,
    top: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=10_000))] = 4,
    stacks: str = "",
    point: Annotated[int | None, Parameter(validator=validators.Number(gte=1))] = None,
    prizes: str = "",
    seed: Annotated[int | None, Parameter(validator=validators.Number(gte=0))] = None,
    json: Switch = False,
) -> int:
    """Evaluate every placement of a street, fantasyland or closed hand. Ctrl-C stops with the results so far.

    Parameters
    ----------
    position
        The table as one line, hands from the button's left: "*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd". The
        hand to act has a star, + its cards, - its discards, =14 a fantasyland. Or a file that the analysis board
        saved, such as position.json: the rules then are its own.
    preset
        The rules: a preset (pineapple unless you say so), or a file of your own such as anna.toml.
    set_
        Change one rule, such as scoring.rows=match_1_6; may be given again.
    hand
        The hand to act, from 0, when no star marks it.
    error
        Stop at this standard error in points (default: 0.1). Closed hands are ranked exactly.
    top
        Number of placements to evaluate and show.
    stacks
        Table stakes: the stack of every hand before the deal, in the order of the position, such as 40,25.
    point
        With stacks: the chips that a point is worth, in a tournament; else 1.
    prizes
        With stacks: prizes for the remaining places, first place first, such as 50,30,20 (tournaments).
    seed
        Random seed (default: 1).
    json
        Print everything as one JSON object.

    """
    last: Analysis | None = None
    try:
        if position.endswith(SUFFIX):
            _verify_absent({"preset": preset, "set": set_}, "the file says the rules")
            rules, position = read_position_file(position)
        else:
            rules = read_rules("pineapple" if preset is None else preset, set_)
        if is_closed(rules):
            stack_options = {"stacks": stacks or None, "point": point, "prizes": prizes or None}
            reason = "the settings of a closed hand are ranked exactly, in points"
            _verify_absent({"error": error, "seed": seed, **stack_options}, reason)
            parsed = parse_position(position)
            solution = closed_position(parsed, rules, hand=hand, top=top)
            return print_closed(rules, solution, len(parsed.hands) - 1, as_json=json)
        budget = SearchBudget(max_error=0.1 if error is None else error, top=top)
        deal_stacks = _stacks(stacks, point, prizes)
        seed_or_default = 1 if seed is None else seed
        for analysis in iter_analyses(position, rules, budget, hand=hand, seed=seed_or_default, stacks=deal_stacks):
            last = analysis
    except KeyboardInterrupt:
        if last is None:
            raise
    except TriptychError as problem:
        return report_error(problem, as_json=json)
    if last is None:
        return report_error(
            SolveError("position.street", "there is nothing to place here", "$.position"), as_json=json
        )
    if json:
        sys.stdout.write(msgspec.json.encode(last).decode() + "\n")
    else:
        _print(last, top)
    return 0


def read_position_file(name: str) -> tuple[Ruleset, str]:
    """Return the rules and the position of such a file. Raises TriptychError with the path of the error in it."""
    document = read_object(read_text(Path(name), "$.position"))
    verify_keys(document, _KEYS, "$")
    texts = []
    for key in ("preset", "position"):
        if key not in document:
            raise SolveError("line.missing", f"a position's file says its {key}", f"$.{key}")
        text = document[key]
        if not isinstance(text, str):
            raise SolveError("line.type", "expected a text", f"$.{key}")
        texts.append(text)
    changed = verify_table(document.get("set", {}), "$.set", "a table of rules that are changed")
    return resolve({**changed, "preset": texts[0]}), texts[1]


def _verify_absent(options: Mapping[str, object], reason: str) -> None:
    """Reject options that would change nothing. Raises SolveError."""
    for name, value in options.items():
        if value is not None:
            raise SolveError("line.unknown_key", f"--{name} does not belong here: {reason}", f"$.{name}")


def _stacks(stacks: str, point: int | None, prizes: str) -> Stacks | None:
    if not stacks:
        if prizes or point is not None:
            raise SolveError("line.missing", "a point and prizes are for stacks", "$.stacks")
        return None
    try:
        chips = tuple(map(int, stacks.split(",")))
        places = tuple(map(float, prizes.split(","))) if prizes else ()
    except ValueError as error:
        raise SolveError("line.type", "expected numbers with commas between, such as 40,25", "$.stacks") from error
    return Stacks(chips, 1 if point is None else point, prizes=places)


def _print(analysis: Analysis, top: int) -> None:
    is_fantasyland = analysis.street == 0
    count = min(top, len(analysis.placements))
    console = Console()
    street = "Fantasyland" if is_fantasyland else f"Street {analysis.street}"
    console.print(f"{street}: the best {count} of {len(analysis.placements)} placements, in points")
    has_stacks = any(value.stacks for value in analysis.placements)
    mark = "=" if analysis.exact else "≈"
    table = Table(box=None, pad_edge=False, collapse_padding=True)  # collapsed to fit a terminal
    table.add_column("front/middle/back", no_wrap=True)
    if not is_fantasyland:  # its discards are the cards that are in no row
        table.add_column("drop", no_wrap=True)
    columns = ("", "value", "±", "rows", "royal.", "fouls", "fl", *(("stacks",) if has_stacks else ()))
    columns += ("enters",) if is_fantasyland else ("foul", "enters")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for value in analysis.placements[:top]:
        table.add_row(
            "/".join("".join(row) or "·" for row in (value.front, value.middle, value.back)),
            *(() if is_fantasyland else ("".join(value.discards),)),
            mark if value.within_error and analysis.within_error > 1 else "",
            f"{value.value:+.2f}",
            "exact" if analysis.exact else f"{value.error:.2f}",
            *(f"{points:+.2f}" for points in (value.rows, value.royalties, value.fouls, value.fantasyland)),
            *((f"{value.stacks:+.2f}",) if has_stacks else ()),
            *(() if is_fantasyland else (f"{value.foul:.0%}",)),
            f"{value.enters:.0%}",
        )
    console.print(table)
    if analysis.within_error > 1:
        same = "are worth the same" if analysis.exact else "within the error: which of them is best is not known"
        console.print(f"{mark} {analysis.within_error} placements {same}")
    best = analysis.placements[0]
    others = [(value, largest_differences(best, value)) for value in analysis.placements[1:top]]
    if any(differences for _, differences in others):
        console.print("The others against the best:")
    for value, differences in others:
        if differences:
            reasons = ", ".join(difference.text for difference in differences)
            console.print(f"  {value.text}: {value.behind:.2f} behind: {reasons}", soft_wrap=True)
