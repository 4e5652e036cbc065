"""`triptych train`: train weights for rulesets by self-play."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, Final, Literal, Self

from cyclopts import Parameter, validators
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from triptych.bots.strategy_cache import load_strategy
from triptych.cli.errors import report_error
from triptych.cli.options import SetRules
from triptych.cli.solve_arguments import read_rules
from triptych.cli.strategies import train_strategies
from triptych.errors import TriptychError
from triptych.parallel import Backend, Parallelism
from triptych.rulesets.load import parse_set
from triptych.rulesets.model import Ruleset, is_closed
from triptych.solve.closed.strategy import is_exact_match, nearest_strategy, relevant_opponent_counts
from triptych.solve.value.weights import SUFFIX
from triptych.train.runs import TrainingRequest, TrainingResult, train_all, training_result
from triptych.train.selfplay import Progress as TrainingProgress
from triptych.train.selfplay import Training
from triptych.train.state import SUFFIX as RUN_SUFFIX
from triptych.train.state import restore, save

_MEASUREMENT_DEALS: Final = 3000

Natural = validators.Number(gte=0)


def train(  # noqa: PLR0913 - each is an option of the command
    *presets: str,
    deals: Annotated[int, Parameter(validator=validators.Number(gte=60_000))] = 1_200_000,
    seed: Annotated[tuple[int, ...], Parameter(validator=Natural, negative=())] = (1,),
    players: Annotated[int, Parameter(validator=validators.Number(gte=2, lte=4))] = 2,
    set_: SetRules = None,
    method: Literal["draws", "td"] = "draws",
    output: Path | None = None,
    checkpoint: Annotated[int, Parameter(validator=Natural)] = 500_000,
    resume: Path | None = None,
    jobs: int = 1,
    backend: Backend = "loky",
) -> int:
    """Learn to play a ruleset by self-play; write the weights and a picture of how it went.

    The same deals and seed give the same weights, bit for bit, also when a run was stopped and resumed. Ctrl-C stops
    and writes what has been learned, and a file to go on from.

    Parameters
    ----------
    presets
        The rules to learn: any open games, or any closed ones. A closed game gets its strategy in a minute, measured
        and kept for the bots and `triptych solve closed`; the options but --set are for open games.
    deals
        Deals of self-play.
    seed
        Where the random cards come from. May be given again: a run for each.
    players
        Players at the table.
    set_
        Change one rule, such as scoring.rows=match_1_6; may be given again.
    method
        How it learns: `draws` looks at several draws of what is to come for several placements; `td` only at what
        became of each deal, as the frozen `base` was made.
    output
        File to write (default: PRESET.tw in this folder; with several seeds PRESET.seedN.tw). Of several runs: the
        folder for them.
    checkpoint
        After so many deals write the run into a file to go on from, PRESET.run beside the weights; 0 = only at
        Ctrl-C. A single run only.
    resume
        Go on with the run of such a file.
    jobs
        Runs at a time, each in a process.
    backend
        Where the processes are: loky on this machine, ray on a Ray cluster (triptych[ray]).

    """
    try:
        if resume is not None:
            run = _resume(resume, presets)
            _train_one(run, output or resume.with_name(run.preset + SUFFIX), checkpoint)
            return 0
        if closed := [rules for name in presets if is_closed(rules := read_rules(name, set_))]:
            return _train_closed(closed, presets)
        requests = [
            _request(preset, set_, players, deals, run_seed, method)
            for preset in _require_presets(presets)
            for run_seed in seed
        ]
        if len(requests) == 1 and backend == "loky":
            _train_one(requests[0].start(), output or Path(presets[0] + SUFFIX), checkpoint)
        else:
            _train_several(requests, output or Path(), Parallelism(jobs, backend))
    except TriptychError as error:
        return report_error(error)
    except OSError as error:
        return report_error(TriptychError("train.file", str(error), "$.output" if resume is None else "$.resume"))
    return 0


def _train_closed(closed: Sequence[Ruleset], presets: Sequence[str]) -> int:
    """Train the strategies of closed games, and print what a best response gains against each."""
    if len(closed) < len(presets):
        raise TriptychError(
            "train.presets", "open and closed games are learned differently; ask for each", "$.presets"
        )
    for rules in closed:
        seats = relevant_opponent_counts(rules)
        shipped = [count for count in seats if is_exact_match(nearest_strategy(rules, count).head, rules, count)]
        train_strategies(rules, [count for count in seats if count not in shipped], deals=_MEASUREMENT_DEALS)
        for opponents in seats:
            head = load_strategy(rules, opponents).head
            gain = f"{head.gain:+.4f} ± {head.interval:.4f} points a deal, measured on {head.deals:,} deals"
            measured_text = f"a best response gains {gain}" if head.deals else "it was not measured"
            origin = "; it comes with the package" if opponents in shipped else ""
            Console().print(f"{head.name} against {opponents}: {measured_text}{origin}", soft_wrap=True)
    return 0


def _request(
    preset: str, set_: list[str] | None, players: int, deals: int, seed: int, method: str
) -> TrainingRequest:
    return TrainingRequest(preset, {"preset": preset, **parse_set(set_ or [])}, players, deals, seed, method)


def _require_presets(presets: Sequence[str]) -> Sequence[str]:
    if not presets:
        raise TriptychError("train.presets", "name the rules to learn, or a run to --resume", "$.presets")
    return presets


def _resume(file: Path, presets: Sequence[str]) -> Training:
    if presets:
        raise TriptychError("train.presets", "a run that is resumed knows its rules; leave them out", "$.presets")
    return restore(file)


def _train_one(run: Training, file: Path, checkpoint: int) -> None:
    """Execute a run in this process with a progress bar, and write its result."""
    errors = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}% {task.fields[figures]}"),
        TimeRemainingColumn(),
    )
    state = file.with_suffix(RUN_SUFFIX)
    saved_at = run.done
    with Progress(*columns, console=errors) as bar, _InterruptFlag() as interrupt:
        task = bar.add_task(f"Learning {run.preset}", total=run.deals, completed=run.done, figures="")

        def on_progress(progress: TrainingProgress) -> None:
            nonlocal saved_at
            bar.update(task, completed=progress.done, figures=_figures(progress))
            if interrupt.is_set:
                raise KeyboardInterrupt
            if checkpoint and progress.done - saved_at >= checkpoint and progress.done < run.deals:
                save(run, state)
                saved_at = progress.done

        try:
            run.run(on_progress)
        except KeyboardInterrupt:
            save(run, state)
            errors.print(f"stopped after {run.done:,} deals; to go on: triptych train --resume {escape(str(state))}")
        else:
            state.unlink(missing_ok=True)
    _write(training_result(run), file)


def _train_several(requests: Sequence[TrainingRequest], folder: Path, parallelism: Parallelism) -> None:
    """Execute the runs in processes, and write each result when it is done."""
    if not folder.is_dir():
        raise TriptychError("train.file", f"{folder} is not a folder; several runs write a file each", "$.output")
    seeds = {request.seed for request in requests}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("Learning", total=len(requests))
        for result in train_all(requests, parallelism):
            name = result.request.preset + (f".seed{result.request.seed}" if len(seeds) > 1 else "")
            _write(result, folder / (name + SUFFIX))
            bar.advance(task)


class _InterruptFlag:
    """Set by Ctrl-C: a run then stops between two slices, where it can be resumed. A second Ctrl-C interrupts."""

    is_set = False

    def __enter__(self) -> Self:
        self._former_handler = signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._former_handler)

    def _on_interrupt(self, _: int, __: FrameType | None) -> None:
        if self.is_set:
            raise KeyboardInterrupt
        self.is_set = True


def _write(result: TrainingResult, file: Path) -> None:
    file.write_bytes(result.weights)
    plot = file.with_suffix(".svg")
    plot.write_text(result.picture, "utf-8")
    last = result.last
    values = ", ".join(f"{size} cards: {value:.1f}" for size, value in enumerate(last.fantasyland_values) if value)
    size = len(result.weights) / 1e6
    Console().print(
        f"{file}: {size:.1f} MB after {last.done:,} deals, seed {result.request.seed}; {_figures(last)}"
        + (f" · worth of fantasyland, points: {values}" if values else "")
        + f" · how it went: {plot}",
        soft_wrap=True,
    )


def _figures(progress: TrainingProgress) -> str:
    return f"foul {progress.foul:.1%} · fantasyland {progress.fantasyland:.1%} · royalties {progress.royalties:.2f}"
