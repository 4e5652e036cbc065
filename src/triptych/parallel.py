"""Parallel work over processes, or with Ray over machines: the interface to joblib for training, arena, benches."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final, Literal, Self, TypeVar

from msgspec import Struct

from triptych.errors import TriptychError

T = TypeVar("T")

Backend = Literal["loky", "ray"]
"""`loky`: processes of this machine. `ray`: the Ray cluster that this machine belongs to (triptych[ray])."""

_WAVE: Final = 64


class Parallelism(Struct, frozen=True):
    """The number of processes, and where they run. One `loky` job is this process."""

    jobs: int = 1
    backend: Backend = "loky"


class JobsError(TriptychError):
    """Parallel work that is not possible (`jobs.count`, `jobs.ray`, `jobs.joblib`)."""


class Pool:
    """A pool of processes for the duration of a `with`; one job runs in this process."""

    def __init__(self, spread: Parallelism) -> None:
        """Raises JobsError as `verify_parallelism`."""
        verify_parallelism(spread)
        jobs, backend = spread.jobs, spread.backend
        self._alone = jobs == 1 and backend == "loky"
        self._parallel: Any = None
        if self._alone:
            return
        if backend == "ray":
            from ray.util.joblib import register_ray  # noqa: PLC0415 - an extra

            register_ray()
        from joblib import Parallel  # noqa: PLC0415 - slow to load, and only needed here

        # Ray's backend hands results over only when a wave is done.
        return_as = "generator" if backend == "loky" else "list"
        self._parallel = Parallel(n_jobs=jobs, backend=backend, return_as=return_as)

    def __enter__(self) -> Self:
        if not self._alone:
            self._parallel.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if not self._alone:
            self._parallel.__exit__(*error)

    def map(self, work: Callable[..., T], items: Iterable[tuple[object, ...]]) -> Iterator[T]:
        """Yield `work(*item)` in the order of the items; the work ends soon after the iterator is closed."""
        if self._alone:
            for item in items:
                yield work(*item)
            return
        from joblib import delayed  # noqa: PLC0415 - loaded above already

        remaining = iter(items)
        while wave := list(islice(remaining, _WAVE)):
            results = self._parallel(delayed(work)(*item) for item in wave)
            try:
                # Not `yield from`: that would close `results` without the warning filter.
                for result in results:  # noqa: UP028
                    yield result
            finally:
                if hasattr(results, "close"):
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore", UserWarning)  # results that were not fetched are not needed
                        results.close()


def verify_parallelism(spread: Parallelism) -> None:
    """Raise JobsError (`jobs.count`, `jobs.ray`, `jobs.joblib`) when this parallelism is not possible."""
    if spread.jobs < 1:
        raise JobsError("jobs.count", f"work in at least one process, not {spread.jobs}", "$.jobs")
    if spread.backend == "ray" and find_spec("ray") is None:
        raise JobsError("jobs.ray", "Ray is not installed; add the extra: triptych[ray]", "$.backend")
    if (spread.jobs > 1 or spread.backend == "ray") and find_spec("joblib") is None:
        raise JobsError("jobs.joblib", "several processes need joblib; add the extra: triptych[cli]", "$.jobs")
