"""Several processes that serve one port of one machine: started, brought back when they die, and stopped together."""

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


def supervise(wanted: ServeOptions, count: int) -> None:
    """Serve with several processes until a signal comes."""
    from triptych.server.bootstrap import store_from_url  # noqa: PLC0415 - only this command pays
    from triptych.server.runner import PortInUseError, bind_socket  # noqa: PLC0415 - as above
    from triptych.store.errors import StoreError  # noqa: PLC0415 - as above

    if not hasattr(socket, "SO_REUSEPORT"):
        exit_with_error("this system lets one process have a port only; leave --workers away")
    try:
        store_from_url(wanted.database, shared=True)  # said once, not by each of them
        bind_socket(wanted.host, wanted.port).close()
        # Held as long as they live, so that the port is theirs; nobody listens at this one.
        held = bind_socket(wanted.host, wanted.port, shared=True)
    except (PortInUseError, StoreError) as error:
        exit_with_error(str(error))
    except OSError as error:
        exit_with_error(f"cannot listen on {wanted.host}: {error.strerror}")
    with held:
        status = asyncio.run(_Supervisor(wanted._replace(port=held.getsockname()[1], shared=True), count).run())
    if status:
        raise SystemExit(status)


class _Supervisor:
    def __init__(self, wanted: ServeOptions, count: int) -> None:
        self._wanted = wanted
        self._count = count
        self._spawn = multiprocessing.get_context("spawn")
        self._stop = asyncio.Event()

    async def run(self) -> int:
        from triptych.server.cluster.bus.hub import BusHub  # noqa: PLC0415 - only this command pays

        loop = asyncio.get_running_loop()
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(each, self._stop.set)
        hub = BusHub()
        if not self._wanted.bus:
            await hub.open()
            self._wanted = self._wanted._replace(bus=hub.url)
        statuses = await asyncio.gather(*map(self._keep, range(self._count)))
        await hub.close()
        return max(statuses)

    async def _keep(self, number: int) -> int:
        """Keep a process running until all are to stop; its exit status when it could not even be started."""
        first = True
        while True:
            process = self._spawn.Process(target=_work, args=(self._wanted, number > 0 or not first), daemon=False)
            process.start()
            await self._ended(process)
            if self._stop.is_set():
                return 0
            if first and process.exitcode == 1:  # it has said why
                self._stop.set()
                return 1
            first = False
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RESTART_SECONDS):
                    await self._stop.wait()
                    return 0

    async def _ended(self, process: SpawnProcess) -> None:
        """Wait until a process has ended; when all are to stop, tell it."""
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


def _work(wanted: ServeOptions, quiet: bool) -> None:  # noqa: FBT001 - what a process is given has no names
    # A terminal's Ctrl-C reaches all of them; they end when they are told.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101 - it was spawned

    def follow() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=follow, daemon=True).start()
    run_server(wanted, quiet=quiet)
