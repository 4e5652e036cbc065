"""Decision quality: what each level's placements lose against a referee, on 1,000 fixed positions.

uv run python -m bench.decisions                        # the levels, against the referee's file
uv run python -m bench.decisions --bands                # what each level loses at most in 49 of 50 placements
uv run python -m bench.decisions --analysis             # whether the intervals of triptych analyse hold
uv run python -m bench.decisions --soon pineapple       # how soon it answers, with two and three players
uv run python -m bench.decisions --referee --jobs 2     # makes the referee's file; goes on where it was stopped
uv run python -m bench.decisions --played --limit 300   # the levels and analysis against deals that are played out
uv run python -m bench.decisions --positions 20261121   # makes the positions
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median
from sys import argv
from time import perf_counter

from bench.decisions import played, positions, referee
from bench.decisions.bands import rows_of
from bench.decisions.regret import Choice, Loss, choices, loss
from bench.decisions.shown import answers
from bench.decisions.soon import Timing, soon
from bench.report import write
from triptych.stats import Estimate

COMMAND = "uv run python -m bench.decisions"
LEVELS = ("fast", "medium", "strong", "steady")
ANALYSES = 200
SOON = 20
TOOK = ("error", "CPU s p50", "CPU s max", "two cores, s p50", "two cores, s max")
TIMES = "To a standard error of 0.1; CPU time of both threads, and of the one that waits for the other"
TARGETS = {1: 0.05, 2: 0.05, 3: 0.05, 4: 0.01, 5: 0.0}


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Decision quality on fixed positions.")
    parser.add_argument("--positions", type=int, metavar="SEED", help="write the positions again")
    parser.add_argument("--referee", action="store_true", help="judge the positions that the file does not have yet")
    parser.add_argument("--analysis", action="store_true", help="hold triptych analyse against the referee")
    parser.add_argument("--played", action="store_true", help="play deals out, and hold levels and analysis to them")
    parser.add_argument("--deals", type=int, default=200, help="a placement, of --played")
    parser.add_argument("--bands", action="store_true", help="where a review's bands begin, from what levels lose")
    parser.add_argument("--soon", nargs="+", metavar="PRESET", help="time triptych analyse")
    parser.add_argument("--streets", type=int, nargs="+", default=(), help="of these only, from 1")
    parser.add_argument("--rollouts", type=int, default=100_000, help="a placement, of the referee")
    parser.add_argument("--drop", type=float, default=6.0, help="standard errors behind the best, then it is out")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--limit", type=int, help="only so many positions, evenly over the streets")
    parser.add_argument("--file", type=Path, default=referee.FILE, help="the referee's file")
    parser.add_argument("--levels", nargs="+", default=LEVELS)
    args = parser.parse_args()
    if args.positions is not None:
        positions.FILE.write_text(positions.make(args.positions))
        return
    if args.soon:
        _soon(args.soon, args.streets, args.limit or SOON)
        return
    spots = positions.read()
    limit = args.limit or (ANALYSES if args.analysis else len(spots))
    spots = spots[:: max(1, len(spots) // limit)]
    if args.played:
        _played(args, spots)
        return
    if args.referee:
        _judge(args, spots)
        return
    head, by_position = referee.load(args.file)
    verdicts = [by_position[spot.text] for spot in spots if spot.text in by_position]
    note = f"Referee: {head.rollouts:,} rollouts a placement, weights {head.weights}."
    if args.bands:
        write("Bands of a review", f"{COMMAND} --bands", rows_of(verdicts), f"points lost a placement; {note}")
    elif args.analysis:
        _page_rows(verdicts, note)
    else:
        _levels(args.levels, verdicts, note)


def _judge(args: argparse.Namespace, spots: tuple[positions.Spot, ...]) -> None:
    began = perf_counter()
    head = referee.head(args.rollouts, args.drop)
    try:
        for done, of in referee.fill(args.file, head, spots, args.jobs):
            print(f"{done} of {of} positions, {perf_counter() - began:.0f} s", flush=True)
    except KeyboardInterrupt:
        print(f"stopped; {args.file} has what was done, the same command goes on")


def _played(args: argparse.Namespace, spots: tuple[positions.Spot, ...]) -> None:
    began = perf_counter()
    for done, of in played.fill(played.FILE, spots, args.levels, args.deals):
        if done % 10 == 0:
            print(f"{done} of {of} positions, {perf_counter() - began:.0f} s", flush=True)
    by_position = played.load()
    judgments = [by_position[spot.text] for spot in spots]
    command = f"{COMMAND} --played --limit {len(spots)} --deals {args.deals}"
    note = f"{args.deals} deals a placement, in which everybody goes on as medium; 95 % intervals over positions"
    write("Levels against deals played out", command, played.rows_of(judgments, args.levels), f"points; {note}")
    write("Analysis against deals played out", command, played.analysis_rows(judgments), f"points; {note}")


def _levels(levels: list[str], verdicts: list[referee.Verdict], note: str) -> None:
    rows: list[tuple[str, ...]] = [
        ("level", "street", "positions", "mean regret", "target", "of it the referee's error", "ms p50", "ms max")
    ]
    for name in levels:
        by_street: dict[int, list[Choice]] = defaultdict(list)
        for choice in choices(name, verdicts):
            by_street[choice.street].append(choice)
        for street, group in sorted(by_street.items()):
            rows.append((name, *_row(street, loss(group))))
            print(*rows[-1], flush=True)
    write("Decision quality", COMMAND, rows, f"points; {note} Intervals 95 % over positions; CPU time")


def _row(street: int, summary: Loss) -> tuple[str, ...]:
    return (
        str(street),
        str(summary.regret.n),
        _interval(summary.regret),
        f"{'≤ ' if TARGETS[street] else ''}{TARGETS[street]}",
        f"± {summary.referee:.4f}",
        f"{summary.middle:.2f}",
        f"{summary.slowest:.1f}",
    )


def _interval(value: Estimate) -> str:
    return f"{value.mean:.4f} ± {max(0.0, value.half):.4f}"


def _page_rows(verdicts: list[referee.Verdict], note: str) -> None:
    results = list(answers(verdicts))
    rows: list[tuple[str, ...]] = [
        (
            "street",
            "analyses",
            "best inside 95 %",
            "all inside 95 %",
            "bias of the best, SE",
            *TOOK,
        )
    ]
    streets = sorted({result.street for result in results})
    for title, chosen in [*((str(street), [street]) for street in streets), ("all", streets)]:
        some = [result for result in results if result.street in chosen]
        best = [result.gaps[0] for result in some if result.gaps]
        every = [gap for result in some for gap in result.gaps]
        rows.append(
            (
                title,
                str(len(some)),
                _inside(best),
                _inside(every),
                f"{fmean(best):+.2f}",
                *_time_cells([result.took for result in some]),
            )
        )
    write("Analysis", f"{COMMAND} --analysis", rows, f"{note} {TIMES}")


def _soon(presets: list[str], streets: list[int], each: int) -> None:
    rows: list[tuple[str, ...]] = [("preset", "players", "street", "analyses", *TOOK)]
    for preset in presets:
        for players, street, timings in soon(preset, streets, each):
            rows.append((preset, str(players), str(street), str(len(timings)), *_time_cells(timings)))
            print(*rows[-1], flush=True)
    write("How soon analysis answers", f"{COMMAND} {' '.join(argv[1:])}", rows, TIMES)


def _time_cells(timings: list[Timing]) -> tuple[str, ...]:
    seconds, waited = [timing.seconds for timing in timings], [timing.waited for timing in timings]
    return (
        f"{max(timing.error for timing in timings):.3f}",
        f"{median(seconds):.2f}",
        f"{max(seconds):.2f}",
        f"{median(waited):.2f}",
        f"{max(waited):.2f}",
    )


def _inside(gaps: list[float]) -> str:
    return f"{sum(abs(gap) <= 1.96 for gap in gaps)} of {len(gaps)}: {fmean(abs(gap) <= 1.96 for gap in gaps):.1%}"


if __name__ == "__main__":
    main()
