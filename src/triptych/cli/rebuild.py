"""`triptych rebuild`: rebuild everything that is projected from a database's journal."""

from __future__ import annotations

import asyncio
import os
import sys
import time

from triptych.cli.database import database_errors, verify_database
from triptych.cli.errors import report_message
from triptych.cli.options import Secret
from triptych.cli.serve import default_database
from triptych.store.errors import StoreError
from triptych.store.leases.interface import ServerInfo
from triptych.store.types import ProjectionReport, RebuildReport


def rebuild(*, database: Secret | None = None) -> int:
    """Rebuild all derived data from the journal and report inconsistencies.

    The server must be stopped. Results and snapshots are deleted too; the server writes them at its next start.

    Parameters
    ----------
    database
        File or URL in which tables are kept (default: a file in your user data folder); @FILE reads it from a file.
    """
    url = default_database() if database is None else database
    try:
        verify_database(url)
        with database_errors(url):
            report = asyncio.run(_rebuild(url))
    except StoreError as error:
        return report_message(str(error))
    for projection in report.projections:
        sys.stdout.write(f"{projection.name}: {_projection_line(projection)}\n")
    if report.damaged:
        sys.stdout.write("".join(f"  {table}\n" for table in report.damaged))
        return report_message(f"the journal itself is damaged in {len(report.damaged)} tables; see triptych restore")
    return 0


def _projection_line(projection: ProjectionReport) -> str:
    if projection.same:
        return f"{projection.rows} rows, as they were"
    return f"{projection.rows} rows; there were {projection.before}, and they were not what the journal says"


async def _rebuild(url: str) -> RebuildReport:
    from triptych.server.bootstrap import store_from_url  # noqa: PLC0415 - imported by this command alone

    store = store_from_url(url)
    # Opened as a server, so that no other process writes meanwhile.
    await store.open(ServerInfo(os.getpid(), time.time_ns() // 1_000_000))
    try:
        await store.snapshots.clear()
        await store.results.clear()
        return await store.rebuild()
    finally:
        await store.close()
