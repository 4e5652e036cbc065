"""A log says why a database could not do something, and nothing else (issue 10, part 3, point 6)."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from triptych.store.sql.error_causes import DAMAGED, FULL, LOCKED, UNREACHABLE, UNWRITABLE, error_cause


def failure(file: Path, *statements: str) -> OperationalError:
    """Return the error to which the last of some statements leads."""
    engine = create_engine(f"sqlite:///{file}", connect_args={"timeout": 0})
    try:
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(text(statement))
    except OperationalError as error:
        return error
    finally:
        engine.dispose()
    raise AssertionError


def test_sqlite_full_locked_and_gone(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    grow = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 9000) INSERT INTO t SELECT x FROM n"
    full = failure(file, "PRAGMA max_page_count = 2", "CREATE TABLE t (x TEXT)", grow)
    assert error_cause(full) == FULL
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert error_cause(failure(file, "SELECT * FROM sqlite_master")) == LOCKED
    holder.close()
    assert error_cause(failure(tmp_path / "no" / "b.db", "SELECT 1")) == UNREACHABLE


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    file.write_text("no database at all, but long enough to be taken for a header of one, or so one would think")
    engine = create_engine(f"sqlite:///{file}")
    with pytest.raises(Exception, match="not a database") as caught, engine.connect() as connection:
        connection.execute(text("SELECT * FROM sqlite_master"))
    engine.dispose()
    assert error_cause(caught.value) == DAMAGED


class Postgres(Exception):  # noqa: N818 - as drivers raise them
    def __init__(self, sqlstate: str) -> None:
        super().__init__("INSERT INTO events VALUES ('Ah')")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("53100", FULL),
        ("57P01", UNREACHABLE),
        ("08006", UNREACHABLE),
        ("53300", UNREACHABLE),
        ("55P03", LOCKED),
        ("25006", UNWRITABLE),
    ],
)
def test_postgresql_by_its_codes(code: str, cause: str) -> None:
    """https://www.postgresql.org/docs/current/errcodes-appendix.html."""
    assert error_cause(Postgres(code)) == cause


def test_the_systems_own_errors_and_those_of_nobody() -> None:
    assert error_cause(OSError(errno.ENOSPC, "no space")) == FULL
    assert error_cause(ConnectionResetError()) == UNREACHABLE
    assert error_cause(ZeroDivisionError()) == ""
