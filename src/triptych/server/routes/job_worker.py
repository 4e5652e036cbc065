"""The process in which strangers' requests are worked out: frames of jobs/pool.py in and out, within limits.

It serves until its input ends. A request that breaks its limits ends the process; the server starts another one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from triptych.errors import TriptychError
from triptych.server.jobs.pool import CPU_SECONDS, MOST_MEGABYTES, SIZE, Done, Order, frame
from triptych.server.log import where
from triptych.server.routes import analysis, replay, review, rules, scorer
from triptych.server.wire.errors import FAILED, refusal_of, told
from triptych.server.wire.localization import in_language

if TYPE_CHECKING:
    from typing import BinaryIO

Jobs = Mapping[str, Callable[[bytes], object]]
JOBS: Final[Jobs] = {**rules.JOBS, **scorer.JOBS, **replay.JOBS, **analysis.JOBS, **review.JOBS}
NICENESS: Final = 10  # the tables come first
_ORDER: Final = msgspec.msgpack.Decoder(Order)


def work(order: Order, jobs: Jobs = JOBS) -> Done:
    """Return what a job comes to; a refusal is an answer too."""
    try:
        found = jobs[order.job](order.body)
    except TriptychError as error:
        refusal = refusal_of(error)
        return Done(error=in_language(told(refusal), order.language), status=refusal.status)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the next request is somebody else's
        return Done(error=FAILED, status=500, fault=where(error))
    return Done(found if isinstance(found, bytes) else msgspec.json.encode(in_language(found, order.language)))


def serve(source: BinaryIO, sink: BinaryIO, jobs: Jobs = JOBS, seconds: int = CPU_SECONDS) -> None:
    """Say that this process is ready, then answer every frame of `source` on `sink` until it ends."""
    sink.write(frame(Done()))
    sink.flush()
    while len(size := source.read(SIZE)) == SIZE:
        order = _ORDER.decode(source.read(int.from_bytes(size, "big")))
        _allow(seconds)
        sink.write(frame(work(order, jobs)))
        sink.flush()


if sys.platform == "win32":

    def limit(megabytes: int = MOST_MEGABYTES) -> None:
        """Windows has no such limits; the server's own time limit holds there."""

    def _allow(seconds: int) -> None:
        pass

else:
    import resource

    def limit(megabytes: int = MOST_MEGABYTES) -> None:
        """Give this process little memory beyond what it has now, and the last place in the queue for a processor."""
        os.nice(NICENESS)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        pages = _pages()
        if pages is not None:
            _limit(resource.RLIMIT_AS, pages * resource.getpagesize() + megabytes * 2**20)

    def _pages() -> int | None:
        """Return how many pages of addresses this process has, None where the system does not tell."""
        try:
            with open("/proc/self/statm", "rb") as told:  # noqa: PTH123 - a line of the system's, no file
                return int(told.read().split()[0])
        except OSError:
            return None

    def _allow(seconds: int) -> None:
        """Give the next request its processor time; the system ends the process after that."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)

    def _limit(what: int, most: int) -> None:
        """Set a limit, which stays below one that somebody else has set."""
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    limit()
    serve(sys.stdin.buffer, sys.stdout.buffer)
