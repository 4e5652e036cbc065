"""`triptych train`: learn to play a ruleset by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, validators
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from triptych.bots.train import Training
from triptych.rules.errors import RulesError
from triptych.rules.load import parse_set, resolve
from triptych.solve.value.weights import SUFFIX

if TYPE_CHECKING:
    from triptych.bots.train import Progress as Told


def train(
    preset: str,
    *,
    deals: Annotated[int, Parameter(validator=validators.Number(gte=60_000))] = 5_000_000,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 1,
    players: Annotated[int, Parameter(validator=validators.Number(gte=2, lte=4))] = 2,
    set_: Annotated[list[str] | None, Parameter(name="--set")] = None,
    output: Path | None = None,
) -> None:
    """Learn to play a ruleset by self-play and write the weights.

    The same deals and seed give the same weights, bit for bit. Ctrl-C stops and writes what has been learned.

    Parameters
    ----------
    preset
        The rules to learn; any open game.
    deals
        Deals of self-play.
    seed
        Where the random cards come from.
    players
        Players at the table.
    set_
        Change one rule, such as scoring.rows=match_1_6; may be given again.
    output
        File to write (default: PRESET.tw in this folder).

    """
    errors = Console(stderr=True)
    try:
        spec = {"preset": preset, **parse_set(set_ or [])}
        training = Training(resolve(spec), players=players, deals=deals, seed=seed, preset=preset, spec=spec)
    except RulesError as error:
        errors.print(f"[bold red]triptych train:[/] {error.path}: {error.message}", soft_wrap=True)
        raise SystemExit(1) from error
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}% {task.fields[figures]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=errors) as bar:
        task = bar.add_task(f"Learning {preset}", total=training.deals, figures="")

        def told(progress: Told) -> None:
            bar.update(task, completed=progress.done, figures=_figures(progress))

        try:
            training.run(told)
        except KeyboardInterrupt:
            errors.print(f"stopped after {training.done:,} deals; what has been learned is kept")
    file = output or Path(preset + SUFFIX)
    file.write_bytes(training.result())
    last = training.history[-1]
    lands = ", ".join(f"{size} cards: {value:.1f}" for size, value in enumerate(last.land_value) if value)
    Console().print(
        f"{file}: {file.stat().st_size / 1e6:.1f} MB after {training.done:,} deals, seed {seed}; {_figures(last)}"
        + (f" · worth of fantasyland, points: {lands}" if lands else ""),
        soft_wrap=True,
    )


def _figures(progress: Told) -> str:
    return f"foul {progress.foul:.1%} · fantasyland {progress.fantasyland:.1%} · royalties {progress.royalties:.2f}"
