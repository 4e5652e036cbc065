"""Many small cases in one test: a test of its own costs more than such a case."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def case(*values: object) -> Iterator[None]:
    """Add the values to whatever fails inside, so that the report names the case."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the case {', '.join(map(str, values))}")
        raise
