"""The product's own command in a process that need not import it first: forked from one that has.

A server's imports and its application take most of the processor time of its start, and the suite starts hundreds of
servers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import IO

from tests.processes import end_with_parent

# What `triptych --no-browser` imports, the parts that it imports late too, and what has its application.
_SERVER = (
    "triptych.cli.main",
    "triptych.server.bootstrap",
    "triptych.server.runner",
    "triptych.server.cluster.member",
    "triptych.server.cluster.forwarding",
    "triptych.store.sqlite.store",
    "triptych.store.postgres.store",
    "triptych.bots.levels",
    "alembic.command",
    "tests.browser.stacked_decks",
    "tests.application",
)
_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(list(_SERVER))


class Forked:
    """A running command: what tests use of `subprocess.Popen`."""

    def __init__(self, main: Callable[[], None], arguments: Sequence[str], output: IO[bytes]) -> None:
        self._process = _FORKS.Process(target=_run, args=(main, tuple(arguments), output.name, dict(os.environ)))
        self._process.start()
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        """Return the exit status, of a signal its number below zero; None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises TimeoutExpired."""
        self._process.join(timeout)
        status = self._process.exitcode
        if status is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process is over."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask for the end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process, on the spot."""
        self.send_signal(signal.SIGKILL)


def finished(main: Callable[[], None], arguments: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end with a text as its standard input."""
    with tempfile.TemporaryDirectory(prefix="triptych-") as folder:
        streams = [Path(folder) / name for name in ("stdin", "stdout", "stderr")]
        for stream, content in zip(streams, (text, "", ""), strict=True):
            stream.write_text(content, encoding="utf-8")
        process = _FORKS.Process(target=_run_to_its_end, args=(main, tuple(arguments), streams, dict(os.environ)))
        process.start()
        process.join()
        status = process.exitcode
        process.close()
        assert status is not None
        output, errors = (stream.read_text(encoding="utf-8") for stream in streams[1:])
        return subprocess.CompletedProcess(list(arguments), status, output, errors)


def _run_to_its_end(
    main: Callable[[], None], arguments: tuple[str, ...], streams: Sequence[Path], environment: dict[str, str]
) -> None:
    if sys.platform == "linux":
        end_with_parent()
    os.environ.clear()
    os.environ.update(environment)
    for number, (stream, flags) in enumerate(zip(streams, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
        os.dup2(os.open(stream, flags), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the process runs
    sys.argv = ["triptych", *arguments]
    main()


def _run(main: Callable[[], None], arguments: tuple[str, ...], output: str, environment: dict[str, str]) -> None:
    if sys.platform == "linux":
        end_with_parent()
    os.environ.clear()
    os.environ.update(environment)
    log = os.open(output, os.O_WRONLY | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.argv = ["triptych", *arguments]
    from tests.application import spare_the_start  # noqa: PLC0415 - there, and not where the tests run

    spare_the_start()
    main()
