"""The named points of an action, a start, a move and a drain, at which a server kills itself.

`python -m tests.faults.kill_points NAME:N -- --port …` runs the program, which sends itself SIGKILL when it reaches
the point for the N-th time. The server contains nothing of it: what runs at a point is wrapped from here, before it
starts.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    Reach = Callable[[], None]


def main() -> None:
    """Run the program with a point armed."""
    name, _, nth = sys.argv[1].partition(":")
    left = int(nth)

    def reach() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    POINTS[name](reach)
    sys.argv = ["triptych", *sys.argv[3:]]
    from triptych.cli.main import main as program  # noqa: PLC0415 - what it imports is wrapped already

    program()


def _before(owner: object, name: str, reach: Reach) -> None:
    """Come to the point before something is called."""
    inner = getattr(owner, name)

    def called(*args: Any, **named: Any) -> Any:
        reach()
        return inner(*args, **named)

    setattr(owner, name, called)


def _after(owner: object, name: str, reach: Reach) -> None:
    """Come to the point when something was called."""
    inner = getattr(owner, name)

    def called(*args: Any, **named: Any) -> Any:
        result = inner(*args, **named)
        reach()
        return result

    setattr(owner, name, called)


def _awaited(owner: object, name: str, reach: Reach) -> None:
    """Come to the point when something was awaited."""
    inner = getattr(owner, name)

    async def called(*args: Any, **named: Any) -> Any:
        result = await inner(*args, **named)
        reach()
        return result

    setattr(owner, name, called)


def _write(reach: Reach, *, written: bool) -> None:
    """Come to the point before or after a row of the journal is written, in either database."""
    from triptych.store.journal.rows import WriteRow  # noqa: PLC0415 - as above
    from triptych.store.postgres import journal as postgres_journal  # noqa: PLC0415 - only where it is run
    from triptych.store.sqlite.journal import SqliteJournal  # noqa: PLC0415 - as above

    sqlite_execute, postgres_execute = SqliteJournal._execute, postgres_journal._execute

    def here(self: SqliteJournal, operation: Any) -> Any:
        if isinstance(operation, WriteRow) and not written:
            reach()
        result = sqlite_execute(self, operation)
        if isinstance(operation, WriteRow) and written:
            reach()
        return result

    async def there(operation: Any, connection: Any) -> Any:
        if isinstance(operation, WriteRow) and not written:
            reach()
        result = await postgres_execute(operation, connection)
        if isinstance(operation, WriteRow) and written:
            reach()
        return result

    SqliteJournal._execute = here  # type: ignore[method-assign]
    postgres_journal._execute = there


def _not_published(reach: Reach) -> None:
    from triptych.server.tables.subscribers import Subscribers  # noqa: PLC0415 - as above

    _before(Subscribers, "broadcast", reach)


def _published(reach: Reach) -> None:
    from triptych.server.tables.subscribers import Subscribers  # noqa: PLC0415 - as above

    _after(Subscribers, "broadcast", reach)


def _before_rows(module: object, table: str, reach: Reach) -> None:
    """Come to the point before a module adds rows to a table, behind those to others."""
    from triptych.store import bulk_insert as many  # noqa: PLC0415 - as above
    from triptych.store import schema  # noqa: PLC0415 - as above

    def half(connection: Any, into: Any, rows: Any, *args: Any, **named: Any) -> None:
        if into is getattr(schema, table) and rows:
            reach()
        many.bulk_insert(connection, into, rows, *args, **named)

    module.bulk_insert = half  # type: ignore[attr-defined]


def _project_soon() -> None:
    from triptych.store.projections import projector  # noqa: PLC0415 - as above

    projector.PAUSE_SECONDS = 0.5  # type: ignore[misc] # as often as the test wants it


def _half_projected(reach: Reach) -> None:
    """Events are in, the answers and the table's head are not."""
    from triptych.store.projections import project  # noqa: PLC0415 - as above

    _project_soon()
    _before_rows(project, "commands", reach)


def _projected(reach: Reach) -> None:
    """Everything of a lot is written, and not committed."""
    from triptych.store.sql import store as sql  # noqa: PLC0415 - as above

    _project_soon()
    _after(sql, "project", reach)


def _not_dropped(reach: Reach) -> None:
    """The projection is committed, and memory does not know."""
    from triptych.store.journal.backlog import ProjectionBacklog  # noqa: PLC0415 - as above

    _project_soon()
    _before(ProjectionBacklog, "discard", reach)


def _in_a_snapshot(reach: Reach) -> None:
    """The snapshots are in, the summaries are not."""
    from triptych.server.tables import snapshots  # noqa: PLC0415 - as above
    from triptych.store.sql import snapshots as sql_snapshots  # noqa: PLC0415 - as above

    snapshots.PAUSE_SECONDS = 0.5  # type: ignore[misc] # as often as the test wants one
    _before_rows(sql_snapshots, "summaries", reach)


def _in_a_record(reach: Reach) -> None:
    """Lines of results are replaced, the sessions' are not."""
    from triptych.store.sql import results as sql_records  # noqa: PLC0415 - as above

    _before_rows(sql_records, "session_results", reach)


