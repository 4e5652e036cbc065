"""Adds many rows to a table with few statements: SQLite's driver asks for Python's lock after each of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from sqlalchemy import Connection, Dialect, Table, insert

# Rows that one statement carries; every database takes more, and few lengths make few statements.
_LENGTHS: Final = (128, 32, 8, 1)
_TEXTS: Final = 1024

IGNORE_CONFLICTS: Final = " ON CONFLICT DO NOTHING"


@lru_cache
def upsert_clause(into: Table, leave: tuple[str, ...] = ()) -> str:
    """Return the end of a statement whose rows take the place of those with the same primary key; not in `leave`."""
    keys = ", ".join(column.name for column in into.primary_key)
    names = [column.name for column in into.columns if not column.primary_key and column.name not in leave]
    return f" ON CONFLICT ({keys}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in names)}"


def bulk_insert(
    connection: Connection, into: Table, rows: Sequence[tuple[Any, ...]], leave: tuple[str, ...] = (), tail: str = ""
) -> None:
    """Add rows, with a value for each column but those in `leave`; `tail` says what is done with those there are."""
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


@lru_cache(_TEXTS)
def _text(dialect: Dialect, into: Table, columns: tuple[str, ...]) -> str:
    """Return what adds a row with values of these columns."""
    return str(insert(into).inline().compile(dialect=dialect, column_keys=columns))


@lru_cache(_TEXTS)
def _text_of_many(into: Table, columns: tuple[str, ...], rows: int) -> str:
    """Return what adds so many rows to a table of SQLite."""
    values = f"({', '.join('?' * len(columns))})"
    names = ", ".join(f'"{name}"' for name in columns)
    return f"INSERT INTO {into.name} ({names}) VALUES {', '.join([values] * rows)}"  # noqa: S608 - the schema's names
