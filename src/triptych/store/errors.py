"""Errors of stores."""

from __future__ import annotations


class StoreError(Exception):
    """The base of the errors that stores raise."""


class VersionConflictError(StoreError):
    """Another writer has appended to this table; `actual` is its version now."""

    def __init__(self, table: str, expected: int, actual: int) -> None:
        super().__init__(f"table {table} is at version {actual}, not {expected}")
        self.actual = actual


class DuplicateCommandError(StoreError):
    """The command was done before; `answer` is its stored reply. Nothing was written now."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("this command was done before")
        self.answer = answer


class CorruptRecordError(StoreError):
    """A table's stored data are not what was written. Other tables are not affected."""

    def __init__(self, table: str, what: str) -> None:
        super().__init__(f"the record of table {table} is damaged: {what}")
        self.table = table
        self.what = what


class RecordExpiredError(StoreError):
    """The table's record has expired and was deleted."""

    def __init__(self, table: str) -> None:
        super().__init__(f"the record of table {table} was deleted: it is kept here for a time only")
        self.table = table


class InvalidAppendError(StoreError):
    """No database can hold this append; nothing of it was written."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} cannot be stored")


class FencedError(StoreError):
    """The other servers have fenced this one: its leases are free, and under this number it can write no more."""

    def __init__(self) -> None:
        super().__init__("this server was out of contact for too long; its tables are played elsewhere")


class LeaseNotHeldError(StoreError):
    """This server does not own the table; nothing of the append was written."""

    def __init__(self, table: str) -> None:
        super().__init__(f"table {table} is not owned by this server")


class StoreClosedError(StoreError):
    """The store is closed, or was closed before the append was written."""

    def __init__(self) -> None:
        super().__init__("the store is closed")
