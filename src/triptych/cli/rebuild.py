"""`triptych rebuild`: everything that is made from the journal of a database is made anew."""

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

    The room must be shut. Results and snapshots are thrown away too; the room writes them when it is next open.

    Parameters
    ----------
    database
        File or URL in which tables are kept (default: a file in your user data folder); @FILE reads it from a file.
    """
    place = default_database() if database is None else database
    try:
        verify_database(place)
        with database_errors(place):
            report = asyncio.run(_rebuilt(place))
    except StoreError as error:
        return report_message(str(error))
    for one in report.projections:
        sys.stdout.write(f"{one.name}: {_projection_line(one)}\n")
    if report.damaged:
        sys.stdout.write("".join(f"  {one}\n" for one in report.damaged))
        return report_message(f"the journal itself is damaged in {len(report.damaged)} tables; see triptych restore")
    return 0


def _projection_line(one: ProjectionReport) -> str:
    if one.same:
        return f"{one.rows} rows, as they were"
    return f"{one.rows} rows; there were {one.before}, and they were not what the journal says"


async def _rebuilt(place: str) -> RebuildReport:
    from triptych.server.bootstrap import store_from_url  # noqa: PLC0415 - only this command pays

    store = store_from_url(place)
    # As a server does: no other one may write meanwhile.
    await store.open(ServerInfo(os.getpid(), time.time_ns() // 1_000_000))
    try:
        await store.snapshots.clear()
        await store.results.clear()
        return await store.rebuild()
    finally:
        await store.close()
