"""The process of a worker pool (pool.py): frames in and out, within limits.

`python -m triptych.server.jobs.worker KIND` is how a pool starts it. It serves until its input ends. A request that
breaks its limits ends the process; the server starts another one.
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
from triptych.i18n.messages import plain_text
from triptych.server.jobs.protocol import FRAME_HEADER_BYTES, JobRequest, JobResult, encode_frame
from triptych.server.wire.errors import COMMAND_FAILED, to_api_error, to_wire_error
from triptych.server.wire.localization import localize

Jobs = Mapping[str, Callable[[bytes], object]]
_REQUEST: Final = msgspec.msgpack.Decoder(JobRequest)


class WorkerKind(NamedTuple):
    """The jobs of a kind of worker; its processor time for one job, and its memory beyond a fresh process."""

    load: Callable[[], Jobs]
    cpu_seconds: int | None
    megabytes: int | None
    niceness: int


def request_jobs() -> Jobs:
    """Return the jobs that read and replay what strangers send."""
    from triptych.server.jobs import analysis, replay, review, rules, scorer  # noqa: PLC0415 - one kind's alone

    return {**rules.JOBS, **scorer.JOBS, **replay.JOBS, **analysis.JOBS, **review.JOBS}


def search_jobs() -> Jobs:
    """Return the jobs that search: each reads its rules' learned table, which takes some hundred megabytes."""
    from triptych.server.jobs.review import SEARCH_JOBS  # noqa: PLC0415 - as above

    return SEARCH_JOBS


def bot_jobs() -> Jobs:
    """Return the jobs of bots at tables."""
    from triptych.server.jobs.bots import BotJobs  # noqa: PLC0415 - as above

    return BotJobs(randbits(63)).jobs


def strategy_jobs() -> Jobs:
    """Return the job that makes strategies of closed games."""
    from triptych.bots.field_cache import train_missing_fields  # noqa: PLC0415 - as above
    from triptych.rulesets.model import Ruleset  # noqa: PLC0415 - as above

    return {"strategy": lambda body: train_missing_fields(msgspec.json.decode(body, type=Ruleset))}


# The tables come first, and people before what is made in advance. What people ask for takes some hundredths of a
# second. Bots are the server's own, and limited by their budget.
KINDS: Final = {
    "requests": WorkerKind(request_jobs, 5, 96, 10),
    "searches": WorkerKind(search_jobs, 30, 1024, 10),
    "bots": WorkerKind(bot_jobs, None, None, 0),
    "strategies": WorkerKind(strategy_jobs, None, None, 19),
}


def run_job(request: JobRequest, jobs: Jobs) -> JobResult:
    """Return what a job comes to; a refusal is an answer too."""
    try:
        result = jobs[request.job](request.body)
    except TriptychError as error:
        refusal = to_api_error(error)
        return JobResult(error=localize(to_wire_error(refusal), request.language), status=refusal.status)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the next request is somebody else's
        return JobResult(error=COMMAND_FAILED, status=500, fault=error_location(error))
    return JobResult(
        result
        if isinstance(result, bytes)
        else msgspec.json.encode(localize(result, request.language), enc_hook=plain_text)
    )


def serve(source: BinaryIO, sink: BinaryIO, jobs: Jobs, cpu_seconds: int | None) -> None:
    """Say that this process is ready, then answer every frame of `source` on `sink` until it ends."""
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
        """Limit the memory that this process takes beyond what it has now, and let others go first."""
        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        pages = _pages()
        if megabytes is not None and pages is not None:
            _limit(resource.RLIMIT_AS, pages * resource.getpagesize() + megabytes * 2**20)

    def _pages() -> int | None:
        """Return how many pages of addresses this process has, None where the system does not tell."""
        try:
            with open("/proc/self/statm", "rb") as statm:  # noqa: PTH123 - a line of the system's, no file
                return int(statm.read().split()[0])
        except OSError:
            return None

    def _set_cpu_limit(seconds: int) -> None:
        """Give the next request its processor time; the system ends the process after that."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds)

    def _limit(what: int, maximum: int) -> None:
        """Set a limit, which stays below one that somebody else has set."""
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (maximum if hard == resource.RLIM_INFINITY else min(maximum, hard), hard))


def main(kind: str) -> None:
    """Serve the jobs of a kind on standard input and output."""
    limits = KINDS[kind]
    jobs = limits.load()
    apply_limits(limits.megabytes, limits.niceness)
    serve(sys.stdin.buffer, sys.stdout.buffer, jobs, limits.cpu_seconds)


if __name__ == "__main__":
    main(sys.argv[1])
