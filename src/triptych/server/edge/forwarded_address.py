"""The signed header with which one server forwards a request to another: the client's address and scheme."""

from __future__ import annotations

import hmac
import time
from typing import Final, NamedTuple

FORWARDED_HEADER: Final = b"x-triptych-hop"
# Servers' clocks may differ by this much.
MAX_AGE_SECONDS: Final = 120


class Origin(NamedTuple):
    """The origin of a request: the client's address, and the scheme of the URL in the browser."""

    address: str
    scheme: str


class ForwardedAddressSigner:
    """Signs and verifies with the secret that all servers of a cluster share."""

    def __init__(self) -> None:
        self._secret = b""

    def set_key(self, secret: bytes) -> None:
        """Use this secret from now on."""
        self._secret = secret

    def sign(self, address: str, scheme: str = "http") -> bytes:
        """Return the header's value for a client's address."""
        message = f"{int(time.time())} {scheme} {address}".encode()
        return self._signature(message) + b" " + message

    def verify(self, value: bytes) -> Origin | None:
        """Return the origin that another server of the cluster has signed; None for any other value."""
        signature, _, message = value.partition(b" ")
        if not self._secret or not hmac.compare_digest(signature, self._signature(message)):
            return None
        at, scheme, address = message.decode().split(" ", 2)
        return Origin(address, scheme) if abs(int(at) - time.time()) <= MAX_AGE_SECONDS else None

    def _signature(self, message: bytes) -> bytes:
        return hmac.digest(self._secret or b"-", b"hop " + message, "sha256").hex().encode()
