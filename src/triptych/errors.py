"""The one shape of every refusal: a code for programs, a message for people, and where the fault lies."""

from __future__ import annotations


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