def _alive(reach: Reach) -> None:
    from triptych.store.sql.store import SqlStore  # noqa: PLC0415 - as above

    _awaited(SqlStore, "record_alive", reach)


def _migrating(reach: Reach) -> None:
    """A statement of a migration is done, in a transaction that is not."""
    from sqlalchemy import Engine, event  # noqa: PLC0415 - as above

    from triptych.store import migrate  # noqa: PLC0415 - as above

    upgrade = migrate.upgrade

    def upgraded(connection: Any, until: str) -> None:
        def done(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if statement.lstrip().startswith(("CREATE", "ALTER", "INSERT", "UPDATE", "DROP")):
                reach()

        event.listen(Engine, "after_cursor_execute", done)
        upgrade(connection, until)
        event.remove(Engine, "after_cursor_execute", done)

    migrate.upgrade = upgraded


def _claimed(reach: Reach) -> None:
    """The database is ours, its epoch is the last one's."""
    from triptych.store.sql import store as sql  # noqa: PLC0415 - as above

    _before(sql, "_begin_epoch", reach)


def _epoch_begun(reach: Reach) -> None:
    from triptych.store.journal.writer import JournalWriter  # noqa: PLC0415 - as above

    _after(JournalWriter, "start_epoch", reach)


def _loading(reach: Reach) -> None:
    """A table is read, and plays not yet."""
    from triptych.server.tables import directory  # noqa: PLC0415 - as above

    _awaited(directory, "load_table", reach)


def _stopped(reach: Reach) -> None:
    """A drain has stopped a table."""
    from triptych.server.tables.actor import TableActor  # noqa: PLC0415 - as above

    _awaited(TableActor, "stop", reach)


def _draining(reach: Reach) -> None:
    """A drain has begun: connections are closed, tables play."""
    from triptych.server.tables.service import TableService  # noqa: PLC0415 - as above

    _before(TableService, "close", reach)


def _drained(reach: Reach) -> None:
    """All tables have stopped, and the store is open."""
    from triptych.store.sql.store import SqlStore  # noqa: PLC0415 - as above

    _before(SqlStore, "close", reach)


def _left(reach: Reach) -> None:
    """A drained server has given up what it owned, and has told nobody."""
    from triptych.store.postgres.leases import PostgresLeases  # noqa: PLC0415 - as above

    _awaited(PostgresLeases, "unregister", reach)


def _following(reach: Reach) -> None:
    """A table has lost its owner; the next one has not read what that wrote."""
    from triptych.store.sql.store import SqlStore  # noqa: PLC0415 - as above

    _before(SqlStore, "project_partition", reach)


def _followed(reach: Reach) -> None:
    """It has, and owns nothing yet."""
    from triptych.store.sql.store import SqlStore  # noqa: PLC0415 - as above

    _awaited(SqlStore, "project_partition", reach)


def _taking(reach: Reach) -> None:
    """The lease is taken in the database, its epoch is begun, the writer does not know."""
    from triptych.store.sql.store import SqlStore  # noqa: PLC0415 - as above

    _before(SqlStore, "add_lease", reach)


def _taken(reach: Reach) -> None:
    """The table is ours, and not loaded."""
    from triptych.store.sql.store import SqlStore  # noqa: PLC0415 - as above

    _awaited(SqlStore, "add_lease", reach)


def _starting_again(reach: Reach) -> None:
    """A server that was held for dead has dropped its tables, and is not back."""
    from triptych.server.cluster.listener import ClusterListener  # noqa: PLC0415 - as above

    _awaited(ClusterListener, "drop_all", reach)


# Of an action, and what goes on beside it.
PLAYING: Final[dict[str, Callable[[Reach], None]]] = {
    "row-not-written": lambda reach: _write(reach, written=False),
    "row-written-not-answered": lambda reach: _write(reach, written=True),
    "answered-not-published": _not_published,
    "published": _published,
    "half-projected": _half_projected,
    "projected-not-committed": _projected,
    "projected-not-dropped": _not_dropped,
    "in-a-snapshot": _in_a_snapshot,
    "in-a-record": _in_a_record,
    "alive-noted": _alive,
}
# Of a start: the next one begins where it was left.
STARTING: Final[dict[str, Callable[[Reach], None]]] = {
    "migrating": _migrating,
    "claimed": _claimed,
    "epoch-begun": _epoch_begun,
    "loading": _loading,
}
# Of an end by SIGTERM.
DRAINING: Final[dict[str, Callable[[Reach], None]]] = {
    "draining": _draining,
    "table-stopped": _stopped,
    "drained": _drained,
}
# Of a table that goes from a server of a cluster to another one, by death, by drain, or past its lease.
MOVING: Final[dict[str, Callable[[Reach], None]]] = {
    "following": _following,
    "followed": _followed,
    "taking": _taking,
    "taken": _taken,
    "left": _left,
    "starting-again": _starting_again,
}
POINTS: Final = {**PLAYING, **STARTING, **DRAINING, **MOVING}

if __name__ == "__main__":
    main()
