"""`triptych backup` and `triptych restore`: the room's database copied while it is open, checked, brought back."""

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
    """Copy the room's database into a file, while it is open or not.

    The copy holds what was committed when it was made, sealed decks too: keep it as you keep the database.

    Parameters
    ----------
    file
        Output file; must not exist.
    database
        The file or postgresql:// address in which tables are kept (default: a file in your user data folder); @FILE
        reads it from a file.
    """
    place = default_database() if database is None else database
    if "://" in place and not _is_postgres(place):
        return report_message(UNKNOWN)
    try:
        verify_database(place)
        with _sigterm_as_ctrl_c():
            if _is_postgres(place):
                from triptych.store.postgres.backup import export_to_file  # noqa: PLC0415 - a driver is loaded when it is used

                with database_errors(place):
                    asyncio.run(export_to_file(place, file))
            else:
                copy_database(Path(place), file)
    except StoreError as error:
        return report_message(str(error))
    sys.stdout.write(f"{file}: {file.stat().st_size} bytes\n")
    return 0


def restore(file: Path, /, *, database: Secret | None = None, check: Switch = False, replace: Switch = False) -> int:
    """Play every table of a backup again, compare hashes and ledger, and make it the room's database.

    Parameters
    ----------
    file
        Backup file (not modified).
    database
        The file or postgresql:// address in which tables are kept from then on; nothing may be there.
    check
        Only check.
    replace
        Move the file that is there into a folder beside it; its server must have ended.
    """
    place = default_database() if database is None else database
    if not check and "://" in place and not _is_postgres(place):
        return report_message(UNKNOWN)
    if replace and _is_postgres(place):
        return report_message("--replace moves a file; give an empty PostgreSQL")
    target = None if check or _is_postgres(place) else Path(place)
    try:
        verify_database(str(file))
        with ExitStack() as stack:
            if target is not None:
                if not replace:
                    verify_target(target)
                restrict_folder(target.parent)
                stack.enter_context(_locked(target))
            stack.enter_context(_sigterm_as_ctrl_c())
            stack.enter_context(database_errors(place))
            spare = None if target is None else target.parent
            copy = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=spare))) / "copy.db"
            copy_database(file, copy)
            report = asyncio.run(_audited(copy))
            _print_report(file, report)
            if report.faults:
                return report_message("this backup is not sound; nothing was restored")
            if target is not None and replace:
                _exchange(copy, target)
            elif not check:
                _put(copy, place)
    except (StoreError, OSError) as error:
        return report_message(str(error))
    return 0


@contextmanager
def _sigterm_as_ctrl_c() -> Iterator[None]:
    """Let a service manager that stops the command leave no half file either."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _locked(database: Path) -> Iterator[None]:
    """Keep servers from a database. Raises DatabaseInUseError when one serves it."""
    lock = FileLock(database)
    lock.acquire(_this_process())
    try:
        yield
    finally:
        lock.release()


def _this_process() -> ServerInfo:
    return ServerInfo(os.getpid(), time.time_ns() // 1_000_000)


def _exchange(copy: Path, database: Path) -> None:
    """Put a copy in the place of a database, which is kept aside; a full disk leaves the old one where it is."""
    # One whole file first, on the disk; the exchange itself only changes names.
    whole = copy.with_name("whole.db")
    copy_database(copy, whole)
    _move_aside(database)
    whole.rename(database)
    sys.stdout.write(f"{database}: restored\n")


def _move_aside(database: Path) -> None:
    """Move a database, with its newest pages, into a new folder beside it."""
    files = [database.with_name(database.name + ending) for ending in FILE_ENDINGS]
    there = [file for file in files if file.exists()]
    if there:
        folder = database.with_name(f"{database.name}.{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        folder.mkdir()
        for file in there:
            file.rename(folder / file.name)
        sys.stdout.write(f"{folder}: what was there before\n")


def _is_postgres(place: str) -> bool:
    return place.startswith(("postgres://", "postgresql://"))


def _put(copy: Path, place: str) -> None:
    if _is_postgres(place):
        from triptych.store.postgres.backup import import_from_file  # noqa: PLC0415 - a driver is loaded when it is used

        asyncio.run(import_from_file(copy, place))
        sys.stdout.write("restored\n")
    else:
        copy_database(copy, Path(place))
        sys.stdout.write(f"{place}: restored\n")


async def _audited(copy: Path) -> AuditReport:
    from triptych.server.bootstrap import store_from_url  # noqa: PLC0415 - as above
    from triptych.server.maintenance.audit import audit  # noqa: PLC0415 - only this command pays

    store = store_from_url(str(copy))
    # As a server does, which brings an older database to the present schema.
    await store.open(_this_process())
    try:
        return await audit(store)
    finally:
        await store.close()


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


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
