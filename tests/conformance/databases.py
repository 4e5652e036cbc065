"""On which databases a proof runs: all of it on SQLite in every run, a sample of it on PostgreSQL, the rest at night.

Nearly all of what a store does is one code for both databases; a PostgreSQL with an empty database costs ten times
what a file does.
"""

from __future__ import annotations

from typing import Final

import pytest

POSTGRES_AT_NIGHT: Final = pytest.param("postgres", marks=pytest.mark.slow)
DATABASES: Final = ("sqlite", POSTGRES_AT_NIGHT)
STORES: Final = ("memory", *DATABASES)


def in_every_run(fixture: str, *kinds: str) -> pytest.MarkDecorator:
    """Run a test on these databases in every run, whatever its fixture says."""
    return pytest.mark.parametrize(fixture, kinds, indirect=True)
