"""The one shape of every refusal: a code for programs, a message for people, and where the fault lies."""

from __future__ import annotations

import copyreg
from typing import Any


class TriptychError(ValueError):
    """Something from outside that cannot be taken as it is; nothing has changed.

    `code` is for programs (`cards.count`) and listed where the error's own class stands, `message` is for people,
    `path` says where in what was given (`$.scoring.rows`; `$` is the whole). The text is `path: message`.
    """

    def __init__(self, code: str, message: str, path: str = "$") -> None:
        super().__init__(message if path == "$" else f"{path}: {message}")
        self.code = code
        self.message = message
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how pickle and copy make the error again: without `__init__`, whose parameters each class names."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


def error_location(error: BaseException) -> str:
    """Return the kind of an error and the line that raised it, for a log; never its text, which may hold cards."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{type(error).__name__} at {file}:{trace.tb_lineno}"
