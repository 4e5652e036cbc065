"""`triptych history`: read a deal's history, check it against its own rules, write it from the database."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from msgspec.structs import replace
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from triptych.board import ROWS
from triptych.cli.serve import default_database
from triptych.notation.errors import NotationError
from triptych.notation.history.actions import step_text
from triptych.notation.history.model import record
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history, frames
from triptych.notation.history.text import history_text, viewer_text
from triptych.store.protocol import StoreError

if TYPE_CHECKING:
    from triptych.deal.views import BoardView
    from triptych.notation.history.model import History
    from triptych.room.events import TableEvent

app = App(name="history", help="Read, check and export the histories of deals.")


@app.command
def show(file: Path, /) -> int:
    """Show a deal: who played, every action, the boards at the end and the score.

    Parameters
    ----------
    file
        A history file.
    """
    history = _read(file)
    if history is None:
        return 1
    try:
        shown = frames(history, None if history.seen_by == "all" else history.seen_by)
    except NotationError as error:
        return _refuse(file, error)
    console = Console(highlight=False)
    title = history.rules.title or history.rules.name
    console.print(f"[bold]{escape(title)}[/], deal {history.number}, seen by {viewer_text(history.seen_by)}")
    for number, name in enumerate(history.players, start=1):
        console.print(f"  p{number} {escape(name)}")
    console.print()
    for step in history.steps:
        console.print(f"  {step_text(step)}")
    console.print()
    console.print(_boards(history, shown[-1].view.boards))
    return 0


@app.command
def check(*files: Path) -> int:
    """Play histories again under their own rules; exit status 1 when one is not what the rules make of it.

    Parameters
    ----------
    files
        History files.
    """
    status = 0
    for file in files:
        history = _read(file)
        if history is None:
            status = 1
            continue
        try:
            check_history(history)
        except NotationError as error:
            status = _refuse(file, error)
        else:
            sys.stdout.write(f"{file}: deal {history.number} is as its rules have it\n")
    return status


@app.command
def export(
    table: str,
    deal: int,
    /,
    *,
    database: str | None = None,
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
        File or URL in which tables are kept (default: a file in your user data folder).
    seat
        Write what this seat knew (0 is the first); without it what a spectator saw.
    everything
        Write every card, whoever knew it.
    """
    from triptych.room.history import played_deal  # noqa: PLC0415 - only this command pays

    place = database or default_database()
    if "://" not in place and not Path(place).is_file():
        sys.stderr.write(f"error: there is no database {place}\n")
        return 1
    try:
        played = played_deal(asyncio.run(_stored(place, table)), deal)
    except StoreError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    if played is None:
        sys.stderr.write(f"error: this database has no deal {deal} of a table {table}\n")
        return 1
    history = record(played.events, "all" if everything else seat, played.names)
    if history.result is None:
        sys.stderr.write(f"error: deal {deal} is still being played\n")
        return 1
    started = datetime.fromtimestamp(played.began / 1000, UTC).isoformat(timespec="milliseconds")
    sys.stdout.write(history_text(replace(history, table=played.table, started=started, stacks=played.stacks)))
    return 0


async def _stored(database: str, table: str) -> list[TableEvent]:
    """Return a table's events out of a database, none of an unknown table."""
    from triptych.room.codec import decode  # noqa: PLC0415 - only this command pays
    from triptych.server.bootstrap import store_at  # noqa: PLC0415 - as above

    store = store_at(database)
    await store.open()
    try:
        return [decode(event.visibility, event.seat, event.payload) for event in await store.load(table)]
    finally:
        await store.close()


def _read(file: Path) -> History | None:
    """Return a file's history; None, with the reason on standard error, when it holds none."""
    try:
        return parse_history(file.read_text("utf-8"))
    except OSError as error:
        sys.stderr.write(f"error: cannot read {file}: {error.strerror}\n")
    except UnicodeDecodeError:
        sys.stderr.write(f"error: {file} is not UTF-8 text\n")
    except NotationError as error:
        _refuse(file, error)
    return None


def _refuse(file: Path, error: NotationError) -> int:
    sys.stderr.write(f"{file}: error {error.code} at {error.path}: {error.message}\n")
    return 1


def _boards(history: History, boards: tuple[BoardView, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("", *ROWS, "status", "points"):
        table.add_column(heading, justify="right" if heading == "points" else "left")
    for board, name in zip(boards, history.players, strict=True):
        rows = (f"{' '.join(row.cards)} {row.name}".strip() for row in (board.front, board.middle, board.back))
        points = "" if history.result is None else f"{history.result.points[board.hand]:+d}"
        table.add_row(escape(name), *map(escape, rows), board.status, points)
    return table
