"""One commit: the appends of many tables, judged and written in one transaction.

What is said to the database is SQLAlchemy's own text, made once: to have it made for every commit takes several times
as long as SQLite takes to do it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import String, bindparam, insert, select, tuple_, update

from triptych.store.batch import CommandId, Outcome, command_id, judge
from triptych.store.checksum import FIRST, deal_checksum, event_checksum, is_whole, posting_checksum, row_checksum
from triptych.store.protocol import Damaged
from triptych.store.schema import commands, deals, events, postings, streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Dialect, Table

    from triptych.store.protocol import Append

Row = tuple[Any, ...]

# By database and, where it matters, by how many are asked for.
_TEXTS: Final = 1024

ANSWER: Final = "an answer is not what was written"


def transact(batch: Sequence[Append], connection: Connection, *, trusting: bool) -> Sequence[Outcome]:
    """Write what can be written of a batch, in the connection's transaction; return each append's outcome.

    `trusting`: take every command for a new one, as nearly all are. One that is not raises IntegrityError; then the
    batch is to be done again without trust.
    """
    heads = _heads(connection, batch)
    versions = {table: head.version for table, head in heads.items()}
    outcomes, accepted = judge(batch, versions, {})
    if not trusting or len(accepted) < len(batch):
        outcomes, accepted = judge(batch, versions, _answers(connection, batch))
    _write(connection, accepted, heads)
    return outcomes


class _Head(NamedTuple):
    """Where a table's record ends: its version, and the checksums of its last event and posting."""

    version: int
    checksum: bytes
    ledger: bytes


_NEW: Final = _Head(0, FIRST, FIRST)


def _heads(connection: Connection, batch: Sequence[Append]) -> dict[str, _Head]:
    """Return the heads of a batch's tables. Their rows are locked, always in the same order, against others."""
    tables = tuple({append.table for append in batch})
    found = connection.exec_driver_sql(_heads_text(connection.dialect, len(tables)), tables)
    return {table: _Head(*head) for table, *head in found}


def _answers(connection: Connection, batch: Sequence[Append]) -> dict[CommandId, bytes | Damaged]:
    keys = {key for append in batch if (key := command_id(append)) is not None}
    if not keys:
        return {}
    key_of = tuple_(commands.c.table_id, commands.c.player, commands.c.cmd_id)
    found = connection.execute(select(commands).where(key_of.in_(keys)))
    answers: dict[CommandId, bytes | Damaged] = {}
    for row in found:
        key = (row.table_id, row.player, row.cmd_id)
        answers[key] = row.answer if is_whole(row, row.answer, *key) else Damaged(row.table_id, ANSWER)
    return answers


def _write(connection: Connection, accepted: Sequence[Append], heads: dict[str, _Head]) -> None:
    """Write the accepted appends, one statement a database table however many they are."""
    dialect = connection.dialect
    written: list[Row] = []
    posted: list[Row] = []
    # Of several appends to one table, the last one says the new head.
    ends: dict[str, tuple[int, bool, bytes, bytes]] = {}
    for append in accepted:
        table, version = append.table, append.expected
        checksum, ledger = ends[table][2:] if table in ends else heads.get(table, _NEW)[1:]
        for event in append.events:
            version += 1
            checksum = event_checksum(checksum, table, version, event)
            written.append((table, version, event.visibility, event.seat, event.payload, checksum))
        for posting in append.postings:
            ledger = posting_checksum(ledger, table, posting)
            posted.append((table, posting.debit, posting.credit, posting.points, posting.reason, ledger))
        ends[table] = (version, append.ends, checksum, ledger)
    answered = [
        (*key, append.answer, row_checksum(append.answer, *key))
        for append in accepted
        if (key := command_id(append)) is not None
    ]
    finished = [
        (append.table, deal.deal, deal.match, deal.payload, deal_checksum(append.table, deal))
        for append in accepted
        for deal in append.summaries
    ]
    work: tuple[tuple[str, list[Row]], ...] = (
        (_insert_text(dialect, streams), [(of, *end) for of, end in ends.items() if of not in heads]),
        (_move_head_text(dialect), [(*end, of) for of, end in ends.items() if of in heads]),
        (_insert_text(dialect, events), written),
        (_insert_text(dialect, commands), answered),
        (_insert_text(dialect, postings), posted),
        (_insert_text(dialect, deals), finished),
    )
    for text, rows in work:
        if rows:
            connection.exec_driver_sql(text, rows)


@lru_cache(_TEXTS)
def _heads_text(dialect: Dialect, tables: int) -> str:
    """Return the question for the versions of so many tables; SQLite, which has locked the whole file, locks none."""
    wanted = streams.c.table_id.in_([bindparam(str(number), type_=String) for number in range(tables)])
    columns = (streams.c.table_id, streams.c.version, streams.c.checksum, streams.c.ledger_checksum)
    heads = select(*columns).where(wanted)
    return str(heads.order_by(streams.c.table_id).with_for_update().compile(dialect=dialect))


@lru_cache(_TEXTS)
def _move_head_text(dialect: Dialect) -> str:
    """Return what moves a table's head: its values are version, ended, both checksums, table."""
    move = update(streams).where(streams.c.table_id == bindparam("of"))
    values: dict[str, Any] = {
        "version": bindparam("to"),
        "ended": bindparam("over"),
        "checksum": bindparam("last"),
        "ledger_checksum": bindparam("posted"),
    }
    return str(move.values(values).compile(dialect=dialect))


@lru_cache(_TEXTS)
def _insert_text(dialect: Dialect, into: Table) -> str:
    """Return what adds a row: its values are the table's columns in their order, but for an id of the database's."""
    columns = [column.name for column in into.columns if column is not into.autoincrement_column]
    return str(insert(into).inline().compile(dialect=dialect, column_keys=columns))
