"""What a store refuses, and what it cannot do."""

from __future__ import annotations


class StoreError(Exception):
    """The base of what a store raises."""


class VersionConflictError(StoreError):
    """Somebody else has written this table; `actual` is its version now."""

    def __init__(self, table: str, expected: int, actual: int) -> None:
        super().__init__(f"table {table} is at version {actual}, not {expected}")
        self.actual = actual


class DuplicateCommandError(StoreError):
    """The command was done before; `answer` is what it was told then. Nothing was written now."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("this command was done before")
        self.answer = answer


class CorruptRecordError(StoreError):
    """What is stored of a table is not what was written. Other tables are not concerned."""

    def __init__(self, table: str, what: str) -> None:
        super().__init__(f"the record of table {table} is damaged: {what}")
        self.table = table
        self.what = what


class RecordExpiredError(StoreError):
    """A table whose record was deleted when its time was up."""

    def __init__(self, table: str) -> None:
        super().__init__(f"the record of table {table} was deleted: it is kept here for a time only")
        self.table = table


class InvalidAppendError(StoreError):
    """An append that no database holds; nothing of it was written."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} cannot be stored")


class FencedError(StoreError):
    """The others hold this server for dead: all that it owned is free, and it writes nothing more as who it was."""

    def __init__(self) -> None:
        super().__init__("this server was not heard of for too long; its tables are played elsewhere")


class LeaseNotHeldError(StoreError):
    """An append to a table that this server does not own; nothing of it was written."""

    def __init__(self, table: str) -> None:
        super().__init__(f"table {table} is not owned by this server")


class StoreClosedError(StoreError):
    """The store is shut, or the append was still waiting when it was."""

    def __init__(self) -> None:
        super().__init__("the store is closed")
