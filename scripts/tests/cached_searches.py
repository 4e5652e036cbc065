"""The pages' examples ask about the same few positions and deals: each is searched once, by whichever asks first."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from triptych import api

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

_ANSWERS: dict[str, Any] = {}


def search_once(patch: pytest.MonkeyPatch) -> None:
    """Let `analyse`, `review` of the library answer from what was found before for the same question."""
    for name in ("_analyse", "_review"):
        patch.setattr(api, name, _once(getattr(api, name)))


def _once(search: Callable[..., object]) -> Callable[..., object]:
    @wraps(search)
    def answer(*args: object, **options: object) -> object:
        question = f"{search.__name__} {args!r} {options!r}"
        if question not in _ANSWERS:
            _ANSWERS[question] = search(*args, **options)
        return _ANSWERS[question]

    return answer
