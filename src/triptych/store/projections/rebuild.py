"""What was found when all that is made from the journal was made anew."""

from __future__ import annotations

from msgspec import Struct


class ProjectionReport(Struct, frozen=True):
    """One table of the database that is made from the journal: its rows, and how many there were before.

    `same`: they are what they were, byte for byte.
    """

    name: str
    rows: int
    before: int
    same: bool


class RebuildReport(Struct, frozen=True):
    """What was made anew, and what cannot be: `damaged` says of which table the journal is not what was written."""

    projections: tuple[ProjectionReport, ...] = ()
    damaged: tuple[str, ...] = ()
