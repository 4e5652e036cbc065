"""The protocols made from uvicorn's classes: which versions they fit, and what serves with any other."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
import uvicorn

from tests.server.in_process import play, run_server, seat_two
from triptych.server.edge import uvicorn_adapter
from triptych.server.edge.uvicorn_adapter import FITTING_VERSIONS, fits

pytestmark = pytest.mark.anyio
PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_the_adapter_fits_uvicorn_from_the_oldest_allowed_to_the_installed_version() -> None:
    """A newer uvicorn fails here: let the tests of this folder pass with it, then write it into the adapter."""
    assert fits(uvicorn.__version__), f"not tested with uvicorn {uvicorn.__version__}"
    oldest = re.search(r'"uvicorn>=(\d+)\.(\d+)', PROJECT.read_text())
    assert oldest is not None
    assert tuple(map(int, oldest.groups())) == FITTING_VERSIONS[0]


@pytest.mark.parametrize(
    ("version", "fitting"), [("0.48.9", False), ("0.49.0", True), ("0.54.1", True), ("0.55.0", False), ("1.0", False)]
)
def test_a_version_fits_or_not(version: str, *, fitting: bool) -> None:
    assert fits(version) is fitting


async def test_another_version_serves_with_uvicorns_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(uvicorn_adapter, "FITTING_VERSIONS", ((0, 1), (0, 2)))
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, "pineapple")
        await asyncio.gather(play(ann, table, 1), play(bob, table, 1))
    assert "not tested with this uvicorn" in capsys.readouterr().out
