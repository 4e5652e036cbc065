"""`triptych history`: show a deal's history, check it against its rules, export it from the database."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from triptych.board import ROWS
from triptych.cli.database import database_errors, verify_database
from triptych.cli.errors import report_error, report_message
from triptych.cli.options import File, Secret
from triptych.cli.serve import default_database
from triptych.deal.view_types import BoardView
from triptych.errors import TriptychError
from triptych.notation.history.action_codec import step_text
from triptych.notation.history.describe import describe_step
from triptych.notation.history.model import History, Viewer
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history, frames
from triptych.notation.history.text import history_text, viewer_text
from triptych.store.errors import StoreError
from triptych.text_files import read_text

if TYPE_CHECKING:
    from triptych.table.events import TableEvent

app = App(name="history", help="Read, check and export the histories of deals.")


@app.command
def show(file: File, /, *, compact: Annotated[bool, Parameter(negative="")] = False) -> int:
    """Show a deal: who played, every action, the boards at the end and the score.

    Parameters
    ----------
    file
        A history file; - is standard input.
    compact
        Write the actions as the file has them (docs/reference/notation.md) instead of in words.
    """
    try:
        history = parse_history(read_text(file))
        history_frames = frames(history, None if history.seen_by == "all" else history.seen_by)
    except TriptychError as error:
        return report_error(error, file=file)
    console = Console(highlight=False)
    title = history.rules.title or history.rules.name
    console.print(f"[bold]{escape(title)}[/], deal {history.number}, seen by {viewer_text(history.seen_by)}")
    for number, name in enumerate(history.players, start=1):
        console.print(f"  p{number} {escape(name)}")
    console.print()
    for step in history.steps:
        text = f"{step.at / 1000:7.1f} s  {describe_step(step, history.players[step.hand])}"
        console.print(f"  {escape(step_text(step) if compact else text)}")
    console.print()
    console.print(_boards(history, history_frames[-1].view.boards))
    return 0


@app.command
def check(*files: File) -> int:
    """Play histories again under their own rules; exit status 1 when one is not what the rules make of it.

    Parameters
    ----------
    files
        History files; - is standard input.
    """
    if not files:
        return report_message("name at least one history file", 2)
    status = 0
    for file in files:
        try:
            history = parse_history(read_text(file))
            check_history(history)
        except TriptychError as error:
            status = max(status, report_error(error, file=file))
        else:
            sys.stdout.write(f"{file}: deal {history.number} is as its rules have it\n")
    return status


@app.command
def export(
    table: str,
    deal: int,
    /,
    *,
    database: Secret | None = None,
    seat: int | None = None,
    everything: Annotated[bool, Parameter(name="--all", negative="")] = False,
) -> int:
    """Write a deal of a table as a history file to standard output.

    Parameters
    ----------
    table
        The table's id, as in its link.
    deal
        The deal's number.
    database
        File or URL in which tables are kept (default: a file in your user data folder); @FILE reads it from a file.
    seat
        Write what this seat knew (0 is the first); without it what a spectator saw.
    everything
        Write every card, including hidden ones.
    """
    from triptych.server.jobs.replay import deal_history  # noqa: PLC0415 - imported by this command alone
    from triptych.table.history import played_deal  # noqa: PLC0415 - as above

    url = default_database() if database is None else database
    try:
        verify_database(url)
        with database_errors(url):
            played = played_deal(asyncio.run(_load_events(url, table)), deal)
    except StoreError as error:
        return report_message(str(error))
    if played is None:
        return report_message(f"this database has no deal {deal} of a table {table}")
    viewer: Viewer = "all" if everything else seat
    history = deal_history(played, viewer)
    if history.result is None:
        return report_message(f"deal {deal} is still being played")
    sys.stdout.write(history_text(history))
    if viewer is None:
        sys.stderr.write("this is what a spectator saw; --seat N writes what a seat knew, --all every card\n")
    return 0


async def _load_events(database: str, table: str) -> list[TableEvent]:
    """Return a table's events from a database; an unknown table has none."""
    from triptych.server.bootstrap import store_from_url  # noqa: PLC0415 - as above
    from triptych.table.codec import decode_all  # noqa: PLC0415 - imported by this command alone

    store = store_from_url(database)
    await store.open()
    try:
        return list(decode_all(await store.load(table)))
    finally:
        await store.close()


def _boards(history: History, boards: tuple[BoardView, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("", *ROWS, "status", "points"):
        table.add_column(heading, justify="right" if heading == "points" else "left")
    for board, name in zip(boards, history.players, strict=True):
        rows = (f"{' '.join(row.cards)} {row.name}".strip() for row in (board.front, board.middle, board.back))
        points = "" if history.result is None else f"{history.result.points[board.hand]:+d}"
        table.add_row(escape(name), *map(escape, rows), board.status, points)
    return table
