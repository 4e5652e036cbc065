"""One commit: the appends of many tables, judged and written in one transaction.

What is said to the database is SQLAlchemy's own text, made once: to have it made for every commit takes several times
as long as SQLite takes to do it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import String, bindparam, insert, select, tuple_, update

from triptych.store.batch import CommandId, Outcome, command_id, judge
from triptych.store.schema import commands, deals, events, postings, streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Dialect, Table

    from triptych.store.protocol import Append

Row = tuple[Any, ...]

# By database and, where it matters, by how many are asked for.
_TEXTS: Final = 1024


def transact(batch: Sequence[Append], connection: Connection, *, trusting: bool) -> Sequence[Outcome]:
    """Write what can be written of a batch, in the connection's transaction; return each append's outcome.

    `trusting`: take every command for a new one, as nearly all are. One that is not raises IntegrityError; then the
    batch is to be done again without trust.
    """
    heads = _heads(connection, batch)
    outcomes, accepted = judge(batch, heads, {})
    if not trusting or len(accepted) < len(batch):
        outcomes, accepted = judge(batch, heads, _answers(connection, batch))
    _write(connection, accepted, heads)
    return outcomes


def _heads(connection: Connection, batch: Sequence[Append]) -> dict[str, int]:
    """Return the versions of a batch's tables. Their rows are locked, always in the same order, against others."""
    tables = tuple({append.table for append in batch})
    found = connection.exec_driver_sql(_heads_text(connection.dialect, len(tables)), tables)
    return {table: version for table, version in found}  # noqa: C416 - rows are no pairs to a type checker


def _answers(connection: Connection, batch: Sequence[Append]) -> dict[CommandId, bytes]:
    keys = {key for append in batch if (key := command_id(append)) is not None}
    if not keys:
        return {}
    key_of = tuple_(commands.c.table_id, commands.c.player, commands.c.cmd_id)
    found = connection.execute(select(commands).where(key_of.in_(keys)))
    return {(row.table_id, row.player, row.cmd_id): row.answer for row in found}


def _write(connection: Connection, accepted: Sequence[Append], heads: dict[str, int]) -> None:
    """Write the accepted appends, one statement a database table however many they are."""
    # Of several appends to one table, the last one says the new version.
    ends = {append.table: (append.expected + len(append.events), append.ends) for append in accepted}
    dialect = connection.dialect
    work: tuple[tuple[str, list[Row]], ...] = (
        (_insert_text(dialect, streams), [(of, *end) for of, end in ends.items() if of not in heads]),
        (_move_head_text(dialect), [(*end, of) for of, end in ends.items() if of in heads]),
        (
            _insert_text(dialect, events),
            [
                (append.table, version, event.visibility, event.seat, event.payload)
                for append in accepted
                for version, event in enumerate(append.events, append.expected + 1)
            ],
        ),
        (
            _insert_text(dialect, commands),
            [(*key, append.answer) for append in accepted if (key := command_id(append)) is not None],
        ),
        (
            _insert_text(dialect, postings),
            [
                (append.table, posting.debit, posting.credit, posting.points, posting.reason)
                for append in accepted
                for posting in append.postings
            ],
        ),
        (
            _insert_text(dialect, deals),
            [(append.table, deal.deal, deal.match, deal.payload) for append in accepted for deal in append.summaries],
        ),
    )
    for text, rows in work:
        if rows:
            connection.exec_driver_sql(text, rows)


@lru_cache(_TEXTS)
def _heads_text(dialect: Dialect, tables: int) -> str:
    """Return the question for the versions of so many tables; SQLite, which has locked the whole file, locks none."""
    wanted = streams.c.table_id.in_([bindparam(str(number), type_=String) for number in range(tables)])
    heads = select(streams.c.table_id, streams.c.version).where(wanted)
    return str(heads.order_by(streams.c.table_id).with_for_update().compile(dialect=dialect))


@lru_cache(_TEXTS)
def _move_head_text(dialect: Dialect) -> str:
    """Return what moves a table's head: its values are version, ended, table."""
    move = update(streams).where(streams.c.table_id == bindparam("of"))
    return str(move.values(version=bindparam("to"), ended=bindparam("over")).compile(dialect=dialect))


@lru_cache(_TEXTS)
def _insert_text(dialect: Dialect, into: Table) -> str:
    """Return what adds a row: its values are the table's columns in their order, but for an id of the database's."""
    columns = [column.name for column in into.columns if column is not into.autoincrement_column]
    return str(insert(into).inline().compile(dialect=dialect, column_keys=columns))
