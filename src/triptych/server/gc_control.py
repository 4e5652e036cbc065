"""Python's collector of cycles, which stops every table while it looks: seldom, and if it can in a quiet moment.

Left to itself it goes by how much more was made than freed. A busy room frees as much as it makes, since each move
takes an older state's place: so it looks late, and then through all that has come since, a tenth of a second in the
middle of a move. It finds next to nothing, for what a move leaves behind is freed without it.
"""

from __future__ import annotations

import gc
import sys
from time import process_time
from typing import Final

# It looks when there is this much more of everything than after the last time.
QUIET_GROWTH: Final = 1.2
BUSY_GROWTH: Final = 4.0
MIN_GROWTH_BLOCKS: Final = 300_000  # blocks of memory, about 30 MB
IDLE_CPU_SECONDS: Final = 0.25  # seconds of processor from one step to the next


class GcController:
    """Collects where memory has grown, and never by itself."""

    def __init__(self) -> None:
        self._used = 0.0
        self._blocks = 0

    def start(self) -> None:
        """Leave out for good what there is, which is what was imported, and look from now on only in steps."""
        gc.disable()
        gc.freeze()
        self._blocks = sys.getallocatedblocks()

    def step(self) -> None:
        """Look if there is much more than there was; asked every five seconds."""
        before, self._used = self._used, process_time()
        grown = QUIET_GROWTH if self._used - before < IDLE_CPU_SECONDS else BUSY_GROWTH
        if sys.getallocatedblocks() > max(self._blocks * grown, self._blocks + MIN_GROWTH_BLOCKS):
            self._check()

    def stop(self) -> None:
        """Leave it to itself again."""
        gc.unfreeze()
        gc.enable()

    def _check(self) -> None:
        gc.collect()
        self._blocks = sys.getallocatedblocks()
