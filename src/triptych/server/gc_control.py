"""Runs Python's garbage collector seldom, in a quiet moment if possible: every table waits while it runs.

By default the collector runs when more objects were allocated than freed. A busy table frees as much as it allocates,
since each move replaces an older state: so the collector runs late, and then takes a tenth of a second in the middle
of a move. It finds next to nothing, since reference counting frees a move's objects.
"""

from __future__ import annotations

import gc
import sys
from time import process_time
from typing import Final

# The collector runs when the memory blocks have grown by this factor since its last run.
QUIET_GROWTH: Final = 1.2
BUSY_GROWTH: Final = 4.0
MIN_GROWTH_BLOCKS: Final = 300_000  # about 30 MB
IDLE_CPU_SECONDS: Final = 0.25  # processor time between two steps


class GcController:
    """Runs the garbage collector in `step` when memory has grown, in place of Python's own schedule."""

    def __init__(self) -> None:
        self._cpu_seconds = 0.0
        self._blocks = 0

    def start(self) -> None:
        """Exclude the existing objects, which are imports, from collection, and collect only in steps from now on."""
        gc.disable()
        gc.freeze()
        self._blocks = sys.getallocatedblocks()

    def step(self) -> None:
        """Collect if memory has grown much; called every five seconds."""
        before, self._cpu_seconds = self._cpu_seconds, process_time()
        growth = QUIET_GROWTH if self._cpu_seconds - before < IDLE_CPU_SECONDS else BUSY_GROWTH
        if sys.getallocatedblocks() > max(self._blocks * growth, self._blocks + MIN_GROWTH_BLOCKS):
            self._collect()

    def stop(self) -> None:
        """Restore Python's own schedule."""
        gc.unfreeze()
        gc.enable()

    def _collect(self) -> None:
        gc.collect()
        self._blocks = sys.getallocatedblocks()
