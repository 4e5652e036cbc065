"""`triptych rate`: how well somebody plays, over many deals."""

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
from triptych.solve.analysis.same_cards import BaselineComparison, BaselineReplay, compare_with_baseline
from triptych.solve.analysis.same_cards import replay_with_baseline as same
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
        Let strong play each player's cards too: fouls, fantasylands and royalties beside one's own. Slow.
    json
        Print one JSON object a line.

    """
    if not files:
        return report_message("name at least one history file", 2)
    errors = Console(stderr=True)
    reviews: list[tuple[History, Review]] = []
    came: dict[str, list[BaselineReplay]] = defaultdict(list)
    failed: list[tuple[Path, TriptychError]] = []
    with Progress(console=errors, transient=True) as bar:
        for file in bar.track(files, description="Reviewing"):
            try:
                history = parse_history(read_text(file))
                answer = review(history, SearchBudget(max_error=error), seed=seed)
                played = [same(history, hand, seed=seed) for hand in range(len(history.players) if same_cards else 0)]
            except TriptychError as problem:
                failed.append((file, problem))
                continue
            reviews.append((history, answer))
            for player, again in zip(history.players, played, strict=False):
                if again is not None:
                    came[player].append(again)
    status = max([report_error(problem, file=file, as_json=json) for file, problem in failed], default=0)
    if not reviews:
        return status
    rates = player_rates(reviews, by)
    beside = [compare_with_baseline(player, came[player]) for player in sorted(came)]
    if json:
        sys.stdout.writelines(msgspec.json.encode(one).decode() + "\n" for one in (*rates, *beside))
    else:
        _print(rates, by)
        if beside:
            _print_beside(beside)
    return status


def _print(rates: list[PlayerRate], by: GroupBy) -> None:
    table = Table(box=None, pad_edge=False, title="Points lost a decision")
    table.add_column("player", no_wrap=True)
    if by != "all":
        table.add_column(by, no_wrap=True)
    for column in ("deals", "decisions", "lost", "±", "result", "luck", "play"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("like", no_wrap=True)
    for one in rates:
        cells = [escape(one.player), *([escape(one.group)] if by != "all" else [])]
        cells += [str(one.rate.deals), str(one.rate.decisions), f"{one.rate.lost:.3f}"]
        cells.append(f"{one.rate.half:.3f}" if one.rate.half >= 0 else "")
        cells += ["" if part is None else f"{part:+.1f}" for part in (one.result, one.luck, one.skill)]
        table.add_row(*cells, one.like or "")
    Console().print(table)


def _print_beside(comparisons: list[BaselineComparison]) -> None:
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
    for one in comparisons:
        shares = [
            f"{share:.0%}" for share in (one.fouls, one.strong_fouls, one.fantasylands, one.strong_fantasylands)
        ]
        royalties = (f"{points:.2f}" for points in (one.royalties, one.strong_royalties))
        table.add_row(escape(one.player), str(one.deals), *shares, *royalties)
    Console().print(table)
