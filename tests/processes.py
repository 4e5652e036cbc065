"""Programs that a test starts: they end with the test, also when the test itself is killed."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


class Running(Protocol):
    """A program that was started: what tests use of `subprocess.Popen`."""

    @property
    def pid(self) -> int:
        """Its process."""

    def poll(self) -> int | None:
        """Return the exit status, of a signal its number below zero; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises TimeoutExpired."""

    def send_signal(self, sig: int, /) -> None:
        """Send a signal, unless it is over."""

    def terminate(self) -> None:
        """Ask for the end."""

    def kill(self) -> None:
        """End it, on the spot."""


def started(
    program: Sequence[str | Path], output: IO[bytes], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a program without input; on Linux the kernel ends it when this process ends, however that happens."""
    return subprocess.Popen(
        program,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        preexec_fn=end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - starts from one thread
    )


def end_with_parent() -> None:
    """Let the kernel end this process when the one that started it ends (Linux)."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
