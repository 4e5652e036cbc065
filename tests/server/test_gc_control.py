"""Python's collector, which a server runs only when memory has grown (issue 12: no table stands still for it)."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import TYPE_CHECKING

import pytest

from triptych.server.gc_control import MIN_GROWTH_BLOCKS, QUIET_GROWTH, GcController

if TYPE_CHECKING:
    from collections.abc import Iterator


class SelfReference:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def collector() -> Iterator[GcController]:
    controller = GcController()
    controller.start()
    yield controller
    controller.stop()
    gc.collect()


def test_it_never_looks_by_itself(collector: GcController) -> None:
    ring = weakref.ref(SelfReference())
    rings = [SelfReference() for _ in range(10_000)]
    collector.step()
    assert ring() is not None
    assert rings


def test_it_looks_when_memory_has_grown(collector: GcController) -> None:
    ring = weakref.ref(SelfReference())
    collector.step()
    assert ring() is not None  # there is no more than there was
    needed = max(int(sys.getallocatedblocks() * (QUIET_GROWTH - 1)), MIN_GROWTH_BLOCKS)
    grown = [[number] for number in range(needed)]
    for _ in range(2):  # what made them was no quiet moment
        collector.step()
    assert ring() is None
    assert grown


def test_a_process_is_left_as_it_was(collector: GcController) -> None:
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()
