"""The process in which strangers' requests are worked out: frames of jobs/pool.py in and out, within limits.

It serves until its input ends. A request that breaks its limits ends the process; the server starts another one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import BinaryIO, Final

import msgspec

from triptych.errors import TriptychError
from triptych.server.jobs.pool import (
    CPU_SECONDS,
    FRAME_HEADER_BYTES,
    MAX_MEGABYTES,
    JobRequest,
    JobResult,
    encode_frame,
)
from triptych.server.log import error_location
from triptych.server.routes import analysis, replay, review, rules, scorer
from triptych.server.wire.errors import COMMAND_FAILED, to_api_error, to_wire_error
from triptych.server.wire.localization import localize

Jobs = Mapping[str, Callable[[bytes], object]]
JOBS: Final[Jobs] = {**rules.JOBS, **scorer.JOBS, **replay.JOBS, **analysis.JOBS, **review.JOBS}
NICENESS: Final = 10  # the tables come first
_ORDER: Final = msgspec.msgpack.Decoder(JobRequest)


def run_job(order: JobRequest, jobs: Jobs = JOBS) -> JobResult:
    """Return what a job comes to; a refusal is an answer too."""
    try:
        found = jobs[order.job](order.body)
    except TriptychError as error:
        refusal = to_api_error(error)
        return JobResult(error=localize(to_wire_error(refusal), order.language), status=refusal.status)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the next request is somebody else's
        return JobResult(error=COMMAND_FAILED, status=500, fault=error_location(error))
    return JobResult(found if isinstance(found, bytes) else msgspec.json.encode(localize(found, order.language)))


def serve(source: BinaryIO, sink: BinaryIO, jobs: Jobs = JOBS, seconds: int = CPU_SECONDS) -> None:
    """Say that this process is ready, then answer every frame of `source` on `sink` until it ends."""
    sink.write(encode_frame(JobResult()))
    sink.flush()
    while len(size := source.read(FRAME_HEADER_BYTES)) == FRAME_HEADER_BYTES:
        order = _ORDER.decode(source.read(int.from_bytes(size, "big")))
        _set_cpu_limit(seconds)
        sink.write(encode_frame(run_job(order, jobs)))
        sink.flush()


if sys.platform == "win32":

    def apply_limits(megabytes: int = MAX_MEGABYTES) -> None:
        """Windows has no such limits; the server's own time limit holds there."""

    def _set_cpu_limit(seconds: int) -> None:
        pass

else:
    import resource

    def apply_limits(megabytes: int = MAX_MEGABYTES) -> None:
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

    def _set_cpu_limit(seconds: int) -> None:
        """Give the next request its processor time; the system ends the process after that."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)

    def _limit(what: int, most: int) -> None:
        """Set a limit, which stays below one that somebody else has set."""
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    apply_limits()
    serve(sys.stdin.buffer, sys.stdout.buffer)
