"""WebSocket frames as bytes (RFC 6455 5.2).

The first byte of a frame is its kind, the second has the mask's bit and the length; a longer length is in the next
2 or 8 bytes instead.
"""

from __future__ import annotations

import struct
from typing import Final

# First bytes of whole frames, and the ping frame that the server sends.
TEXT: Final = 0x81
CLOSE: Final = 0x88
PING: Final = 0x89
PONG: Final = 0x8A
HEARTBEAT: Final = b"\x89\x00"
# Bits of the first byte: the last fragment; a control frame, which may come between a message's fragments.
LAST: Final = 0x80
CONTROL: Final = 0x08
# A bit of the second byte, and the size of a mask in bytes.
MASKED: Final = 0x80
MASK: Final = 4
# Lengths from here on have bytes of their own; a control frame is always shorter.
SHORT: Final = 126
_MIDDLE: Final = 1 << 16


def content_at(data: bytes | bytearray, at: int) -> tuple[int, int]:
    """Return the start and the length of the content of the masked frame at `at`; length 0 until it is received."""
    length = data[at + 1] & ~MASKED
    if length < SHORT:
        return at + 2 + MASK, length
    size = 2 if length == SHORT else 8
    digits = data[at + 2 : at + 2 + size]
    return at + 2 + size + MASK, int.from_bytes(digits, "big") if len(digits) == size else 0


def text_head(size: int) -> bytes:
    """Return the frame header of a server's text of so many bytes."""
    if size < SHORT:
        return struct.pack("!BB", TEXT, size)
    if size < _MIDDLE:
        return struct.pack("!BBH", TEXT, SHORT, size)
    return struct.pack("!BBQ", TEXT, SHORT + 1, size)
