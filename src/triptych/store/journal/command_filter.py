"""A Bloom filter of a table's commands, with about one per cent of false positives and two bytes a command.

With it a commit asks the database only for the few commands that may have been done before (writer.py).
"""

from __future__ import annotations

from typing import Final

from triptych.store.journal.batch import CommandId

_BITS: Final = 16  # a command
_FIRST: Final = 1 << 11  # bits of the first field; each further field has twice as many
_MAX: Final = 1 << 20
_SHIFTS: Final = (0, 20, 40)  # the parts of a hash that select a command's bits


class CommandFilter:
    """Bit fields, in which each command sets three bits."""

    __slots__ = ("_fields", "_remaining")

    def __init__(self) -> None:
        self._fields = [bytearray(_FIRST // 8)]
        self._remaining = _FIRST // _BITS

    def add(self, key: CommandId) -> None:
        """Add a command."""
        if not self._remaining:
            bits = min(len(self._fields[-1]) * 16, _MAX)
            self._fields.append(bytearray(bits // 8))
            self._remaining = bits // _BITS
        self._remaining -= 1
        field, mixed = self._fields[-1], hash(key)
        for shift in _SHIFTS:
            place = (mixed >> shift) % (len(field) * 8)
            field[place >> 3] |= 1 << (place & 7)

    def __contains__(self, key: CommandId) -> bool:
        """Return whether a command may have been added: False is certain."""
        mixed = hash(key)
        for field in self._fields:
            bits = len(field) * 8
            for shift in _SHIFTS:
                place = (mixed >> shift) % bits
                if not field[place >> 3] >> (place & 7) & 1:
                    break
            else:
                return True
        return False
