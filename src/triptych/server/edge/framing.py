"""WebSocket frames as bytes (RFC 6455 5.2).

The first byte of a frame says what it is, the second has the mask's bit and a length, which may stand in the next
2 or 8 bytes instead.
"""

from __future__ import annotations

import struct
from typing import Final

# First bytes of whole frames, and the heartbeat that a server sends.
TEXT: Final = 0x81
CLOSE: Final = 0x88
PING: Final = 0x89
PONG: Final = 0x8A
HEARTBEAT: Final = b"\x89\x00"
# Bits of the first byte: the last of its fragments; a control frame, which may come between others' fragments.
LAST: Final = 0x80
CONTROL: Final = 0x08
# A bit of the second byte, and the bytes of a mask.
MASKED: Final = 0x80
MASK: Final = 4
# Lengths from here on stand in bytes of their own; no control frame is as long as the first.
SHORT: Final = 126
_MIDDLE: Final = 1 << 16


def content_at(data: bytes | bytearray, at: int) -> tuple[int, int]:
    """Return where the content of the masked frame at `at` begins, and its length; 0 until that has come."""
    length = data[at + 1] & ~MASKED
    if length < SHORT:
        return at + 2 + MASK, length
    size = 2 if length == SHORT else 8
    digits = data[at + 2 : at + 2 + size]
    return at + 2 + size + MASK, int.from_bytes(digits, "big") if len(digits) == size else 0


def text_head(size: int) -> bytes:
    """Return what stands before a text of so many bytes that a server sends."""
    if size < SHORT:
        return struct.pack("!BB", TEXT, size)
    if size < _MIDDLE:
        return struct.pack("!BBH", TEXT, SHORT, size)
    return struct.pack("!BBQ", TEXT, SHORT + 1, size)
