"""Time the first start on a fresh clone with empty caches: `python -m scripts.first_start --runs 3`.

Each run clones the last commit of this checkout into a temporary folder, runs `uv run triptych` there as README.md
says, and waits until the lobby answers and until the server hands out the kernel with which a browser analyses. It
prints both times, the processor time, and the ten longest steps of the build. `--incremental` builds one clone with
the contributor's set-up (CONTRIBUTING.md) and then times, for each file of native/bind, the build after the file was
touched and a small test. No compiler cache is used; packages come from the index that the environment names. Times
mean something on an idle machine only: the load at the beginning is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
SERVER: Final = ("uv", "run", "triptych", "--no-browser")
SYNC: Final = ("uv", "sync", "--group", "dev", "--no-build-isolation-package", "triptych")
TEST: Final = "tests/test_kernel_types.py"
MAX_SECONDS: Final = 1200
# What makes a build differ from a stranger's: compiler caches, another environment, no client.
DROPPED: Final = (
    "CMAKE_CXX_COMPILER_LAUNCHER",
    "CMAKE_C_COMPILER_LAUNCHER",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPATH",
    "TRIPTYCH_SKIP_WEB",
    "UV_COMPILE_BYTECODE",
    "UV_NO_SYNC",
    "UV_PROJECT_ENVIRONMENT",
    "VIRTUAL_ENV",
)


class Step(NamedTuple):
    """One step of a build: seconds after its beginning, and what was made."""

    start: float
    end: float
    output: str

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.end - self.start


def longest_steps(log: str, count: int = 10) -> list[Step]:
    """Read a .ninja_log; return its longest steps, longest first. A step with several outputs counts once."""
    steps: dict[tuple[str, str], Step] = {}
    for line in log.splitlines():
        if line.startswith("#"):
            continue
        start, end, _, output, command = line.split("\t")
        steps.setdefault((start, command), Step(int(start) / 1000, int(end) / 1000, output))
    return sorted(steps.values(), key=lambda step: step.seconds, reverse=True)[:count]


def fresh_environment(folder: Path) -> dict[str, str]:
    """Return this process's environment with empty caches of uv and npm in a folder, without what changes a build."""
    variables = {name: value for name, value in os.environ.items() if name not in DROPPED}
    return {**variables, "UV_CACHE_DIR": str(folder / "uv-cache"), "npm_config_cache": str(folder / "npm-cache")}


def clone_to(folder: Path) -> Path:
    """Clone the last commit of this checkout into a folder; return the clone."""
    clone = folder / "triptych"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(clone)], check=True)
    return clone


def fetch(port: int, path: str) -> bytes | None:
    """Return what the server on a port of this machine answers to GET; None when it does not answer with 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return body if response.status == http.client.OK else None


def wait_for(port: int, path: str, begins: bytes, process: subprocess.Popen[bytes]) -> float:
    """Ask until the answer begins as it should; return the time. Raises RuntimeError when the process has ended."""
    latest = time.monotonic() + MAX_SECONDS
    while time.monotonic() < latest:
        body = fetch(port, path)
        if body is not None and body.lstrip()[: len(begins)].lower() == begins:
            return time.monotonic()
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}")
        time.sleep(0.05)
    raise RuntimeError(f"no right answer to {path} within {MAX_SECONDS} s")


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def processor_seconds() -> float:
    """Return the processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_first_start(folder: Path) -> None:
    """Make the first start in a folder, and print what it took."""
    clone = clone_to(folder)
    port = free_port()
    before = processor_seconds()
    began = time.monotonic()
    process = subprocess.Popen(
        [*SERVER, "--port", str(port), "--database", str(folder / "tables.sqlite3")],
        cwd=clone,
        env=fresh_environment(folder),
        start_new_session=True,
        stdout=sys.stderr,
    )
    try:
        lobby = wait_for(port, "/", b"<!doctype html", process) - began
        kernel = wait_for(port, "/kernel.wasm", b"\0asm", process) - began
    finally:
        # The server, or where it failed the build, with all that they have started.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()
    used = processor_seconds() - before
    print(f"lobby after {lobby:.1f} s, kernel for browsers after {kernel:.1f} s, {used:.1f} s of processor time")
    (log,) = clone.glob("build/*/.ninja_log")
    for step in longest_steps(log.read_text()):
        print(f"  {step.seconds:6.1f} s  ({step.start:5.1f} – {step.end:5.1f})  {Path(step.output).name}")


def time_touched(folder: Path) -> None:
    """Build a clone as a contributor does; print how long it is from each touched binding to the end of a test."""
    clone = clone_to(folder)
    environment = {name: value for name, value in os.environ.items() if name not in DROPPED}
    subprocess.run(SYNC, cwd=clone, env=environment, check=True, stdout=sys.stderr)
    (python,) = (*clone.glob(".venv/bin/python"), *clone.glob(".venv/Scripts/python.exe"))
    for source in sorted((clone / "native" / "bind").glob("*.cpp")):
        source.touch()
        began = time.monotonic()
        subprocess.run([*SYNC, "--quiet"], cwd=clone, env=environment, check=True, stdout=sys.stderr)
        built = time.monotonic()
        test = (python, "-m", "pytest", "-q", "-n", "0", TEST)
        subprocess.run(test, cwd=clone, env=environment, check=True, stdout=subprocess.DEVNULL)
        ended = time.monotonic()
        print(f"{ended - began:6.1f} s  {source.name}: build {built - began:.1f} s, test {ended - built:.1f} s")


def main(arguments: Sequence[str]) -> int:
    """Time what the arguments ask for; return the exit status."""
    parser = argparse.ArgumentParser(description="Time the first start, or the build after a touched file.")
    parser.add_argument("--runs", type=int, default=1, help="how many first starts (default: 1)")
    parser.add_argument("--incremental", action="store_true", help="time the build after each touched binding")
    options = parser.parse_args(arguments)
    if shutil.which("uv") is None:
        print("no uv here: pip install uv", file=sys.stderr)
        return 2
    print(f"load of the last minute: {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores")
    for _ in range(1 if options.incremental else options.runs):
        with tempfile.TemporaryDirectory(prefix="first-start-") as folder:
            (time_touched if options.incremental else time_first_start)(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
