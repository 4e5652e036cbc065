"""`triptych arena`: bots against bots over duplicate deals, with confidence intervals."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from triptych.arena.contender import Limits, read_entrants
from triptych.arena.errors import ArenaError
from triptych.arena.match import ChainMode, Plan, play_batches, verify_plan
from triptych.arena.report import RunInfo, StopReason, match_result, speeds
from triptych.arena.tally import MatchAccumulator
from triptych.cli.arena_output import print_outcome
from triptych.cli.errors import report_error
from triptych.cli.options import SetRules, Switch
from triptych.cli.solve_arguments import read_rules
from triptych.cli.strategies import ensure_strategies
from triptych.errors import TriptychError
from triptych.parallel import Backend, Parallelism, verify_parallelism


def arena(  # noqa: PLR0913 - each is an option of the command
    *bots: str,
    preset: str = "pineapple",
    set_: SetRules = None,
    deals: int = 1000,
    seed: str = "1",
    jobs: int = 1,
    backend: Backend = "loky",
    chains: ChainMode = "both",
    land_value: Annotated[list[str] | None, Parameter(negative=())] = None,
    until: float = 0.0,
    budget_ms: int = 1000,
    bank_ms: int = 5000,
    most_faults: int = 5,
    hello_ms: int = 10_000,
    report: Path | None = None,
    json: Switch = False,
) -> int:
    """Play bots against each other and say who is stronger, with 95 % intervals.

    Every deck is played once in every seating; the mean over them is the unit of the intervals. The same seed gives
    the same figures with any number of processes. Ctrl-C prints what was played so far.

    Parameters
    ----------
    bots
        Levels (random, novice, fast, medium, strong; to measure by: base, steady, hindsight, hindsight_all), a level
        with weights that you trained (fast:mine.tw), programs (./mybot.py, or "cmd:node mybot.js"), or bots in
        Python that play in this process (py:mybot.py, py:package.module:Name). See docs/how-to/run-a-match.md.
    preset
        The rules to play under: a preset, or a file of your own such as anna.toml.
    set_
        Changes one rule: key=value. May be given again.
    deals
        Decks to play, each in every seating.
    seed
        Random seed, a number or a word. Use a long secret seed against untrusted programs.
    jobs
        Processes to play in.
    backend
        Where they run: loky on this machine, ray on a Ray cluster (triptych[ray]). The figures are the same.
    chains
        Fantasylands: played out, credited with their value, or both.
    land_value
        What a fantasyland is worth against each opponent, CARDS=POINTS such as 14=11; may be given again. Without
        it the values are fitted to the fantasylands played.
    until
        Stop when the half-width of every bot's interval is at most this (uses a confidence sequence).
    budget_ms
        Milliseconds a move.
    bank_ms
        More milliseconds a deal for a program that is late.
    most_faults
        Exclude a bot for the rest of a batch after this many faults.
    hello_ms
        Startup timeout of a program in milliseconds, once a block of deals and seating.
    report
        Writes a page with tables and plots into this file.
    json
        Writes the figures as JSON.
    """
    try:
        plan = Plan(
            rules=read_rules(preset, set_),
            entrants=read_entrants(bots),
            deals=deals,
            seed=seed,
            chains=chains,
            fantasyland_values=_fantasyland_values(land_value or ()),
            limits=Limits(budget_ms, bank_ms, most_faults, hello_ms),
            until=until,
        )
        verify_plan(plan)
        verify_parallelism(Parallelism(jobs, backend))
        _verify_page(report)
        ensure_strategies(plan.rules)
    except TriptychError as error:
        return report_error(error, as_json=json)
    return _play(plan, Parallelism(jobs, backend), report, as_json=json)


def _play(plan: Plan, parallelism: Parallelism, page: Path | None, *, as_json: bool) -> int:
    """Play the match and print its result; return the exit status.

    130: nothing was played, or it was interrupted. 1: a bot forfeited most of its decisions, so there is no verdict.
    """
    tally = MatchAccumulator(plan)
    started_at = perf_counter()
    stop_reason = _fill(tally, parallelism)
    if not tally.duplicate_deals:
        return 130
    run = RunInfo.collect(_command(), parallelism.jobs, perf_counter() - started_at)
    result, bot_speeds = match_result(tally, stop_reason), speeds(tally)
    if as_json:
        line = {"outcome": result, "speed": bot_speeds, "run": run}
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    else:
        print_outcome(Console(highlight=False), result, bot_speeds)
    if page is not None:
        from triptych.arena.page import page_html  # noqa: PLC0415 - imported only for a page

        page.write_text(page_html(tally, result, bot_speeds, run), "utf-8")
    if stop_reason == "interrupted":
        return 130
    return int(any(bot.is_unrated for bot in result.bots))


def _fill(tally: MatchAccumulator, parallelism: Parallelism) -> StopReason:
    """Play until the plan is done, the interval is narrow enough, or Ctrl-C is pressed."""
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("playing", total=tally.plan.deals)
        try:
            for block in play_batches(tally.plan, parallelism):
                tally.add(block)
                progress.update(bar, completed=len(tally.duplicate_deals), description=_describe_progress(tally))
                if tally.is_precise_enough():
                    return "until"
        except KeyboardInterrupt:
            return "interrupted"
    return "all"


def _describe_progress(tally: MatchAccumulator) -> str:
    label, mean, half = tally.progress()
    return f"{escape(label)} {mean:+.2f} ± {half:.2f}" if half >= 0 else "playing"


def _verify_page(page: Path | None) -> None:
    """Raise ArenaError if the page cannot be written, before the match is played."""
    if page is not None and (page.is_dir() or not page.parent.is_dir()):
        raise ArenaError("arena.report", f"{page} is not a file in a folder that exists", "$.report")


def _fantasyland_values(texts: Sequence[str]) -> tuple[tuple[int, float], ...]:
    values: dict[int, float] = {}
    for index, text in enumerate(texts):
        cards, _, points = text.partition("=")
        try:
            values[int(cards)] = value = float(points)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            message = f"write CARDS=POINTS such as 14=11, not {text!r}"
            raise ArenaError("arena.value", message, f"$.land_value[{index}]")
    return tuple(sorted(values.items()))


def _command() -> str:
    return shlex.join(("triptych", *sys.argv[1:]))
