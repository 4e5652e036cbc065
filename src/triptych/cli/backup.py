"""`triptych backup` and `triptych restore`: copy a server's database while it runs; check the copy and restore it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.cli.database import database_errors, verify_database
from triptych.cli.errors import report_message
from triptych.cli.options import Secret, Switch
from triptych.cli.serve import default_database
from triptych.store.errors import StoreError
from triptych.store.file_lock import FileLock
from triptych.store.file_permissions import FILE_ENDINGS, restrict_folder
from triptych.store.leases.interface import ServerInfo
from triptych.store.sqlite.backup import copy_database, verify_target

if TYPE_CHECKING:
    from triptych.server.maintenance.audit import AuditReport

UNKNOWN = "give a file or postgresql://host/name"


def backup(file: Path, /, *, database: Secret | None = None) -> int:
    """Copy the server's database into a file, also while the server runs.

    The copy holds everything committed by then, sealed decks too: protect it like the database.

    Parameters
    ----------
    file
        Output file; must not exist.
    database
        The file or postgresql:// address in which tables are kept (default: a file in your user data folder); @FILE
        reads it from a file.
    """
    url = default_database() if database is None else database
    if "://" in url and not _is_postgres(url):
        return report_message(UNKNOWN)
    try:
        verify_database(url)
        with _sigterm_as_ctrl_c():
            if _is_postgres(url):
                from triptych.store.postgres.backup import export_to_file  # noqa: PLC0415 - the driver is optional

                with database_errors(url):
                    asyncio.run(export_to_file(url, file))
            else:
                copy_database(Path(url), file)
    except StoreError as error:
        return report_message(str(error))
    sys.stdout.write(f"{file}: {file.stat().st_size} bytes\n")
    return 0


def restore(file: Path, /, *, database: Secret | None = None, check: Switch = False, replace: Switch = False) -> int:
    """Replay every table of a backup, compare hashes and ledger, and make it the server's database.

    Parameters
    ----------
    file
        Backup file (not modified).
    database
        The file or postgresql:// address in which tables are kept from then on; nothing may be there.
    check
        Only check.
    replace
        Move the existing file into a folder next to it; its server must be stopped.
    """
    url = default_database() if database is None else database
    if not check and "://" in url and not _is_postgres(url):
        return report_message(UNKNOWN)
    if replace and _is_postgres(url):
        return report_message("--replace moves a file; give an empty PostgreSQL")
    target = None if check or _is_postgres(url) else Path(url)
    try:
        verify_database(str(file))
        with ExitStack() as stack:
            if target is not None:
                if not replace:
                    verify_target(target)
                restrict_folder(target.parent)
                stack.enter_context(_locked(target))
            stack.enter_context(_sigterm_as_ctrl_c())
            stack.enter_context(database_errors(url))
            spare = None if target is None else target.parent
            copy = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=spare))) / "copy.db"
            copy_database(file, copy)
            report = asyncio.run(_audit(copy))
            _print_report(file, report)
            if report.faults:
                return report_message("this backup is not sound; nothing was restored")
            if target is not None and replace:
                _replace(copy, target)
            elif not check:
                _write(copy, url)
    except (StoreError, OSError) as error:
        return report_message(str(error))
    return 0


@contextmanager
def _sigterm_as_ctrl_c() -> Iterator[None]:
    """Handle SIGTERM like Ctrl-C, so that no incomplete file is left when a service manager stops the command."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    former_handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former_handler)


@contextmanager
def _locked(database: Path) -> Iterator[None]:
    """Lock a database against servers. Raises DatabaseInUseError when one serves it."""
    lock = FileLock(database)
    lock.acquire(_this_process())
    try:
        yield
    finally:
        lock.release()


def _this_process() -> ServerInfo:
    return ServerInfo(os.getpid(), time.time_ns() // 1_000_000)


def _replace(copy: Path, database: Path) -> None:
    """Replace a database with a copy, and keep the old one; on a full disk the old one stays in use."""
    # The new file is complete and on the disk first; the replacement itself only renames files.
    complete = copy.with_name("whole.db")
    copy_database(copy, complete)
    _move_aside(database)
    complete.rename(database)
    sys.stdout.write(f"{database}: restored\n")


def _move_aside(database: Path) -> None:
    """Move a database and its write-ahead log into a new folder next to it."""
    files = [database.with_name(database.name + ending) for ending in FILE_ENDINGS]
    existing = [file for file in files if file.exists()]
    if existing:
        folder = database.with_name(f"{database.name}.{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        folder.mkdir()
        for file in existing:
            file.rename(folder / file.name)
        sys.stdout.write(f"{folder}: the former database\n")


def _is_postgres(url: str) -> bool:
    return url.startswith(("postgres://", "postgresql://"))


def _write(copy: Path, url: str) -> None:
    if _is_postgres(url):
        from triptych.store.postgres.backup import import_from_file  # noqa: PLC0415 - a driver is loaded when it is used

        asyncio.run(import_from_file(copy, url))
        sys.stdout.write("restored\n")
    else:
        copy_database(copy, Path(url))
        sys.stdout.write(f"{url}: restored\n")


async def _audit(copy: Path) -> AuditReport:
    from triptych.server.bootstrap import store_from_url  # noqa: PLC0415 - as above
    from triptych.server.maintenance.audit import audit  # noqa: PLC0415 - only this command pays

    store = store_from_url(str(copy))
    # Opened as a server, which migrates an older database.
    await store.open(_this_process())
    try:
        return await audit(store)
    finally:
        await store.close()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _print_report(file: Path, report: AuditReport) -> None:
    sys.stdout.write(
        f"{file}: replayed {_count(report.tables, 'table')} and {_count(report.tournaments, 'tournament')}, "
        f"{_count(report.events, 'event')}, {_count(report.postings, 'posting')}; "
        f"{_count(len(report.faults), 'fault')}\n"
    )
    if report.deleted:
        sys.stdout.write(f"  {report.deleted} more were deleted when their time was up\n")
    for fault in report.faults:
        sys.stdout.write(f"  {fault}\n")
