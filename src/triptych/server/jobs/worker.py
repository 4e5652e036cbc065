"""The process of a worker pool (pool.py): reads and writes frames, within limits of time and memory.

A pool starts it as `python -m triptych.server.jobs.worker KIND`. It serves until its input ends. A request that
exceeds the limits ends the process; the server starts another one.
Each kind imports only what it runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from secrets import randbits
from typing import BinaryIO, Final, NamedTuple

import msgspec

from triptych.errors import TriptychError, error_location
from triptych.server.jobs.protocol import FRAME_HEADER_BYTES, JobRequest, JobResult, encode_frame
from triptych.server.wire.errors import COMMAND_FAILED, to_api_error, to_wire_error
from triptych.server.wire.localization import encode_json, localize

Jobs = Mapping[str, Callable[[bytes], object]]
_REQUEST: Final = msgspec.msgpack.Decoder(JobRequest)


class WorkerKind(NamedTuple):
    """The jobs of a kind of worker, its processor time for one job, and its memory beyond a fresh process's."""

    load: Callable[[], Jobs]
    cpu_seconds: int | None
    megabytes: int | None
    niceness: int


def request_jobs() -> Jobs:
    """Return the jobs that read and replay what clients send."""
    from triptych.server.jobs import analysis, replay, review, rules, scorer  # noqa: PLC0415 - only this kind's

    return {**rules.JOBS, **scorer.JOBS, **replay.JOBS, **analysis.JOBS, **review.JOBS}


def search_jobs() -> Jobs:
    """Return the jobs that search: each loads its rules' learned weights, which take some hundred megabytes."""
    from triptych.server.jobs.review import SEARCH_JOBS  # noqa: PLC0415 - as above

    return SEARCH_JOBS


def bot_jobs() -> Jobs:
    """Return the jobs of bots at tables."""
    from triptych.server.jobs.bots import BotJobs  # noqa: PLC0415 - as above

    return BotJobs(randbits(63)).jobs


def strategy_jobs() -> Jobs:
    """Return the job that trains strategies of closed games."""
    from triptych.bots.strategy_cache import train_missing_strategies  # noqa: PLC0415 - as above
    from triptych.rulesets.model import Ruleset  # noqa: PLC0415 - as above

    return {"strategy": lambda body: train_missing_strategies(msgspec.json.decode(body, type=Ruleset))}


# Niceness: the tables come first, then people's requests, then strategies made in advance. Most requests take some
# hundredths of a second. Bots belong to the server, and are limited by their search budget.
KINDS: Final = {
    "requests": WorkerKind(request_jobs, 5, 96, 10),
    "searches": WorkerKind(search_jobs, 30, 1024, 10),
    "bots": WorkerKind(bot_jobs, None, None, 0),
    "strategies": WorkerKind(strategy_jobs, None, None, 19),
}


def run_job(request: JobRequest, jobs: Jobs) -> JobResult:
    """Return the result of a job; an error is a result too."""
    try:
        result = jobs[request.job](request.body)
    except TriptychError as error:
        api_error = to_api_error(error)
        return JobResult(error=localize(to_wire_error(api_error), request.language), status=api_error.status)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - one request must not end the process
        return JobResult(error=COMMAND_FAILED, status=500, fault=error_location(error))
    return JobResult(result if isinstance(result, bytes) else encode_json(result, request.language))


def serve(source: BinaryIO, sink: BinaryIO, jobs: Jobs, cpu_seconds: int | None) -> None:
    """Send an empty result when ready, then answer every frame of `source` on `sink` until it ends."""
    sink.write(encode_frame(JobResult()))
    sink.flush()
    while len(size := source.read(FRAME_HEADER_BYTES)) == FRAME_HEADER_BYTES:
        request = _REQUEST.decode(source.read(int.from_bytes(size, "big")))
        if cpu_seconds is not None:
            _set_cpu_limit(cpu_seconds)
        sink.write(encode_frame(run_job(request, jobs)))
        sink.flush()


if sys.platform == "win32":

    def apply_limits(megabytes: int | None, niceness: int) -> None:
        """Windows has no such limits; the server's own time limit holds there."""

    def _set_cpu_limit(seconds: int) -> None:
        pass

else:
    import resource

    def apply_limits(megabytes: int | None, niceness: int) -> None:
        """Limit the memory that this process may take beyond what it has now, and lower its priority."""
        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        pages = _pages()
        if megabytes is not None and pages is not None:
            _limit(resource.RLIMIT_AS, pages * resource.getpagesize() + megabytes * 2**20)

    def _pages() -> int | None:
        """Return the size of this process's address space in pages, None where the system does not report it."""
        try:
            with open("/proc/self/statm", "rb") as statm:  # noqa: PTH123 - not a real file
                return int(statm.read().split()[0])
        except OSError:
            return None

    def _set_cpu_limit(seconds: int) -> None:
        """Limit the processor time of the next request; the system ends the process after that."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)

    def _limit(resource_kind: int, maximum: int) -> None:
        """Set a limit, at most the one that is set already."""
        _, hard = resource.getrlimit(resource_kind)
        resource.setrlimit(resource_kind, (maximum if hard == resource.RLIM_INFINITY else min(maximum, hard), hard))


def main(kind: str) -> None:
    """Serve the jobs of a kind on standard input and output."""
    limits = KINDS[kind]
    jobs = limits.load()
    apply_limits(limits.megabytes, limits.niceness)
    serve(sys.stdin.buffer, sys.stdout.buffer, jobs, limits.cpu_seconds)


if __name__ == "__main__":
    main(sys.argv[1])
