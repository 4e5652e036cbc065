"""Count and hash the projections, to compare them before and after a rebuild."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, select

from triptych.store.checksums import SIZE
from triptych.store.schema import commands, deals, events, postings, streams
from triptych.store.types import ProjectionReport

# The projections with the order of their rows; ids that only number rows are left out.
_SORTED: Final = {
    streams: (streams.c.table_id,),
    events: (events.c.table_id, events.c.version),
    commands: (commands.c.table_id, commands.c.player, commands.c.cmd_id),
    postings: (postings.c.table_id, postings.c.id),
    deals: (deals.c.table_id, deals.c.deal),
}
_COUNTERS: Final = {streams.c.id, postings.c.id}
_AT_ONCE: Final = 1_000
_WRITE: Final = msgspec.msgpack.Encoder()


class ProjectionDigest(NamedTuple):
    """The number of rows, and a hash of all of them."""

    rows: int
    hash: bytes


def projection_digests(connection: Connection) -> Mapping[str, ProjectionDigest]:
    """Return the digest of each projection, by the names of the tables."""
    digests: dict[str, ProjectionDigest] = {}
    for table, order in _SORTED.items():
        columns = [column for column in table.columns if column not in _COUNTERS]
        digest, count = blake2b(digest_size=SIZE), 0
        rows = connection.execution_options(yield_per=_AT_ONCE).execute(select(*columns).order_by(*order))
        for row in rows:
            digest.update(_WRITE.encode(tuple(row)))
            count += 1
        digests[table.name] = ProjectionDigest(count, digest.digest())
    return digests


def corrupt_streams(connection: Connection) -> tuple[str, ...]:
    """Return the tables with corrupt rows in the journal, with the reasons."""
    query = select(streams.c.table_id, streams.c.damage).where(streams.c.damage.is_not(None)).order_by(streams.c.id)
    return tuple([f"{row.table_id}: {row.damage}" for row in connection.execute(query)])


def compare(
    before: Mapping[str, ProjectionDigest], after: Mapping[str, ProjectionDigest]
) -> tuple[ProjectionReport, ...]:
    """Return how projections have changed."""
    return tuple(
        ProjectionReport(name, digest.rows, before[name].rows, same=digest == before[name])
        for name, digest in after.items()
    )
