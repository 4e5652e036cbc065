"""`triptych solve closed`: the settings of 13 cards, ranked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from triptych.bots.strategy_cache import load_strategy
from triptych.cards import cards_text
from triptych.cli.errors import report_error
from triptych.cli.options import Boards, SetRules, Switch
from triptych.cli.output.boards import print_rows
from triptych.cli.score import run
from triptych.cli.solve_arguments import parse_arguments, read_board
from triptych.cli.strategies import ensure_strategies
from triptych.errors import TriptychError
from triptych.rulesets.model import Ruleset, is_closed
from triptych.solve.closed.settings import ALL_SETTINGS, ClosedSolution, solve_closed
from triptych.solve.closed.strategy import ClosedStrategy, StrategyHeader, is_exact_match, strategy_opponents
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import MAX_AGAINST, Rows
from triptych.solve.jsonl.closed import process_line, solution_json
from triptych.text_files import read_text

_ADVICE = {"set": "Set them.", "surrender": "Surrender.", "natural": "Take the natural."}


def closed(  # noqa: PLR0913 - each is an option of the command
    cards: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    preset: str = "closed_1_6",
    set_: SetRules = None,
    against: Boards = None,
    samples: Path | None = None,
    opponents: int = 1,
    top: int = 1,
    nearest: Switch = False,
    json: Switch = False,
) -> int:
    """Set the 13 cards of a closed deal in the best way, exactly; rank all 72,072 settings.

    Points are what all opponents pay together. Of equal settings the highest back comes first, then middle, front.

    Parameters
    ----------
    cards
        The 13 cards; with --json, - reads JSON Lines from standard input:
        {"id":1, "cards":"…", "rules":{"preset":"closed_2_4"}, "against":[{"front":"…","middle":"…","back":"…"}]}.
    preset
        The rules to set under: a preset, or a file of your own such as anna.toml.
    set_
        Changes one rule: key=value. May be given again.
    against
        The board of an opponent, front/middle/back such as QhQd7c/QsQc9d8c2c/8c9cTcJc2d. May be given three times.
    samples
        A file of boards, a deal a line, one to three boards with spaces between: each line is as likely.
    opponents
        Without boards: the number of opponents; they set their unknown cards well.
    top
        How many settings to show, best first.
    nearest
        Without boards, and for rules of your own: opponents play as under the nearest rules of the package. Else a
        strategy for your rules is made the first time, in less than a minute, and kept.
    json
        Answers in JSON.
    """
    if json and cards == "-":
        return run(sys.stdin.buffer, sys.stdout.buffer, process_line)
    try:
        rules, boards, hand = parse_arguments(cards, preset, set_, against)
        strategy = None if boards or samples else _opponents_strategy(rules, opponents, nearest=nearest)
        errors = Console(stderr=True)
        with Progress(console=errors, transient=True, disable=not (samples and errors.is_terminal)) as bar:
            deals = _read_samples(samples, bar) if samples else ()
            bar.add_task("solving", total=None)
            solution = solve_closed(
                hand, rules, against=boards, samples=deals, opponents=opponents, top=top, strategy=strategy
            )
    except TriptychError as error:
        return report_error(error, as_json=json)
    return print_closed(rules, solution, opponents, as_json=json)


def print_closed(rules: Ruleset, solution: ClosedSolution, opponents: int, *, as_json: bool) -> int:
    """Print a solution; return the exit status."""
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode({"id": None, **solution_json(solution)}) + b"\n")
    else:
        _print(rules, opponents, solution)
    return 0


def _read_samples(file: Path, bar: Progress) -> tuple[tuple[Rows, ...], ...]:
    lines = [*filter(str.strip, read_text(file, "$.samples", "samples.file").splitlines())]
    if not lines:
        raise SolveError("samples.file", f"there is no board in {file}", "$.samples")
    return tuple(
        tuple(read_board(text, f"$.samples[{number}][{index}]") for index, text in enumerate(line.split()))
        for number, line in enumerate(bar.track(lines, description="reading samples"))
    )


def _print(rules: Ruleset, opponents: int, solution: ClosedSolution) -> None:
    best = solution.settings[0]
    notes = [f"worth [bold]{best.value:+.3f}[/] points"]
    if not best.legal:
        notes.append("[red]a foul on purpose[/]")
    if solution.surrender is not None:
        notes.append(f"surrender {solution.surrender:+.3f}")
    if solution.natural is not None:
        notes.append(f"natural ({solution.natural_kind}) {solution.natural:+.3f}")
    footer = (
        f"{', '.join(notes)}. {_ADVICE[solution.advice]}\n{solution.legal:,} of {ALL_SETTINGS:,} settings are legal."
    )
    if solution.strategy:
        footer += f"\n{_strategy_text(rules, opponents, solution.strategy)}"
    print_rows(rules, (best.front, best.middle, best.back), footer)
    if len(solution.settings) > 1:
        Console(highlight=False).print(_table(solution))


def _opponents_strategy(rules: Ruleset, opponents: int, *, nearest: bool) -> ClosedStrategy | None:
    """Return the strategy of unknown opponents, training it if it is missing; None if the solver needs none."""
    if not is_closed(rules) or not 1 <= opponents <= MAX_AGAINST:
        return None
    if not nearest:
        ensure_strategies(rules, strategy_opponents(rules, opponents))
    return load_strategy(rules, opponents)


def _strategy_text(rules: Ruleset, opponents: int, head: StrategyHeader) -> str:
    """Describe the opponents' strategy, and what a best response gains against it."""
    source = (
        "these rules" if is_exact_match(head, rules, opponents) else f"{head.name}, the nearest rules that have one"
    )
    if not head.deals:
        return f"Others play the strategy of {source}; what a best response gains against it was not measured."
    measured = f"{head.gain:+.4f} ± {head.interval:.4f} points a deal, measured on {head.deals:,} deals"
    return f"Others play the strategy of {source}; its best response gains {measured}."


def _table(solution: ClosedSolution) -> Table:
    """Return the ranking: points, chances to win the rows and to scoop, in percent."""
    table = Table(box=None, header_style="dim")
    for name in ("#", "points", "front", "middle", "back", "win %", "scoop %"):
        table.add_column(name, justify="right" if name in ("#", "points", "scoop %") else "left")
    for number, setting in enumerate(solution.settings, 1):
        table.add_row(
            str(number),
            f"{setting.value:+.3f}" + ("" if setting.legal else " foul"),
            *(cards_text(row) for row in (setting.front, setting.middle, setting.back)),
            " ".join(f"{100 * chance:.0f}" for chance in setting.won),
            f"{100 * setting.scoops:.0f}",
        )
    return table
