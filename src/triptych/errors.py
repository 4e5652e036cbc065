"""The base of all errors of invalid input: a code for programs, a message for people, and a path."""

from __future__ import annotations

import copyreg
from typing import Any


class TriptychError(ValueError):
    """Invalid input; nothing has changed.

    `code` is for programs (`cards.count`) and listed beside the subclass, `message` is for people, `path` locates the
    error in the input (`$.scoring.rows`; `$` is the whole). The text is `path: message`.
    """

    def __init__(self, code: str, message: str, path: str = "$") -> None:
        super().__init__(message if path == "$" else f"{path}: {message}")
        self.code = code
        self.message = message
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how pickle and copy recreate the error: without `__init__`, whose parameters differ by class."""
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
