"""Insert many rows with few statements: SQLite's driver acquires Python's lock after each statement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from sqlalchemy import Connection, Dialect, Table, insert

# Rows of one statement; every database takes more, and few different lengths make few different statements.
_LENGTHS: Final = (128, 32, 8, 1)
_CACHED_STATEMENTS: Final = 1024

IGNORE_CONFLICTS: Final = " ON CONFLICT DO NOTHING"


@lru_cache
def upsert_clause(into: Table, leave: tuple[str, ...] = ()) -> str:
    """Return the end of a statement that replaces rows with the same primary key, except the columns in `leave`."""
    keys = ", ".join(column.name for column in into.primary_key)
    names = [column.name for column in into.columns if not column.primary_key and column.name not in leave]
    return f" ON CONFLICT ({keys}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in names)}"


def bulk_insert(
    connection: Connection, into: Table, rows: Sequence[tuple[Any, ...]], leave: tuple[str, ...] = (), tail: str = ""
) -> None:
    """Insert rows with a value for each column but those in `leave`; `tail` is the clause for conflicts."""
    columns = tuple(column.name for column in into.columns if column.name not in leave)
    if connection.dialect.name != "sqlite":
        if rows:
            connection.exec_driver_sql(_text(connection.dialect, into, columns) + tail, list(rows))
        return
    first = 0
    for length in _LENGTHS:
        while len(rows) - first >= length:
            values = tuple(chain.from_iterable(rows[first : first + length]))
            connection.exec_driver_sql(_text_of_many(into, columns, length) + tail, values)
            first += length


@lru_cache(_CACHED_STATEMENTS)
def _text(dialect: Dialect, into: Table, columns: tuple[str, ...]) -> str:
    """Return the statement that inserts a row with values of these columns."""
    return str(insert(into).inline().compile(dialect=dialect, column_keys=columns))


@lru_cache(_CACHED_STATEMENTS)
def _text_of_many(into: Table, columns: tuple[str, ...], rows: int) -> str:
    """Return the statement that inserts this number of rows into a table of SQLite."""
    values = f"({', '.join('?' * len(columns))})"
    names = ", ".join(f'"{name}"' for name in columns)
    return f"INSERT INTO {into.name} ({names}) VALUES {', '.join([values] * rows)}"  # noqa: S608 - the schema's names
