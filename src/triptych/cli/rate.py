"""`triptych rate`: players' error rates over many deals."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter, validators
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from triptych.cli.errors import report_error, report_message
from triptych.cli.options import Exactness, File, Switch
from triptych.errors import TriptychError
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.solve.analysis.analyse import SearchBudget
from triptych.solve.analysis.players import GroupBy, PlayerRate, player_rates
from triptych.solve.analysis.review import Review, review
from triptych.solve.analysis.same_cards import (
    BaselineComparison,
    BaselineReplay,
    compare_with_baseline,
    replay_with_baseline,
)
from triptych.text_files import read_text


def rate(
    *files: File,
    by: GroupBy = "all",
    error: Exactness = 0.3,
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 1,
    same_cards: Switch = False,
    json: Switch = False,
) -> int:
    """Rate players over many deals: points lost a decision, of those that were neither forced nor obvious.

    A file that cannot be rated is named and stops no other; the exit status is then 1.

    Parameters
    ----------
    files
        History files, as triptych history export writes them, with --all to rate every player; - is standard input.
    by
        Rates of each street, deal, table, week or game apart.
    error
        Standard error in points at which to stop thinking about a placement.
    seed
        The same seed gives the same answer.
    same_cards
        Let strong play each player's cards too, and compare fouls, fantasylands and royalties. Slow.
    json
        Print one JSON object a line.

    """
    if not files:
        return report_message("name at least one history file", 2)
    errors = Console(stderr=True)
    reviews: list[tuple[History, Review]] = []
    replays: dict[str, list[BaselineReplay]] = defaultdict(list)
    failed: list[tuple[Path, TriptychError]] = []
    with Progress(console=errors, transient=True) as bar:
        for file in bar.track(files, description="Reviewing"):
            try:
                history = parse_history(read_text(file))
                reviewed = review(history, SearchBudget(max_error=error), seed=seed)
                hands = range(len(history.players) if same_cards else 0)
                history_replays = [replay_with_baseline(history, hand, seed=seed) for hand in hands]
            except TriptychError as problem:
                failed.append((file, problem))
                continue
            reviews.append((history, reviewed))
            for player, replay in zip(history.players, history_replays, strict=False):
                if replay is not None:
                    replays[player].append(replay)
    status = max([report_error(problem, file=file, as_json=json) for file, problem in failed], default=0)
    if not reviews:
        return status
    rates = player_rates(reviews, by)
    comparisons = [compare_with_baseline(player, replays[player]) for player in sorted(replays)]
    if json:
        sys.stdout.writelines(msgspec.json.encode(line).decode() + "\n" for line in (*rates, *comparisons))
    else:
        _print(rates, by)
        if comparisons:
            _print_comparisons(comparisons)
    return status


def _print(rates: list[PlayerRate], by: GroupBy) -> None:
    table = Table(box=None, pad_edge=False, title="Points lost a decision")
    table.add_column("player", no_wrap=True)
    if by != "all":
        table.add_column(by, no_wrap=True)
    for column in ("deals", "decisions", "lost", "±", "result", "luck", "play"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("like", no_wrap=True)
    for player in rates:
        rate = player.rate
        cells = [escape(player.player), *([escape(player.group)] if by != "all" else [])]
        cells += [str(rate.deals), str(rate.decisions), f"{rate.lost:.3f}"]
        cells.append(f"{rate.half:.3f}" if rate.half >= 0 else "")
        cells += ["" if points is None else f"{points:+.1f}" for points in (player.result, player.luck, player.skill)]
        table.add_row(*cells, player.like or "")
    Console().print(table)


def _print_comparisons(comparisons: list[BaselineComparison]) -> None:
    table = Table(box=None, pad_edge=False, title="Beside strong with the same cards")
    for column in (
        "player",
        "deals",
        "fouls",
        "strong's",
        "fantasylands",
        "strong's",
        "royalties a deal",
        "strong's",
    ):
        table.add_column(column, justify="left" if column == "player" else "right", no_wrap=True)
    for row in comparisons:
        shares = [
            f"{share:.0%}" for share in (row.fouls, row.strong_fouls, row.fantasylands, row.strong_fantasylands)
        ]
        royalties = (f"{points:.2f}" for points in (row.royalties, row.strong_royalties))
        table.add_row(escape(row.player), str(row.deals), *shares, *royalties)
    Console().print(table)
