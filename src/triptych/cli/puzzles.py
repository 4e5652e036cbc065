"""`triptych puzzles`: make positions to practise on out of self-play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from triptych.arena.puzzles.find import PuzzleSearch
from triptych.arena.puzzles.make import generate_puzzles
from triptych.cli.errors import report_error
from triptych.cli.options import SetRules
from triptych.errors import TriptychError
from triptych.parallel import Parallelism
from triptych.rulesets.load import parse_set
from triptych.solve.puzzles.model import SUFFIX, Puzzle, puzzle_line, read_puzzles
from triptych.text_files import read_text


def puzzles(
    preset: str,
    /,
    *,
    count: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=1_000_000))] = 100,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 1,
    lead: Annotated[float, Parameter(validator=validators.Number(gt=0, lte=1000))] = 0.4,
    players: Annotated[int, Parameter(validator=validators.Number(gte=2, lte=4))] = 2,
    set_: SetRules = None,
    output: Path | None = None,
    workers: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=256))] = 1,
) -> int:
    """Make puzzles: positions in which one placement is clearly best, and the level fast takes another.

    The same seed gives the same puzzles. Ctrl-C stops; the same command goes on with the file as it is.

    Parameters
    ----------
    preset
        The rules: a preset of an open game that the levels have learned.
    count
        Puzzles in the file, with those that are there already.
    seed
        Which deals of self-play they are from.
    lead
        Points by which the best placement must be ahead of every other, beyond three standard errors.
    players
        Players at the table.
    set_
        Change one rule, such as scoring.rows=match_1_6; may be given again.
    output
        File to write or to go on with (default: PRESET.puzzles.jsonl in this folder): one puzzle a line.
    workers
        Processes to work in.

    """
    file = output or Path(preset + SUFFIX)
    known: list[Puzzle] = []
    try:
        hunt = PuzzleSearch({"preset": preset, **parse_set(set_ or [])}, players, seed, lead)
        if file.exists():
            known += read_puzzles(read_text(file, "$.output").splitlines(), hunt.spec)
        _write(file, known, generate_puzzles(hunt, known, Parallelism(workers)), count)
    except KeyboardInterrupt:
        pass
    except TriptychError as error:
        return report_error(error)
    except OSError as error:
        return report_error(TriptychError("puzzle.file", f"cannot write {file}: {error.strerror}", "$.output"))
    Console().print(f"{file}: {len(known):,} puzzles", soft_wrap=True)
    return 0


def _write(file: Path, known: list[Puzzle], deals: Iterator[tuple[Puzzle, ...]], count: int) -> None:
    """Append puzzles to a file, and to `known`, until there are so many; a deal's together, so that none is cut."""
    errors = Console(stderr=True)
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        file.open("a", encoding="utf-8") as lines,
        Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar,
    ):
        task = bar.add_task("Puzzles", total=count, completed=len(known))
        while len(known) < count:
            new = next(deals)[: count - len(known)]
            lines.write("".join(puzzle_line(puzzle) + "\n" for puzzle in new))
            lines.flush()
            known += new
            bar.update(task, completed=len(known))
