"""What one server says to another on behalf of somebody: where they come from, and that it was passed on already."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from typing import Final, NamedTuple

FORWARDED_HEADER: Final = b"x-triptych-hop"
# Servers' clocks need not agree better than this.
MAX_AGE_SECONDS: Final = 120


class Origin(NamedTuple):
    """Where somebody comes from: their address, and the scheme of the address that their browser shows."""

    address: str
    scheme: str


class ForwardedAddressSigner:
    """Signs with the secret that all servers of a house know."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._secret = b""

    def set_key(self, secret: bytes) -> None:
        """Sign with this from now on."""
        self._secret = secret

    def sign(self, address: str, scheme: str = "http") -> bytes:
        """Return the header's value for somebody who comes from an address."""
        message = f"{int(self._clock())} {scheme} {address}".encode()
        return self._signature(message) + b" " + message

    def verify(self, value: bytes) -> Origin | None:
        """Return what another server of the house has said; None for anything else."""
        signature, _, message = value.partition(b" ")
        if not self._secret or not hmac.compare_digest(signature, self._signature(message)):
            return None
        at, scheme, address = message.decode().split(" ", 2)
        return Origin(address, scheme) if abs(int(at) - self._clock()) <= MAX_AGE_SECONDS else None

    def _signature(self, message: bytes) -> bytes:
        return hmac.digest(self._secret or b"-", b"hop " + message, "sha256").hex().encode()
