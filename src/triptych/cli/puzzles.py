"""`triptych puzzles`: make positions for practice from self-play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter, validators
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, track

from triptych.arena.puzzles.find import PuzzleSearch
from triptych.arena.puzzles.make import generate_puzzles, remeasure_puzzles, stale_puzzles
from triptych.cli.errors import report_error
from triptych.cli.options import SetRules
from triptych.errors import TriptychError
from triptych.parallel import Parallelism
from triptych.rulesets.load import parse_set
from triptych.solve.puzzles.model import SUFFIX, Puzzle, puzzle_line, read_puzzles
from triptych.text_files import read_text

_CHECK_SAMPLE: Final = 20  # puzzles that a check measures again


def puzzles(  # noqa: PLR0913 - each is an option of the command
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
    remeasure: bool = False,
    check: bool = False,
) -> int:
    """Make puzzles: positions in which one placement is clearly best, and the level fast takes another.

    The same seed gives the same puzzles. Ctrl-C stops; the same command continues the file.

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
    remeasure
        Make none: measure again those of the file that another engine has measured, and leave out those that are no
        longer puzzles.
    check
        Make none: measure some of the file's puzzles again, and fail where they are not what the file says.

    """
    file = output or Path(preset + SUFFIX)
    existing: list[Puzzle] = []
    try:
        search = PuzzleSearch({"preset": preset, **parse_set(set_ or [])}, players, seed, lead)
        if file.exists():
            existing += read_puzzles(read_text(file, "$.output").splitlines(), search.spec)
        if check:
            return _check(file, existing, lead, Parallelism(workers))
        if remeasure:
            _remeasure(file, existing, lead, Parallelism(workers))
            Console().print(f"{file}: {len(existing):,} puzzles", soft_wrap=True)
            return 0
        _write(file, existing, generate_puzzles(search, existing, Parallelism(workers)), count)
    except KeyboardInterrupt:
        pass
    except TriptychError as error:
        return report_error(error)
    except OSError as error:
        return report_error(TriptychError("puzzle.file", f"cannot write {file}: {error.strerror}", "$.output"))
    Console().print(f"{file}: {len(existing):,} puzzles", soft_wrap=True)
    return 0


def _check(file: Path, existing: list[Puzzle], lead: float, parallelism: Parallelism) -> int:
    """Check that a file's puzzles were measured by this engine, and that a sample still has the same values."""
    console = Console()
    stale = stale_puzzles(existing)
    if stale:
        console.print(
            f"{file}: {len(stale):,} of {len(existing):,} puzzles were measured by another engine", soft_wrap=True
        )
    stale_ids = {puzzle.id for puzzle in stale}
    current = [puzzle for puzzle in existing if puzzle.id not in stale_ids]
    sample = current[:: max(1, len(current) // _CHECK_SAMPLE)]
    remeasured = zip(sample, remeasure_puzzles(sample, lead, parallelism), strict=True)
    changed = [puzzle.id for puzzle, new in remeasured if new != puzzle]
    if changed:
        console.print(f"{file}: measured again, these have other values: {' '.join(changed)}", soft_wrap=True)
    if stale or changed:
        return 1
    console.print(
        f"{file}: {len(sample):,} of {len(existing):,} puzzles measured again, all are the same", soft_wrap=True
    )
    return 0


def _remeasure(file: Path, existing: list[Puzzle], lead: float, parallelism: Parallelism) -> None:
    """Measure the puzzles of other engines again; after an interruption the file has the results so far."""
    stale = stale_puzzles(existing)
    stale_ids = {puzzle.id for puzzle in stale}
    done: dict[str, Puzzle | None] = {puzzle.id: puzzle for puzzle in existing if puzzle.id not in stale_ids}
    try:
        for puzzle, new in zip(_progress(stale), remeasure_puzzles(stale, lead, parallelism), strict=False):
            done[puzzle.id] = new
    finally:
        existing[:] = [new for puzzle in existing if (new := done.get(puzzle.id, puzzle)) is not None]
        new_file = file.with_name(file.name + ".new")
        new_file.write_text("".join(puzzle_line(puzzle) + "\n" for puzzle in existing), encoding="utf-8")
        new_file.replace(file)


def _progress(puzzles: list[Puzzle]) -> Iterator[Puzzle]:
    """Yield puzzles, with a progress bar on a terminal."""
    console = Console(stderr=True)
    return iter(track(puzzles, "Puzzles", console=console, transient=True, disable=not console.is_terminal))


def _write(file: Path, existing: list[Puzzle], deals: Iterator[tuple[Puzzle, ...]], count: int) -> None:
    """Append puzzles to a file and to `existing` until there are `count`; a deal's puzzles are written together."""
    errors = Console(stderr=True)
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        file.open("a", encoding="utf-8") as lines,
        Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar,
    ):
        task = bar.add_task("Puzzles", total=count, completed=len(existing))
        while len(existing) < count:
            new = next(deals)[: count - len(existing)]
            lines.write("".join(puzzle_line(puzzle) + "\n" for puzzle in new))
            lines.flush()
            existing += new
            bar.update(task, completed=len(existing))
