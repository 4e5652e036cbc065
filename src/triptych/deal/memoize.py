"""What is asked of the very same state again and again while one action is done: worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def memoize_last(function: Callable[[T], R]) -> Callable[[T], R]:
    """Let a pure function of a frozen state remember its last answer, for this very object alone.

    No hash and no comparison: they would cost more than most answers. The pair is one object, so threads never see
    half of it.
    """
    last: tuple[T, R] | None = None

    @wraps(function)
    def ask(state: T) -> R:
        nonlocal last
        entry = last
        if entry is not None and entry[0] is state:
            return entry[1]
        answer = function(state)
        last = state, answer
        return answer

    return ask
