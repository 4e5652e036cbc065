"""Work over processes, or with Ray over machines: the one door to joblib for training, the arena and the benches."""

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
    """Over how many processes work is spread, and where they are. One `loky` job is this process."""

    jobs: int = 1
    backend: Backend = "loky"


class JobsError(TriptychError):
    """Work that cannot be spread (`jobs.count`, `jobs.ray`, `jobs.joblib`)."""


class Pool:
    """Processes that are kept for as long as the `with` lasts; one job works in this process, without any."""

    def __init__(self, spread: Parallelism) -> None:
        """Raises JobsError when the work cannot be spread so."""
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
        returns = "generator" if backend == "loky" else "list"
        self._parallel = Parallel(n_jobs=jobs, backend=backend, return_as=returns)

    def __enter__(self) -> Self:
        """Start the processes."""
        if not self._alone:
            self._parallel.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        """End the processes."""
        if not self._alone:
            self._parallel.__exit__(*error)

    def map(self, work: Callable[..., T], items: Iterable[tuple[object, ...]]) -> Iterator[T]:
        """Yield `work(*item)` in the order of the items; a caller that stops listening stops the work soon after."""
        if self._alone:
            for item in items:
                yield work(*item)
            return
        from joblib import delayed  # noqa: PLC0415 - loaded above already

        left = iter(items)
        while wave := list(islice(left, _WAVE)):
            results = self._parallel(delayed(work)(*item) for item in wave)
            try:
                # Not `yield from`: a caller that stops listening must not close it without the filter.
                for result in results:  # noqa: UP028
                    yield result
            finally:
                if hasattr(results, "close"):
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore", UserWarning)  # what was not fetched is not wanted any more
                        results.close()


def verify_parallelism(spread: Parallelism) -> None:
    """Raise JobsError (`jobs.count`, `jobs.ray`, `jobs.joblib`) when work cannot be spread so."""
    if spread.jobs < 1:
        raise JobsError("jobs.count", f"work in at least one process, not {spread.jobs}", "$.jobs")
    if spread.backend == "ray" and find_spec("ray") is None:
        raise JobsError("jobs.ray", "Ray is not installed; add the extra: triptych[ray]", "$.backend")
    if (spread.jobs > 1 or spread.backend == "ray") and find_spec("joblib") is None:
        raise JobsError("jobs.joblib", "several processes need joblib; add the extra: triptych[cli]", "$.jobs")
