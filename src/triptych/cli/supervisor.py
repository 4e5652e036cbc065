"""Run several server processes on one port: start them, restart them after a crash, and stop them together."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import socket
import threading
from typing import TYPE_CHECKING, Final

from triptych.cli.server_process import ServeOptions, exit_with_error, run_server

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

RESTART_SECONDS: Final = 1.0
POLL_SECONDS: Final = 0.1
STOP_SECONDS: Final = 30.0


def supervise(options: ServeOptions, count: int) -> None:
    """Serve with several processes until a signal comes."""
    from triptych.server.bootstrap import store_from_url  # noqa: PLC0415 - imported by this command alone
    from triptych.server.runner import PortInUseError, bind_socket  # noqa: PLC0415 - as above
    from triptych.store.errors import StoreError  # noqa: PLC0415 - as above

    if not hasattr(socket, "SO_REUSEPORT"):
        exit_with_error("this system lets one process have a port only; leave --workers away")
    try:
        store_from_url(options.database, shared=True)  # an error is printed once, not by each process
        bind_socket(options.host, options.port).close()
        # Bound as long as the processes run, to reserve the port; it does not listen.
        reserved = bind_socket(options.host, options.port, shared=True)
    except (PortInUseError, StoreError) as error:
        exit_with_error(str(error))
    except OSError as error:
        exit_with_error(f"cannot listen on {options.host}: {error.strerror}")
    with reserved:
        status = asyncio.run(_Supervisor(options._replace(port=reserved.getsockname()[1], shared=True), count).run())
    if status:
        raise SystemExit(status)


class _Supervisor:
    def __init__(self, options: ServeOptions, count: int) -> None:
        self._options = options
        self._count = count
        self._spawn = multiprocessing.get_context("spawn")
        self._stop = asyncio.Event()

    async def run(self) -> int:
        from triptych.server.cluster.bus.hub import BusHub  # noqa: PLC0415 - imported by this command alone

        loop = asyncio.get_running_loop()
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signal_number, self._stop.set)
        hub = BusHub()
        if not self._options.bus:
            await hub.open()
            self._options = self._options._replace(bus=hub.url)
        statuses = await asyncio.gather(*map(self._keep_running, range(self._count)))
        await hub.close()
        return max(statuses)

    async def _keep_running(self, number: int) -> int:
        """Restart a process until all have to stop; return its exit status when its first start fails, else 0."""
        first = True
        while True:
            process = self._spawn.Process(
                target=_run_worker, args=(self._options, number > 0 or not first), daemon=False
            )
            process.start()
            await self._wait_for_end(process)
            if self._stop.is_set():
                return 0
            if first and process.exitcode == 1:  # it has printed the error
                self._stop.set()
                return 1
            first = False
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RESTART_SECONDS):
                    await self._stop.wait()
                    return 0

    async def _wait_for_end(self, process: SpawnProcess) -> None:
        """Wait until a process has ended; terminate it when all have to stop, and kill it if it does not end."""
        is_stopping = False
        until = 0.0
        now = asyncio.get_running_loop().time
        while process.is_alive():
            if self._stop.is_set() and not is_stopping:
                process.terminate()
                is_stopping, until = True, now() + STOP_SECONDS
            if is_stopping and now() > until:
                process.kill()
            await asyncio.sleep(POLL_SECONDS)
        process.join()


def _run_worker(options: ServeOptions, quiet: bool) -> None:  # noqa: FBT001 - a process's arguments are positional
    # A terminal's Ctrl-C reaches all processes; the supervisor terminates them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101 - it was spawned

    def end_with_parent() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_with_parent, daemon=True).start()
    run_server(options, quiet=quiet)
