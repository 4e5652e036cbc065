"""Of many like cases that take seconds each a few are looked at in every run, and all of them in the slow one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from _pytest.mark import ParameterSet


def sample_cases(cases: Sequence[object], often: Iterable[object]) -> list[ParameterSet]:
    """Return the cases as parameters, most of them marked as slow. Raises ValueError for a case that is none."""
    usual = list(often)
    if not all(case in cases for case in usual):
        message = f"{usual} are not all among {cases}"
        raise ValueError(message)
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=() if case in usual else pytest.mark.slow)
        for case in cases
    ]
