"""Which commands a table may have had: a filter that forgets none, and takes one in a hundred others for one of them.

So a commit asks the database only for the few commands that may have been done before (writer.py). Two bytes each.
"""

from __future__ import annotations

from typing import Final

from triptych.store.journal.batch import CommandId

_BITS: Final = 16  # a command
_FIRST: Final = 1 << 11  # bits of the first field; each next one has twice as many
_MAX: Final = 1 << 20
_SHIFTS: Final = (0, 20, 40)  # where in a hash a command's places are taken from


class CommandFilter:
    """Fields of bits, in which a command sets three."""

    __slots__ = ("_fields", "_left")

    def __init__(self) -> None:
        self._fields = [bytearray(_FIRST // 8)]
        self._left = _FIRST // _BITS

    def add(self, key: CommandId) -> None:
        """Know a command from now on."""
        if not self._left:
            bits = min(len(self._fields[-1]) * 16, _MAX)
            self._fields.append(bytearray(bits // 8))
            self._left = bits // _BITS
        self._left -= 1
        field, mixed = self._fields[-1], hash(key)
        for shift in _SHIFTS:
            place = (mixed >> shift) % (len(field) * 8)
            field[place >> 3] |= 1 << (place & 7)

    def __contains__(self, key: CommandId) -> bool:
        """Return whether a command may have been noted: False is certain."""
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
