"""`triptych train`: learn to play rulesets by self-play."""

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

from triptych.bots.field_cache import load_field
from triptych.cli.errors import report_error
from triptych.cli.fields import make_fields
from triptych.cli.options import SetRules
from triptych.cli.solve_arguments import read_rules
from triptych.errors import TriptychError
from triptych.parallel import Backend, Parallelism
from triptych.rulesets.load import parse_set
from triptych.rulesets.model import Ruleset, is_closed
from triptych.solve.closed.field import is_exact_match, nearest_strategy, relevant_opponent_counts
from triptych.solve.value.weights import SUFFIX
from triptych.train.runs import TrainingRequest, TrainingResult, train_all, training_result
from triptych.train.selfplay import Progress as TrainingProgress
from triptych.train.selfplay import Training
from triptych.train.state import SUFFIX as RUN
from triptych.train.state import restore, save

_MEASURED_ON: Final = 3000  # deals

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
            run = _resumed(resume, presets)
            _one(run, output or resume.with_name(run.preset + SUFFIX), checkpoint)
            return 0
        if closed := [rules for name in presets if is_closed(rules := read_rules(name, set_))]:
            return _fields(closed, presets)
        requests = [_request(preset, set_, players, deals, one, method) for preset in _named(presets) for one in seed]
        if len(requests) == 1 and backend == "loky":
            _one(requests[0].start(), output or Path(presets[0] + SUFFIX), checkpoint)
        else:
            _several(requests, output or Path(), Parallelism(jobs, backend))
    except TriptychError as error:
        return report_error(error)
    except OSError as error:
        return report_error(TriptychError("train.file", str(error), "$.output" if resume is None else "$.resume"))
    return 0


def _fields(closed: Sequence[Ruleset], presets: Sequence[str]) -> int:
    """Make the fields of closed games, and say what a best response gains against each."""
    if len(closed) < len(presets):
        raise TriptychError(
            "train.presets", "open and closed games are learned differently; ask for each", "$.presets"
        )
    for rules in closed:
        seats = relevant_opponent_counts(rules)
        shipped = [one for one in seats if is_exact_match(nearest_strategy(rules, one).head, rules, one)]
        make_fields(rules, [one for one in seats if one not in shipped], deals=_MEASURED_ON)
        for opponents in seats:
            head = load_field(rules, opponents).head
            gain = f"{head.gain:+.4f} ± {head.interval:.4f} points a deal, measured on {head.deals:,} deals"
            measured_text = f"a best response gains {gain}" if head.deals else "it was not measured"
            comes = "; it comes with the package" if opponents in shipped else ""
            Console().print(f"{head.name} against {opponents}: {measured_text}{comes}", soft_wrap=True)
    return 0


def _request(
    preset: str, set_: list[str] | None, players: int, deals: int, seed: int, method: str
) -> TrainingRequest:
    return TrainingRequest(preset, {"preset": preset, **parse_set(set_ or [])}, players, deals, seed, method)


def _named(presets: Sequence[str]) -> Sequence[str]:
    if not presets:
        raise TriptychError("train.presets", "name the rules to learn, or a run to --resume", "$.presets")
    return presets


def _resumed(file: Path, presets: Sequence[str]) -> Training:
    if presets:
        raise TriptychError("train.presets", "a run that is resumed knows its rules; leave them out", "$.presets")
    return restore(file)


def _one(run: Training, file: Path, every: int) -> None:
    """Play a run in this process with a bar, and write what it brought."""
    errors = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}% {task.fields[figures]}"),
        TimeRemainingColumn(),
    )
    state = file.with_suffix(RUN)
    written = run.done
    with Progress(*columns, console=errors) as bar, _InterruptFlag() as interrupt:
        task = bar.add_task(f"Learning {run.preset}", total=run.deals, completed=run.done, figures="")

        def on_progress(progress: TrainingProgress) -> None:
            nonlocal written
            bar.update(task, completed=progress.done, figures=_figures(progress))
            if interrupt.to_stop:
                raise KeyboardInterrupt
            if every and progress.done - written >= every and progress.done < run.deals:
                save(run, state)
                written = progress.done

        try:
            run.run(on_progress)
        except KeyboardInterrupt:
            save(run, state)
            errors.print(f"stopped after {run.done:,} deals; to go on: triptych train --resume {escape(str(state))}")
        else:
            state.unlink(missing_ok=True)
    _write(training_result(run), file)


def _several(requests: Sequence[TrainingRequest], folder: Path, spread: Parallelism) -> None:
    """Play the runs in processes, and write each as it is done."""
    if not folder.is_dir():
        raise TriptychError("train.file", f"{folder} is no folder; several runs write a file each", "$.output")
    seeds = {request.seed for request in requests}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("Learning", total=len(requests))
        for trained in train_all(requests, spread):
            name = trained.request.preset + (f".seed{trained.request.seed}" if len(seeds) > 1 else "")
            _write(trained, folder / (name + SUFFIX))
            bar.advance(task)


class _InterruptFlag:
    """Hears Ctrl-C without breaking off: a run stops between two slices, where it can go on."""

    to_stop = False

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _hear(self, _: int, __: FrameType | None) -> None:
        if self.to_stop:
            raise KeyboardInterrupt
        self.to_stop = True


def _write(trained: TrainingResult, file: Path) -> None:
    file.write_bytes(trained.weights)
    plot = file.with_suffix(".svg")
    plot.write_text(trained.picture, "utf-8")
    last = trained.last
    lands = ", ".join(f"{size} cards: {value:.1f}" for size, value in enumerate(last.land_value) if value)
    size = len(trained.weights) / 1e6
    Console().print(
        f"{file}: {size:.1f} MB after {last.done:,} deals, seed {trained.request.seed}; {_figures(last)}"
        + (f" · worth of fantasyland, points: {lands}" if lands else "")
        + f" · how it went: {plot}",
        soft_wrap=True,
    )


def _figures(progress: TrainingProgress) -> str:
    return f"foul {progress.foul:.1%} · fantasyland {progress.fantasyland:.1%} · royalties {progress.royalties:.2f}"
