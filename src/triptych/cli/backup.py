"""`triptych backup` and `triptych restore`: the room's database copied while it is open, checked, brought back."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.cli.options import Switch
from triptych.cli.refuse import complain
from triptych.cli.serve import default_database
from triptych.store.backup import copy_database
from triptych.store.leases import Serving
from triptych.store.protocol import StoreError

if TYPE_CHECKING:
    from triptych.server.audit import Audit

ELSEWHERE = "a PostgreSQL database is copied by its own tools (pg_dump, pg_basebackup); see docs/hosting.md"


def backup(file: Path, /, *, database: str | None = None) -> int:
    """Copy the room's database into a file, while it is open or not.

    The copy holds what was committed when it was made, sealed decks too: keep it as you keep the database.

    Parameters
    ----------
    file
        Where the copy goes; nothing may be there.
    database
        The file in which tables are kept (default: a file in your user data folder).
    """
    place = database or default_database()
    if "://" in place:
        return complain(ELSEWHERE)
    try:
        copy_database(Path(place), file)
    except StoreError as error:
        return complain(str(error))
    sys.stdout.write(f"{file}: {file.stat().st_size} bytes\n")
    return 0


def restore(file: Path, /, *, database: str | None = None, check: Switch = False) -> int:
    """Play every table of a backup again, compare hashes and ledger, and make it the room's database.

    Parameters
    ----------
    file
        What triptych backup wrote; it is not changed.
    database
        The file in which tables are kept from then on; nothing may be there.
    check
        Only check.
    """
    place = database or default_database()
    if "://" in place:
        return complain(ELSEWHERE)
    target = Path(place)
    if not check and target.exists():
        return complain(f"{target} is there already; move it away first")
    try:
        with tempfile.TemporaryDirectory(dir=None if check else target.parent) as folder:
            copy = Path(folder) / "copy.db"
            copy_database(file, copy)
            found = asyncio.run(_audited(copy))
            _tell(file, found)
            if found.faults:
                return complain("this backup is not sound; nothing was restored")
            if not check:
                copy_database(copy, target)
                sys.stdout.write(f"{target}: restored\n")
    except (StoreError, OSError) as error:
        return complain(str(error))
    return 0


async def _audited(copy: Path) -> Audit:
    from triptych.server.audit import audit  # noqa: PLC0415 - only this command pays
    from triptych.server.bootstrap import store_at  # noqa: PLC0415 - as above

    store = store_at(str(copy))
    # As a server does, which brings an older database to the present schema.
    await store.open(Serving(os.getpid(), time.time_ns() // 1_000_000))
    try:
        return await audit(store)
    finally:
        await store.close()


def _tell(file: Path, found: Audit) -> None:
    sys.stdout.write(
        f"{file}: {found.tables} tables and {found.beside} tournaments played again, "
        f"{found.events} events, {found.postings} postings; {len(found.faults)} faults\n"
    )
    for fault in found.faults:
        sys.stdout.write(f"  {fault}\n")
